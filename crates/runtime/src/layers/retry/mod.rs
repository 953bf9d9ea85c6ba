//! [`Retry`]: a failure that may pass is tried again.

mod backoff;

use std::sync::Arc;

use futures_core::future::BoxFuture;
use serde_json::Value;
use toolwright_core::{
    RunContext, Tool, ToolError, ToolErrorKind, ToolResult, ToolSpec,
    policy::{self, RetryOn},
};

use super::messages;

/// Tries a failure that may pass again, a bounded number of times, each after a longer wait.
/// [`check`](super::check()) lets it stand only around tools that may be repeated.
pub(super) struct Retry {
    tool: Arc<dyn Tool>,
    policy: policy::Retry,
}

impl Retry {
    pub(super) fn new(tool: Arc<dyn Tool>, policy: policy::Retry) -> Self {
        Self { tool, policy }
    }

    fn is_worth_it(&self, kind: ToolErrorKind) -> bool {
        match kind {
            ToolErrorKind::Temporary | ToolErrorKind::TimedOut => true,
            ToolErrorKind::Lasting | ToolErrorKind::Unsuccessful => self.policy.on == RetryOn::Any,
            // Refused: nothing failed, somebody said no, and would again. And what nobody here knows.
            _ => false,
        }
    }
}

impl Tool for Retry {
    fn spec(&self) -> &ToolSpec {
        self.tool.spec()
    }

    fn call<'a>(
        &'a self,
        arguments: Arc<Value>,
        context: &'a RunContext,
    ) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move {
            let mut attempt = 1;
            loop {
                let result = self.tool.call(arguments.clone(), context).await;
                let Err(error) = result else { return result };
                if attempt >= self.policy.attempts || !self.is_worth_it(error.kind()) {
                    return Err(told(error, attempt));
                }
                let wait = backoff::wait(&self.policy, attempt);
                attempt += 1;
                let after = match wait.as_millis() {
                    0 => "at once".to_owned(),
                    _ => format!("in {}", toolwright_duration::ahead(wait)),
                };
                let of = self.policy.attempts;
                let message = format!("attempt {attempt} of {of} {after}: {}", error.message());
                context.note("retry", "again", message);
                if !wait.is_zero() {
                    tokio::time::sleep(wait).await;
                }
            }
        })
    }
}

/// The last failure. A model that knows it was tried again need not do so itself.
fn told(error: ToolError, attempts: u32) -> ToolError {
    if attempts == 1 {
        return error;
    }
    let message = format!("{} (tried {})", error.message(), messages::times(attempts));
    let told = ToolError::new(message).of_kind(error.kind());
    match error.detail() {
        Some(detail) => told.with_detail(detail),
        None => told,
    }
}
