//! [`Metrics`]: what happens in runs as numbers, for Prometheus to read.

mod families;

use std::{
    fmt,
    sync::{Arc, OnceLock, atomic::Ordering},
    time::{SystemTime, UNIX_EPOCH},
};

use prometheus_client::{encoding::text, registry::Registry};
use toolwright_core::{
    CallId, Event, EventKind, Observer, PolicyNote, RunId, Status, Timestamp, Usage, kind_name,
};

#[cfg(feature = "otlp")]
pub(crate) use self::families::SECONDS;
use self::families::{
    Acted, Cached, Ended, Fallback, Families, Guard, Outcome, Reviewed, Tokens, Tool,
};
use crate::{
    label::Labels,
    watch::{Open, Told, Watch},
};

/// How many tools are told apart.
const TOOLS: usize = 512;
/// How many models are told apart.
const MODELS: usize = 64;
/// How many guards, and how many things a layer does, are told apart. Programs may add their own.
const WORDS: usize = 64;
/// What tokens are labelled with that a judge used: events do not say which model it is.
const JUDGE: &str = "judge";

/// What happens in runs as numbers: a fold of the events of all runs, in the text format that
/// Prometheus and others read.
///
/// What it holds is bounded, whatever models say and however many runs are never ended: names that
/// a model invents share one label, and so do tools after the first 512.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    families: Families,
    runs: Watch<Kept>,
    tools: Labels,
    models: Labels,
    words: Labels,
    slices: OnceLock<Counting>,
}

/// What a worker of an engine did, and does now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SliceCounts {
    /// Slices that are driven now.
    pub running: u64,
    /// Slices that were begun.
    pub started: u64,
    /// How often the engine came back for one that was still driven.
    pub found_again: u64,
    /// Slices that could not be driven.
    pub failed: u64,
}

/// Who knows how many slices there are.
struct Counting(Box<dyn Fn() -> SliceCounts + Send + Sync>);

impl fmt::Debug for Counting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0)().fmt(f)
    }
}

/// What is kept of a run that goes on.
#[derive(Debug, Default)]
struct Kept {
    model: Option<Arc<str>>,
    /// The run that it is a part of.
    within: Option<RunId>,
    /// Calls that passed every check and have no result yet: other events name only the call.
    calls: Vec<OpenCall>,
}

#[derive(Debug)]
struct OpenCall {
    id: CallId,
    tool: Arc<str>,
    has_started: bool,
}

impl Kept {
    fn tool(&self, call: &CallId) -> Option<Arc<str>> {
        self.calls.iter().find(|it| it.id == *call).map(|it| it.tool.clone())
    }

    fn start(&mut self, call: &CallId) {
        self.calls.iter_mut().filter(|it| it.id == *call).for_each(|it| it.has_started = true);
    }

    fn take(&mut self, call: &CallId) -> Option<OpenCall> {
        let at = self.calls.iter().position(|it| it.id == *call)?;
        Some(self.calls.swap_remove(at))
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

impl Metrics {
    /// Nothing has happened yet.
    pub fn new() -> Self {
        let families = Families::new();
        Self {
            registry: families.registry(),
            families,
            runs: Watch::default(),
            tools: Labels::new(TOOLS),
            models: Labels::new(MODELS),
            words: Labels::new(WORDS),
            slices: OnceLock::new(),
        }
    }

    /// Names tools that exist. Without this a tool is known from its first call that passes every
    /// check, and calls refused before that count as `unknown`.
    pub fn know<'a>(&self, tools: impl IntoIterator<Item = &'a str>) {
        for tool in tools {
            self.tools.admit(tool);
        }
    }

    /// Counts the slices that this process drives for an engine: `counts` is asked whenever they are read.
    pub fn count_slices(&self, counts: impl Fn() -> SliceCounts + Send + Sync + 'static) {
        // A process is one worker.
        let _ = self.slices.set(Counting(Box::new(counts)));
    }

    /// All of it as [OpenMetrics text](https://prometheus.io/docs/specs/om/open_metrics_spec/).
    pub fn text(&self) -> String {
        let active = self.runs.count(now());
        self.families.active.set(i64::try_from(active).unwrap_or(i64::MAX));
        if let Some(Counting(counts)) = self.slices.get() {
            let SliceCounts { running, started, found_again, failed } = counts();
            self.families.slices_running.set(i64::try_from(running).unwrap_or(i64::MAX));
            self.families.slices.inner().store(started, Ordering::Relaxed);
            self.families.slices_found.inner().store(found_again, Ordering::Relaxed);
            self.families.slices_failed.inner().store(failed, Ordering::Relaxed);
        }
        let mut text = String::with_capacity(8 * 1024);
        // Writing to a string does not fail.
        let _ = text::encode(&mut text, &self.registry);
        text
    }

    /// A question to a model went on or ended, or the run did.
    fn turn(&self, event: &Event) {
        let (told, model, seconds) = self.runs.see(event, |open: &mut Open<Kept>, told| {
            if let EventKind::RunStarted { model, .. }
            | EventKind::ModelFallback { to: model, .. } = &event.kind
            {
                open.kept.model = Some(self.models.admit(model));
            }
            let seconds = open.is_begun_here.then(|| open.seconds(event.at));
            (told, open.kept.model.clone(), seconds)
        });
        match told {
            Some(Told::Began { after }) => self.families.first_token.observe(after),
            Some(Told::Replied { after, usage }) => {
                self.families.model.observe(after);
                self.tokens(&model.unwrap_or_else(|| self.models.unknown()), usage);
            }
            Some(Told::Failed { after, .. } | Told::PassedOn { after }) => {
                self.families.model.observe(after);
            }
            None => {}
        }
        let (outcome, cost) = match &event.kind {
            EventKind::Done(answer) => ("done".to_owned(), answer.cost),
            EventKind::Error(failure) => (kind_name(&failure.kind), failure.cost),
            _ => return,
        };
        self.families.cost.inc_by(cost.unwrap_or_default());
        self.families.runs.get_or_create(&Outcome { outcome }).inc();
        // Whoever drives only the rest of a run does not know since when it goes on.
        seconds.into_iter().for_each(|it| self.families.run.observe(it));
    }

    /// What happened in a run within another counts, but for its end: what it cost is in the cost of the other,
    /// which is the run that somebody asked for.
    fn within(&self, event: &Event) {
        match &event.kind {
            // Nobody asked for it.
            EventKind::RunStarted { .. } => return self.turn(event),
            kind if !kind.is_terminal() => return self.observe(event),
            _ => {}
        }
        let told = self.runs.see(event, |_, told| told);
        if let Some(Told::Failed { after, .. }) = told {
            self.families.model.observe(after);
        }
    }

    fn tokens(&self, model: &Arc<str>, usage: &Usage) {
        let counts = [
            ("input", usage.prompt_tokens),
            ("output", usage.completion_tokens),
            ("cached", usage.cached_tokens),
            ("reasoning", usage.reasoning_tokens),
        ];
        for (r#type, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
            let labels = Tokens { r#type, model: model.clone() };
            self.families.tokens.get_or_create(&labels).inc_by(count);
        }
    }

    fn finished(&self, event: &Event, id: &CallId, name: &str, status: Status, elapsed_ms: f64) {
        let known = self.runs.see(event, |open, _| open.kept.take(id));
        // What was refused, or stopped before it began, took no time.
        let has_started = known.as_ref().is_some_and(|it| it.has_started);
        let tool = known.map_or_else(|| self.tools.find(name), |it| it.tool);
        if has_started {
            let labels = Tool { tool: tool.clone() };
            self.families.call.get_or_create(&labels).observe(elapsed_ms / 1e3);
        }
        let labels = Ended { tool, status: status.as_str() };
        self.families.calls.get_or_create(&labels).inc();
    }

    fn acted(&self, event: &Event, id: &CallId, note: &PolicyNote) {
        if !matches!(note.layer.as_str(), "cache" | "retry" | "breaker") {
            return;
        }
        let tool = self.runs.see(event, |open, _| open.kept.tool(id));
        let tool = tool.unwrap_or_else(|| self.tools.unknown());
        match (note.layer.as_str(), note.action.as_str()) {
            ("cache", action) => {
                let labels = Cached { tool, result: self.words.admit(action) };
                self.families.cache.get_or_create(&labels).inc();
            }
            ("retry", "again") => {
                self.families.retries.get_or_create(&Tool { tool }).inc();
            }
            ("breaker", action) => {
                let labels = Acted { tool: tool.clone(), action: self.words.admit(action) };
                self.families.breaker.get_or_create(&labels).inc();
                let open = match action {
                    "opened" => 1,
                    "closed" => 0,
                    _ => return,
                };
                self.families.breaker_open.get_or_create(&Tool { tool }).set(open);
            }
            _ => {}
        }
    }

    fn refused(&self, guard: &str) {
        self.families.refusals.get_or_create(&Guard { guard: self.words.admit(guard) }).inc();
    }
}

impl Observer for Metrics {
    fn observe(&self, event: &Event) {
        // Nearly every event is a piece of a reply, and nearly every piece is not the first.
        if event.kind.is_provisional() && !self.runs.awaits_pieces() {
            return;
        }
        match &event.kind {
            EventKind::RunStarted { .. } => {
                self.families.begun.inc();
                self.turn(event);
            }
            EventKind::Content { .. }
            | EventKind::Reasoning { .. }
            | EventKind::CallDelta { .. }
            | EventKind::Reply { .. }
            | EventKind::Done(_)
            | EventKind::Error(_) => self.turn(event),
            EventKind::RoundStarted { .. } => {
                self.families.rounds.inc();
                self.turn(event);
            }
            EventKind::ModelFallback { from, to, usage, .. } => {
                let (from, to) = (self.models.admit(from), self.models.admit(to));
                self.tokens(&from, usage);
                self.families.model_fallbacks.get_or_create(&Fallback { from, to }).inc();
                self.turn(event);
            }
            EventKind::ModelRetry { .. } => _ = self.families.model_retries.inc(),
            EventKind::CallChecked { id, tool, .. } => {
                let (id, tool) = (id.clone(), self.tools.admit(tool));
                let known = OpenCall { id, tool, has_started: false };
                self.runs.see(event, |open, _| open.kept.calls.push(known));
            }
            EventKind::CallStarted { id, .. } => {
                self.runs.see(event, |open, _| open.kept.start(id));
            }
            EventKind::CallFinished { id, tool, status, elapsed_ms, guard, .. } => {
                self.finished(event, id, tool, *status, *elapsed_ms);
                guard.iter().for_each(|guard| self.refused(guard));
            }
            EventKind::PolicyApplied { id, note } => self.acted(event, id, note),
            EventKind::AnswerRejected { guard, .. } => self.refused(guard),
            EventKind::Reviewed { verdict, usage, .. } => {
                let verdict = verdict.name();
                self.families.reviews.get_or_create(&Reviewed { verdict }).inc();
                if !usage.is_nothing() {
                    self.tokens(&self.models.admit(JUDGE), usage);
                }
            }
            EventKind::Compacted(_) => _ = self.families.compactions.inc(),
            EventKind::Nested { event: inner, .. } => {
                // Something is heard of the outer run, too.
                self.runs.see(event, |_, _| ());
                self.within(inner);
                if !inner.kind.is_terminal() && !inner.kind.is_provisional() {
                    let outer = &event.run;
                    self.runs.see(inner, |open, _| {
                        open.kept.within.get_or_insert_with(|| outer.clone());
                    });
                }
            }
            _ => {}
        }
    }

    fn resumed(&self, run: &RunId, model: &str) {
        let model = Some(self.models.admit(model));
        self.runs.resume(run, now(), Kept { model, ..Kept::default() });
    }

    fn left(&self, run: &RunId) {
        self.runs.leave(run, |kept, outer| kept.within.as_ref() == Some(outer));
    }
}

pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
