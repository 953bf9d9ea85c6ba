//! [`McpHttp`]: the server over HTTP, for a program that decides itself who may come in.

use std::{convert::Infallible, fmt::Display, io, sync::Arc, time::Duration};

use bytes::Bytes;
use http::{Request, Response};
use http_body::Body;
use rmcp::transport::{
    StreamableHttpServerConfig, StreamableHttpService,
    streamable_http_server::session::local::LocalSessionManager,
};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::McpServer;

/// After how long of nothing a session ends. Somebody may be asked meanwhile, who takes their time.
const RESTING: Duration = Duration::from_secs(60 * 60);

/// What bounds the server over HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HttpLimits {
    /// The size of a request's body.
    pub body: usize,
    /// Sessions, and requests without one, at the same time.
    pub clients: usize,
}

/// The server over HTTP. It asks nobody who they are and looks at no name: whoever hands it a request has done
/// that, for each one. What a session is called opens nothing.
#[derive(Clone)]
pub struct McpHttp {
    service: StreamableHttpService<McpServer, LocalSessionManager>,
    stop: CancellationToken,
}

impl McpHttp {
    /// Serves what `server` serves.
    pub fn new(server: McpServer, limits: HttpLimits) -> Self {
        let stop = CancellationToken::new();
        let places = Arc::new(Semaphore::new(limits.clients));
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .with_max_request_body_bytes(limits.body)
            .with_cancellation_token(stop.child_token());
        let factory = move || match places.clone().try_acquire_owned() {
            Ok(place) => Ok(server.for_http(place)),
            Err(_) => Err(io::Error::other("too many clients at the same time")),
        };
        let mut sessions = LocalSessionManager::default();
        sessions.session_config.keep_alive = Some(RESTING);
        Self { service: StreamableHttpService::new(factory, Arc::new(sessions), config), stop }
    }

    /// Answers a request.
    pub async fn handle<B>(
        &self,
        request: Request<B>,
    ) -> Response<impl Body<Data = Bytes, Error = Infallible> + Send + use<B>>
    where
        B: Body + Send + 'static,
        B::Error: Display,
    {
        self.service.handle(request).await
    }

    /// Ends every session.
    pub fn close(&self) {
        self.stop.cancel();
    }
}
