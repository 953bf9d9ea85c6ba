//! [`Client`]: brings telemetry to a collector, and says so once when it cannot.

use std::{
    error::Error,
    fmt,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU8, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use bytes::Bytes;
use http::{Request, Response, StatusCode, uri::Scheme};
use http_body_util::{BodyExt, Full, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{
        self,
        connect::{Connect, HttpConnector},
    },
    rt::TokioExecutor,
};
use opentelemetry_http::{HttpClient, HttpError};
use tokio::{runtime, time};

use crate::otlp::shown;

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
    /// Made when first needed: reading the system's certificates takes milliseconds.
    secure: OnceLock<Result<HttpsConnector<HttpConnector>, String>>,
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
        Self { signal, timeout, trouble, secure: OnceLock::new() }
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
        if request.uri().scheme() != Some(&Scheme::HTTPS) {
            return ask(HttpConnector::new(), request).await;
        }
        let secure = self.secure.get_or_init(|| {
            let roots = HttpsConnectorBuilder::new().with_native_roots();
            let roots = roots.map_err(|error| format!("no certificates to check it with: {error}"));
            Ok(roots?.https_only().enable_http1().build())
        });
        ask(secure.clone()?, request).await
    }
}

async fn ask<C>(connector: C, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError>
where
    C: Connect + Clone + Send + Sync + 'static,
{
    let client = legacy::Client::builder(TokioExecutor::new()).build(connector);
    let (head, body) = client.request(request.map(Full::new)).await?.into_parts();
    let body = Limited::new(body, LONGEST_ANSWER).collect().await?;
    Ok(Response::from_parts(head, body.to_bytes()))
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
            Err(error) => self.trouble.report(self.signal, &endpoint, &innermost(&**error)),
        }
        response
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("signal", &self.signal).finish_non_exhaustive()
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

fn innermost(error: &dyn Error) -> String {
    let mut deepest = error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    deepest.to_string()
}
