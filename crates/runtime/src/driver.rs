//! The driver: does what a [`Run`] says must happen next, and reports back. The only one there is
//! in process; blocking and streaming, terminal and server all use it.

use std::{
    future::poll_fn,
    panic::AssertUnwindSafe,
    pin::pin,
    sync::Arc,
    task::Poll,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use futures_channel::mpsc;
use futures_util::{FutureExt, StreamExt, stream::FuturesUnordered};
use toolwright_core::{
    CallId, Decision, Event, Gate, Memo, ModelError, ModelErrorKind, Outbox, Outcome, Part,
    Progress, Request, Run, RunContext, RunError, Status, Step, Timestamp, ToolChoice, ToolError,
    ToolRun,
};

use crate::{Cancel, Settings, format::outcome_of};

pub(crate) struct Driver {
    settings: Arc<Settings>,
    run: Run,
    context: RunContext,
    cancel: Cancel,
    outbox: Outbox<Event>,
    memo: Memo,
    /// What tools say while they run.
    reports: mpsc::UnboundedSender<Progress>,
    progress: mpsc::UnboundedReceiver<Progress>,
}

/// Why work was broken off.
enum Stop {
    Cancelled,
    OutOfTime,
}

impl Driver {
    pub(crate) fn new(
        settings: Arc<Settings>,
        run: Run,
        context: RunContext,
        cancel: Cancel,
        outbox: Outbox<Event>,
    ) -> Self {
        let (reports, progress) = mpsc::unbounded();
        Self { settings, run, context, cancel, outbox, memo: Memo::default(), reports, progress }
    }

    /// Drives the run to its end.
    pub(crate) async fn drive(mut self) -> Run {
        let (cancel, outbox) = (self.cancel.clone(), self.outbox.clone());
        let mut cancelled = pin!(cancel.cancelled());
        let wall_clock = self.run.limits().wall_clock.unwrap_or(Duration::MAX);
        // A timer that is never reached costs nothing but its place in the wheel.
        let mut deadline =
            pin!(tokio::time::sleep(wall_clock.min(Duration::from_secs(86_400 * 365))));
        loop {
            if self.run.is_ended() {
                return self.run;
            }
            let step = self.run.step();
            let stop = {
                let mut work = pin!(self.perform(step));
                poll_fn(|cx| {
                    // Asked first of a flag, so that a busy run can be stopped too.
                    if cancel.is_cancelled() {
                        return Poll::Ready(Some(Stop::Cancelled));
                    }
                    // For the same reason the clock is read rather than waited for.
                    if deadline.deadline() <= tokio::time::Instant::now() {
                        return Poll::Ready(Some(Stop::OutOfTime));
                    }
                    if work.as_mut().poll(cx).is_ready() {
                        return Poll::Ready(None);
                    }
                    // Whoever takes what is in the box comes back at once.
                    if !outbox.is_empty() {
                        return Poll::Pending;
                    }
                    if cancelled.as_mut().poll(cx).is_ready() {
                        return Poll::Ready(Some(Stop::Cancelled));
                    }
                    deadline.as_mut().poll(cx).map(|()| Some(Stop::OutOfTime))
                })
                .await
                // Here the work is dropped, and with it the model's stream and the tools' futures.
            };
            match stop {
                None => {}
                Some(Stop::Cancelled) => self.report(Run::cancelled),
                Some(Stop::OutOfTime) => self.report(Run::out_of_time),
            }
        }
    }

    async fn perform(&mut self, step: Step) {
        match step {
            Step::CallModel { choice } => self.call_model(choice).await,
            Step::AwaitDecision(calls) => Box::pin(self.decide(calls)).await,
            Step::RunTools(calls) => self.run_tools(calls).await,
            Step::Done(_) => {}
        }
    }

    async fn call_model(&mut self, choice: ToolChoice) {
        self.report(Run::model_called);
        tracing::info!(run = %self.run.id(), "[agentic_loop] Iteration {}/{}", self.run.round(), self.run.limits().rounds);
        if !matches!(
            self.run.conversation().messages().last().map(|message| message.role()),
            Some("user" | "tool")
        ) {
            let error = ModelError::new(ModelErrorKind::Request, "there is nothing to answer")
                .with_advice("end the messages with a question of the user's");
            return self.report(|run, at| run.model_failed(error, at));
        }
        let settings = self.settings.clone();
        let request = Request {
            conversation: self.run.conversation(),
            tools: settings.toolbox.definitions(),
            choice,
            stream: settings.stream,
            memo: &mut self.memo,
        };
        let mut parts = settings.model.call(request);
        loop {
            match parts.next().await {
                Some(Ok(Part::Reply(reply))) => {
                    let gate = Gate { catalog: &*settings.toolbox, guards: &settings.guards };
                    return self.report(|run, at| run.model_replied(reply, &gate, at));
                }
                Some(Ok(part)) => {
                    self.outbox.extend(self.run.model_part(part, now()));
                    self.outbox.taken().await;
                }
                Some(Err(error)) => return self.report(|run, at| run.model_failed(error, at)),
                None => {
                    let error = ModelError::new(
                        ModelErrorKind::BrokenReply,
                        "the model's reply ended before it was complete",
                    )
                    .with_advice("ask again");
                    return self.report(|run, at| run.model_failed(error, at));
                }
            }
        }
    }

    async fn decide(&mut self, calls: Vec<ToolRun>) {
        let settings = self.settings.clone();
        for call in calls {
            let decision = match settings.toolbox.get(&call.tool) {
                Some(tool) => settings.approver.decide(&call, tool.spec()).await,
                None => Decision::Deny { reason: Some("the tool is gone.".to_owned()) },
            };
            self.report(|run, at| run.decided(&call.id, decision, at));
        }
    }

    /// Runs calls side by side, a bounded number at a time.
    async fn run_tools(&mut self, calls: Vec<ToolRun>) {
        let settings = self.settings.clone();
        let mut running = FuturesUnordered::new();
        let mut waiting = calls.into_iter();
        loop {
            while running.len() < settings.parallel.max(1) {
                let Some(call) = waiting.next() else { break };
                self.report(|run, at| run.tool_started(&call.id, at));
                tracing::info!(call = %call.id, "[execute_tool] Executing: {} {}", call.tool, call.arguments);
                let context = self.context.for_call(call.id.clone(), self.reports.clone());
                running.push(run_tool(&settings, call, context));
            }
            let done = poll_fn(|cx| {
                // Progress first: what a tool said comes before its result.
                let done = running.poll_next_unpin(cx);
                while let Poll::Ready(Some(line)) = self.progress.poll_next_unpin(cx) {
                    self.said(line);
                }
                done
            })
            .await;
            let Some((id, outcome, elapsed)) = done else { return };
            tracing::info!(call = %id, status = %outcome.status, elapsed_ms = elapsed.as_millis() as u64, "tool finished");
            self.report(|run, at| run.tool_settled(&id, outcome, elapsed, at));
        }
    }

    fn said(&mut self, line: Progress) {
        // A line that arrives after the call has its result has nobody to go to.
        if let Ok(events) = self.run.tool_progress(&line.call, line.text, now()) {
            self.outbox.extend(events);
        }
    }

    fn report(&mut self, report: impl FnOnce(&mut Run, Timestamp) -> Result<Vec<Event>, RunError>) {
        match report(&mut self.run, now()) {
            Ok(events) => self.outbox.extend(events),
            // The driver only reports what the run asked for.
            Err(error) => {
                tracing::error!(run = %self.run.id(), %error, "a report was not accepted");
            }
        }
    }
}

/// Runs one tool within its time, a panic being its failure and nothing more.
async fn run_tool(
    settings: &Settings,
    call: ToolRun,
    context: RunContext,
) -> (CallId, Outcome, Duration) {
    let started = Instant::now();
    let Some(tool) = settings.toolbox.get(&call.tool) else {
        return (call.id, Outcome::failed("the tool is gone"), Duration::ZERO);
    };
    let spec = tool.spec();
    let limit = spec.timeout.unwrap_or(settings.tool_timeout);
    // The call is made inside, so that a tool that panics before its first await is caught too.
    let work = AssertUnwindSafe(async { tool.call(call.arguments, &context).await }).catch_unwind();
    let outcome = match tokio::time::timeout(limit, work).await {
        Ok(Ok(result)) => outcome_of(spec, result),
        Ok(Err(panic)) => {
            let detail = format!("the tool panicked: {}", panic_text(&*panic));
            outcome_of(spec, Err(ToolError::new("the tool broke down").with_detail(detail)))
        }
        Err(_) => {
            let text = format!("no result within {limit:?}; the call was stopped");
            Outcome::new(Status::TimedOut, spec.render.failure(&spec.name, &text))
        }
    };
    (call.id, outcome, started.elapsed())
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    Timestamp(since.map_or(0, |it| u64::try_from(it.as_millis()).unwrap_or(u64::MAX)))
}
