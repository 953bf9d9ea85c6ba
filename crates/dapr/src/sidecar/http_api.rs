//! [`answer`]: Dapr's API over HTTP.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderValue, Method, Request, Response, StatusCode, header};
use http_body_util::Full;
use percent_encoding::percent_decode_str;
use serde_json::Value;

use super::{
    Door, Inner,
    accept::{Visitor, body},
    fault::Fault,
    json,
};
use crate::LARGEST;

/// What a path names.
enum Route<'a> {
    /// A check that something answers.
    Health,
    Metadata,
    /// A question to a component.
    Converse(&'a str),
    /// Something else of Dapr's.
    Other,
}

impl<'a> Route<'a> {
    fn of(path: &'a str) -> Self {
        let parts: Vec<_> = path.trim_matches('/').split('/').collect();
        match parts.as_slice() {
            ["v1.0", "healthz"] | ["v1.0", "healthz", "outbound"] => Self::Health,
            ["v1.0", "metadata"] => Self::Metadata,
            ["v1.0-alpha2", "conversation", name, "converse"] => Self::Converse(name),
            _ => Self::Other,
        }
    }
}

/// Answers a request.
pub(super) async fn answer<D: Door>(
    inner: Arc<Inner<D>>,
    visitor: Arc<Visitor<D::Peer>>,
    request: Request<hyper::body::Incoming>,
) -> Response<Full<Bytes>> {
    asked(inner, visitor, request).await.unwrap_or_else(|fault| fault.http())
}

async fn asked<D: Door>(
    inner: Arc<Inner<D>>,
    visitor: Arc<Visitor<D::Peer>>,
    request: Request<hyper::body::Incoming>,
) -> Result<Response<Full<Bytes>>, Fault> {
    let (head, incoming) = request.into_parts();
    let route = Route::of(head.uri.path());
    // As with Dapr's own: whoever waits for a sidecar has no token yet, and learns nothing but that one is there.
    if let (Route::Health, &Method::GET) = (&route, &head.method) {
        let mut response = Response::new(Full::default());
        *response.status_mut() = StatusCode::NO_CONTENT;
        return Ok(response);
    }
    inner.admit(&visitor, &head).await?;
    match (route, &head.method) {
        (Route::Metadata, &Method::GET) => {
            Ok(ok(&json::written_metadata(&inner.conversing.metadata())))
        }
        (Route::Converse(name), &Method::POST) => {
            let name = percent_decode_str(name).decode_utf8_lossy().into_owned();
            let whole = body(incoming, LARGEST).await?;
            let asked = json::request(&whole, name).map_err(|it| Fault::malformed(&it))?;
            Ok(ok(&json::written(&inner.answer(asked).await?)))
        }
        (Route::Other, method) => Err(Fault::unspoken(&format!("{method} {}", head.uri.path()))),
        _ => Err(Fault::method()),
    }
}

fn ok(value: &Value) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::from(value.to_string()));
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}
