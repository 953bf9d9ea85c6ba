//! [`Watch`]: the runs that go on, and what is known of each. What every observer here is built on.

use std::{
    collections::HashMap,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use toolwright_core::{Event, EventKind, Failure, RunId, Timestamp, Usage};

/// More runs than this at the same time are not told apart: the oldest are forgotten.
const MOST: usize = 4096;
/// A run without a limit of its own is taken for lost after this long.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);
/// How much later than its limit says the end of a run may come.
const SLACK: Duration = Duration::from_secs(60);

/// The runs that go on. A run is forgotten at its end, and, as a run that is dropped tells nobody,
/// also when its end is overdue or when there are too many.
#[derive(Debug)]
pub(crate) struct Watch<T> {
    open: Mutex<HashMap<RunId, Open<T>>>,
    /// How many runs wait for the first piece of a reply: where none does, a piece is nobody's
    /// business. Only a hint, so that pieces cost next to nothing.
    waiting: AtomicUsize,
}

/// What is known of a run that goes on.
#[derive(Debug)]
pub(crate) struct Open<T> {
    started: Timestamp,
    /// How long nothing may be heard of it, in milliseconds.
    patience: u64,
    until: Timestamp,
    asked: Option<Asked>,
    /// Whether it began here: otherwise how long it has gone on is not known.
    pub(crate) is_begun_here: bool,
    /// What an observer keeps of it.
    pub(crate) kept: T,
}

/// The model is being asked.
#[derive(Clone, Copy, Debug)]
struct Asked {
    since: Timestamp,
    is_answering: bool,
}

/// What an event says about a question to a model.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Told<'a> {
    /// The first piece of the reply is here.
    Began {
        /// How long that took, in seconds.
        after: f64,
    },
    /// The reply is here.
    Replied {
        /// How long that took, in seconds.
        after: f64,
        /// What it cost.
        usage: &'a Usage,
    },
    /// There is none, and another model is asked from here on.
    PassedOn {
        /// How long that took, in seconds.
        after: f64,
    },
    /// There is none.
    Failed {
        /// How long that took, in seconds.
        after: f64,
        /// Why the run has no answer.
        #[cfg_attr(
            not(feature = "otlp"),
            expect(dead_code, reason = "only what is exported tells it")
        )]
        failure: &'a Failure,
    },
}

impl<T> Default for Watch<T> {
    fn default() -> Self {
        Self { open: Mutex::default(), waiting: AtomicUsize::new(0) }
    }
}

impl<T: Default> Watch<T> {
    /// Whether a piece of a reply is worth looking at.
    pub(crate) fn awaits_pieces(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }

    /// Lets `look` see what is known of the event's run, and what the event says about a question
    /// to a model. It runs under a lock and must be quick.
    pub(crate) fn see<'a, R>(
        &self,
        event: &'a Event,
        look: impl FnOnce(&mut Open<T>, Option<Told<'a>>) -> R,
    ) -> R {
        let mut runs = self.lock();
        if event.kind.is_terminal() {
            let mut open = runs.remove(&event.run).unwrap_or_else(|| Open::new(event));
            let told = self.told(&mut open, event);
            drop(runs);
            return look(&mut open, told);
        }
        // Looked up first, as the run is nearly always there and its name need not be cloned.
        if let Some(open) = runs.get_mut(&event.run) {
            let told = self.told(open, event);
            return look(open, told);
        }
        if runs.len() >= MOST {
            self.forget(&mut runs, event.at);
        }
        let open = runs.entry(event.run.clone()).or_insert_with(|| Open::new(event));
        let told = self.told(open, event);
        look(open, told)
    }

    /// A run goes on here that began elsewhere; what is kept of it is this.
    pub(crate) fn resume(&self, run: &RunId, now: Timestamp, kept: T) {
        let mut runs = self.lock();
        if runs.len() >= MOST {
            self.forget(&mut runs, now);
        }
        runs.entry(run.clone()).or_insert_with(|| Open { kept, ..Open::since(now, None) });
    }

    /// Forgets a run that nobody drives here any more, and those that `is_within` finds to be a part of one.
    pub(crate) fn leave(&self, run: &RunId, is_within: impl Fn(&T, &RunId) -> bool) {
        let (mut runs, mut gone) = (self.lock(), vec![run.clone()]);
        while let Some(run) = gone.pop() {
            gone.extend(
                runs.iter().filter(|(_, it)| is_within(&it.kept, &run)).map(|it| it.0.clone()),
            );
            if let Some(open) = runs.remove(&run)
                && open.is_waiting()
            {
                self.waiting.fetch_sub(1, Ordering::Relaxed);
            }
        }
    }

    /// How many runs go on at this moment.
    pub(crate) fn count(&self, now: Timestamp) -> usize {
        let mut runs = self.lock();
        self.drop_if(&mut runs, |open| open.until < now);
        runs.len()
    }

    fn told<'a>(&self, open: &mut Open<T>, event: &'a Event) -> Option<Told<'a>> {
        let before = open.is_waiting();
        open.heard(event);
        let told = open.told(event);
        match (before, open.is_waiting()) {
            (false, true) => _ = self.waiting.fetch_add(1, Ordering::Relaxed),
            (true, false) => _ = self.waiting.fetch_sub(1, Ordering::Relaxed),
            _ => {}
        }
        told
    }

    /// Makes room: for a quarter at once, so that it is rarely done.
    fn forget(&self, runs: &mut HashMap<RunId, Open<T>>, now: Timestamp) {
        self.drop_if(runs, |open| open.until < now);
        let excess = runs.len().saturating_sub(MOST - MOST / 4);
        let mut ages: Vec<Timestamp> = runs.values().map(|open| open.started).collect();
        ages.sort_unstable();
        if let Some(youngest) = excess.checked_sub(1).and_then(|at| ages.get(at)) {
            self.drop_if(runs, |open| open.started <= *youngest);
        }
    }

    fn drop_if(&self, runs: &mut HashMap<RunId, Open<T>>, is_lost: impl Fn(&Open<T>) -> bool) {
        runs.retain(|_, open| {
            let is_lost = is_lost(open);
            if is_lost && open.is_waiting() {
                self.waiting.fetch_sub(1, Ordering::Relaxed);
            }
            !is_lost
        });
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<RunId, Open<T>>> {
        // Telemetry goes on, whatever happened to whoever held it.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Default> Open<T> {
    fn new(first: &Event) -> Self {
        let limit = match &first.kind {
            EventKind::RunStarted { limits, .. } => limits.wall_clock,
            // It was begun by another process, and goes on here.
            _ => None,
        };
        let is_begun_here = matches!(first.kind, EventKind::RunStarted { .. });
        Self { is_begun_here, ..Self::since(first.at, limit) }
    }

    fn since(started: Timestamp, limit: Option<Duration>) -> Self {
        let left = limit.map_or(LONGEST, |limit| limit.saturating_add(SLACK));
        let patience = millis(left);
        let until = Timestamp(started.0.saturating_add(patience));
        let (asked, is_begun_here) = (None, false);
        Self { started, patience, until, asked, is_begun_here, kept: T::default() }
    }

    /// Something was heard of it. While a person is asked its clock stands still.
    fn heard(&mut self, event: &Event) {
        let patience = match innermost(&event.kind) {
            EventKind::DecisionNeeded { .. } | EventKind::CallPreview { .. } => millis(LONGEST),
            _ => self.patience,
        };
        self.until = Timestamp(event.at.0.saturating_add(patience));
    }

    /// How long the run has gone on, in seconds.
    pub(crate) fn seconds(&self, now: Timestamp) -> f64 {
        seconds(self.started, now)
    }

    fn is_waiting(&self) -> bool {
        self.asked.is_some_and(|asked| !asked.is_answering)
    }

    fn told<'a>(&mut self, event: &'a Event) -> Option<Told<'a>> {
        match &event.kind {
            EventKind::RoundStarted { .. } => {
                self.asked = Some(Asked { since: event.at, is_answering: false });
                None
            }
            EventKind::Reply { usage, .. } => {
                let after = seconds(self.asked.take()?.since, event.at);
                Some(Told::Replied { after, usage })
            }
            // One that was passed over before it was asked took no time.
            EventKind::ModelFallback { .. } => {
                let after = seconds(self.asked.as_ref()?.since, event.at);
                self.asked = Some(Asked { since: event.at, is_answering: false });
                Some(Told::PassedOn { after })
            }
            EventKind::Error(failure) => {
                let after = seconds(self.asked.take()?.since, event.at);
                Some(Told::Failed { after, failure })
            }
            EventKind::Done(_) => {
                self.asked = None;
                None
            }
            kind if kind.is_provisional() => {
                let asked = self.asked.as_mut().filter(|asked| !asked.is_answering)?;
                asked.is_answering = true;
                Some(Told::Began { after: seconds(asked.since, event.at) })
            }
            _ => None,
        }
    }
}

/// What happened, in whatever run within the run.
fn innermost(kind: &EventKind) -> &EventKind {
    match kind {
        EventKind::Nested { event, .. } => innermost(&event.kind),
        kind => kind,
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn seconds(from: Timestamp, to: Timestamp) -> f64 {
    // Exact up to thousands of years.
    to.since(from) as f64 / 1e3
}
