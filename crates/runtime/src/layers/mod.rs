//! [`Layer`]: a tool around a tool. The policy of a tool becomes a stack of them, built once; a
//! tool without a policy has none and pays nothing.
//!
//! From the outside in, and why in this order:
//!
//! 1. [`redact`]: whatever the others say or return passes it.
//! 2. layers of the program's own: they see every call, also those that are answered from memory.
//! 3. [`cache`]: an answer that is already there takes no turn and asks nobody. Those who wait for
//!    the same answer wait for one call, however often it is tried.
//! 4. [`limit`]: before the breaker, which has to decide when the call would really be made: a
//!    queue that had passed it while it was closed would hammer a tool that broke meanwhile.
//! 5. [`breaker`]: around the attempts, so that a call counts once, as whoever asked saw it end.
//! 6. [`retry`]: around the timeout, so that an attempt that hangs is one that failed.
//! 7. [`timeout`]: bounds one attempt.
//! 8. [`Base`](base::Base): the tool; a panic in it is a failure like others from here on.
//!
//! What a layer did is told through [`RunContext::note`].

mod base;
pub(crate) mod breaker;
mod cache;
mod check;
mod limit;
mod messages;
mod redact;
mod retry;
mod stack;
mod timeout;

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use crate::{blocking::run_blocking, contained::Contained};
use futures_util::FutureExt;
use serde_json::Value;
use tokio::time::Instant;
use toolwright_core::{CallPreview, RuleTargets, RunContext, Tool, ToolResult, ToolSpec};

use self::{base::contained, redact::Guard};
pub(crate) use self::{
    check::check,
    redact::{Screen, prepare},
    stack::Stack,
};

/// Makes a tool of a tool: one that does something before, after or instead of calling the one
/// inside. Closures are layers, too.
///
/// ```
/// use std::sync::Arc;
/// use toolwright_core::Tool;
/// use toolwright_runtime::Toolbox;
///
/// let toolbox = Toolbox::builder().layer(|tool: Arc<dyn Tool>| tool).build().unwrap();
/// # assert!(toolbox.is_empty());
/// ```
pub trait Layer: Send + Sync {
    /// The tool with this layer around it. Its `spec` carries the policy that is in effect.
    fn layer(&self, tool: Arc<dyn Tool>) -> Arc<dyn Tool>;
}

impl<F: Fn(Arc<dyn Tool>) -> Arc<dyn Tool> + Send + Sync> Layer for F {
    fn layer(&self, tool: Arc<dyn Tool>) -> Arc<dyn Tool> {
        self(tool)
    }
}

/// Whether the layers of a tool are known to be around it.
#[derive(Clone, Copy)]
pub(crate) enum Served {
    /// By the toolbox that built them.
    Layered,
    /// By a route, which may have none.
    Routed,
}

/// How long a call may take as a whole.
#[derive(Clone, Copy)]
pub(crate) struct CallTime {
    /// For tools that declare no time of their own.
    pub(crate) limit: Option<Duration>,
    /// Whatever they declare. Layers see to it, where there are any.
    pub(crate) most: Option<Duration>,
}

/// What holds for every call of every tool, layers or not: a panic is a failure and nothing more,
/// nobody waits for ever, what holds up its thread holds up nobody else, and what the run calls
/// secret does not get out.
pub(crate) async fn run(
    tool: &dyn Tool,
    served: Served,
    time: CallTime,
    arguments: Arc<Value>,
    context: &RunContext,
) -> ToolResult {
    let limit = bound(tool.spec(), served, time);
    let context = &context.with_executor(run_blocking);
    let Some(guard) = Guard::of(context) else {
        return attempt(tool, limit, arguments, context).await;
    };
    let result = attempt(tool, limit, arguments, &guard.context(context)).await;
    guard.clean(result, context)
}

async fn attempt(
    tool: &dyn Tool,
    limit: Option<Duration>,
    arguments: Arc<Value>,
    context: &RunContext,
) -> ToolResult {
    // The call is made inside, so that a tool that panics before its first await is caught too.
    let work = async { tool.call(arguments, context).await };
    contained(timeout::within(limit, work, context)).await
}

/// What a call of a tool would do, without what nobody may see. Where the tool does not say, somebody
/// has to look.
pub(crate) async fn propose(
    tool: &dyn Tool,
    arguments: &Value,
    context: &RunContext,
) -> CallPreview {
    const PATIENCE: Duration = Duration::from_secs(10);
    let work = async { tool.preview(arguments, context).await };
    let work = AssertUnwindSafe(Contained::new(work)).catch_unwind();
    let preview = match toolwright_timeout::timeout(PATIENCE, work).await {
        Ok(Ok(preview)) => preview,
        _ => CallPreview {
            review_reason: Some("the tool could not tell what it would do".to_owned()),
            targets: RuleTargets::Unclear("the tool could not tell".to_owned()),
            ..CallPreview::default()
        },
    };
    match Guard::of(context) {
        Some(guard) => guard.clean_preview(preview),
        None => preview,
    }
}

/// A moment that much later. One that no clock can name is as good as never.
pub(crate) fn later(moment: Instant, by: Duration) -> Instant {
    const NEVER: Duration = Duration::from_secs(86_400 * 365);
    moment.checked_add(by).unwrap_or_else(|| moment + NEVER)
}

/// How long a call may take as a whole, where none of its layers sees to that.
fn bound(spec: &ToolSpec, served: Served, time: CallTime) -> Option<Duration> {
    if spec.agent && spec.policy.timeout.is_none() {
        // It is a run, and the run that it is a part of has a clock, which stands still while somebody is asked.
        return None;
    }
    let CallTime { limit, most } = time;
    match (spec.policy.timeout, served) {
        (Some(_), Served::Layered) => None,
        (None, Served::Layered) => limit,
        // Its own layers, if it has any, come first.
        (own, Served::Routed) => {
            let own = own.map(|attempt| timeout::longest(attempt, &spec.policy)).or(limit);
            most.map_or(own, |most| Some(own.map_or(most, |own| own.min(most))))
        }
    }
}
