//! What the macros make, seen through the traits a runtime uses.

mod calls;
mod discovery;
mod policies;
mod results;
mod schemas;
mod specs;
mod toolsets;

use std::sync::Arc;

use futures_util::FutureExt;
use serde_json::Value;
use toolwright_core::{RunContext, Tool, ToolError, ToolResult};

/// Calls a tool that never waits.
fn call(tool: &Arc<dyn Tool>, arguments: Value) -> ToolResult {
    call_in(tool, arguments, &RunContext::new())
}

fn call_in(tool: &Arc<dyn Tool>, arguments: Value, context: &RunContext) -> ToolResult {
    let future = tool.call(Arc::new(arguments), context);
    future.now_or_never().unwrap_or_else(|| Err(ToolError::new("the tool waits")))
}

/// The mistakes, and what the compiler says about them.
#[test]
fn mistakes() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
