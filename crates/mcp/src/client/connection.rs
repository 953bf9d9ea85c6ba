//! [`Connection`]: a server that was reached; [`Link`]: the one there is at the moment.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use rmcp::{
    model::{ProtocolVersion, ServerPeerInfo},
    service::{ClientLifecycleMode, ClientServiceExt, Peer, RoleClient, RunningService},
    transport::streamable_http_client::{
        StreamableHttpClientTransport, StreamableHttpClientTransportConfig,
    },
};
use tokio::sync::{Notify, watch};

use super::{
    McpError, McpServerConfig, McpTransport,
    endpoint::Endpoint,
    handler::{Handler, OpenCalls},
    lines::{self, LineTransport},
    process::{Process, StderrTail},
};

/// How long is waited to learn why a server ended.
const PATIENCE: Duration = Duration::from_secs(2);

/// A server that was reached.
pub(super) struct Connection {
    pub(super) peer: Peer<RoleClient>,
    pub(super) calls: Arc<OpenCalls>,
    pub(super) changed: Arc<Notify>,
    /// Whether what cannot be sent means that it is over: at an address each request stands for itself.
    pub(super) is_program: bool,
    /// Why it is over, once it is.
    ended: watch::Sender<Option<McpError>>,
}

/// What keeps a connection: whoever drops it ends the server.
pub(super) struct Keeper {
    pub(super) service: RunningService<RoleClient, Handler>,
    pub(super) process: Option<Process>,
}

impl Connection {
    /// What the server says of itself.
    pub(super) fn info(&self) -> Option<Arc<ServerPeerInfo>> {
        self.peer.peer_info()
    }

    /// Says why it is over.
    pub(super) fn end(&self, why: McpError) {
        self.ended.send_replace(Some(why));
    }

    /// Why it is over.
    pub(super) async fn why_ended(&self) -> McpError {
        let mut ended = self.ended.subscribe();
        let why = tokio::time::timeout(PATIENCE, ended.wait_for(Option::is_some)).await;
        let why = why.ok().and_then(Result::ok).and_then(|it| it.clone());
        why.unwrap_or_else(|| McpError::Protocol("the connection is closed".to_owned()))
    }
}

/// Reaches a server. `stderr` is where it can be read what the program writes to standard error.
pub(super) async fn connect(
    config: &McpServerConfig,
    stderr: impl FnOnce(StderrTail),
) -> Result<(Connection, Keeper), McpError> {
    let handler = Handler::new(&config.name);
    let (calls, changed) = (handler.calls.clone(), handler.changed.clone());
    let begun = |error| McpError::of_start(&error, &config.name);
    let (service, process) = match &config.transport {
        McpTransport::Off(reason) => return Err(McpError::Off(reason.clone())),
        McpTransport::Stdio(command) => {
            let (mut process, (stdout, stdin)) =
                Process::start(&config.name, command, &config.secrets).await?;
            stderr(process.stderr.clone());
            let transport = LineTransport::new(&config.name, stdout, stdin, &config.secrets);
            match handler.serve_with_lifecycle(transport, lifecycle()).await {
                Ok(service) => (service, Some(process)),
                Err(error) => {
                    let why = begun(error);
                    // One that ends at once has said why, and not to the protocol.
                    let has_ended = matches!(&why, McpError::Protocol(it) if it.contains("closed"));
                    return Err(if has_ended { process.ended().await } else { why });
                }
            }
        }
        McpTransport::Http(endpoint) => {
            let client = Endpoint::new(endpoint, &config.secrets)?;
            let uri = endpoint.url.as_str();
            let mut settings = StreamableHttpClientTransportConfig::with_uri(uri);
            settings.max_sse_event_size = lines::LONGEST;
            let transport = StreamableHttpClientTransport::with_client(client, settings);
            let service = handler.serve_with_lifecycle(transport, lifecycle()).await;
            (service.map_err(begun)?, None)
        }
    };
    let peer = service.peer().clone();
    let (is_program, ended) = (process.is_some(), watch::Sender::new(None));
    let connection = Connection { peer, calls, changed, is_program, ended };
    Ok((connection, Keeper { service, process }))
}

/// Both eras of the protocol: the modern one is tried, the other is spoken where the server knows no better.
fn lifecycle() -> ClientLifecycleMode {
    ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        legacy_version: Some(ProtocolVersion::LATEST_WITH_INITIALIZE),
    }
}

/// The connection there is at the moment, for the tools of a server.
#[derive(Default)]
pub(super) struct Link(Mutex<Option<Arc<Connection>>>);

impl Link {
    pub(super) fn set(&self, connection: Option<Arc<Connection>>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = connection;
    }

    pub(super) fn get(&self) -> Option<Arc<Connection>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
