//! MCP servers, where they are not compiled in: there are none.

use std::sync::Arc;

use toolwright_core::ToolSource;

use super::SourceKind;
use crate::{AppError, Config};

pub(super) fn opened(_config: &Config, name: &str) -> Result<Arc<dyn ToolSource>, AppError> {
    Err(AppError::NoSource { name: name.to_owned(), kind: SourceKind::Mcp.name() })
}

/// What no tool may return: nothing.
pub(crate) fn secrets(_config: &Config) -> Vec<String> {
    Vec::new()
}
