//! [`Client`]: brings telemetry to a collector, and says so once when it cannot.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use bytes::Bytes;
use http::{
    HeaderName, Request, Response, StatusCode, Uri,
    header::{CONTENT_ENCODING, CONTENT_TYPE, USER_AGENT},
};
use opentelemetry_http::{HttpClient, HttpError};
use tokio::{runtime, time};
use toolwright_http::{HttpSettings, Origin, innermost};

use crate::otlp::shown;

/// What OpenTelemetry's library says itself.
const OWN: [HeaderName; 3] = [CONTENT_TYPE, CONTENT_ENCODING, USER_AGENT];
/// A collector has nothing long to say.
const LONGEST_ANSWER: usize = 64 * 1024;

/// Brings telemetry to a collector.
///
/// OpenTelemetry's library exports from threads of its own, which know no tokio. So each request
/// brings the runtime it needs, and the program's own, which may have but one thread, is left
/// alone. There is a request every few seconds: a connection is not worth keeping.
pub(crate) struct Client {
    signal: Signal,
    timeout: Duration,
    trouble: Arc<Trouble>,
    settings: HttpSettings,
}

/// A kind of telemetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    Traces = 1,
    Metrics = 2,
}

/// Which kinds of telemetry do not arrive.
#[derive(Debug, Default)]
pub(crate) struct Trouble(AtomicU8);

impl Trouble {
    /// Says so, once until it arrives again; for one kind only, as the reason is nearly always the
    /// same for all.
    pub(crate) fn report(&self, signal: Signal, endpoint: &str, reason: &str) {
        if self.0.fetch_or(signal as u8, Ordering::Relaxed) == 0 {
            tracing::warn!(
                endpoint = shown(endpoint),
                reason,
                "telemetry does not reach its collector; runs go on without it. Check that it is \
                 running and that OTEL_EXPORTER_OTLP_ENDPOINT is its address"
            );
        }
    }

    fn is_over(&self, signal: Signal) {
        self.0.fetch_and(!(signal as u8), Ordering::Relaxed);
    }
}

impl Client {
    pub(crate) fn new(signal: Signal, timeout: Duration, trouble: Arc<Trouble>) -> Self {
        Self { signal, timeout, trouble, settings: HttpSettings::default() }
    }

    fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
        let response = runtime.block_on(async {
            let exchange = time::timeout(self.timeout, self.exchange(request));
            exchange.await.map_err(|_| {
                format!("no answer within {}", toolwright_duration::format(self.timeout))
            })?
        });
        // A name that is still being looked up is not waited for.
        runtime.shutdown_background();
        response
    }

    async fn exchange(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        // A connection belongs to the runtime it was made in: each request has an origin of its own.
        let origin = Origin::new(request.uri(), &self.settings)?;
        let (head, body) = request.into_parts();
        let mut headers = head.headers;
        // What OTEL_EXPORTER_OTLP_HEADERS says may be a key: no proxy gets to read it.
        let others = headers.iter_mut().filter(|(name, _)| !OWN.contains(name));
        others.for_each(|(_, value)| value.set_sensitive(true));
        let path = head.uri.path_and_query().cloned().map(Uri::from).unwrap_or_default();
        let sent = origin.send(head.method, &path, &origin.headers(headers), body).await?;
        let (head, mut body) = sent.into_parts();
        let body = body.whole(LONGEST_ANSWER).await?;
        Ok(Response::from_parts(head, body.into()))
    }
}

#[async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let endpoint = request.uri().to_string();
        // On a thread that has nothing else to do.
        let response = self.send(request);
        match &response {
            Ok(response) if response.status().is_success() => self.trouble.is_over(self.signal),
            Ok(response) => {
                self.trouble.report(self.signal, &endpoint, &refusal(response.status()));
            }
            Err(error) => self.trouble.report(self.signal, &endpoint, &reason(error)),
        }
        response
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("signal", &self.signal).finish_non_exhaustive()
    }
}

/// Why nothing came back, and what to do about it where that is known.
fn reason(error: &HttpError) -> String {
    match error.downcast_ref::<toolwright_http::HttpError>() {
        Some(toolwright_http::HttpError { reason, advice: Some(advice), .. }) => {
            format!("{reason}; {advice}")
        }
        _ => innermost(&**error),
    }
}

fn refusal(status: StatusCode) -> String {
    match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            format!("it answers {status}; a key goes into OTEL_EXPORTER_OTLP_HEADERS")
        }
        StatusCode::NOT_FOUND => format!("it answers {status}; the path may be wrong"),
        _ => format!("it answers {status}"),
    }
}
