//! [`Timeout`]: an attempt that takes too long, or goes silent for too long, is stopped.

mod pulse;

use std::{
    future::poll_fn,
    pin::pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use futures_core::future::BoxFuture;
use serde_json::Value;
use toolwright_core::{
    Policy, QuestionCount, RunContext, Tool, ToolError, ToolErrorKind, ToolResult, ToolSpec,
};
use toolwright_duration::format;
use toolwright_timeout::Countdown;

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
    let (mut work, mut clock) = (pin!(work), Clock::new(limit, context));
    let done = poll_fn(|cx| match work.as_mut().poll(cx) {
        Poll::Ready(result) => Poll::Ready(Some(result)),
        Poll::Pending => clock.poll(cx).map(|()| None),
    })
    .await;
    done.unwrap_or_else(|| {
        let text = format!("no result within {}; the call was stopped", format(limit));
        Err(stopped("total", text, context))
    })
}

/// A limit to the time that is the call's own: what the user takes to answer its questions is not.
struct Clock<'a> {
    countdown: Countdown,
    context: &'a RunContext,
    seen: QuestionCount,
}

impl<'a> Clock<'a> {
    fn new(limit: Duration, context: &'a RunContext) -> Self {
        Self { countdown: Countdown::new(limit), context, seen: context.questions() }
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let now = self.context.questions();
        // The answer may come on another thread, of which nobody here is told: what changed since the last
        // look was the user's time, too.
        if now.open > 0 || now != self.seen {
            self.countdown.skip();
        }
        self.seen = now;
        self.countdown.poll(cx)
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
    let mut silence = Clock::new(limit, context);
    let mut heard = pulse.words();
    let done = poll_fn(|cx| {
        if let Poll::Ready(result) = work.as_mut().poll(cx) {
            return Poll::Ready(Some(result));
        }
        let words = pulse.words();
        if std::mem::replace(&mut heard, words) != words {
            silence.countdown.restart();
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
