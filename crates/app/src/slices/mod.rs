//! [`Slices`]: drives runs a piece at a time, for whoever is the engine.
//!
//! A slice takes the conversation, folds its log, goes on with the run and leaves it: after some rounds, when this
//! process is to end, or when only people are waited for. What happened is in the log, and nothing else is kept:
//! any process with the same settings drives the next.

mod desk;
mod drive;
mod driven;
mod follow;
mod lease;
mod log;
mod pulse;

use std::{sync::Arc, time::Duration};

use tokio::sync::{OnceCell, watch};
use toolwright_core::{
    ActionableError, ConversationId, Event, EventKind, Fault, Run, RunId, Timestamp,
};
use toolwright_session::{EngineFuture, Fitness, Next, Slice, SliceDriver, SliceError};
use toolwright_store::{ConversationLease, Instruction, Position, Progress};

pub use self::desk::SliceDesk;
use self::{
    desk::{Attended, later},
    driven::{Alone, Driven},
    log::{Shown, events_from, time_used},
    pulse::Pulse,
};
use crate::{AgentPool, AppError, RunSpec, config::EngineConfig};

/// How runs are driven in slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SliceSettings {
    /// After how many rounds a run is left.
    pub rounds: u32,
    /// How long people may take to decide about a call. After that it is denied. Without this they take as
    /// long as they like.
    pub decision_timeout: Option<Duration>,
    /// How long somebody who has a conversation is waited for before it is taken from them, at most 30 seconds:
    /// whoever is cut off from the engine and well has that long to settle what runs.
    pub grace: Duration,
}

impl Default for SliceSettings {
    fn default() -> Self {
        Self { rounds: 3, decision_timeout: None, grace: MOST_GRACE }
    }
}

impl From<&EngineConfig> for SliceSettings {
    fn from(config: &EngineConfig) -> Self {
        Self {
            rounds: config.slice_rounds.value,
            decision_timeout: config.decision_timeout.value,
            grace: config.grace.value,
        }
    }
}

const MOST_GRACE: Duration = Duration::from_secs(30);

/// Drives runs a piece at a time, with the agents of a pool.
#[derive(Clone)]
pub struct Slices(Arc<Inner>);

struct Inner {
    pool: Arc<AgentPool>,
    desk: SliceDesk,
    settings: SliceSettings,
    /// The conversations in which a run is driven here.
    driven: Arc<Driven>,
    pulse: Arc<Pulse>,
    /// What the log is called, once it was asked.
    log: OnceCell<String>,
    /// This process is about to end.
    is_draining: watch::Sender<bool>,
}

/// A run that a slice goes on with.
struct Open {
    lease: ConversationLease,
    run: Run,
    spec: RunSpec,
    /// Where its first event stands.
    first: Position,
    left: Vec<Instruction>,
    shown: Shown,
    spent: Duration,
}

impl Slices {
    /// Drives runs with these agents, which have to ask at this desk.
    pub fn new(pool: Arc<AgentPool>, desk: SliceDesk, settings: SliceSettings) -> Self {
        let grace = settings.grace.min(MOST_GRACE);
        let rounds = settings.rounds.max(1);
        Self(Arc::new(Inner {
            pool,
            desk,
            settings: SliceSettings { rounds, grace, ..settings },
            driven: Driven::new(),
            pulse: Pulse::new(),
            log: OnceCell::new(),
            is_draining: watch::Sender::new(false),
        }))
    }

    /// Ends a run that was told to stop: there may be nobody who can drive it, and for ending it nothing is needed but the
    /// log. Whoever has it ends it themselves, or does not let go of it, and then it is taken from them after the grace.
    /// Whether it is still to be ended.
    ///
    /// # Errors
    /// When it cannot be ended now: the store does not answer.
    pub async fn stop(&self, slice: &Slice) -> Result<bool, SliceError> {
        let (inner, store) = (&self.0, self.0.pool.store());
        let left = store.instructions(&slice.conversation, &slice.run).await;
        if !is_to_stop(&left.map_err(|error| told(&error))?) {
            return Ok(false);
        }
        let mut alone = inner.alone(&slice.conversation)?;
        let Some(open) = inner.open(slice).await? else { return Ok(false) };
        match is_to_stop(&open.left) {
            true => Ok(inner.drive(slice, open, &mut alone).await? != Next::Ended),
            false => Ok(false),
        }
    }
}

impl SliceDriver for Slices {
    fn slice(&self, slice: Slice) -> EngineFuture<Result<Next, SliceError>> {
        let inner = self.0.clone();
        Box::pin(async move {
            let mut alone = inner.alone(&slice.conversation)?;
            let next = tokio::select! {
                biased;
                next = inner.slice(&slice, &mut alone) => next,
                // Nothing can be kept any more, whatever is waited for. Others go on from the log.
                () = inner.pulse.lost() => Err(cut_off()),
            };
            if let Err(error) = &next {
                inner.tell_listeners(&slice, error).await;
            }
            next
        })
    }

    fn knows(&self, log: &str, id: &ConversationId) -> EngineFuture<Result<(), SliceError>> {
        let (inner, log, id) = (self.0.clone(), log.to_owned(), id.clone());
        Box::pin(async move { inner.knows(&log, &id).await })
    }

    fn drain(&self) {
        self.0.is_draining.send_replace(true);
    }

    fn fitness(&self) -> Fitness {
        self.0.pulse.begin(self.0.pool.store());
        self.0.pulse.fitness()
    }
}

impl Inner {
    async fn knows(&self, log: &str, id: &ConversationId) -> Result<(), SliceError> {
        let store = self.pool.store();
        let own = self.log.get_or_try_init(|| async { store.log_id().await.ok_or(()) }).await;
        // One whose name is not known, or that was moved to another place, is told by what is in it.
        if own.is_ok_and(|own| own == log)
            || store.progress(id).await.map_err(|error| told(&error))?.is_some()
        {
            return Ok(());
        }
        match own {
            Ok(_) => Err(SliceError::new(format!(
                "the conversation {id} is in another database than this worker's"
            ))
            .with_advice(
                "give every server and worker the same DATABASE_URL; what was asked waits for a worker that has it",
            )),
            Err(()) => Ok(()),
        }
    }

    fn alone(&self, id: &ConversationId) -> Result<Alone, SliceError> {
        if *self.is_draining.borrow() {
            return Err(SliceError::new("this process is about to end: another one will drive it"));
        }
        self.pulse.begin(self.pool.store());
        if self.pulse.is_outdated() {
            return Err(outdated());
        }
        if self.pulse.fitness() != Fitness::Well {
            return Err(cut_off());
        }
        let alone = self.driven.begin(self.pool.store(), id);
        let busy = || SliceError::new(format!("the conversation {id} is being driven here"));
        alone.ok_or_else(busy)
    }

    /// Tells every server why a run is not driven here that somebody has to do something about: each tells whoever
    /// listens there, unless another process goes on with the run. It is no event of that, and kept nowhere.
    async fn tell_listeners(&self, slice: &Slice, error: &SliceError) {
        if error.fault() == Fault::Failure {
            return;
        }
        let (id, store) = (&slice.conversation, self.pool.store());
        let Ok(Some(Progress { next, .. })) = store.progress(id).await else { return };
        let kind = EventKind::Notice { message: error.sentence(), id: None };
        let event = Event { seq: 0, run: slice.run.clone(), round: 0, at: now(), kind };
        store.show(id, next, 0, &event);
    }

    async fn slice(&self, slice: &Slice, alone: &mut Alone) -> Result<Next, SliceError> {
        let open = self.open(slice).await?;
        let Some(open) = open else { return self.after(slice).await };
        if let Some(until) = self.only_waits(&open) {
            return self.rest(slice, open.left.len(), until).await;
        }
        self.drive(slice, open, alone).await
    }

    /// Leaves a run that waits for people, with so many instructions read: whoever looks for runs that nobody drives has
    /// nothing to do about it.
    async fn rest(
        &self,
        slice: &Slice,
        known: usize,
        until: Option<Timestamp>,
    ) -> Result<Next, SliceError> {
        let rested = self.pool.store().rest(&slice.run, known, until).await;
        rested.map_err(|error| told(&error))?;
        Ok(Next::Waiting { until })
    }

    /// The run as it stands, if it goes on and can be driven by an engine.
    async fn open(&self, slice: &Slice) -> Result<Option<Open>, SliceError> {
        let (id, run) = (&slice.conversation, &slice.run);
        let store = self.pool.store();
        let is_open = async || {
            let progress = store.progress(id).await.map_err(|error| told(&error))?;
            let open = progress.and_then(|it| it.open);
            Ok::<_, SliceError>(open.filter(|(open, _)| open == run))
        };
        if is_open().await?.is_none() {
            return Ok(None);
        }
        let lease = self.take(slice).await?;
        // Somebody may have gone on with it until it was taken.
        let Some((_, first)) = is_open().await? else { return Ok(None) };
        let loaded = lease.load().await.map_err(|error| told(&error))?;
        let Some(loaded) = loaded.unfinished else { return Ok(None) };
        let spec = store.spec(id, run).await.map_err(|error| told(&error))?;
        let Some(spec) = spec else {
            tracing::warn!(conversation = %id, %run, "nobody said how the run was asked: it is left");
            return Ok(None);
        };
        let left = store.instructions(id, run).await.map_err(|error| told(&error))?;
        let spec = match is_to_stop(&left) {
            // However it was asked.
            true => RunSpec::default(),
            false => RunSpec::from_bytes(&spec).map_err(|error| unable(run, &error))?,
        };
        let mut open = Open {
            lease,
            run: loaded,
            spec,
            first,
            left,
            shown: Shown::default(),
            spent: slice.spent,
        };
        self.read(slice, &mut open).await?;
        Ok(Some(open))
    }

    /// What only the events tell, where it matters.
    async fn read(&self, slice: &Slice, open: &mut Open) -> Result<(), SliceError> {
        let is_timed = open.run.limits().wall_clock.is_some();
        let is_woken = slice.spent.is_zero() && open.run.round() > 0;
        let nobody_waits = open.run.waiting_calls().is_empty();
        if nobody_waits && !(is_timed && is_woken) {
            return Ok(());
        }
        let events = events_from(self.pool.store(), &slice.conversation, open.first).await;
        let events = events.map_err(|error| told(&error))?;
        open.shown = Shown::of(&events);
        open.spent = open.spent.max(time_used(&events));
        Ok(())
    }

    /// Until when at most nothing is to be done but wait for people; nothing where something is.
    fn only_waits(&self, open: &Open) -> Option<Option<Timestamp>> {
        if !open.run.awaits_people() {
            return None;
        }
        waits_until(&open.run, &open.left, &open.shown, self.settings.decision_timeout)
    }
}

/// Until when at most a run that awaits people can be left; nothing where something is due.
fn waits_until(
    run: &Run,
    left: &[Instruction],
    shown: &Shown,
    patience: Option<Duration>,
) -> Option<Option<Timestamp>> {
    let mut until = None;
    for waiting in run.waiting_calls() {
        let (call, about) = (&waiting.call.id, &waiting.fingerprint);
        // Nobody was shown it: they have to be.
        let since = shown.since(call, about)?;
        let is_decided = left.iter().any(|it| match it {
            Instruction::Stop => true,
            Instruction::Decide { call: of, about: shown, .. } => of == call && shown == about,
            Instruction::Answer { .. } => false,
        });
        let due = patience.map(|patience| later(since, patience));
        if is_decided || due.is_some_and(|due| now() >= due) {
            return None;
        }
        until = until.into_iter().chain(due).min();
    }
    Some(until)
}

fn is_to_stop(left: &[Instruction]) -> bool {
    left.contains(&Instruction::Stop)
}

fn now() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    Timestamp(since.map_or(0, |it| u64::try_from(it.as_millis()).unwrap_or(u64::MAX)))
}

fn told(error: &dyn ActionableError) -> SliceError {
    SliceError::told(error)
}

fn cut_off() -> SliceError {
    SliceError::new("this process is cut off from the log, and drives nothing until it answers")
        .with_advice("check that its database runs and can be reached from here")
}

fn outdated() -> SliceError {
    SliceError::new(
        "a newer version of Toolwright has changed the database: this worker drives nothing new, and others do",
    )
    .with_advice("replace this worker by one of that version")
}

/// Why this process cannot drive a run that others may.
fn unable(run: &RunId, error: &AppError) -> SliceError {
    let found = SliceError::new(format!("a worker cannot drive the run {run}: {error}"));
    let found = found.of_fault(error.fault());
    match error.advice() {
        Some(advice) => found.with_advice(advice),
        None => found,
    }
}
