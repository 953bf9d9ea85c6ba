//! The MCP servers that editors name, where MCP is not compiled in: none is connected.

use std::{path::Path, sync::Arc};

use toolwright_acp::{ForeignTools, McpServer};
use toolwright_app::Config;
use toolwright_core::{ToolSource, truncate_line};

/// How much of their names is told, in characters.
const NAMES: usize = 200;

#[derive(Default)]
pub(super) struct EditorServers(());

#[derive(Default)]
pub(super) struct SessionServers {
    pub(super) sources: Vec<Arc<dyn ToolSource>>,
    pub(super) foreign: Vec<Arc<dyn ForeignTools>>,
    pub(super) secrets: Vec<String>,
    pub(super) notices: Vec<String>,
}

impl EditorServers {
    pub(super) const CONNECTED: bool = false;

    #[expect(clippy::unused_self, reason = "as where they are connected")]
    pub(super) fn open(&self, _: &Config, _: &Path, named: &[McpServer]) -> SessionServers {
        let mut session = SessionServers::default();
        if !named.is_empty() {
            let names: Vec<_> = named.iter().map(|it| it.name.as_str()).collect();
            let names = truncate_line(&names.join(", "), NAMES);
            let told = "the editor's MCP servers are not connected, as this build has no MCP";
            session.notices.push(format!("{told}: {names}"));
        }
        session
    }
}
