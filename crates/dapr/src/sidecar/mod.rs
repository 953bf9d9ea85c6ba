//! [`Sidecar`]: Toolwright in the place of a Dapr sidecar, for applications that converse through one.

mod accept;
mod converse;
mod door;
mod fault;
mod grpc;
mod http_api;
mod json;
mod read;
mod write;

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use tokio::net::TcpListener;
use toolwright_core::{Model, ModelOptions};
use toolwright_redact::Secrets;

pub use self::door::{Door, Refused};
use self::{
    accept::{Connections, Protocol},
    converse::Conversing,
};

/// How long whoever is answered may still take when the server stops.
const LEAVING: Duration = Duration::from_secs(4);

/// What a sidecar answers with, and where it listens.
#[non_exhaustive]
pub struct SidecarConfig {
    /// Where gRPC is spoken.
    pub grpc: Option<SocketAddr>,
    /// Where HTTP is spoken.
    pub http: Option<SocketAddr>,
    /// The name of its one conversation component.
    pub component: String,
    /// What answers.
    pub model: Arc<dyn Model>,
    /// How it is to write where an application does not say.
    pub options: ModelOptions,
    /// What neither the model nor an application may see.
    pub secrets: Secrets,
}

impl SidecarConfig {
    /// The name of the component where nobody says otherwise.
    pub const COMPONENT: &str = "toolwright";

    /// A sidecar that answers with this model. Where it listens has to be said.
    pub fn new(model: Arc<dyn Model>) -> Self {
        let (component, options) = (Self::COMPONENT.to_owned(), ModelOptions::default());
        let secrets = Secrets::new([]);
        Self { grpc: None, http: None, component, model, options, secrets }
    }
}

/// Toolwright in the place of a Dapr sidecar: bound to its ports.
///
/// Every request is one question to the model, with the application's tools as they are defined in it. The
/// application runs them, and sends the whole conversation each time: nothing is kept here.
pub struct Sidecar<D> {
    grpc: Option<TcpListener>,
    http: Option<TcpListener>,
    inner: Arc<Inner<D>>,
}

/// What every request can reach.
struct Inner<D> {
    door: D,
    conversing: Conversing,
}

impl<D: Door> Sidecar<D> {
    /// Binds to the addresses. `door` says who may ask.
    ///
    /// # Errors
    /// When nothing can listen at an address: that one, and why.
    pub async fn bind(config: SidecarConfig, door: D) -> Result<Self, (SocketAddr, io::Error)> {
        let (grpc, http) = (listen(config.grpc).await?, listen(config.http).await?);
        let SidecarConfig { component, model, options, secrets, .. } = config;
        let conversing = Conversing { component, model, options, secrets };
        Ok(Self { grpc, http, inner: Arc::new(Inner { door, conversing }) })
    }

    /// Where gRPC is spoken.
    pub fn grpc_address(&self) -> Option<SocketAddr> {
        self.grpc.as_ref()?.local_addr().ok()
    }

    /// Where HTTP is spoken.
    pub fn http_address(&self) -> Option<SocketAddr> {
        self.http.as_ref()?.local_addr().ok()
    }

    /// Serves until `stop` ends. Whoever is being answered then has a moment left.
    pub async fn serve(self, stop: impl Future<Output = ()>) {
        let Self { grpc, http, inner } = self;
        let connections = Connections::new(inner);
        tokio::select! {
            () = connections.accept(grpc.as_ref(), Protocol::Grpc) => {}
            () = connections.accept(http.as_ref(), Protocol::Http) => {}
            () = stop => {}
        }
        drop((grpc, http));
        connections.close(LEAVING).await;
    }
}

async fn listen(
    address: Option<SocketAddr>,
) -> Result<Option<TcpListener>, (SocketAddr, io::Error)> {
    let Some(address) = address else { return Ok(None) };
    match TcpListener::bind(address).await {
        Ok(listener) => Ok(Some(listener)),
        Err(error) => Err((address, error)),
    }
}
