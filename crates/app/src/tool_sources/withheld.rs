//! [`WithheldSource`]: a source that cannot be used as it is configured. It says so in the place of its tools.

use std::sync::Arc;

use toolwright_core::{SourceTools, ToolSource, UnavailableTool};

use super::{ConfiguredSource, SourceKind};
use crate::AppError;

/// A source that cannot be used as it is configured.
pub(super) struct WithheldSource {
    name: String,
    tools: Arc<SourceTools>,
}

impl WithheldSource {
    /// The source of this name, whose `tool` (or tools, where it ends in `*`) is not offered, and why.
    pub(super) fn new(name: &str, tool: String, reason: String) -> Self {
        let withheld = vec![UnavailableTool { tool, reason }];
        let tools = Arc::new(SourceTools { tools: Vec::new(), withheld });
        Self { name: name.to_owned(), tools }
    }
}

impl ToolSource for WithheldSource {
    fn name(&self) -> &str {
        &self.name
    }

    fn tools(&self) -> Arc<SourceTools> {
        self.tools.clone()
    }
}

/// The source in whose place it is told why it could not be opened.
///
/// # Errors
/// When what is wrong is no matter of the source's, but of this program: it was built without such sources.
pub(super) fn source(
    entry: &ConfiguredSource,
    error: AppError,
) -> Result<Arc<dyn ToolSource>, AppError> {
    let tool = match entry.kind {
        SourceKind::Mcp | SourceKind::OpenApi => format!("{}*", entry.prefix()),
        SourceKind::Command | SourceKind::Agent => entry.prefix(),
    };
    match error {
        AppError::BadSource { reason, .. } => {
            Ok(Arc::new(WithheldSource::new(&entry.name, tool, reason)))
        }
        error => Err(error),
    }
}
