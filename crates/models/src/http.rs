//! [`Http`]: requests to one origin over connections that are kept.
//!
//! The connector (addresses in parallel, TLS, timeouts) is hyper-util's and hyper-rustls's. The
//! pool is our own and small, because there is one origin per model and one protocol: a general
//! client's bookkeeping costs as much per request as everything else this crate does.

mod meter;

use std::{
    future::poll_fn,
    pin::{Pin, pin},
    sync::{Arc, Mutex, OnceLock, PoisonError},
    task::{Context, Poll},
    time::{Duration, Instant},
};

use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response, Uri, uri::Scheme};
use http_body_util::Full;
use hyper::{
    body::Incoming,
    client::conn::http1::{self, SendRequest},
    rt::{Read, Write},
};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use toolwright_core::{ModelError, ModelErrorKind};
use toolwright_timeout::Countdown;
use tower_service::Service;

use self::meter::{Meter, Metered};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long the head of a response may take from its first byte on.
const LONGEST_HEAD: Duration = Duration::from_secs(10);
/// More idle connections than this are closed.
const MOST_IDLE: usize = 64;
/// Older ones are closed: firewalls forget connections without telling either side.
const LONGEST_IDLE: Duration = Duration::from_secs(60);

type Sender = SendRequest<Full<Bytes>>;

/// Requests to one origin over connections that are kept.
pub(crate) struct Http {
    origin: Uri,
    plain: HttpConnector,
    /// Made when first needed: reading the system's certificates takes milliseconds.
    secure: OnceLock<Result<HttpsConnector<HttpConnector>, String>>,
    idle: Mutex<Vec<Connection>>,
}

/// A connection, and the work of reading and writing it.
///
/// hyper would have that work spawned. Here whoever waits for a response does it himself: no task
/// to wake for every piece that arrives, and dropping an exchange closes its connection at once.
pub(crate) struct Connection {
    sender: Sender,
    meter: Arc<Meter>,
    /// None once it is closed. What was not sent by then is told so only when this is dropped: whoever
    /// waits for a response would wait for ever.
    work: Option<Work>,
    idle_since: Instant,
}

/// Why there is no response.
enum Unheard {
    Failed(hyper::Error),
    /// Its head does not end.
    Endless,
}

type Work = Pin<Box<dyn Future<Output = hyper::Result<()>> + Send>>;

impl Connection {
    /// Polls `wanted`, doing the connection's work whenever it is not ready.
    pub(crate) fn poll_with<T>(
        &mut self,
        cx: &mut Context<'_>,
        mut wanted: impl FnMut(&mut Context<'_>) -> Poll<T>,
    ) -> Poll<T> {
        if let Poll::Ready(value) = wanted(cx) {
            return Poll::Ready(value);
        }
        work_on(&mut self.work, cx);
        wanted(cx)
    }

    async fn send(&mut self, request: Request<Full<Bytes>>) -> Result<Response<Incoming>, Unheard> {
        poll_fn(|cx| {
            let Self { sender, work, .. } = self;
            if let Poll::Ready(ready) = sender.poll_ready(cx) {
                return Poll::Ready(ready);
            }
            work_on(work, cx);
            sender.poll_ready(cx)
        })
        .await
        .map_err(Unheard::Failed)?;
        let mut response = pin!(self.sender.send_request(request));
        let meter = self.meter.clone();
        meter.begin();
        let mut patience = None;
        let head = poll_fn(|cx| {
            if let Poll::Ready(head) = self.poll_with(cx, |cx| response.as_mut().poll(cx)) {
                return Poll::Ready(head.map_err(Unheard::Failed));
            }
            if !meter.has_begun() {
                return Poll::Pending;
            }
            let patience = patience.get_or_insert_with(|| Countdown::new(LONGEST_HEAD));
            patience.poll(cx).map(|()| Err(Unheard::Endless))
        })
        .await;
        meter.end();
        match head {
            Err(Unheard::Failed(_)) if meter.is_exceeded() => Err(Unheard::Endless),
            head => head,
        }
    }
}

/// Does a connection's work. Why it closed is told to whoever waits for a response.
fn work_on(work: &mut Option<Work>, cx: &mut Context<'_>) {
    if work.as_mut().is_some_and(|work| work.as_mut().poll(cx).is_ready()) {
        *work = None;
    }
}

impl Http {
    pub(crate) fn new(origin: Uri) -> Self {
        let mut plain = HttpConnector::new();
        plain.enforce_http(false);
        plain.set_nodelay(true);
        plain.set_connect_timeout(Some(CONNECT_TIMEOUT));
        plain.set_keepalive(Some(Duration::from_secs(60)));
        Self { origin, plain, secure: OnceLock::new(), idle: Mutex::default() }
    }

    /// Sends a request and waits for the head of the response.
    pub(crate) async fn send(
        &self,
        method: Method,
        path: &Uri,
        headers: &HeaderMap,
        body: Bytes,
    ) -> Result<(Response<Incoming>, Connection), ModelError> {
        let request = || {
            let mut request = Request::new(Full::new(body.clone()));
            *request.method_mut() = method.clone();
            *request.uri_mut() = path.clone();
            *request.headers_mut() = headers.clone();
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
                Ok(response) => return Ok((response, connection)),
                // The other side closed it just now, before it answered. Then the request goes
                // over another; that is no retry.
                Err(Unheard::Failed(error)) if is_kept && is_stale(&error) => {}
                Err(Unheard::Failed(error)) => return Err(self.failed(&error)),
                Err(Unheard::Endless) => return Err(self.endless()),
            }
        }
    }

    /// Takes a connection back whose response was read to its end.
    pub(crate) fn give_back(&self, mut connection: Connection) {
        if connection.work.is_none() || connection.sender.is_closed() {
            return;
        }
        connection.idle_since = Instant::now();
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < MOST_IDLE {
            idle.push(connection);
        }
    }

    fn take(&self) -> Option<Connection> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = |kept: &Connection| kept.idle_since.elapsed() < LONGEST_IDLE;
        std::iter::from_fn(|| idle.pop()).find(fresh)
    }

    async fn connect(&self) -> Result<Connection, ModelError> {
        let uri = self.origin.clone();
        if uri.scheme() == Some(&Scheme::HTTPS) {
            let secure = self.secure.get_or_init(|| {
                let roots = HttpsConnectorBuilder::new().with_native_roots();
                let roots = roots.map_err(|error| error.to_string())?;
                Ok(roots.https_only().enable_http1().wrap_connector(self.plain.clone()))
            });
            let mut connector = secure.clone().map_err(|error| no_roots(&error))?;
            let stream = connector.call(uri).await.map_err(|error| self.unreachable(&*error))?;
            self.handshake(stream).await
        } else {
            let mut connector = self.plain.clone();
            let stream = connector.call(uri).await.map_err(|error| self.unreachable(&error))?;
            self.handshake(stream).await
        }
    }

    async fn handshake<S>(&self, stream: S) -> Result<Connection, ModelError>
    where
        S: Read + Write + Unpin + Send + 'static,
    {
        let meter = Arc::new(Meter::default());
        let stream = Metered { stream, meter: meter.clone() };
        let (sender, work) = http1::handshake(stream).await.map_err(|it| self.failed(&it))?;
        let work: Option<Work> = Some(Box::pin(work));
        Ok(Connection { sender, meter, work, idle_since: Instant::now() })
    }

    fn endless(&self) -> ModelError {
        let (most, longest) = (meter::MOST >> 10, LONGEST_HEAD.as_secs());
        let message = format!(
            "the response of {} did not begin: what it sent first is longer than {most} KiB, or \
             took longer than {longest} seconds",
            self.origin
        );
        ModelError::new(ModelErrorKind::BrokenReply, message)
            .with_advice("check that the address is that of an OpenAI-compatible API")
    }

    fn unreachable(&self, error: &dyn std::error::Error) -> ModelError {
        let reason = innermost(error);
        ModelError::new(
            ModelErrorKind::Connection,
            format!("cannot connect to {}: {reason}", self.origin),
        )
        .with_advice("check that the server is running and that OPENAI_API_BASE is its address")
    }

    fn failed(&self, error: &hyper::Error) -> ModelError {
        let reason = innermost(error);
        ModelError::new(
            ModelErrorKind::Connection,
            format!("the connection to {} failed: {reason}", self.origin),
        )
        .with_advice("try again; if it stays, check that the address is that of an HTTP API")
    }
}

/// Whether a kept connection was closed before the response began.
fn is_stale(error: &hyper::Error) -> bool {
    error.is_incomplete_message() || error.is_closed() || error.is_canceled()
}

fn innermost(error: &dyn std::error::Error) -> String {
    let mut deepest = error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    deepest.to_string()
}

fn no_roots(error: &str) -> ModelError {
    ModelError::new(
        ModelErrorKind::NotConfigured,
        format!("no certificates to check https with: {error}"),
    )
    .with_advice("install the system's CA certificates (Debian: apt-get install ca-certificates)")
}
