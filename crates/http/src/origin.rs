//! [`Origin`]: requests to one server over connections that are kept.
//!
//! The pool is our own and small, because there is one origin and one protocol: a general client's
//! bookkeeping costs as much per request as everything else that is done for a model's reply.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use bytes::Bytes;
use http::{
    HeaderMap, HeaderValue, Method, Request, Response, StatusCode, Uri, header, uri::Authority,
};
use http_body_util::Full;
use url::Url;

use crate::{
    Body, HttpError, HttpErrorKind, HttpSettings, RequestHeaders,
    connect::{Connector, Version, denied},
    connection::{Connection, LONGEST_HEAD, Purpose, Unheard, is_stale},
    error::innermost,
    headers::AGENT,
    meter,
    proxy::{Proxy, ProxyKind, is_encrypted},
};

/// More idle connections than this are closed.
const MOST_IDLE: usize = 64;

/// Requests to one server over connections that are kept. Cloning is cheap and shares them.
#[derive(Clone)]
pub struct Origin(Arc<Inner>);

struct Inner {
    uri: Uri,
    connector: Connector,
    /// What is sent with every request.
    headers: HeaderMap,
    idle: Mutex<Vec<Connection>>,
}

impl Origin {
    /// The server of an address, of which only scheme, host and port count.
    ///
    /// # Errors
    /// When it is none, or the proxy that is set for it is none.
    pub fn new(address: &Uri, settings: &HttpSettings) -> Result<Self, HttpError> {
        let bad = || HttpError::new(HttpErrorKind::Settings, "it is not the address of a server");
        let (Some(scheme), Some(authority)) = (address.scheme(), address.authority()) else {
            return Err(bad());
        };
        let host = authority.as_str().rsplit('@').next().unwrap_or_default();
        let uri = Uri::builder().scheme(scheme.clone()).authority(host).path_and_query("/");
        let uri = uri.build().map_err(|_| bad())?;
        // As it is written in settings: without the usual port, in small letters.
        let name = Url::parse(&uri.to_string()).map_err(|_| bad())?.origin().ascii_serialization();
        let host = uri.authority().map(Authority::as_str).unwrap_or_default();
        let mut headers = settings.headers(&name);
        headers.insert(header::HOST, HeaderValue::from_str(host).map_err(|_| bad())?);
        let connector = Connector::new(uri.clone(), settings, Version::One)?;
        Ok(Self(Arc::new(Inner { uri, connector, headers, idle: Mutex::default() })))
    }

    /// Its host, as connections are made to it.
    pub fn host(&self) -> &str {
        self.0.uri.host().unwrap_or_default()
    }

    /// Makes headers ready to be sent there. What settings say of this origin beats what is given.
    pub fn headers(&self, mut headers: HeaderMap) -> RequestHeaders {
        headers.entry(header::USER_AGENT).or_insert_with(|| HeaderValue::from_static(AGENT));
        for (name, value) in &self.0.headers {
            headers.insert(name, value.clone());
        }
        let is_secret = headers.values().any(HeaderValue::is_sensitive);
        if let Some(login) = self.forward().and_then(Proxy::authorization) {
            headers.insert(header::PROXY_AUTHORIZATION, login);
        }
        RequestHeaders { map: headers, is_secret }
    }

    /// Sends a request and waits for the head of the response. The path may have a query.
    ///
    /// # Errors
    /// When there is no response, or a proxy would read a secret.
    pub async fn send(
        &self,
        method: Method,
        path: &Uri,
        headers: &RequestHeaders,
        body: Bytes,
    ) -> Result<Response<Body>, HttpError> {
        self.check(headers)?;
        let whole = self.forward().map(|_| self.whole(path)).transpose()?;
        let request = || {
            let mut request = Request::new(Full::new(body.clone()));
            *request.method_mut() = method.clone();
            *request.uri_mut() = whole.as_ref().unwrap_or(path).clone();
            *request.headers_mut() = headers.map.clone();
            request
        };
        loop {
            let kept = self.take();
            let is_kept = kept.is_some();
            let mut connection = match kept {
                Some(connection) => connection,
                // Boxed, as it is rare and large: what waits for a reply stays small without it.
                None => Box::pin(self.connect()).await?,
            };
            match connection.send(request()).await {
                Ok(response) => {
                    return self.heard(response.map(|it| Body::new(it, connection, self)));
                }
                // The other side closed it just now, before it answered. Then the request goes
                // over another; that is no retry.
                Err(Unheard::Failed(error)) if is_kept && is_stale(&error) => {}
                Err(Unheard::Failed(error)) => return Err(self.failed(&error)),
                Err(Unheard::Endless) => return Err(endless()),
            }
        }
    }

    /// Takes a connection back whose response was read to its end.
    pub(crate) fn give_back(&self, mut connection: Connection) {
        if !connection.rest() {
            return;
        }
        let mut idle = self.0.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < MOST_IDLE {
            idle.push(connection);
        }
    }

    fn take(&self) -> Option<Connection> {
        let mut idle = self.0.idle.lock().unwrap_or_else(PoisonError::into_inner);
        std::iter::from_fn(|| idle.pop()).find(Connection::is_fresh)
    }

    async fn connect(&self) -> Result<Connection, HttpError> {
        let stream = self.0.connector.connect().await?;
        Connection::open(stream, Purpose::Requests).await.map_err(|error| self.failed(&error))
    }

    /// The proxy, where it is told whole addresses and reads what is sent.
    fn forward(&self) -> Option<&Proxy> {
        let proxy = self.0.connector.proxy.as_ref()?;
        (!is_encrypted(&self.0.uri) && proxy.kind == ProxyKind::Http).then_some(proxy)
    }

    fn check(&self, headers: &RequestHeaders) -> Result<(), HttpError> {
        if headers.is_secret { self.0.connector.check_secret() } else { Ok(()) }
    }

    /// The whole address of a path.
    fn whole(&self, path: &Uri) -> Result<Uri, HttpError> {
        let mut parts = self.0.uri.clone().into_parts();
        parts.path_and_query = path.path_and_query().cloned();
        Uri::from_parts(parts).map_err(|_| {
            HttpError::new(HttpErrorKind::Settings, "the path is not one of an address")
        })
    }

    fn heard(&self, response: Response<Body>) -> Result<Response<Body>, HttpError> {
        match self.forward() {
            // No server says this, but for itself as a proxy.
            Some(proxy) if response.status() == StatusCode::PROXY_AUTHENTICATION_REQUIRED => {
                Err(denied(proxy, response.status()))
            }
            _ => Ok(response),
        }
    }

    fn failed(&self, error: &hyper::Error) -> HttpError {
        let through = self
            .0
            .connector
            .proxy
            .as_ref()
            .map(|it| format!(" (through the proxy {})", it.shown()));
        let reason = format!("{}{}", innermost(error), through.unwrap_or_default());
        HttpError::new(HttpErrorKind::Broken, reason)
    }
}

fn endless() -> HttpError {
    let (most, longest) = (meter::MOST >> 10, LONGEST_HEAD.as_secs());
    let reason = format!(
        "what it sent first is longer than {most} KiB, or took longer than {longest} seconds"
    );
    HttpError::new(HttpErrorKind::Endless, reason)
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.uri.fmt(f)
    }
}

impl fmt::Debug for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Origin").field(&self.0.uri).finish()
    }
}
