//! [`serve`]: metrics over HTTP, for whoever scrapes them.

use std::{convert::Infallible, net::SocketAddr, sync::Arc, time::Duration};

use bytes::Bytes;
use http::{HeaderValue, Method, Request, Response, StatusCode, header};
use http_body_util::Full;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    task::AbortHandle,
    time,
};

use crate::{Metrics, TelemetryError};

/// How long one may take to ask.
const ASKING: Duration = Duration::from_secs(5);
/// How long one may take in all.
const WHOLE: Duration = Duration::from_secs(30);
/// How many may ask at the same time; others wait.
const MOST: usize = 32;

/// Metrics that are offered over HTTP, until this is dropped.
#[derive(Debug)]
pub struct Serving {
    address: SocketAddr,
    accepting: AbortHandle,
}

impl Serving {
    /// Where they are offered.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Offers metrics at `GET /metrics`, from a task of the runtime it is called in. Whoever reaches the
/// address may read them: one such as `127.0.0.1:9464` is reached from this machine only.
///
/// # Errors
/// When nothing can listen there.
pub async fn serve(metrics: Arc<Metrics>, address: SocketAddr) -> Result<Serving, TelemetryError> {
    let failed = |reason| TelemetryError::Listen { address, reason };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let accepting = tokio::spawn(accept(listener, metrics)).abort_handle();
    Ok(Serving { address, accepting })
}

async fn accept(listener: TcpListener, metrics: Arc<Metrics>) {
    let places = Arc::new(Semaphore::new(MOST));
    loop {
        let Ok(place) = places.clone().acquire_owned().await else { return };
        match listener.accept().await {
            Ok((stream, _)) => {
                let metrics = metrics.clone();
                tokio::spawn(async move {
                    answer(stream, metrics).await;
                    drop(place);
                });
            }
            // Out of file descriptors, most likely: leave the others time to close some.
            Err(_) => time::sleep(Duration::from_millis(100)).await,
        }
    }
}

async fn answer(stream: TcpStream, metrics: Arc<Metrics>) {
    let service = service_fn(|request| {
        let response = respond(&request, &metrics);
        async { Ok::<_, Infallible>(response) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(ASKING)
        // One scrape, one connection: then a time for the whole is all that is needed.
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), service);
    // Whoever hangs up or dawdles has nobody to complain to.
    let _ = time::timeout(WHOLE, connection).await;
}

fn respond(request: &Request<Incoming>, metrics: &Metrics) -> Response<Full<Bytes>> {
    let is_known = request.method() == Method::GET && request.uri().path() == "/metrics";
    let (status, kind, text) = if is_known {
        let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
        (StatusCode::OK, kind, metrics.text())
    } else {
        let text = "There is only GET /metrics here.\n".to_owned();
        (StatusCode::NOT_FOUND, "text/plain; charset=utf-8", text)
    };
    let mut response = Response::new(Full::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}
