//! [`SourceRegistry`]: where tools come from that are neither compiled in nor in a pack, as it was configured.
//!
//! Every kind of source is a module here, with one function that opens what the config file names; behind it
//! all are a [`ToolSource`].

mod agent;
mod checked;
mod chosen;
#[cfg(feature = "commands")]
mod command;
#[cfg_attr(not(feature = "mcp"), path = "no_mcp.rs")]
mod mcp;
#[cfg(feature = "mcp")]
mod mcp_look;
#[cfg(feature = "openapi")]
mod openapi;
#[cfg(feature = "mcp")]
mod session_mcp;
mod withheld;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use toolwright_core::{SEPARATOR, ToolSource};

#[cfg(feature = "commands")]
pub use self::command::check_commands;
pub(crate) use self::mcp::secrets as mcp_secrets;
#[cfg(feature = "openapi")]
pub use self::openapi::ApiApproval;
use self::{checked::CheckedSource, chosen::ChosenSource};
#[cfg(feature = "mcp")]
pub use self::{
    mcp::{mcp_forget, mcp_hides, mcp_pins, mcp_server, mcp_server_config, mcp_tokens},
    mcp_look::{McpApproval, McpStanding},
    session_mcp::{SessionMcpServer, SessionMcpTransport},
};
use crate::{AppError, Config, OpenPacks, Task};

/// What kind of source it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SourceKind {
    /// A server that speaks the Model Context Protocol.
    Mcp,
    /// An API that an OpenAPI document describes.
    OpenApi,
    /// A program.
    Command,
    /// Another agent.
    Agent,
}

impl SourceKind {
    /// Its name, as its section in the config file has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mcp => "mcp",
            Self::OpenApi => "openapi",
            Self::Command => "commands",
            Self::Agent => "agents",
        }
    }
}

/// A source that was configured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfiguredSource {
    /// Its name.
    pub name: String,
    /// What kind it is.
    pub kind: SourceKind,
}

impl ConfiguredSource {
    /// What the config file calls it: `mcp.github`.
    pub fn describe(&self) -> String {
        format!("{}.{}", self.kind.name(), self.name)
    }

    /// Whether a tool of this name can be one of its.
    pub fn may_have(&self, tool: &str) -> bool {
        match self.kind {
            SourceKind::Mcp | SourceKind::OpenApi => tool.starts_with(&self.prefix()),
            SourceKind::Command | SourceKind::Agent => tool == self.name,
        }
    }

    /// What the names of its tools begin with.
    pub(crate) fn prefix(&self) -> String {
        match self.kind {
            SourceKind::Mcp | SourceKind::OpenApi => format!("{}{SEPARATOR}", self.name),
            // It is one tool, and named as it is.
            SourceKind::Command | SourceKind::Agent => self.name.clone(),
        }
    }
}

/// Whether a variable is called as those are that hold a secret.
pub(crate) fn names_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    ["TOKEN", "KEY", "SECRET", "PASS", "CREDENTIAL", "AUTH"].iter().any(|it| name.contains(it))
}

/// What no tool may return of what programs are given: variables that are called as secrets are.
pub(crate) fn command_secrets(config: &Config) -> Vec<String> {
    let commands = config.commands().iter().filter_map(|it| it.command.as_ref().ok());
    let names = commands
        .flat_map(toolwright_command::CheckedCommand::variables)
        .filter(|name| names_secret(name));
    names.filter_map(|name| std::env::var(name).ok()).collect()
}

/// The sources that were opened: each when the first task needs it, and shared by all that follow.
#[derive(Default)]
pub(crate) struct SourceRegistry {
    open: Mutex<BTreeMap<String, Opened>>,
    /// The MCP servers among them.
    servers: mcp::RunningServers,
    /// The sandbox that programs start in.
    #[cfg(feature = "commands")]
    sandbox: std::sync::OnceLock<Arc<toolwright_sandbox::SharedSandbox>>,
}

/// A source that was opened.
#[derive(Clone)]
struct Opened {
    /// As it is.
    source: Arc<dyn ToolSource>,
    /// As tasks have it: held against what is said of its tools.
    checked: Arc<dyn ToolSource>,
}

impl SourceRegistry {
    /// Another, for settings that changed: MCP servers for which nothing did go on, as they have begun something.
    pub(crate) fn for_settings(&self, old: &Config, new: &Config) -> Self {
        // Each was told what it must not let out.
        let secrets = |config| crate::context(config).secrets().to_vec();
        if secrets(old) != secrets(new) {
            return Self::default();
        }
        let is_same = |entry: &&ConfiguredSource| {
            entry.kind == SourceKind::Mcp && old.mcp.get(&entry.name) == new.mcp.get(&entry.name)
        };
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let same = new.sources().iter().filter(is_same).filter_map(|entry| {
            let source = open.get(&entry.name)?.source.clone();
            let checked = CheckedSource::around(source.clone(), new, entry);
            Some((entry.name.clone(), Opened { source, checked }))
        });
        let same: BTreeMap<_, _> = same.collect();
        let servers = self.servers.kept(&same.keys().cloned().collect::<Vec<_>>());
        Self { open: Mutex::new(same), servers, ..Self::default() }
    }

    /// The sources of a task, with those of their tools that it has.
    ///
    /// # Errors
    /// When one cannot be used as it was configured.
    pub(crate) fn of_task(
        &self,
        config: &Config,
        packs: &OpenPacks,
        task: &Task,
    ) -> Result<Vec<Arc<dyn ToolSource>>, AppError> {
        let entries = config.sources().iter().filter(|it| task.has_source(&it.name));
        let opened = entries.map(|entry| {
            let source = self.open(config, packs, entry)?;
            Ok(match &task.tools {
                Some(patterns) => Arc::new(ChosenSource::new(source, entry, patterns.clone())),
                None => source,
            })
        });
        opened.collect()
    }

    /// A source, opened.
    pub(crate) fn open(
        &self,
        config: &Config,
        packs: &OpenPacks,
        entry: &ConfiguredSource,
    ) -> Result<Arc<dyn ToolSource>, AppError> {
        // Made anew each time, as its instructions may tell the day; and it opens sources of its own.
        if entry.kind == SourceKind::Agent {
            return agent::opened(config, packs, &entry.name);
        }
        // Opened under the lock: two that come at once must not open it twice.
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(opened) = open.get(&entry.name) {
            return Ok(opened.checked.clone());
        }
        // What is wrong with one hurts no other, and no run.
        let source = self.opened(config, entry).or_else(|error| withheld::source(entry, error))?;
        let checked = CheckedSource::around(source.clone(), config, entry);
        open.insert(entry.name.clone(), Opened { source, checked: checked.clone() });
        Ok(checked)
    }

    /// Opens a source.
    fn opened(
        &self,
        config: &Config,
        entry: &ConfiguredSource,
    ) -> Result<Arc<dyn ToolSource>, AppError> {
        match entry.kind {
            SourceKind::Mcp => mcp::opened(config, &entry.name, &self.servers),
            #[cfg(feature = "commands")]
            SourceKind::Command => {
                let sandbox = self.sandbox.get_or_init(|| command::sandbox(config));
                Ok(command::open(config, sandbox.clone(), entry)?)
            }
            #[cfg(feature = "openapi")]
            SourceKind::OpenApi => openapi::opened(config, entry),
            _ => Err(AppError::NoSource { name: entry.name.clone(), kind: entry.kind.name() }),
        }
    }
}
