//! [`Timeout`]: an attempt that takes too long, or goes silent for too long, is stopped.

mod pulse;

use std::{future::poll_fn, pin::pin, sync::Arc, task::Poll, time::Duration};

use futures_core::future::BoxFuture;
use serde_json::Value;
use toolwright_core::{Policy, RunContext, Tool, ToolError, ToolErrorKind, ToolResult, ToolSpec};
use toolwright_duration::format;
use toolwright_timeout::{Countdown, timeout};

use self::pulse::Pulse;

/// Stops an attempt that takes too long, or goes silent for too long. Stopping is dropping: the
/// tool's future is gone, and with it whatever it held.
pub(super) struct Timeout {
    tool: Arc<dyn Tool>,
    total: Option<Duration>,
    idle: Option<Duration>,
}

impl Timeout {
    pub(super) fn new(
        tool: Arc<dyn Tool>,
        total: Option<Duration>,
        idle: Option<Duration>,
    ) -> Self {
        Self { tool, total, idle }
    }
}

impl Tool for Timeout {
    fn spec(&self) -> &ToolSpec {
        self.tool.spec()
    }

    fn call<'a>(
        &'a self,
        arguments: Arc<Value>,
        context: &'a RunContext,
    ) -> BoxFuture<'a, ToolResult> {
        let Some(idle) = self.idle else {
            return Box::pin(within(self.total, self.tool.call(arguments, context), context));
        };
        Box::pin(async move {
            let pulse = Pulse::new();
            let heard = pulse.heard_in(context);
            let work = while_heard(idle, &pulse, self.tool.call(arguments, &heard), context);
            within(self.total, work, context).await
        })
    }
}

/// `work`, stopped after `limit`.
pub(super) async fn within(
    limit: Option<Duration>,
    work: impl Future<Output = ToolResult>,
    context: &RunContext,
) -> ToolResult {
    let Some(limit) = limit else { return work.await };
    match timeout(limit, work).await {
        Ok(result) => result,
        Err(_) => {
            let text = format!("no result within {}; the call was stopped", format(limit));
            Err(stopped("total", text, context))
        }
    }
}

/// `work`, stopped when nothing was heard of it for `limit`.
async fn while_heard(
    limit: Duration,
    pulse: &Pulse,
    work: impl Future<Output = ToolResult>,
    context: &RunContext,
) -> ToolResult {
    let mut work = pin!(work);
    let mut silence = Countdown::new(limit);
    let mut heard = pulse.words();
    let done = poll_fn(|cx| {
        if let Poll::Ready(result) = work.as_mut().poll(cx) {
            return Poll::Ready(Some(result));
        }
        let words = pulse.words();
        if std::mem::replace(&mut heard, words) != words {
            silence.restart();
        }
        silence.poll(cx).map(|()| None)
    })
    .await;
    done.unwrap_or_else(|| {
        let text = format!("nothing was heard of it for {}; the call was stopped", format(limit));
        Err(stopped("idle", text, context))
    })
}

fn stopped(which: &str, text: String, context: &RunContext) -> ToolError {
    context.note("timeout", which, text.clone());
    ToolError::new(text).of_kind(ToolErrorKind::TimedOut)
}

/// How long a call may take under a policy that gives an attempt this time.
pub(super) fn longest(attempt: Duration, policy: &Policy) -> Duration {
    let again = policy.retry.map_or(Duration::ZERO, |retry| {
        (attempt.saturating_add(retry.max_backoff)).saturating_mul(retry.attempts.saturating_sub(1))
    });
    attempt.saturating_add(again)
}
