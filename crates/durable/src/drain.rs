//! [`Connections`]: takes connections of Restate in, and lets them go in good order.

use std::{convert::Infallible, pin::pin, sync::Arc, time::Duration};

use bytes::Bytes;
use http::{HeaderValue, Request, Response, StatusCode, header::CONTENT_TYPE};
use http_body_util::{Either, Full};
use hyper::{
    body::Incoming,
    service::{Service, service_fn},
};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::{conn::auto, graceful::GracefulShutdown},
};
use restate_sdk::{endpoint::ResponseBody, hyper::HyperEndpoint};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    time,
};
use toolwright_session::Fitness;

use crate::tasks::Tasks;

/// Connections at the same time: Restate has one for each of its partitions, and there are health checks.
const CONNECTIONS: usize = 4096;
/// Slices at the same time over one connection.
const STREAMS: u32 = 200;
/// How often a silent connection is asked whether anybody is there, and how long they may take.
const ALIVE: Duration = Duration::from_secs(10);
/// How long somebody may take to send the head of a request.
const HEAD: Duration = Duration::from_secs(10);

/// How long connections have for ending once nothing is driven any more.
const GOODBYE: Duration = Duration::from_secs(3);

/// What metrics are written in.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

type Answer = Response<Either<Full<Bytes>, ResponseBody>>;

/// What a worker counted, as it is written for whoever reads it.
pub(crate) type MetricsText = Arc<dyn Fn() -> String + Send + Sync>;

/// The connections there are.
pub(crate) struct Connections {
    listener: TcpListener,
    endpoint: HyperEndpoint,
    tasks: Arc<Tasks>,
    pub(crate) metrics: Option<MetricsText>,
    places: Arc<Semaphore>,
}

impl Connections {
    pub(crate) fn new(listener: TcpListener, endpoint: HyperEndpoint, tasks: Arc<Tasks>) -> Self {
        let places = Arc::new(Semaphore::new(CONNECTIONS));
        Self { listener, endpoint, tasks, metrics: None, places }
    }

    /// Takes connections in until `stop`; then lets those there are end what they are at, and ends with them.
    ///
    /// Whoever comes meanwhile is still answered: that this worker goes, as long as health checks have not
    /// told everybody.
    pub(crate) async fn serve(&self, stop: impl Future<Output = ()>, limit: Duration) {
        let open = GracefulShutdown::new();
        tokio::select! {
            () = self.accept(&open) => {}
            () = stop => {}
        }
        self.tasks.drain();
        let late = GracefulShutdown::new();
        let gone = async {
            let mut closed = pin!(open.shutdown());
            tokio::select! {
                () = &mut closed => self.tasks.none().await,
                // What is left is to tell Restate how slices ended; the log tells, too.
                () = self.tasks.none() => drop(time::timeout(GOODBYE, closed).await),
            }
        };
        tokio::select! {
            () = self.accept(&late) => {}
            _ = time::timeout(limit, gone) => {}
        }
    }

    async fn accept(&self, open: &GracefulShutdown) {
        loop {
            let Ok(place) = self.places.clone().acquire_owned().await else { return };
            match self.listener.accept().await {
                Ok((stream, _)) => {
                    let Some(connection) = self.take_in(stream, open) else { continue };
                    tokio::spawn(async move {
                        connection.await;
                        drop(place);
                    });
                }
                // Out of file descriptors, most likely: leave the others time to close some.
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be taken in");
                    time::sleep(Duration::from_millis(100)).await;
                }
            }
        }
    }

    fn take_in(
        &self,
        stream: TcpStream,
        open: &GracefulShutdown,
    ) -> Option<impl Future<Output = ()> + Send + use<>> {
        // A small write after a small write, each waiting for the other's acknowledgement, would make a slice slow.
        stream.set_nodelay(true).ok()?;
        let (endpoint, tasks) = (self.endpoint.clone(), self.tasks.clone());
        let metrics = self.metrics.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            let (endpoint, tasks, metrics) = (endpoint.clone(), tasks.clone(), metrics.clone());
            async move { answer(&endpoint, &tasks, metrics.as_ref(), request).await }
        });
        let mut builder = auto::Builder::new(TokioExecutor::new());
        builder.http1().timer(TokioTimer::new()).header_read_timeout(HEAD);
        builder
            .http2()
            .timer(TokioTimer::new())
            .keep_alive_interval(ALIVE)
            .keep_alive_timeout(ALIVE)
            .max_concurrent_streams(STREAMS);
        let connection = builder.serve_connection(TokioIo::new(stream), service).into_owned();
        let connection = open.watch(connection);
        Some(async move {
            // Restate asks again; whoever else hangs up has nobody to complain to.
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection broke");
            }
        })
    }
}

/// An answer to Restate, to a health check, or to whoever reads metrics.
async fn answer(
    endpoint: &HyperEndpoint,
    tasks: &Tasks,
    metrics: Option<&MetricsText>,
    request: Request<Incoming>,
) -> Result<Answer, Infallible> {
    let path = request.uri().path();
    if path.ends_with("/health") {
        if let Some(lack) = lack(tasks) {
            return Ok(only(lack));
        }
    } else if path == "/metrics" {
        return Ok(metrics.map_or_else(|| only(StatusCode::NOT_FOUND), |it| told(it())));
    } else if !path.ends_with("/discover") && !path.contains("/invoke/") {
        // The library has a fault where a path is short, and nothing at others.
        return Ok(only(StatusCode::NOT_FOUND));
    }
    endpoint.call(request).await.map(|it| it.map(Either::Right))
}

fn only(status: StatusCode) -> Answer {
    let mut answer = Response::new(Either::Left(Full::default()));
    *answer.status_mut() = status;
    answer
}

fn told(metrics: String) -> Answer {
    let mut answer = Response::new(Either::Left(Full::from(metrics)));
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(OPEN_METRICS));
    answer
}

/// What keeps this worker from being given slices, in the words of balancers.
fn lack(tasks: &Tasks) -> Option<StatusCode> {
    match tasks.fitness() {
        Fitness::CutOff => Some(StatusCode::SERVICE_UNAVAILABLE),
        // Nothing new, and leave what is under way.
        Fitness::Hesitant => Some(StatusCode::NOT_FOUND),
        Fitness::Well => tasks.is_draining().then_some(StatusCode::NOT_FOUND),
    }
}
