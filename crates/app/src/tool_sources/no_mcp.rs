//! MCP servers, where they are not compiled in: there are none.

use std::sync::Arc;

use toolwright_core::ToolSource;

use super::SourceKind;
use crate::{AppError, Config};

/// The servers that run: none.
#[derive(Default)]
pub(super) struct RunningServers;

impl RunningServers {
    pub(super) fn kept(&self, _names: &[String]) -> Self {
        let Self = self;
        Self
    }
}

pub(super) fn opened(
    _config: &Config,
    name: &str,
    _running: &RunningServers,
) -> Result<Arc<dyn ToolSource>, AppError> {
    Err(AppError::NoSource { name: name.to_owned(), kind: SourceKind::Mcp.name() })
}

/// What no tool may return: nothing.
pub(crate) fn secrets(_config: &Config) -> Vec<String> {
    Vec::new()
}
