//! Running tools: side by side where they may, each through its layers.

use std::{
    cell::RefCell,
    future::poll_fn,
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::{StreamExt, stream::FuturesUnordered};
use serde_json::Value;
use toolwright_core::{
    CallId, CheckedCall, Outcome, PartialResult, ResultFormat, RunContext, Status, ToolUpdate,
    escape_invisible,
};
use tracing::Instrument;

use super::{Driver, decisions::GONE, now, spans};
use crate::{AgentConfig, format::outcome_of, layers};

impl Driver {
    /// Runs calls side by side, a bounded number at a time.
    pub(super) async fn run_tools(&mut self, calls: Vec<CheckedCall>) {
        let settings = self.settings.clone();
        let mut running = FuturesUnordered::new();
        // What was said beside results of this round, which the conversation does not have yet.
        let mut beside = String::new();
        let mut waiting = calls.into_iter();
        loop {
            let free = settings.parallel.max(1).saturating_sub(running.len());
            let starting: Vec<CheckedCall> = waiting.by_ref().take(free).collect();
            for call in &starting {
                if call.needs_decision() && !self.still_stands(call).await {
                    // It runs alone, so nothing else waits for it.
                    return;
                }
                self.report(|run, at| run.tool_started(&call.id, at));
            }
            if !starting.is_empty() {
                // The intent is kept before the effect.
                self.persist().await;
                failpoint!("intent_saved");
            }
            if self.run.is_ended() {
                return;
            }
            for call in starting {
                let context = self.context_of(&call);
                running.push(run_tool(&settings, context, call));
            }
            self.rest.set_running(running.len());
            let done = poll_fn(|cx| {
                self.taken();
                let done = running.poll_next_unpin(cx);
                self.hear_nested();
                for (call, said) in self.updates.poll(cx) {
                    self.hear(&call, said);
                }
                if done.is_ready() {
                    return done.map(Ok);
                }
                // What is new is kept while the others go on running.
                self.poll_questions(cx).map(Err)
            })
            .await;
            match done {
                Ok(Some(done)) => self.settle(done, &mut beside),
                Ok(None) => return,
                Err(error) => return self.abort(error),
            }
        }
    }

    /// Whether what was decided about is what would happen now: a file may have changed meanwhile,
    /// and after a restart the place may be another.
    async fn still_stands(&mut self, call: &CheckedCall) -> bool {
        let settings = self.settings.clone();
        let Some(tool) = settings.toolbox.get(&call.tool) else { return true };
        let preview = layers::propose(tool, &call.arguments, &self.context).await;
        let preview = self.doubted(tool, call, preview);
        let stands = self.run.stands(&call.id, &preview);
        if let (false, Some(failure)) = (stands, preview.failure.clone()) {
            // Something else made it impossible meanwhile: there is nothing left to decide about.
            self.fail_unasked(call, Some(tool.spec()), failure).await;
        } else if !stands {
            self.report(|run, at| run.call_previewed(&call.id, preview, at));
        }
        stands
    }

    fn settle(&mut self, done: Done, beside: &mut String) {
        let Done { call, tool, arguments, outcome, elapsed } = done;
        self.hear_end(&call);
        self.questions.end_of(&call);
        self.rest.end_of(&call);
        let outcome = self.with_partial(&call, &tool, outcome);
        let (mut outcome, whole) = self.window().bound(outcome);
        if let (true, Some(appendix)) = (outcome.status.is_ok(), &self.settings.appendix) {
            let (conversation, told) = (self.run.conversation(), RefCell::new(&mut self.told));
            let is_told = |text: &str| {
                beside.contains(text) || told.borrow_mut().has(conversation, appendix.mark(), text)
            };
            if let Some(said) = appendix.beside(&tool, &arguments, &is_told) {
                let said = self.screen.text(said);
                beside.push_str(&said);
                outcome.text.push_str(&said);
            }
        }
        self.report(|run, at| run.tool_settled(&call, outcome, whole, elapsed, at));
    }

    /// Where a call's time was up: with what there was of its result.
    fn with_partial(&mut self, call: &CallId, tool: &str, mut outcome: Outcome) -> Outcome {
        let left = self.partial.iter().position(|(id, _)| id == call);
        let Some((_, left)) = left.map(|at| self.partial.swap_remove(at)) else { return outcome };
        let spec = self.settings.toolbox.get(tool).map(|it| it.spec().render);
        // In other forms there is no place for it.
        if outcome.status != Status::TimedOut || spec != Some(ResultFormat::Plain) {
            return outcome;
        }
        if let Some(text) = readable(&left) {
            let left = PartialResult { call: call.clone(), text, whole: None };
            let text = left.told(&format!("{}.", outcome.text.trim_end_matches('.')));
            outcome.replace_text(text);
        }
        outcome
    }

    /// What there was of the results of calls that are broken off.
    pub(super) fn partial_results(&mut self) -> Vec<PartialResult> {
        let left = std::mem::take(&mut self.partial).into_iter();
        let readable = left.filter_map(|(call, text)| Some((call, readable(&text)?)));
        let window = self.window();
        let bounded = readable.map(|(call, text)| {
            let (outcome, whole) = window.bound(Outcome::new(Status::Cancelled, text));
            PartialResult { call, text: outcome.text, whole }
        });
        bounded.collect()
    }

    fn hear(&mut self, call: &CallId, said: ToolUpdate) {
        let heard = match said {
            ToolUpdate::Partial(text) => {
                // Of several attempts the last counts.
                self.partial.retain(|(id, _)| id != call);
                return self.partial.push((call.clone(), text));
            }
            ToolUpdate::Progress(text) => self.run.tool_progress(call, text, now()),
            ToolUpdate::Note(note) => self.run.policy_applied(call, note, now()),
        };
        // What arrives after the call has its result has nobody to go to.
        self.commit.add(heard.unwrap_or_default());
    }

    /// What a call said last comes before its result.
    fn hear_end(&mut self, call: &CallId) {
        for said in self.updates.end_of(call) {
            self.hear(call, said);
        }
    }

    /// The calls are broken off: what they said last was said all the same.
    pub(super) fn hear_ends(&mut self) {
        for call in self.updates.calls() {
            self.hear_end(&call);
        }
        self.questions.end();
    }
}

/// What a call left, as a model may read it; nothing where it left nothing.
fn readable(text: &str) -> Option<String> {
    let is_blank = text.trim().is_empty();
    (!is_blank).then(|| escape_invisible(text).into_owned())
}

/// A call that has come to its end.
struct Done {
    call: CallId,
    tool: String,
    arguments: Arc<Value>,
    outcome: Outcome,
    elapsed: Duration,
}

async fn run_tool(settings: &AgentConfig, context: RunContext, call: CheckedCall) -> Done {
    let started = Instant::now();
    let CheckedCall { id, tool, arguments, .. } = call;
    let Some(found) = settings.toolbox.get(&tool) else {
        let outcome = Outcome::failed(GONE);
        return Done { call: id, tool, arguments, outcome, elapsed: Duration::ZERO };
    };
    failpoint!("tool_started");
    let spec = found.spec();
    let span = spans::tool(&id, spec);
    let work =
        settings.toolbox.run(found, arguments.clone(), &context, Some(settings.tool_timeout));
    let outcome = outcome_of(spec, work.instrument(span.clone()).await);
    failpoint!("effect_done");
    spans::ran(&span, outcome.status);
    Done { call: id, tool, arguments, outcome, elapsed: started.elapsed() }
}
