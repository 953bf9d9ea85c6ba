//! [`EditorServers`]: the MCP servers that editors name, as sources of their sessions' tools.
//!
//! The user chose them in the editor, and strangers wrote them. So they are started, inside walls, and none of
//! their tools is offered to a model before the user approved it as it is: the editor asks. A server of the same
//! name in the user's own settings stands in the place of the editor's, with all that is said of it there.

use std::{
    collections::HashSet,
    fmt::Display,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, Weak},
};

use futures_core::future::BoxFuture;
use serde::Deserialize;
use serde_json::Value;
use toolwright_acp::{ForeignState, ForeignTools, HostError, McpServer as NamedServer, ToolOffer};
use toolwright_app::{Config, SessionMcpServer, SessionMcpTransport, SourceKind, mcp_server};
use toolwright_core::{ToolEffect, ToolSource, plural, truncate_line};
use toolwright_mcp::client::{McpServer, ServerState, ToolReport};

/// How many servers of one session are started.
const MOST: usize = 16;
/// How much somebody reads before they decide, in bytes: what is not shown is not approved.
const SHOWN: usize = 256 << 10;
/// How much of a name is told.
const NAME: usize = 60;

/// The servers that editors name. Sessions in one folder that name the same share it.
#[derive(Default)]
pub(super) struct EditorServers {
    open: Mutex<Vec<Open>>,
}

struct Open {
    folder: PathBuf,
    pinned_as: String,
    server: Weak<McpServer>,
}

/// What a session has of them.
#[derive(Default)]
pub(super) struct SessionServers {
    pub(super) sources: Vec<Arc<dyn ToolSource>>,
    pub(super) foreign: Vec<Arc<dyn ForeignTools>>,
    pub(super) secrets: Vec<String>,
    pub(super) notices: Vec<String>,
}

impl EditorServers {
    /// Whether they are connected at all.
    pub(super) const CONNECTED: bool = true;

    /// Starts what an editor names for a session in this folder.
    pub(super) fn open(
        &self,
        config: &Config,
        folder: &Path,
        named: &[NamedServer],
    ) -> SessionServers {
        let mut session = SessionServers::default();
        let taken = config.sources().iter().map(|it| it.name.to_ascii_lowercase());
        let taken: HashSet<String> = taken.collect();
        let mut names = HashSet::new();
        for server in named.iter().take(MOST) {
            let own = SessionMcpServer::name(&server.name, &HashSet::new());
            let opened = match taken.contains(&own) {
                true => of_settings(config, &own, &mut session),
                false => {
                    let name = SessionMcpServer::name(&server.name, &names);
                    names.insert(name.clone());
                    self.start(config, folder, name, server, &mut session)
                }
            };
            if let Err(reason) = opened {
                let name = truncate_line(&server.name, NAME);
                session.notices.push(format!("the editor's MCP server {name}: {reason}"));
            }
        }
        if let Some(over) = named.len().checked_sub(MOST).filter(|it| *it > 0) {
            let told = format!("{over} of the editor's MCP servers are not used: {MOST} are");
            session.notices.push(told);
        }
        session
    }

    fn start(
        &self,
        config: &Config,
        folder: &Path,
        name: String,
        named: &NamedServer,
        session: &mut SessionServers,
    ) -> Result<(), String> {
        let described = SessionMcpServer { name, transport: transport(named)? };
        session.secrets.extend(described.secrets());
        let pinned_as = described.pinned_as();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|it| it.server.strong_count() > 0);
        let is_it = |it: &&Open| it.folder == folder && it.pinned_as == pinned_as;
        let server = match open.iter().find(is_it).and_then(|it| it.server.upgrade()) {
            Some(server) => server,
            None => {
                let server = Arc::new(described.start(config, folder)?);
                let weak = Arc::downgrade(&server);
                open.push(Open { folder: folder.to_owned(), pinned_as, server: weak });
                server
            }
        };
        session.sources.push(server.clone());
        session.foreign.push(Arc::new(EditorServer { server, reached: described.describe() }));
        Ok(())
    }
}

/// A source of this name in the user's settings, in the place of the editor's.
fn of_settings(config: &Config, name: &str, session: &mut SessionServers) -> Result<(), String> {
    let entry = config.sources().iter().find(|it| it.name.eq_ignore_ascii_case(name));
    let Some(entry) = entry.filter(|it| it.kind == SourceKind::Mcp) else {
        return Err("it is not used, as your settings have something else of that name".to_owned());
    };
    // A task that has it has it once.
    if !config.task.value.has_source(&entry.name) {
        let server = mcp_server(config, &entry.name).map_err(|error| error.to_string())?;
        session.sources.push(Arc::new(server));
    }
    Err(format!("`[mcp.{}]` of your settings is used in its place", entry.name))
}

/// A pair, as the protocol writes variables and headers.
#[derive(Deserialize)]
struct Pair {
    name: String,
    value: String,
}

#[derive(Deserialize)]
struct Program {
    command: String,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: Vec<Pair>,
}

#[derive(Deserialize)]
struct Address {
    url: String,
    #[serde(default)]
    headers: Vec<Pair>,
}

fn transport(named: &NamedServer) -> Result<SessionMcpTransport, String> {
    let said = || Value::Object(named.transport.clone());
    // What is wrong with it may be a secret: the reader's own words are not passed on.
    let wrong = |_| "what the editor says of it is not what the protocol says".to_owned();
    let pairs = |all: Vec<Pair>| all.into_iter().map(|it| (it.name, it.value)).collect();
    match named.transport.get("type").and_then(Value::as_str) {
        None | Some("stdio") => {
            let Program { command, args, env } = Program::deserialize(said()).map_err(wrong)?;
            Ok(SessionMcpTransport::Program { command, args, env: pairs(env) })
        }
        Some("http") => {
            let Address { url, headers } = Address::deserialize(said()).map_err(wrong)?;
            Ok(SessionMcpTransport::Address { url, headers: pairs(headers) })
        }
        Some(other) => Err(format!(
            "it is not connected: programs and `http` are, and not `{}`",
            truncate_line(other, NAME)
        )),
    }
}

/// A server that an editor names, and how it is reached.
struct EditorServer {
    server: Arc<McpServer>,
    reached: String,
}

impl ForeignTools for EditorServer {
    fn state(&self) -> BoxFuture<'_, ForeignState> {
        Box::pin(async move {
            self.server.ready().await;
            let name = self.server.name();
            let unavailable = |reason: &dyn Display| {
                let told = format!("the editor's MCP server {name} cannot be used: {reason}");
                ForeignState::Unavailable(told)
            };
            match self.server.state() {
                ServerState::Ready => {}
                ServerState::Restarting(error) | ServerState::Off(error) => {
                    return unavailable(&error);
                }
                _ => return unavailable(&"it is not ready yet"),
            }
            let mut open = match self.server.tool_reports() {
                Ok(open) => open,
                Err(error) => return unavailable(&error),
            };
            open.retain(|it| it.state != "approved");
            if open.is_empty() {
                return ForeignState::Settled;
            }
            let (count, tools) = (open.len(), plural(open.len() as u64, "tool", "tools"));
            let told: Vec<_> = open.iter().map(described).collect();
            let mut text = format!("{name}: {}\n\n{}", self.reached, told.join("\n\n"));
            let is_whole = text.len() <= SHOWN;
            if !is_whole {
                text.truncate(text.floor_char_boundary(SHOWN));
                text.push_str("\n[… too long to be shown whole]");
            }
            let server = self.server.clone();
            let approve = Box::new(move || {
                if !is_whole {
                    return Err(failed("its tools say more than can be shown here"));
                }
                let shown: Vec<_> = open.into_iter().map(|it| it.definition).collect();
                server.approve_these(&shown).map_err(|error| failed(&error.to_string()))
            });
            let title = format!("May {count} {tools} of the MCP server {name} be used?");
            ForeignState::Offered(ToolOffer { title, text, approve })
        })
    }
}

fn failed(message: &str) -> HostError {
    let advice = "put the server into your settings (`toolwright mcp add`), and approve it there";
    HostError { message: format!("{message}: {advice}"), advice: None }
}

/// All that a tool says of itself, as somebody decides by it: what is approved is what is shown.
fn described(report: &ToolReport) -> String {
    let effect = match report.effect {
        ToolEffect::ReadOnly => "says that it only reads",
        ToolEffect::Idempotent => "says that it may be repeated",
        ToolEffect::Write => "writes",
        ToolEffect::Destructive => "asks before each call",
    };
    let state = if report.state == "changed" { ", changed since you approved it" } else { "" };
    let definition = &report.definition;
    let mut lines = vec![format!("{} ({effect}{state})", report.name)];
    lines.extend(definition.title.iter().map(|it| format!("title: {it}")));
    lines.extend(definition.description.clone());
    lines.push(format!("takes: {}", definition.input_schema));
    lines.extend(definition.output_schema.iter().map(|it| format!("returns: {it}")));
    lines.extend(definition.annotations.iter().map(|it| format!("hints: {it}")));
    lines.join("\n  ")
}
