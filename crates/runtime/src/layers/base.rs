//! [`Base`]: the tool itself, at the bottom of its stack.

use std::{any::Any, panic::AssertUnwindSafe, sync::Arc};

use crate::contained::Contained;
use futures_core::future::BoxFuture;
use futures_util::FutureExt;
use serde_json::Value;
use toolwright_core::{Policy, RunContext, Tool, ToolError, ToolResult, ToolSpec};

/// The tool itself, under the policy that is in effect, with a panic made a failure: the layers
/// above count it, try it again and clean up after it as after any other.
pub(super) struct Base {
    tool: Arc<dyn Tool>,
    spec: ToolSpec,
}

impl Base {
    pub(super) fn new(tool: Arc<dyn Tool>, policy: Policy) -> Self {
        let mut spec = tool.spec().clone();
        spec.policy = policy;
        Self { tool, spec }
    }
}

impl Tool for Base {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call<'a>(
        &'a self,
        arguments: Arc<Value>,
        context: &'a RunContext,
    ) -> BoxFuture<'a, ToolResult> {
        // The call is made inside, so that a tool that panics before its first await is caught too.
        Box::pin(contained(async move { self.tool.call(arguments, context).await }))
    }
}

/// `work`, with a panic made a failure.
pub(super) async fn contained(work: impl Future<Output = ToolResult> + Send) -> ToolResult {
    let work = Contained::new(work);
    AssertUnwindSafe(work).catch_unwind().await.unwrap_or_else(|panic| {
        let detail = format!("the tool panicked: {}", text(&*panic));
        Err(ToolError::new("the tool broke down").with_detail(detail))
    })
}

fn text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
