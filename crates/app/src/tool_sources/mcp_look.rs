//! [`McpStanding`]: MCP servers as somebody who looks after them sees them, while they serve tasks.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use futures_util::future::join_all;
use tokio::time::timeout;
use toolwright_mcp::client::{McpServer, ServerReport, ToolDefinition};

use super::{SourceKind, SourceRegistry};
use crate::{AgentPool, AppError, Config, OpenPacks, config::McpSection};

/// How long is waited for one that is being started.
const PATIENCE: Duration = Duration::from_secs(10);

/// A server that is configured, and where it stands.
pub struct McpStanding {
    /// Its name.
    pub name: String,
    /// How it is reached: the words that are started, or the address.
    pub reached: String,
    /// `off`, `starting`, `ready`, `login` or `failed`.
    pub state: &'static str,
    /// Why it does not answer.
    pub problem: Option<String>,
    /// What there is to see of it, where it was asked.
    pub report: Option<ServerReport>,
}

/// What came of approving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum McpApproval {
    /// They are approved as they were shown.
    Approved,
    /// They are not what was shown any more: nothing was approved.
    Changed,
}

impl AgentPool {
    /// All servers that are configured, asked at once.
    pub async fn mcp_servers(&self) -> Vec<McpStanding> {
        let (config, servers) = self.mcp_running();
        let looks = config.mcp.keys().map(|name| look(&config, name, servers.get(name).cloned()));
        join_all(looks).await
    }

    /// One of them; nothing where none has this name.
    pub async fn mcp_server(&self, name: &str) -> Option<McpStanding> {
        let (config, servers) = self.mcp_running();
        config.mcp.get(name)?;
        Some(look(&config, name, servers.get(name).cloned()).await)
    }

    /// Approves tools of a server as somebody was shown them: each by the name that the server gives it, with the digest
    /// of what was shown. All of them, or none.
    ///
    /// # Errors
    /// When there is no such server, or it cannot be kept.
    pub fn mcp_approve(
        &self,
        name: &str,
        shown: &BTreeMap<String, String>,
    ) -> Result<McpApproval, AppError> {
        let (_, servers) = self.mcp_running();
        let bad = |reason: String| AppError::BadSource { section: format!("mcp.{name}"), reason };
        let Some(server) = servers.get(name) else {
            return Err(bad("there is none that is used".to_owned()));
        };
        let is_shown = |it: &ToolDefinition| shown.get(&it.name) == Some(&it.digest());
        let meant: Vec<_> = server.definitions().into_iter().filter(is_shown).collect();
        if meant.len() != shown.len() {
            return Ok(McpApproval::Changed);
        }
        server.approve_these(&meant).map_err(|error| bad(error.to_string()))?;
        Ok(McpApproval::Approved)
    }

    /// The servers that are used, started where nobody needed them yet.
    fn mcp_running(&self) -> (Arc<Config>, BTreeMap<String, Arc<McpServer>>) {
        self.with_packs(|config, packs| packs.sources.mcp_servers(config, packs))
    }
}

impl SourceRegistry {
    fn mcp_servers(&self, config: &Config, packs: &OpenPacks) -> BTreeMap<String, Arc<McpServer>> {
        let is_on =
            |name: &String| config.mcp.get(name).is_some_and(|it| it.enabled != Some(false));
        let entries = config.sources().iter();
        let entries = entries.filter(|it| it.kind == SourceKind::Mcp && is_on(&it.name));
        let servers = entries.filter_map(|entry| {
            // What cannot be opened has said why in the place of its tools.
            let _held = self.open(config, packs, entry).ok()?;
            Some((entry.name.clone(), self.servers.get(&entry.name)?))
        });
        servers.collect()
    }
}

async fn look(config: &Config, name: &str, server: Option<Arc<McpServer>>) -> McpStanding {
    let reached = config.mcp.get(name).map(McpSection::reached).unwrap_or_default();
    let (state, problem, report) = match server {
        None => ("off", None, None),
        Some(server) => match timeout(PATIENCE, server.report()).await {
            Err(_) => ("starting", None, None),
            Ok(Err(error)) => ("failed", Some(error.to_string()), None),
            Ok(Ok(report)) => (report.state(), report.problem.clone(), Some(report)),
        },
    };
    McpStanding { name: name.to_owned(), reached, state, problem, report }
}
