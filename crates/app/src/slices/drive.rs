//! Driving a slice: the run goes on while somebody listens to what is left for it, to whoever drains this process, and
//! to whether the conversation is still held.

use std::{sync::Arc, time::Duration};

use futures_util::future::BoxFuture;
use tokio::{
    sync::watch,
    time::{Instant, MissedTickBehavior, interval_at, sleep_until},
};
use toolwright_core::{Event, EventKind, Failure, FailureKind, RunContext, Step};
use toolwright_runtime::RunStream;
use toolwright_session::{Next, Slice, SliceError};
use toolwright_store::{ConversationLease, Instruction, News};

use super::{Alone, Attended, Inner, Open, is_to_stop, told, unable, waits_until};
use crate::{RunSpec, Session, Showing};

/// How often it is looked whether the conversation is still held, and what was left: news may be missed.
const LOOK: Duration = Duration::from_secs(2);

/// A run that is driven, and what whoever drives it looks after.
struct Driving<'a> {
    inner: &'a Inner,
    slice: &'a Slice,
    running: RunStream,
    attended: Arc<Attended>,
    lease: ConversationLease,
    /// The position of its event 0.
    origin: u64,
    /// How many events the conversation has, as far as is known here.
    kept: u64,
    rounds: u32,
    spec: RunSpec,
}

/// What is to be looked at in the store.
#[derive(Clone, Copy, Default)]
struct Wanted {
    /// Whether the conversation is still held.
    lease: bool,
    /// What was left for the run.
    left: bool,
    /// How what waits is to be asked.
    spec: bool,
}

/// What was seen there.
struct Looked {
    is_held: bool,
    spec: Option<RunSpec>,
}

impl Wanted {
    const REGULARLY: Self = Self { lease: true, left: true, spec: false };

    fn add(&mut self, more: Self) {
        self.lease |= more.lease;
        self.left |= more.left;
        self.spec |= more.spec;
    }

    /// All of it, and nothing is wanted any more; nothing where nothing was.
    fn take(&mut self) -> Option<Self> {
        let all = std::mem::take(self);
        (all.lease || all.left || all.spec).then_some(all)
    }
}

impl Inner {
    /// Goes on with a run until it is time to leave it.
    pub(super) async fn drive(
        &self,
        slice: &Slice,
        open: Open,
        alone: &mut Alone,
    ) -> Result<Next, SliceError> {
        let Open { lease, run, spec, first, left, shown, spent } = open;
        let (session, context) = self.session(slice, &spec, &left).await?;
        // Whoever stops a run wants to see what became of it before anything else is asked.
        if !is_to_stop(&left) {
            self.prepare_follower(slice, &spec).await;
        }
        let agent = session.agent();
        let running = match is_to_stop(&left) {
            true => agent.end_in(lease.clone(), run, context, spent),
            false => agent.resume_after(lease.clone(), run, context, spent),
        };
        let of = (slice.conversation.clone(), slice.run.clone());
        let patience = (shown, self.settings.decision_timeout);
        let pause = running.pause_handle();
        let attended = Attended::new(self.pool.clone(), of, left, patience, spec.approved, pause);
        let attended = Arc::new(attended);
        let _attending = self.desk.attend(attended.clone());
        let (origin, rounds, kept) = (first.0, 0, first.0);
        let mut driving =
            Driving { inner: self, slice, running, attended, lease, origin, kept, rounds, spec };
        driving.obey();
        driving.reach_boundary(alone).await?;
        driving.next().await
    }

    /// Who goes on with a run. One that is to stop only has to be ended, and for that anybody will do: neither its model
    /// nor its tools are needed.
    async fn session(
        &self,
        slice: &Slice,
        spec: &RunSpec,
        left: &[Instruction],
    ) -> Result<(Session, RunContext), SliceError> {
        let made = match is_to_stop(left) {
            true => RunSpec::default().session(&self.pool),
            false => spec.session_to_drive(&self.pool).await,
        };
        made.map_err(|error| unable(&slice.run, &error))
    }
}

impl<'a> Driving<'a> {
    async fn reach_boundary(&mut self, alone: &mut Alone) -> Result<(), SliceError> {
        let (id, store) = (&self.slice.conversation, self.inner.pool.store());
        let mut draining = self.inner.is_draining.subscribe();
        let mut showing = Showing::to_others(store, id);
        let mut look = interval_at(Instant::now() + LOOK, LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut is_drained = false;
        // One look at a time, and nobody waits for it: a store that is slow to answer holds up no run.
        let (mut wanted, mut looking) = (Wanted::default(), None);
        loop {
            if looking.is_none() {
                looking = wanted.take().map(|wanted| self.look(wanted));
            }
            let due = showing.as_mut().and_then(Showing::due);
            tokio::select! {
                biased;
                event = self.running.next() => match event {
                    Some(event) => self.hear(&event, showing.as_mut()),
                    None => return Ok(()),
                },
                looked = seen(&mut looking) => {
                    looking = None;
                    self.see(looked)?;
                }
                news = alone.news() => wanted.add(self.wants(&news)),
                () = drained(&mut draining), if !is_drained => {
                    is_drained = true;
                    self.running.pause_handle().pause();
                }
                () = until(due) => showing.iter_mut().for_each(Showing::show),
                _ = look.tick() => wanted.add(Wanted::REGULARLY),
            }
        }
    }

    fn hear(&mut self, event: &Event, showing: Option<&mut Showing<'_>>) {
        if event.kind.is_provisional() {
            let position = self.origin.saturating_add(event.seq);
            showing.into_iter().for_each(|it| it.add(position, event));
            return;
        }
        self.kept = self.origin.saturating_add(event.seq).saturating_add(1);
        // Whoever listens is shown it with what it became.
        showing.into_iter().for_each(Showing::forget);
        match event.kind {
            EventKind::RoundStarted { .. } => self.rounds += 1,
            // The round comes to its end here, and the next is another slice's.
            EventKind::CallStarted { .. } | EventKind::CallFinished { .. }
                if self.rounds >= self.inner.settings.rounds =>
            {
                self.running.pause_handle().pause();
            }
            _ => {}
        }
    }

    /// What news make one look at.
    fn wants(&self, news: &News) -> Wanted {
        let ours = &self.slice.conversation;
        match news {
            News::Missed => Wanted::REGULARLY,
            // Somebody else writes to it?
            News::Kept { id, events } if id == ours && *events > self.kept => Wanted::REGULARLY,
            News::Instructed { id } if id == ours => Wanted { left: true, ..Wanted::default() },
            News::Queue { id } if id == ours => Wanted { spec: true, ..Wanted::default() },
            _ => Wanted::default(),
        }
    }

    fn look(&self, wanted: Wanted) -> BoxFuture<'a, Looked> {
        let (inner, slice) = (self.inner, self.slice);
        let (lease, attended) = (self.lease.clone(), self.attended.clone());
        let mut spec = self.spec.clone();
        Box::pin(async move {
            // Where that cannot be read now, the next append tells.
            if wanted.lease && !lease.is_held().await.unwrap_or(true) {
                return Looked { is_held: false, spec: None };
            }
            if wanted.left {
                attended.look().await;
            }
            if wanted.spec {
                // What waits may be asked in another way by now.
                spec = inner.spec_now(slice).await.unwrap_or(spec);
                inner.prepare_follower(slice, &spec).await;
            }
            Looked { is_held: true, spec: wanted.spec.then_some(spec) }
        })
    }

    fn see(&mut self, looked: Looked) -> Result<(), SliceError> {
        if !looked.is_held {
            return Err(fenced(self.slice));
        }
        if let Some(spec) = looked.spec {
            self.spec = spec;
        }
        self.obey();
        Ok(())
    }

    /// Stops the run where somebody said so.
    fn obey(&self) {
        if is_to_stop(&self.attended.left.borrow()) {
            self.running.cancel().cancel();
        }
    }

    /// What is to be done after it.
    async fn next(self) -> Result<Next, SliceError> {
        let Self { inner, slice, running, attended, lease, spec, .. } = self;
        let (is_paused, spent) = (running.is_paused(), running.spent().unwrap_or_default());
        let Some(run) = running.into_run() else {
            return Err(SliceError::new("what drives the run has a defect and broke off"));
        };
        drop(lease);
        if is_paused {
            if !run.awaits_people() {
                return Ok(Next::Again { spent });
            }
            // Somebody may have decided meanwhile, and woke it for nothing.
            attended.look().await;
            let left = attended.left.borrow().clone();
            let shown = inner.shown(slice).await?;
            let patience = inner.settings.decision_timeout;
            return match waits_until(&run, &left, &shown, patience) {
                Some(until) => inner.rest(slice, left.len(), until).await,
                None => Ok(Next::Again { spent }),
            };
        }
        match run.step() {
            Step::Done(Ok(_)) => inner.follow(slice, &spec).await,
            Step::Done(Err(failure)) => match failure.kind {
                FailureKind::Storage(_) => Err(not_kept(*failure)),
                _ => Ok(Next::Ended),
            },
            _ => Ok(Next::Again { spent }),
        }
    }
}

impl Inner {
    async fn spec_now(&self, Slice { conversation, run, .. }: &Slice) -> Option<RunSpec> {
        let spec = self.pool.store().spec(conversation, run).await.ok()??;
        RunSpec::from_bytes(&spec).ok()
    }

    async fn shown(&self, slice: &Slice) -> Result<super::Shown, SliceError> {
        let (id, store) = (&slice.conversation, self.pool.store());
        let progress = store.progress(id).await.map_err(|error| told(&error))?;
        let first = progress.and_then(|it| it.open).map(|(_, first)| first);
        let Some(first) = first else { return Ok(super::Shown::default()) };
        let events = super::events_from(store, id, first).await.map_err(|error| told(&error))?;
        Ok(super::Shown::of(&events))
    }
}

/// Ends when this process is about to.
async fn drained(draining: &mut watch::Receiver<bool>) {
    // The sender is gone with all slices.
    let _ = draining.wait_for(|it| *it).await;
}

/// What was seen, once it is; never where nobody looks.
async fn seen(looking: &mut Option<BoxFuture<'_, Looked>>) -> Looked {
    match looking {
        Some(looking) => looking.await,
        None => std::future::pending().await,
    }
}

/// Ends then; never where there is no such moment.
async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

/// Nothing was lost: whoever has it now goes on from the log.
fn fenced(slice: &Slice) -> SliceError {
    let id = &slice.conversation;
    SliceError::new(format!("the conversation {id} was taken over, and is driven elsewhere"))
}

/// What could not be kept did not happen.
fn not_kept(failure: Failure) -> SliceError {
    let error = SliceError::new(failure.message);
    match failure.advice {
        Some(advice) => error.with_advice(advice),
        None => error,
    }
}
