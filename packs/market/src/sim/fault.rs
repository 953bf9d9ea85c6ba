//! [`Fault`]: what goes wrong on request, so that clients can be tested against it.
//!
//! A request names its fault in the header or the query parameter `x-simulate`, in its token
//! (`simulate-html502`), or in the path before `/v2` (`/simulate/html502/v2/…`).

use std::{convert::Infallible, io, time::Duration};

use axum::{
    body::{Body, to_bytes},
    extract::{RawPathParams, Request},
    http::{StatusCode, header::CONTENT_TYPE},
    middleware::Next,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use futures_util::stream;

use super::{
    gate::Family,
    refusal::{Refusal, reply},
};

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// The answer takes long.
    Slow(Duration),
    /// The connection ends in the middle of the answer.
    Cut,
    /// A proxy answers instead, with a page.
    Page,
    /// Too many requests.
    TooMany,
    /// Too many requests, in the shape without a status.
    Bare,
    /// An error of the broker.
    Coded(Refusal),
    /// An answer that does not end for 64 MiB.
    Huge,
    /// An answer that is no JSON.
    Garbage,
}

/// How long [`Fault::Slow`] takes, unless the request says so (`slow:250`, in milliseconds).
const SLOW: Duration = Duration::from_secs(30);

/// Pieces of [`Fault::Huge`].
const PIECES: usize = 1024;

impl Fault {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "slow" => Self::Slow(SLOW),
            "cut" => Self::Cut,
            "html502" => Self::Page,
            "429" => Self::TooMany,
            "bare805" => Self::Bare,
            "huge" => Self::Huge,
            "garbage" => Self::Garbage,
            name => match name.strip_prefix("slow:") {
                Some(millis) => Self::Slow(Duration::from_millis(millis.parse().ok()?)),
                None => Self::Coded(Refusal::find(name)?),
            },
        })
    }

    fn asked_for(request: &Request, path: &RawPathParams) -> Option<Self> {
        let header = |name: &str| request.headers().get(name)?.to_str().ok();
        let query = request.uri().query().unwrap_or_default();
        let query = query.split('&').find_map(|pair| pair.strip_prefix("x-simulate="));
        let token = header("access-token").and_then(|token| token.strip_prefix("simulate-"));
        let path = path.iter().find_map(|(name, value)| (name == "fault").then_some(value));
        let names = [header("x-simulate"), query, token, path];
        names.into_iter().flatten().find_map(Self::named)
    }
}

/// Lets go wrong what a request asks for.
pub(super) async fn faults(path: RawPathParams, request: Request, next: Next) -> Response {
    let family = Family::of(request.uri().path());
    match Fault::asked_for(&request, &path) {
        None => next.run(request).await,
        Some(Fault::Slow(delay)) => {
            tokio::time::sleep(delay).await;
            next.run(request).await
        }
        Some(Fault::Cut) => cut(next.run(request).await).await,
        Some(Fault::Page) => {
            let page = "<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 \
                        Bad Gateway</h1></center><hr></body></html>\r\n";
            (StatusCode::BAD_GATEWAY, [(CONTENT_TYPE, "text/html")], page).into_response()
        }
        Some(Fault::TooMany) => Refusal::of(family.too_many()).into_response(),
        Some(Fault::Bare) => {
            let body = serde_json::json!({"805": "Too many requests."});
            reply(StatusCode::TOO_MANY_REQUESTS, &body)
        }
        Some(Fault::Coded(refusal)) => refusal.into_response(),
        Some(Fault::Huge) => huge(),
        Some(Fault::Garbage) => {
            ([(CONTENT_TYPE, "application/json")], "\u{0}{\"data\":{\"NSE_EQ\"::nan,,")
                .into_response()
        }
    }
}

/// The first half of an answer, and then the end of the connection.
async fn cut(whole: Response) -> Response {
    let (parts, body) = whole.into_parts();
    let bytes = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let half = bytes.slice(..bytes.len() / 2);
    let broken = stream::iter([Ok(half), Err(io::Error::from(io::ErrorKind::ConnectionReset))]);
    // Not its length: what comes is shorter.
    let mut parts = parts;
    parts.headers.remove(axum::http::header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from_stream(broken))
}

fn huge() -> Response {
    let filler = Bytes::from(vec![b'a'; 64 * 1024]);
    let pieces = std::iter::once(Bytes::from_static(b"{\"data\":\""))
        .chain(std::iter::repeat_n(filler, PIECES))
        .chain([Bytes::from_static(b"\",\"status\":\"success\"}")]);
    let body = Body::from_stream(stream::iter(pieces.map(Ok::<_, Infallible>)));
    ([(CONTENT_TYPE, "application/json")], body).into_response()
}
