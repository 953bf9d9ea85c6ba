//! [`Connections`]: takes connections in, within bounds, and lets them go.

use std::{
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use http::{Request, request::Parts};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::{
    body::Incoming,
    server::conn::{http1, http2},
    service::service_fn,
};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
    time,
};
use tokio_util::task::TaskTracker;
use toolwright_timeout::timeout;

use super::{Door, Inner, fault::Fault, grpc, http_api};
use crate::proto;

/// Connections at the same time: each application has one or two.
const CONNECTIONS: usize = 1024;
/// Calls at the same time over one connection.
const STREAMS: u32 = 100;
/// What the head of a request may take in memory.
const HEAD: usize = 64 << 10;
const HEAD_LIST: u32 = 64 << 10;
/// How long somebody may take to be let in, to send a head, and to send a body.
const CLIENT: Duration = Duration::from_secs(8);
/// How often a silent connection is asked whether anybody is there, and how long they may take.
const ALIVE: Duration = Duration::from_secs(30);

/// What is spoken at a port.
#[derive(Clone, Copy)]
pub(super) enum Protocol {
    /// gRPC: HTTP/2 from the first byte.
    Grpc,
    /// HTTP/1.1 and JSON.
    Http,
}

/// Whoever is at the other end of a connection.
pub(super) struct Visitor<P> {
    peer: Arc<P>,
    /// Whether they may ask: who may not does not keep a place for long.
    is_known: AtomicBool,
}

/// The connections there are.
pub(super) struct Connections<D> {
    inner: Arc<Inner<D>>,
    places: Arc<Semaphore>,
    open: GracefulShutdown,
    tasks: TaskTracker,
}

impl<D: Door> Connections<D> {
    pub(super) fn new(inner: Arc<Inner<D>>) -> Self {
        let places = Arc::new(Semaphore::new(CONNECTIONS));
        Self { inner, places, open: GracefulShutdown::new(), tasks: TaskTracker::new() }
    }

    /// Takes connections in for as long as this is polled; none where nobody listens.
    pub(super) async fn accept(&self, listener: Option<&TcpListener>, protocol: Protocol) {
        let Some(listener) = listener else { return std::future::pending().await };
        loop {
            let Ok(place) = self.places.clone().acquire_owned().await else { return };
            match listener.accept().await {
                Ok((stream, _)) => self.take_in(stream, protocol, place),
                // Out of file descriptors, most likely: leave the others time to close some.
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be taken in");
                    time::sleep(Duration::from_millis(100)).await;
                }
            }
        }
    }

    fn take_in(&self, stream: TcpStream, protocol: Protocol, place: OwnedSemaphorePermit) {
        // Who has hung up already is no trouble of ours.
        let (Ok(peer), Ok(())) = (self.inner.door.peer(&stream), stream.set_nodelay(true)) else {
            return;
        };
        let visitor = Visitor { peer: Arc::new(peer), is_known: AtomicBool::new(false) };
        let (visitor, inner) = (Arc::new(visitor), self.inner.clone());
        let unknown = remains_unknown(visitor.clone());
        let stream = TokioIo::new(stream);
        match protocol {
            Protocol::Grpc => {
                let service = service_fn(move |request: Request<Incoming>| {
                    let answer = grpc::answer(inner.clone(), visitor.clone(), request);
                    async { Ok::<_, Infallible>(answer.await) }
                });
                let connection = http2::Builder::new(TokioExecutor::new())
                    .timer(TokioTimer::new())
                    .max_concurrent_streams(STREAMS)
                    .max_header_list_size(HEAD_LIST)
                    .keep_alive_interval(ALIVE)
                    .keep_alive_timeout(ALIVE)
                    .serve_connection(stream, service);
                self.spawn(self.open.watch(connection), unknown, place);
            }
            Protocol::Http => {
                let service = service_fn(move |request: Request<Incoming>| {
                    let answer = http_api::answer(inner.clone(), visitor.clone(), request);
                    async { Ok::<_, Infallible>(answer.await) }
                });
                let connection = http1::Builder::new()
                    .timer(TokioTimer::new())
                    .header_read_timeout(CLIENT)
                    .max_buf_size(HEAD)
                    .serve_connection(stream, service);
                self.spawn(self.open.watch(connection), unknown, place);
            }
        }
    }

    fn spawn<T>(
        &self,
        connection: impl Future<Output = T> + Send + 'static,
        unknown: impl Future<Output = ()> + Send + 'static,
        place: OwnedSemaphorePermit,
    ) {
        self.tasks.spawn(async move {
            // Whoever hangs up or dawdles has nobody to complain to.
            tokio::select! {
                _ = connection => {}
                () = unknown => {}
            }
            drop(place);
        });
    }

    /// Lets connections end what they are at, and then go.
    pub(super) async fn close(self, limit: Duration) {
        let _ = time::timeout(limit, self.open.shutdown()).await;
    }
}

/// Ends when somebody has been there for a while and was not let in.
async fn remains_unknown<P>(visitor: Arc<Visitor<P>>) {
    time::sleep(CLIENT).await;
    if visitor.is_known.load(Ordering::Relaxed) {
        std::future::pending().await
    }
}

impl<D: Door> Inner<D> {
    /// Lets somebody ask, or not.
    pub(super) async fn admit(
        &self,
        visitor: &Visitor<D::Peer>,
        head: &Parts,
    ) -> Result<(), Fault> {
        self.door.admit(visitor.peer.clone(), head).await?;
        visitor.is_known.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// An answer to a question, where there is room for it.
    pub(super) async fn answer(
        &self,
        asked: proto::ConversationRequestAlpha2,
    ) -> Result<proto::ConversationResponseAlpha2, Fault> {
        let room = self.door.room()?;
        let answered = self.conversing.converse(asked).await;
        drop(room);
        answered
    }
}

/// A request's body: so long at most, and in time.
pub(super) async fn body(incoming: Incoming, most: usize) -> Result<Bytes, Fault> {
    let whole = timeout(CLIENT, Limited::new(incoming, most).collect()).await;
    match whole.map_err(|_| Fault::too_slow())? {
        Ok(whole) => Ok(whole.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(Fault::too_large(most)),
        Err(error) => Err(Fault::malformed(&toolwright_http::innermost(&*error))),
    }
}
