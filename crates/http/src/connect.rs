//! [`Connector`]: the one place that connects, be it through a proxy or not.
//!
//! Addresses in parallel and SOCKS are hyper-util's, TLS is rustls's. `CONNECT` is spoken by hyper over the
//! same [`Connection`] as everything else, so that a proxy's answer is bounded as a server's is, and its
//! status can be told.

use std::{error::Error, io, sync::Arc, time::Duration};

use bytes::Bytes;
use http::{Method, Request, StatusCode, Uri, header};
use http_body_util::Full;
use hyper::rt::{Read, Write};
use hyper_util::{
    client::legacy::connect::{HttpConnector, proxy::SocksV5},
    rt::TokioIo,
};
use rustls::{CertificateError, pki_types::ServerName};
use tokio_rustls::TlsConnector;
use toolwright_timeout::timeout;
use tower_service::Service;

use crate::{
    HttpError, HttpErrorKind, HttpSettings,
    connection::{Connection, Purpose, Unheard},
    error::innermost,
    guard::Checked,
    headers::AGENT,
    proxy::{Proxy, ProxyKind, is_encrypted, port},
};

/// What is read from and written to.
pub(crate) type Stream = Box<dyn Io>;

pub(crate) trait Io: Read + Write + Unpin + Send {}

impl<T: Read + Write + Unpin + Send> Io for T {}

/// Connects to one origin.
pub(crate) struct Connector {
    origin: Uri,
    pub(crate) proxy: Option<Proxy>,
    plain: HttpConnector,
    settings: HttpSettings,
    version: Version,
}

/// Which HTTP is spoken over what is connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    /// HTTP/1.1.
    One,
    /// HTTP/2, and from the first byte where nothing is encrypted: a proxy that is told whole addresses would
    /// not understand it.
    Two,
}

impl Connector {
    pub(crate) fn new(
        origin: Uri,
        settings: &HttpSettings,
        version: Version,
    ) -> Result<Self, HttpError> {
        #[expect(clippy::disallowed_methods, reason = "this is the place")]
        let mut plain = HttpConnector::new();
        prepare(&mut plain, settings);
        let proxy = settings.proxy(&origin)?;
        Ok(Self { origin, proxy, plain, settings: settings.clone(), version })
    }

    /// A secret is for the origin: no proxy gets to read it.
    pub(crate) fn check_secret(&self) -> Result<(), HttpError> {
        let Some(proxy) = self.proxy.as_ref().filter(|_| !is_encrypted(&self.origin)) else {
            return Ok(());
        };
        let reason = format!(
            "the key was not sent: the address is not encrypted, and the proxy {} would read it",
            proxy.shown()
        );
        Err(HttpError::new(HttpErrorKind::Exposed, reason)
            .with_advice("use an https address, or name the host in NO_PROXY"))
    }

    /// A stream to the origin, encrypted where its address says so; or one to the proxy that is told whole
    /// addresses.
    pub(crate) async fn connect(&self) -> Result<Stream, HttpError> {
        let checked = match &self.settings.guard {
            Some(guard) => {
                guard.addresses(&self.origin, self.proxy.as_ref(), &self.settings).await?
            }
            None => None,
        };
        let stream = match (&self.proxy, checked) {
            (None, Some(checked)) => self.reach_checked(checked).await?,
            (None, None) => self.reach(&self.origin, None).await?,
            (Some(proxy), _) if proxy.kind == ProxyKind::Socks => self.socks(proxy).await?,
            (Some(proxy), _) => {
                let stream = self.reach(&proxy.uri, Some(proxy)).await?;
                let stream = match is_encrypted(&proxy.uri) {
                    true => self.encrypt(stream, &proxy.uri, Version::One).await?,
                    false => stream,
                };
                if !is_encrypted(&self.origin) && self.version == Version::One {
                    return Ok(stream);
                }
                self.within(proxy, self.tunnel(stream, proxy)).await?
            }
        };
        match is_encrypted(&self.origin) {
            true => self.encrypt(stream, &self.origin, self.version).await,
            false => Ok(stream),
        }
    }

    async fn reach(&self, to: &Uri, proxy: Option<&Proxy>) -> Result<Stream, HttpError> {
        let stream = self.plain.clone().call(to.clone()).await;
        let stream = stream.map_err(|error| match proxy {
            Some(proxy) => unreachable(proxy, &error),
            None => HttpError::new(HttpErrorKind::Connect, innermost(&error)),
        })?;
        Ok(Box::new(stream))
    }

    /// A stream to one of the addresses that the guard looked at.
    async fn reach_checked(&self, checked: Checked) -> Result<Stream, HttpError> {
        let mut connector = HttpConnector::new_with_resolver(checked);
        prepare(&mut connector, &self.settings);
        let stream = connector.call(self.origin.clone()).await;
        let stream =
            stream.map_err(|error| HttpError::new(HttpErrorKind::Connect, innermost(&error)))?;
        Ok(Box::new(stream))
    }

    async fn encrypt(
        &self,
        stream: Stream,
        to: &Uri,
        version: Version,
    ) -> Result<Stream, HttpError> {
        let host = to.host().unwrap_or_default();
        let bare = host.strip_prefix('[').and_then(|it| it.strip_suffix(']')).unwrap_or(host);
        let mut config = self.settings.roots.config()?;
        if version == Version::Two {
            Arc::make_mut(&mut config).alpn_protocols = vec![b"h2".to_vec()];
        }
        let connector = TlsConnector::from(config);
        let bad = |_| HttpError::new(HttpErrorKind::Connect, "no certificate can be for this host");
        let name = ServerName::try_from(bare.to_owned()).map_err(bad)?;
        let limit = self.settings.connect_timeout;
        let stream = timeout(limit, connector.connect(name, TokioIo::new(stream))).await;
        let slow =
            |_| io::Error::new(io::ErrorKind::TimedOut, format!("no greeting within {limit:?}"));
        let stream = stream.map_err(slow).flatten().map_err(|error| unsure(host, &error))?;
        Ok(Box::new(TokioIo::new(stream)))
    }

    /// Asks a proxy for a way to the origin.
    async fn tunnel(&self, stream: Stream, proxy: &Proxy) -> Result<Stream, HttpError> {
        let shown = proxy.shown();
        let failed = |error: &hyper::Error| {
            let reason = format!("the proxy {shown} did not answer as one: {}", innermost(error));
            HttpError::new(HttpErrorKind::ProxyFailed, reason).with_advice(CHECK)
        };
        let host = self.origin.host().unwrap_or_default();
        let authority = format!("{host}:{}", port(&self.origin));
        let mut request = Request::builder()
            .method(Method::CONNECT)
            .uri(authority.as_str())
            .header(header::HOST, authority.as_str())
            .header(header::USER_AGENT, AGENT);
        if let Some(login) = proxy.authorization() {
            request = request.header(header::PROXY_AUTHORIZATION, login);
        }
        let request = request.body(Full::<Bytes>::default());
        let request = request.map_err(|_| {
            HttpError::new(HttpErrorKind::Connect, "the host cannot be named to a proxy")
        })?;
        let opened = Connection::open(stream, Purpose::Tunnel).await;
        let mut connection = opened.map_err(|error| failed(&error))?;
        let response = connection.send(request).await.map_err(|unheard| match unheard {
            Unheard::Failed(error) => failed(&error),
            Unheard::Endless => {
                let reason = format!("the answer of the proxy {shown} does not end");
                HttpError::new(HttpErrorKind::ProxyFailed, reason).with_advice(CHECK)
            }
        })?;
        match response.status() {
            status if status.is_success() => {}
            status => return Err(denied(proxy, status)),
        }
        let stream = connection.into_stream(response).await.map_err(|error| failed(&error))?;
        Ok(Box::new(stream))
    }

    async fn socks(&self, proxy: &Proxy) -> Result<Stream, HttpError> {
        let mut socks = SocksV5::new(proxy.uri.clone(), self.plain.clone());
        if let Some(login) = &proxy.login {
            socks = socks.with_auth(login.name.clone(), login.password.clone());
        }
        // Its port must be named: where none is, 443 is meant.
        let host = self.origin.host().unwrap_or_default();
        let to = Uri::builder()
            .scheme("http")
            .authority(format!("{host}:{}", port(&self.origin)))
            .path_and_query("/")
            .build()
            .map_err(|_| {
                HttpError::new(HttpErrorKind::Connect, "the host cannot be named to a proxy")
            })?;
        let stream = async {
            let stream = socks.call(to).await.map_err(|error| {
                let reason = format!("the proxy {} made no connection: {error}", proxy.shown());
                HttpError::new(HttpErrorKind::ProxyFailed, reason).with_advice(CHECK)
            })?;
            Ok(Box::new(stream) as Stream)
        };
        self.within(proxy, stream).await
    }

    async fn within(
        &self,
        proxy: &Proxy,
        work: impl Future<Output = Result<Stream, HttpError>>,
    ) -> Result<Stream, HttpError> {
        let limit = self.settings.connect_timeout;
        timeout(limit, work).await.unwrap_or_else(|_| {
            let reason = format!("the proxy {} made no connection within {limit:?}", proxy.shown());
            Err(HttpError::new(HttpErrorKind::ProxyFailed, reason).with_advice(CHECK))
        })
    }
}

fn prepare<R>(connector: &mut HttpConnector<R>, settings: &HttpSettings) {
    connector.enforce_http(false);
    connector.set_nodelay(true);
    connector.set_connect_timeout(Some(settings.connect_timeout));
    connector.set_keepalive(Some(Duration::from_secs(60)));
}

const CHECK: &str = "check the proxy's address (HTTPS_PROXY, or `proxy` in the section [http] of \
                     toolwright.toml), or name the host in NO_PROXY";
const LOGIN: &str = "give the proxy's address a login that it takes: http://NAME:PASSWORD@HOST:PORT \
                     (HTTPS_PROXY, ALL_PROXY or TOOLWRIGHT_PROXY, or `proxy` in the section [http] of \
                     toolwright.toml)";

const OWN_AUTHORITY: &str = "if it is signed by an authority of your own, name its certificate: \
                             TOOLWRIGHT_CA_FILE, or `ca_file` in the section [http] of toolwright.toml";

/// A proxy does not let a request through, or cannot.
pub(crate) fn denied(proxy: &Proxy, status: StatusCode) -> HttpError {
    let reason = format!("the proxy {} answered {status}", proxy.shown());
    let kind = match status.is_server_error() {
        true => HttpErrorKind::ProxyFailed,
        false => HttpErrorKind::Proxy,
    };
    let advice = match status {
        StatusCode::PROXY_AUTHENTICATION_REQUIRED => LOGIN,
        _ => CHECK,
    };
    HttpError::new(kind, reason).with_advice(advice)
}

fn unreachable(proxy: &Proxy, error: &dyn Error) -> HttpError {
    let reason = format!("the proxy {} cannot be reached: {}", proxy.shown(), innermost(error));
    HttpError::new(HttpErrorKind::Connect, reason).with_advice(CHECK)
}

/// What went wrong while a connection was made secure.
fn unsure(host: &str, error: &io::Error) -> HttpError {
    let tls = error.get_ref().and_then(|it| it.downcast_ref::<rustls::Error>());
    let reason = innermost(error);
    let Some(rustls::Error::InvalidCertificate(wrong)) = tls else {
        let reason = format!("no secure connection to {host}: {reason}");
        return HttpError::new(HttpErrorKind::Connect, reason);
    };
    let reason = format!("the certificate of {host} is not trusted: {reason}");
    HttpError::new(HttpErrorKind::Untrusted, reason).with_advice(match wrong {
        CertificateError::UnknownIssuer => OWN_AUTHORITY,
        _ => "check the address, this machine's clock, and whether something stands between",
    })
}
