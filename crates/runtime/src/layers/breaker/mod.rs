//! [`Breaker`]: a tool that keeps failing is left alone for a while.

mod circuit;
mod circuits;
mod outcomes;

use std::sync::Arc;

use futures_core::future::BoxFuture;
use serde_json::Value;
use toolwright_core::{RunContext, Tool, ToolError, ToolErrorKind, ToolResult, ToolSpec};

use self::circuit::{Admission, News};
pub(crate) use self::circuits::Circuits;

/// Leaves a tool alone that keeps failing, in all runs of its toolbox together. While it is off,
/// calls are refused at once and the model is not offered it; then one call may try.
///
/// For the account that calls (what its [`RunContext`] holds, as for the cache) every failure counts
/// alike, panics and timeouts too: arguments that do not fit never come this far. For everybody else
/// only those count that more than one account met and that may pass: a refused token is its owner's
/// trouble. A refusal from further inside is no failure, since nothing was tried; nor is a call that
/// was broken off.
pub(super) struct Breaker {
    tool: Arc<dyn Tool>,
    circuits: Arc<Circuits>,
}

impl Breaker {
    pub(super) fn new(tool: Arc<dyn Tool>, circuits: Arc<Circuits>) -> Self {
        Self { tool, circuits }
    }
}

impl Tool for Breaker {
    fn spec(&self) -> &ToolSpec {
        self.tool.spec()
    }

    fn call<'a>(
        &'a self,
        arguments: Arc<Value>,
        context: &'a RunContext,
    ) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move {
            let ticket = match self.circuits.admit(context.key()) {
                Admission::Call(ticket) => ticket,
                Admission::Probe(ticket) => {
                    let message = "it was left alone long enough: this call tries whether it works";
                    context.note("breaker", "probing", message);
                    ticket
                }
                Admission::Refused(why) => return Err(refused(&self.spec().name, &why, context)),
            };
            let result = self.tool.call(arguments, context).await;
            let news = match &result {
                Ok(_) => ticket.worked(),
                Err(error) if error.kind() == ToolErrorKind::Refused => None,
                Err(error) => ticket.failed(error.kind()),
            };
            match news {
                Some(News::Opened(why)) => context.note("breaker", "opened", format!("it {why}")),
                Some(News::Closed) => context.note("breaker", "closed", "it works again"),
                None => {}
            }
            result
        })
    }
}

fn refused(tool: &str, why: &str, context: &RunContext) -> ToolError {
    context.note("breaker", "refused", format!("it {why}"));
    let text = format!("`{tool}` {why}, so the call was not made. Do without it, and say so.");
    ToolError::new(text).of_kind(ToolErrorKind::Refused)
}
