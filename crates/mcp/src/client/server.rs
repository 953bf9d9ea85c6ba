//! [`McpServer`]: a server as a source of tools.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};

use futures_util::future::BoxFuture;
use tokio::sync::{Notify, oneshot, watch};
use toolwright_core::{
    ContentSource, SEPARATOR, SourceTools, Tool, ToolSource, UnavailableTool, plural,
    qualified_names,
};

use super::{
    Approval, ApprovedTools, McpError, McpServerConfig, McpTransport, PinStore, ToolDefinition,
    connection::Link, content::KnownContent, pins::approval_of, process::StderrTail, supervisor,
    tool::McpTool,
};

/// A server as a source of tools: started in the background, started again where it ends, and ended when this is
/// dropped.
pub struct McpServer {
    shared: Arc<Shared>,
    running: Mutex<Option<Arc<Running>>>,
}

/// What keeps a server running: whoever looks after it ends it when the last one who holds this is gone. Its tools
/// hold it, too: they may be in a toolbox that outlives the source.
pub(super) struct Running {
    _stop: oneshot::Sender<()>,
}

/// Where a server stands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ServerState {
    /// It is being started.
    Starting,
    /// It answers.
    Ready,
    /// It ended, and is started again in a while.
    Restarting(McpError),
    /// It is not started again before it is needed.
    Off(McpError),
}

/// What the server's tools, and whoever looks after it, share.
pub(super) struct Shared {
    pub(super) config: McpServerConfig,
    pub(super) pins: PinStore,
    pub(super) state: watch::Sender<ServerState>,
    pub(super) link: Arc<Link>,
    /// Somebody wants it after all.
    pub(super) wanted: Notify,
    /// What keeps it running, for the tools that are made; nothing once the source is gone, and no more are made.
    running: Mutex<Weak<Running>>,
    stderr: Mutex<StderrTail>,
    listed: Mutex<Vec<ToolDefinition>>,
    /// Its prompts and resources, once somebody wanted to know.
    pub(super) content: Mutex<Option<KnownContent>>,
    snapshot: Mutex<Snapshot>,
}

#[derive(Default)]
struct Snapshot {
    tools: Arc<SourceTools>,
    /// What was made, by its name, so that what did not change stays what it is.
    made: BTreeMap<String, Arc<McpTool>>,
}

impl McpServer {
    /// A server that is configured so. It is started at once, where there is a runtime to start it in, and nobody
    /// waits for it here.
    pub fn new(config: McpServerConfig, pins: PinStore) -> Self {
        let shared = Shared {
            config,
            pins,
            state: watch::Sender::new(ServerState::Starting),
            link: Arc::default(),
            wanted: Notify::new(),
            running: Mutex::default(),
            stderr: Mutex::default(),
            listed: Mutex::default(),
            content: Mutex::default(),
            snapshot: Mutex::default(),
        };
        let server = Self { shared: Arc::new(shared), running: Mutex::default() };
        server.start();
        server
    }

    fn start(&self) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if running.is_none() {
            let (stop, stopped) = oneshot::channel();
            let new = Arc::new(Running { _stop: stop });
            *self.shared.running.lock().unwrap_or_else(PoisonError::into_inner) =
                Arc::downgrade(&new);
            *running = Some(new);
            // Before it runs, so that nobody waits for what is known already.
            self.shared.offer_approved();
            runtime.spawn(supervisor::look_after(self.shared.clone(), stopped));
        }
    }

    /// Where it stands.
    pub fn state(&self) -> ServerState {
        self.shared.state.borrow().clone()
    }

    /// How it is configured.
    pub fn config(&self) -> &McpServerConfig {
        &self.shared.config
    }

    /// The tools that it lists, whether or not they are approved.
    pub fn definitions(&self) -> Vec<ToolDefinition> {
        self.shared.definitions()
    }

    /// Approves its tools as they are now, and its prompts as they were last [reported](Self::report).
    ///
    /// # Errors
    /// When that cannot be kept.
    pub fn approve(&self) -> std::io::Result<()> {
        let prompts = self.known_content().map(|it| it.prompts.clone()).unwrap_or_default();
        if !prompts.is_empty() {
            self.shared.pins.approve_prompts(self.shared.config.pinned_as(), &prompts)?;
        }
        self.approve_these(&self.definitions())
    }

    /// Approves these of its tools, as somebody was shown them: what it lists by now may be something else.
    ///
    /// # Errors
    /// When that cannot be kept.
    pub fn approve_these(&self, shown: &[ToolDefinition]) -> std::io::Result<()> {
        self.shared.pins.approve(self.shared.config.pinned_as(), shown)?;
        self.shared.refresh();
        Ok(())
    }

    /// The last lines that it wrote to standard error.
    pub fn stderr(&self) -> Vec<String> {
        self.shared.stderr.lock().unwrap_or_else(PoisonError::into_inner).lines()
    }

    /// Whether no run goes without it. One that is switched off is not meant.
    fn is_required(&self) -> bool {
        let config = &self.shared.config;
        config.required && !matches!(&config.transport, McpTransport::Off(it) if it.is_empty())
    }

    pub(super) fn shared(&self) -> &Shared {
        &self.shared
    }
}

impl Drop for McpServer {
    fn drop(&mut self) {
        *self.shared.running.lock().unwrap_or_else(PoisonError::into_inner) = Weak::new();
        *self.shared.snapshot.lock().unwrap_or_else(PoisonError::into_inner) = Snapshot::default();
    }
}

impl ToolSource for McpServer {
    fn name(&self) -> &str {
        &self.shared.config.name
    }

    fn tools(&self) -> Arc<SourceTools> {
        self.shared.snapshot.lock().unwrap_or_else(PoisonError::into_inner).tools.clone()
    }

    fn ready(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            self.start();
            let mut state = self.shared.state.subscribe();
            if matches!(*state.borrow(), ServerState::Off(_)) {
                // It is tried again; nobody waits for what did not work before, unless nothing goes without it.
                if self.is_required() {
                    self.shared.set_state(ServerState::Starting);
                }
                self.shared.wanted.notify_one();
                if !self.is_required() {
                    return;
                }
            }
            // A little longer than it may take to know why not.
            let limit = self.shared.config.startup_timeout + Duration::from_secs(2);
            let is_settled = |it: &ServerState| *it != ServerState::Starting;
            let _ = tokio::time::timeout(limit, state.wait_for(is_settled)).await;
        })
    }

    fn content(&self) -> Option<&dyn ContentSource> {
        Some(self)
    }

    fn missing(&self) -> Option<String> {
        if !self.is_required() {
            return None;
        }
        let withheld = |tools: &SourceTools| tools.withheld.first().map(|it| it.reason.clone());
        let reason = match self.state() {
            ServerState::Ready => {
                let tools = self.tools();
                if !tools.tools.is_empty() {
                    return None;
                }
                withheld(&tools).unwrap_or_else(|| "it has no tools".to_owned())
            }
            ServerState::Starting => "it is not ready yet".to_owned(),
            ServerState::Restarting(error) | ServerState::Off(error) => error.to_string(),
        };
        let name = &self.shared.config.name;
        Some(format!("the MCP server `{name}` is required, and its tools are not there: {reason}"))
    }
}

impl Shared {
    pub(super) fn set_stderr(&self, tail: StderrTail) {
        *self.stderr.lock().unwrap_or_else(PoisonError::into_inner) = tail;
    }

    /// Takes up what the server lists.
    pub(super) fn set_listed(&self, listed: Vec<ToolDefinition>) {
        let own: Vec<_> = listed.into_iter().filter(|it| self.config.admits(&it.name)).collect();
        self.link.set_listed(own.iter().map(|it| (it.name.clone(), it.digest())).collect());
        *self.listed.lock().unwrap_or_else(PoisonError::into_inner) = own;
        self.refresh();
    }

    /// Says where the server stands, and that in the place of its tools where it has none.
    pub(super) fn set_state(&self, state: ServerState) {
        match &state {
            ServerState::Off(error) => self.withhold_all(error.to_string()),
            // What was approved was offered before it ran, and it does not.
            ServerState::Restarting(error) if self.definitions().is_empty() => {
                self.withhold_all(error.to_string());
            }
            _ => {}
        }
        self.state.send_replace(state);
    }

    /// Offers what was approved as it was then, before the server says whether it is still that: a call waits for
    /// it, and of a tool that changed meanwhile there is none.
    fn offer_approved(&self) {
        if matches!(self.config.transport, McpTransport::Off(_)) {
            return;
        }
        // What cannot be read is told when the server has listed its tools.
        let Ok(approved) = self.pins.of(self.config.pinned_as()) else { return };
        let wanted = approved.values().filter(|it| self.config.admits(&it.subject));
        let wanted: Vec<_> = wanted.map(|it| (it.details.clone(), it.digest.clone())).collect();
        if !wanted.is_empty() {
            self.offer(&wanted, &approved);
        }
    }

    fn definitions(&self) -> Vec<ToolDefinition> {
        self.listed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes up what the user approved.
    pub(super) fn refresh(&self) {
        let listed = self.definitions().into_iter().map(|it| {
            let digest = it.digest();
            (it, digest)
        });
        let listed: Vec<_> = listed.collect();
        match self.pins.of(self.config.pinned_as()) {
            Ok(approved) => self.offer(&listed, &approved),
            Err(error) => {
                let path = self.pins.path(self.config.pinned_as());
                let path = path.display();
                self.withhold_all(format!("what was approved cannot be read ({path}): {error}"));
            }
        }
    }

    fn offer(&self, listed: &[(ToolDefinition, String)], approved: &ApprovedTools) {
        let server = &self.config.name;
        let names = qualified_names(server, listed.iter().map(|(it, _)| it.name.as_str()));
        if approved.is_empty() && !listed.is_empty() {
            let (count, tools) = (listed.len(), plural(listed.len() as u64, "tool", "tools"));
            return self.withhold_all(format!(
                "its {count} {tools} are not approved yet: {}",
                self.config.approval_advice()
            ));
        }
        let mut snapshot = self.snapshot.lock().unwrap_or_else(PoisonError::into_inner);
        let mut made = BTreeMap::new();
        let mut withheld = Vec::new();
        for ((definition, digest), name) in listed.iter().zip(names) {
            let offered = self.tool((definition, digest), &name, approved, &snapshot.made);
            match offered {
                Ok(tool) => _ = made.insert(name, tool),
                Err(reason) => withheld.push(UnavailableTool { tool: name, reason }),
            }
        }
        let tools: Vec<Arc<dyn Tool>> =
            made.values().map(|it| it.clone() as Arc<dyn Tool>).collect();
        snapshot.made = made;
        snapshot.set(SourceTools { tools, withheld });
    }

    fn tool(
        &self,
        (definition, digest): (&ToolDefinition, &str),
        name: &str,
        approved: &ApprovedTools,
        made: &BTreeMap<String, Arc<McpTool>>,
    ) -> Result<Arc<McpTool>, String> {
        let server = &self.config.name;
        match approval_of(definition, digest, approved) {
            Approval::Approved => {}
            Approval::New => {
                let advice = self.config.approval_advice();
                return Err(format!("it is new, and not approved yet: {advice}"));
            }
            Approval::Changed { .. } if self.config.pinning.is_some() => {
                let advice = self.config.approval_advice();
                return Err(format!("it changed since it was approved: {advice}"));
            }
            Approval::Changed { .. } => {
                return Err(format!(
                    "it changed since it was approved: `toolwright mcp inspect {server}` shows how, \
                     `toolwright mcp approve {server}` approves it"
                ));
            }
        }
        if let Some(known) = made.get(name).filter(|it| it.digest == digest) {
            return Ok(known.clone());
        }
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner).upgrade();
        let running = running.ok_or("the server was stopped")?;
        let tool = McpTool::new(&self.config, name, (definition, digest), &self.link, running)?;
        Ok(Arc::new(tool))
    }

    /// Offers none of its tools, for this reason.
    fn withhold_all(&self, reason: String) {
        // Of one that is switched off nobody wants to hear.
        let is_quiet = matches!(&self.config.transport, McpTransport::Off(it) if it.is_empty());
        let tool = format!("{}{SEPARATOR}*", self.config.name);
        let withheld = if is_quiet { Vec::new() } else { vec![UnavailableTool { tool, reason }] };
        let mut snapshot = self.snapshot.lock().unwrap_or_else(PoisonError::into_inner);
        snapshot.set(SourceTools { tools: Vec::new(), withheld });
    }
}

impl Snapshot {
    /// Replaces what is offered, where it is another: whoever asks sees by that whether anything changed.
    fn set(&mut self, new: SourceTools) {
        let old = &self.tools;
        let is_same = old.withheld == new.withheld
            && old.tools.len() == new.tools.len()
            && old.tools.iter().zip(&new.tools).all(|(a, b)| Arc::ptr_eq(a, b));
        if !is_same {
            self.tools = Arc::new(new);
        }
    }
}
