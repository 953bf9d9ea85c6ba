//! Timeout: a call that takes too long is stopped.

use std::time::Duration;

use toolwright_core::{ToolError, ToolErrorKind, ToolResult, ToolSpec};

/// `work`, stopped after `limit` unless the tool declares a time of its own: then its layer does.
pub(crate) async fn unless_declared(
    spec: &ToolSpec,
    limit: Duration,
    work: impl Future<Output = ToolResult>,
) -> ToolResult {
    let limit = spec.policy.timeout.unwrap_or(limit);
    match tokio::time::timeout(limit, work).await {
        Ok(result) => result,
        Err(_) => {
            let text = format!("no result within {limit:?}; the call was stopped");
            Err(ToolError::new(text).of_kind(ToolErrorKind::TimedOut))
        }
    }
}
