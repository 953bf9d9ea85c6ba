//! [`Connection`]: a server that was reached; [`Link`]: the one there is at the moment.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError, atomic::AtomicU64},
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
    asked::BoundedRequests,
    auth::Authorization,
    endpoint::Endpoint,
    era::EraProbe,
    handler::{Handler, OpenCalls},
    in_order::InOrder,
    lines::{self, LineTransport},
    process::{Process, StderrTail},
};

/// How long is waited to learn why a server ended.
const PATIENCE: Duration = Duration::from_secs(2);
/// The shortest value of a variable that is taken out of what a server writes: a shorter one stands in many a text.
const SECRET: usize = 8;

/// A server that was reached.
pub(super) struct Connection {
    pub(super) peer: Peer<RoleClient>,
    pub(super) calls: Arc<OpenCalls>,
    pub(super) changed: Arc<Notify>,
    /// How often it said that its prompts or resources changed.
    pub(super) content_changes: Arc<AtomicU64>,
    /// Whether what cannot be sent means that it is over: at an address each request stands for itself.
    pub(super) is_program: bool,
    /// The login it was reached with, where it may want one.
    login: Option<Arc<Authorization>>,
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

    /// Why it cannot be used any more, once the user is not logged in any more.
    pub(super) async fn logged_out(&self) -> McpError {
        match &self.login {
            Some(login) => McpError::Unauthorized(login.lost().await),
            None => std::future::pending().await,
        }
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
    let content_changes = handler.content_changes.clone();
    let begun = |error| McpError::of_start(&error);
    let mut login = None;
    let (service, process) = match &config.transport {
        McpTransport::Off(reason) => return Err(McpError::Off(reason.clone())),
        McpTransport::Stdio(command) => {
            // What it writes for people has nothing in it that it was given, however that is called.
            let given = command.env.iter().map(|(_, it)| it.as_str());
            let secrets = config.secrets.and(given.filter(|it| it.len() >= SECRET));
            let (mut process, (stdout, stdin)) =
                Process::start(&config.name, command, &secrets).await?;
            stderr(process.stderr.clone());
            let lines = LineTransport::new(&config.name, stdout, stdin, &config.secrets);
            let transport = InOrder::new(EraProbe::new(BoundedRequests::new(lines)), &calls);
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
            let oauth = config.oauth.as_ref();
            login = oauth.and_then(|it| Authorization::new(&config.name, &endpoint.url, it));
            let client = Endpoint::new(&config.name, endpoint, login.clone(), &config.secrets)?;
            let uri = endpoint.url.as_str();
            let mut settings = StreamableHttpClientTransportConfig::with_uri(uri);
            settings.max_sse_event_size = lines::LONGEST;
            let transport = StreamableHttpClientTransport::with_client(client, settings);
            let transport = InOrder::new(EraProbe::new(BoundedRequests::new(transport)), &calls);
            let service = handler.serve_with_lifecycle(transport, lifecycle()).await;
            (service.map_err(begun)?, None)
        }
    };
    let peer = service.peer().clone();
    let (is_program, ended) = (process.is_some(), watch::Sender::new(None));
    let connection = Connection { peer, calls, changed, content_changes, is_program, login, ended };
    Ok((connection, Keeper { service, process }))
}

/// Both eras of the protocol: the modern one is tried, the other is spoken where the server knows no better.
fn lifecycle() -> ClientLifecycleMode {
    ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        legacy_version: Some(ProtocolVersion::LATEST_WITH_INITIALIZE),
    }
}

/// The connection there is at the moment, for the tools of a server; and what the server listed last.
pub(super) struct Link {
    state: watch::Sender<LinkState>,
    listed: Mutex<BTreeMap<String, String>>,
}

/// Whether there is a connection.
#[derive(Clone)]
enum LinkState {
    /// Not yet: the server is being started.
    Starting,
    /// This one.
    Up(Arc<Connection>),
    /// Not now.
    Down,
}

impl Default for Link {
    fn default() -> Self {
        Self { state: watch::Sender::new(LinkState::Starting), listed: Mutex::default() }
    }
}

impl Link {
    pub(super) fn set(&self, connection: Option<Arc<Connection>>) {
        self.state.send_replace(connection.map_or(LinkState::Down, LinkState::Up));
    }

    pub(super) fn get(&self) -> Option<Arc<Connection>> {
        self.state.borrow().connection()
    }

    /// As [`Link::get`], once the server has started or failed to; nobody waits longer than this for it.
    pub(super) async fn reached(&self, limit: Duration) -> Option<Arc<Connection>> {
        let mut state = self.state.subscribe();
        let settled = state.wait_for(|it| !matches!(it, LinkState::Starting));
        tokio::time::timeout(limit, settled).await.ok()?.ok()?.connection()
    }

    /// Notes what the server lists: the digest of each tool, by its own name.
    pub(super) fn set_listed(&self, listed: BTreeMap<String, String>) {
        *self.listed.lock().unwrap_or_else(PoisonError::into_inner) = listed;
    }

    /// Whether the server lists this very tool.
    pub(super) fn lists(&self, name: &str, digest: &str) -> bool {
        let listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        listed.get(name).is_some_and(|it| it == digest)
    }
}

impl LinkState {
    fn connection(&self) -> Option<Arc<Connection>> {
        match self {
            Self::Up(connection) => Some(connection.clone()),
            Self::Starting | Self::Down => None,
        }
    }
}
