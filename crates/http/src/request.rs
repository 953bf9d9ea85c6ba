//! [`RequestBuilder`]: a request to be sent; [`Response`]: what came back.

use bytes::Bytes;
use http::{
    HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri,
    header::{ACCEPT, AUTHORIZATION, CONTENT_LENGTH, LOCATION},
    response::Parts,
};
use url::Url;

use crate::{Body, Client, HttpError, HttpErrorKind, basic::Login, client::uri, guard::blocked};

const MOST_REDIRECTS: usize = 5;

/// A request to be sent.
#[derive(Debug)]
#[must_use = "nothing is sent before `send`"]
pub struct RequestBuilder<'a> {
    client: &'a Client,
    method: Method,
    url: Url,
    headers: HeaderMap,
    body: Bytes,
    has_login: bool,
}

impl<'a> RequestBuilder<'a> {
    pub(crate) fn new(client: &'a Client, method: Method, mut url: Url) -> Self {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("*/*"));
        // A login in an address goes with the request, and is never a part of what is asked for.
        let login = Login::take(&mut url);
        let has_login = login.is_some();
        if let Some(login) = login.and_then(|it| it.basic()) {
            headers.insert(AUTHORIZATION, login);
        }
        Self { client, method, url, headers, body: Bytes::new(), has_login }
    }

    /// With a header.
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// With these headers.
    pub fn headers(mut self, headers: HeaderMap) -> Self {
        self.headers.extend(headers);
        self
    }

    /// With a body.
    pub fn body(mut self, body: impl Into<Bytes>) -> Self {
        self.body = body.into();
        self
    }

    /// Sends it and waits for the head of the response; where the client follows, for the head of the
    /// last one.
    ///
    /// # Errors
    /// When there is no response, or it points to where is not gone.
    pub async fn send(mut self) -> Result<Response, HttpError> {
        if self.has_login && self.client.is_guarded() {
            return Err(blocked("the address has a login in it"));
        }
        for _ in 0..=MOST_REDIRECTS {
            let response = self.once().await?;
            let Some(next) = self.next(&response)? else { return Ok(response) };
            if self.url.scheme() == "https" && next.scheme() != "https" {
                return Err(refused("a redirect to an unencrypted address"));
            }
            if next.origin() != self.url.origin() {
                // A secret was given for the origin before.
                let secret = self.headers.iter().filter(|(_, value)| value.is_sensitive());
                let secret: Vec<_> = secret.map(|(name, _)| name.clone()).collect();
                secret.iter().for_each(|name| _ = self.headers.remove(name));
            }
            self.url = next;
        }
        Err(refused("too many redirects"))
    }

    async fn once(&self) -> Result<Response, HttpError> {
        let origin = self.client.origin(&self.url)?;
        let whole = uri(&self.url)?;
        let path = whole.path_and_query().cloned().map(Uri::from).unwrap_or_default();
        let headers = origin.headers(self.headers.clone());
        let sent = origin.send(self.method.clone(), &path, &headers, self.body.clone()).await?;
        let (head, body) = sent.into_parts();
        Ok(Response { head, body, url: self.url.clone() })
    }

    /// Where a response points to, for a client that follows.
    fn next(&self, response: &Response) -> Result<Option<Url>, HttpError> {
        let Some(mut to) = self.target(response) else { return Ok(None) };
        // A login that a server makes up is no secret of ours, and is not shown around either.
        if Login::take(&mut to).is_some() && self.client.is_guarded() {
            return Err(blocked("a redirect to an address with a login in it"));
        }
        to.set_fragment(None);
        Ok(Some(to))
    }

    fn target(&self, response: &Response) -> Option<Url> {
        let is_redirect = matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308);
        if !self.client.follows() || self.method != Method::GET || !is_redirect {
            return None;
        }
        let to = response.headers().get(LOCATION)?.to_str().ok()?;
        let to = self.url.join(to).ok()?;
        matches!(to.scheme(), "http" | "https").then_some(to)
    }
}

fn refused(reason: &str) -> HttpError {
    HttpError::new(HttpErrorKind::Redirect, reason)
}

/// What came back: its head, and a body that is read piece by piece.
#[derive(Debug)]
pub struct Response {
    head: Parts,
    body: Body,
    url: Url,
}

impl Response {
    /// The status.
    pub fn status(&self) -> StatusCode {
        self.head.status
    }

    /// The headers.
    pub fn headers(&self) -> &HeaderMap {
        &self.head.headers
    }

    /// The address that answered, without a login.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// How long the body is said to be.
    pub fn content_length(&self) -> Option<u64> {
        self.headers().get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
    }

    /// The next bytes of the body; none at its end.
    ///
    /// # Errors
    /// When the connection broke.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, HttpError> {
        self.body.bytes().await
    }

    /// All of the body.
    ///
    /// # Errors
    /// When the connection broke, or there is more than `most`.
    pub async fn bytes(&mut self, most: usize) -> Result<Vec<u8>, HttpError> {
        self.body.whole(most).await
    }
}
