//! [`Connections`]: takes connections in, within bounds, and lets them go.
//!
//! Over `http1` with a timer and not through anything that first finds out which protocol is
//! spoken: that would wait for a silent peer forever.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpSocket, TcpStream},
    time,
};
use tokio_util::task::TaskTracker;
use tower_http::add_extension::AddExtension;

use crate::{
    Limits,
    auth::Peer,
    local::LocalSocket,
    places::{Newcomer, Places},
    sending::Sending,
};

/// What the head of a request may take in memory.
const HEAD: usize = 64 << 10;
/// How many headers a request may have.
const HEADERS: usize = 64;
/// How many connections may wait to be taken in.
const BACKLOG: u32 = 4096;

/// Listens at an address.
pub(crate) fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // So that a server can be started again at once.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Where connections come from.
pub(crate) trait Door {
    type Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static;

    /// The next connection, and who is at its other end.
    async fn next(&self) -> io::Result<(Self::Stream, Peer)>;
}

impl Door for TcpListener {
    type Stream = TcpStream;

    async fn next(&self) -> io::Result<(TcpStream, Peer)> {
        loop {
            let (stream, theirs) = self.accept().await?;
            // Small pieces go out as they come. Who has hung up already is no trouble of ours.
            if let (Ok(ours), Ok(())) = (stream.local_addr(), stream.set_nodelay(true)) {
                let peer = Peer::over_tcp(&stream, theirs, ours);
                return Ok((stream, peer));
            }
        }
    }
}

impl Door for LocalSocket {
    type Stream = tokio::net::UnixStream;

    async fn next(&self) -> io::Result<(Self::Stream, Peer)> {
        self.accept().await
    }
}

/// The connections there are.
pub(crate) struct Connections {
    timeout: Duration,
    sending: Duration,
    open: GracefulShutdown,
    tasks: TaskTracker,
}

impl Connections {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            timeout: limits.client_timeout,
            sending: limits.sending,
            open: GracefulShutdown::new(),
            tasks: TaskTracker::new(),
        }
    }

    /// Takes connections in for as long as this is polled.
    pub(crate) async fn accept(&self, door: &impl Door, places: &Places, router: &Router) {
        loop {
            let Some(place) = places.free().await else { return };
            match door.next().await {
                Ok((stream, peer)) => {
                    let newcomer = (!peer.is_made_by_us()).then(|| Arc::new(places.newcomer()));
                    let connection = self.connection(stream, peer, newcomer, router.clone());
                    self.tasks.spawn(async move {
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

    fn connection<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
        &self,
        stream: S,
        peer: Peer,
        newcomer: Option<Arc<Newcomer>>,
        router: Router,
    ) -> impl Future<Output = ()> + use<S> {
        let router = AddExtension::new(router, Arc::new(peer));
        let router = AddExtension::new(router, newcomer.clone());
        let stream = Sending::new(stream, self.sending);
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.timeout)
            .max_buf_size(HEAD)
            .max_headers(HEADERS)
            .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
        let connection = self.open.watch(connection);
        let let_go = async move {
            match newcomer {
                Some(newcomer) => newcomer.let_go().await,
                None => std::future::pending().await,
            }
        };
        async move {
            // Whoever hangs up or dawdles has nobody to complain to.
            tokio::select! {
                _ = connection => {}
                () = let_go => {}
            }
        }
    }

    /// Lets connections end what they are at, and then go.
    pub(crate) async fn close(self, timeout: Duration) {
        let _ = time::timeout(timeout, self.open.shutdown()).await;
    }
}
