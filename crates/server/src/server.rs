//! [`Server`]: bound to an address, and serving until it is told to stop.

use std::{
    net::SocketAddr,
    path::Path,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use tokio::{net::TcpListener, sync::Semaphore};
use toolwright_app::AgentPool;
use toolwright_session::RunEngine;
use toolwright_telemetry::Metrics;

use crate::{
    AuthMode, Entrance, Limits, ServerError, Settings, accept,
    auth::Gate,
    health::Health,
    local::LocalSocket,
    mcp::Mcp,
    places::Places,
    routes,
    runs::{PendingApprovals, Runs},
};

/// How long connections may take to close when everything else has ended.
const LEAVING: Duration = Duration::from_millis(500);

/// A server that is bound to its address.
pub struct Server {
    listener: TcpListener,
    socket: Option<LocalSocket>,
    service: Service,
}

/// What every request can reach.
#[derive(Clone)]
pub(crate) struct Service(Arc<Inner>);

struct Inner {
    host: Arc<AgentPool>,
    runs: Arc<Runs>,
    engine: Option<Arc<dyn RunEngine>>,
    mcp: RwLock<Option<Arc<Mcp>>>,
    waiting: PendingApprovals,
    gate: Gate,
    metrics: Arc<Metrics>,
    health: Health,
    uploads: Semaphore,
    settings: Settings,
}

impl Server {
    /// Binds to the address.
    ///
    /// `waiting` is who the host asks about calls; `metrics` sees what happens in its runs. Where there is an `engine`
    /// it has runs driven elsewhere, all that can be described to whoever does it; the others are driven here.
    ///
    /// # Errors
    /// When nothing can listen there, or everybody could come in.
    pub async fn bind(
        mut settings: Settings,
        host: Arc<AgentPool>,
        waiting: PendingApprovals,
        metrics: Arc<Metrics>,
        engine: Option<Arc<dyn RunEngine>>,
    ) -> Result<Self, ServerError> {
        let address = settings.address;
        if !address.ip().is_loopback() && settings.auth != AuthMode::Token {
            return Err(ServerError::Open(address));
        }
        let failed = |reason| ServerError::Listen { address, reason };
        let listener = accept::listen(address).map_err(failed)?;
        settings.address = listener.local_addr().map_err(failed)?;
        let runs = Runs::new(host.clone(), waiting.clone(), engine.clone(), &settings.limits);
        let runs = Arc::new(runs);
        let mcp = Mcp::new(&host, &runs, &waiting, &settings.limits);
        let mcp = RwLock::new(mcp.map(Arc::new));
        let gate = Gate::new(&settings, host.store()).await?;
        let socket = open_socket(&settings);
        let health = Health::default();
        let uploads = Semaphore::new(settings.limits.uploads);
        let inner =
            Inner { host, runs, engine, mcp, waiting, gate, metrics, health, uploads, settings };
        let service = Service(Arc::new(inner));
        service.runs().hear(service.0.settings.limits.looking);
        Ok(Self { listener, socket, service })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.service.0.settings.address
    }

    /// The socket on which programs of the same user ask without a token, where there is one.
    pub fn socket(&self) -> Option<&Path> {
        self.socket.as_ref().map(LocalSocket::path)
    }

    /// A link that lets one browser in, once.
    ///
    /// # Errors
    /// When it cannot be kept where the other servers find it.
    pub async fn link(&self) -> Result<String, ServerError> {
        self.service.gate().link().await.map_err(|error| ServerError::Link(error.to_string()))
    }

    /// Where people open the page.
    pub fn page(&self) -> &str {
        self.service.gate().page()
    }

    /// What is typed into a shell for a further link; `token` stands for the server's token there, where one is needed.
    pub fn link_command(&self, token: &str) -> String {
        self.service.gate().link_command(token)
    }

    /// The way in for another protocol that is spoken beside this one.
    pub fn entrance(&self) -> Entrance {
        Entrance::new(self.service.clone())
    }

    /// Serves until `stop` ends. From then on it says that it is not ready; then no run begins any more, those that go
    /// on are ended in good order or left to be resumed, and streams end with them.
    pub async fn serve(self, stop: impl Future<Output = ()>) {
        let Self { listener, socket, service } = self;
        let (router, _) = routes::router(service.clone());
        let connections = accept::Connections::new(service.limits());
        let most = service.limits().connections;
        let (over_tcp, on_socket) = (Places::over_tcp(most), Places::on_socket(most));
        let through_socket = async {
            match &socket {
                Some(socket) => connections.accept(socket, &on_socket, &router).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = connections.accept(&listener, &over_tcp, &router) => {}
            () = through_socket => {}
            () = async { stop.await; service.drain().await } => {}
        }
        drop((listener, socket));
        service.runs().leave();
        connections.close(LEAVING).await;
    }
}

/// Opens the socket for programs of the same user, where they need no token. Without it the server
/// serves all the same.
fn open_socket(settings: &Settings) -> Option<LocalSocket> {
    if settings.auth != AuthMode::Local {
        return None;
    }
    let path = settings.folder.join(format!("{}.sock", settings.address.port()));
    let opened = LocalSocket::bind(&path);
    let warn =
        |error: &_| tracing::warn!(%error, path = %path.display(), "there is no local socket");
    opened.inspect_err(warn).ok()
}

impl Service {
    pub(crate) fn host(&self) -> &Arc<AgentPool> {
        &self.0.host
    }

    pub(crate) fn runs(&self) -> &Arc<Runs> {
        &self.0.runs
    }

    pub(crate) fn mcp(&self) -> Option<Arc<Mcp>> {
        self.0.mcp.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Offers clients the tools there are now. Those that are connected connect anew.
    pub(crate) fn renew_mcp(&self) {
        let Inner { host, runs, waiting, settings, .. } = &*self.0;
        let new = Mcp::new(host, runs, waiting, &settings.limits).map(Arc::new);
        let mut mcp = self.0.mcp.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(old) = std::mem::replace(&mut *mcp, new) {
            old.close();
        }
    }

    /// What drives runs, where that is not this server.
    pub(crate) fn engine(&self) -> Option<&dyn RunEngine> {
        self.0.engine.as_deref()
    }

    /// Stops, step by step, and is served meanwhile: who asks whether it is ready is told first.
    async fn drain(&self) {
        self.health().drain();
        tokio::time::sleep(self.limits().drain_delay).await;
        if let Some(mcp) = self.mcp() {
            mcp.close();
        }
        self.runs().settle(self.limits().settling).await;
    }

    pub(crate) fn gate(&self) -> &Gate {
        &self.0.gate
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    pub(crate) fn health(&self) -> &Health {
        &self.0.health
    }

    /// Places for those whose body is larger than usual.
    pub(crate) fn uploads(&self) -> &Semaphore {
        &self.0.uploads
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.0.settings
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.0.settings.limits
    }
}
