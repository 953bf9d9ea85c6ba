//! [`Probe`]: asks a server that may be none, briefly and for little.

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use serde_json::Value;
use tokio::time::{Instant, timeout_at};
use toolwright_http::{HttpSettings, Origin};

use crate::real;

/// The longest answer that is read. What Ollama says of one model, its licence included, is some 100 KiB.
const LONGEST_ANSWER: usize = 4 << 20;

/// Asks a server that may be none.
pub(super) struct Probe {
    origin: Origin,
    /// What stands in front of every path.
    root: String,
    until: Instant,
}

impl Probe {
    pub(super) fn new(address: &str, http: &HttpSettings, until: Instant) -> Option<Self> {
        let uri: Uri = address.parse().ok()?;
        let origin = Origin::new(&uri, http).ok()?;
        real::check_real_request(origin.host()).ok()?;
        Some(Self { origin, root: uri.path().trim_end_matches('/').to_owned(), until })
    }

    /// The JSON at a path; none where there is none, or none in time.
    pub(super) async fn get(&self, path: &str) -> Option<Value> {
        self.ask(Method::GET, path, Bytes::new()).await
    }

    /// The JSON that is the answer to this.
    pub(super) async fn post(&self, path: &str, body: &Value) -> Option<Value> {
        self.ask(Method::POST, path, body.to_string().into()).await
    }

    async fn ask(&self, method: Method, path: &str, body: Bytes) -> Option<Value> {
        let json = HeaderValue::from_static("application/json");
        let headers =
            HeaderMap::from_iter([(header::CONTENT_TYPE, json.clone()), (header::ACCEPT, json)]);
        let headers = self.origin.headers(headers);
        let path: Uri = format!("{}{path}", self.root).parse().ok()?;
        let asked = async {
            let response = self.origin.send(method, &path, &headers, body).await.ok()?;
            let (head, mut body) = response.into_parts();
            // Nobody is followed to where else the answer may be.
            let body = (head.status == StatusCode::OK).then_some(&mut body)?;
            body.whole(LONGEST_ANSWER).await.ok()
        };
        let bytes = timeout_at(self.until, asked).await.ok()??;
        serde_json::from_slice(&bytes).ok()
    }
}
