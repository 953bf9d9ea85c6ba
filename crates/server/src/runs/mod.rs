//! [`Runs`]: the runs that go on here, whoever listens to them.
//!
//! A run belongs to the server and not to the request that began it: who leaves does not lose it,
//! and who comes back finds it. Where several servers share a store, it belongs to the log: whoever drives it, it is
//! listened to, stopped and decided about on any of them ([`elsewhere`], [`instructing`]).

mod answering;
mod applied;
mod approvals;
mod channel;
mod elsewhere;
mod entrusted;
mod follow;
mod frame;
mod instructing;
mod pump;
mod questions;
mod standing;
mod subscription;
mod undriven;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use governor::{
    DefaultDirectRateLimiter, Quota, RateLimiter,
    clock::{Clock, DefaultClock},
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use toolwright_app::{AgentPool, SliceDesk, SliceSettings, Slices, StartedRun};
use toolwright_core::{ConversationId, RunId};
use toolwright_runtime::{CancelHandle, PauseHandle};
use toolwright_session::RunEngine;
use toolwright_store::{LeaseWatch, Position, Progress, Store};

pub use self::approvals::PendingApprovals;
use self::{applied::Applied, follow::Follow, standing::Standings};
pub(crate) use self::{
    approvals::{NotTaken, Verdict, WaitingDecision},
    channel::Channel,
    entrusted::Entrusted,
    follow::Begun,
    frame::Place,
    instructing::{Going, Waits},
    questions::NotAnswered,
    subscription::{Heard, Scope, Subscription},
};
use crate::{ApiError, Limits};

/// The runs that go on here.
pub(crate) struct Runs {
    host: Arc<AgentPool>,
    waiting: PendingApprovals,
    /// Who drives runs that can be described, where that is not this server.
    engine: Option<Arc<dyn RunEngine>>,
    /// Ends runs that nobody drives.
    slices: Slices,
    channels: Mutex<Channels>,
    active: Arc<Mutex<HashMap<ConversationId, Active>>>,
    places: Arc<Semaphore>,
    rate: Option<DefaultDirectRateLimiter>,
    standings: Standings,
    /// How long a run that may not be driven has before whoever listens is told.
    soon: Duration,
    tasks: TaskTracker,
    /// No run begins any more.
    stopping: CancellationToken,
    /// Nobody listens to the log any more.
    leaving: CancellationToken,
}

/// The channels that somebody listens to, or in which a run goes on.
#[derive(Default)]
struct Channels {
    open: HashMap<ConversationId, Weak<Channel>>,
    /// Nobody listens any more.
    are_closed: bool,
}

/// A run that goes on.
#[derive(Clone)]
struct Active {
    run: RunId,
    cancel: CancelHandle,
    pause: PauseHandle,
    /// The position of its event 0.
    origin: u64,
    /// Who is asked what waits behind it.
    follow: Option<Follow>,
    /// What was left for it and is done.
    applied: Applied,
    /// Whether its conversation is still held for it.
    lease: LeaseWatch,
}

/// Room for a run, for as long as this is there.
pub(crate) struct Admitted {
    _place: OwnedSemaphorePermit,
}

/// A run that began, and somebody who listens to it from its beginning.
pub(crate) struct Started {
    pub(crate) conversation: ConversationId,
    pub(crate) run: RunId,
    pub(crate) subscription: Subscription,
}

impl Runs {
    pub(crate) fn new(
        host: Arc<AgentPool>,
        waiting: PendingApprovals,
        engine: Option<Arc<dyn RunEngine>>,
        limits: &Limits,
    ) -> Self {
        let rate = limits.runs_per_minute.map(|most| RateLimiter::direct(Quota::per_minute(most)));
        // They only end here, so nobody decides about them.
        let settings = SliceSettings::from(&host.config().engine);
        let slices = Slices::new(host.clone(), SliceDesk::new(), settings);
        Self {
            host,
            waiting,
            engine,
            slices,
            channels: Mutex::default(),
            active: Arc::default(),
            places: Arc::new(Semaphore::new(limits.runs)),
            rate,
            standings: Standings::default(),
            soon: limits.looking / 2,
            tasks: TaskTracker::new(),
            stopping: CancellationToken::new(),
            leaving: CancellationToken::new(),
        }
    }

    fn store(&self) -> &Store {
        self.host.store()
    }

    /// Whether runs of the log may be driven by others than this server.
    fn is_shared(&self) -> bool {
        self.engine.is_some() || self.store().is_shared()
    }

    /// Begins a run, if there is room for it.
    pub(crate) async fn start<B: Into<Begun>>(
        self: &Arc<Self>,
        begin: impl Future<Output = Result<B, ApiError>>,
    ) -> Result<Started, ApiError> {
        let place = self.admit()?;
        self.begin(begin.await?.into(), place).await
    }

    /// Begins a run that there is room for.
    async fn begin(self: &Arc<Self>, begun: Begun, place: Admitted) -> Result<Started, ApiError> {
        let Begun { run, follow, entrusted } = begun;
        if let Some(entrusted) = entrusted.filter(|_| self.engine.is_some()) {
            return self.entrust(run, entrusted).await;
        }
        let StartedRun { mut running, conversation, first, lease } = run;
        let (cancel, pause) = (running.cancel(), running.pause_handle());
        // The question is kept before anybody hears that it was taken.
        let Some(event) = running.next().await else { return Err(ApiError::internal()) };
        let origin = first.0.saturating_sub(event.seq);
        let (run, mark) = (event.run.clone(), pump::Mark::of(&event, origin));
        let applied = Applied::default();
        let active = Active { run: run.clone(), cancel, pause, origin, follow, applied, lease };
        // Before anybody listens: from here on its events come from here.
        let listed = self.list(&conversation, active.clone());
        let channel = self.channel(&conversation);
        let before = channel.begin(first, event);
        let subscription =
            self.subscription(channel.clone(), Some(before), Scope::Run(run.clone()));
        if self.stopping.is_cancelled() {
            active.cancel.cancel();
        }
        let (runs, id) = (self.clone(), conversation.clone());
        self.tasks.spawn(async move {
            let end = pump::to_the_end(running, &channel, runs.store(), mark).await;
            // As it is wanted by now.
            let follow = listed.end().or(active.follow);
            // Somebody else may go on with it, and be heard from here.
            if matches!(end, pump::End::NotKept | pump::End::Left) {
                runs.look_on(&channel);
            }
            // Whoever stopped a run wants to see what became of it first.
            if let Some(follow) = follow.filter(|_| end == pump::End::Answered) {
                runs.follow_up(id, follow, place).await;
            }
        });
        self.look_for_instructions(&conversation);
        Ok(Started { conversation, run, subscription })
    }

    /// Room for a run, if there is some.
    pub(crate) fn admit(&self) -> Result<Admitted, ApiError> {
        if self.stopping.is_cancelled() {
            return Err(ApiError::stopping());
        }
        let place = self.places.clone().try_acquire_owned();
        let place = place.map_err(|_| ApiError::overloaded(Duration::from_secs(1)))?;
        if let Some(rate) = &self.rate {
            rate.check().map_err(|until| {
                let clock = DefaultClock::default();
                ApiError::overloaded(until.wait_time_from(clock.now()))
            })?;
        }
        Ok(Admitted { _place: place })
    }

    /// The run that goes on in a conversation.
    pub(crate) fn active(&self, id: &ConversationId) -> Option<RunId> {
        self.lock_active().get(id).map(|active| active.run.clone())
    }

    /// Listens to a conversation from behind a place, or to what is new.
    pub(crate) async fn listen(&self, id: &ConversationId, after: Option<Place>) -> Subscription {
        let channel = self.known_channel(id).await;
        self.subscription(channel, after, Scope::Conversation)
    }

    /// Listens to a run of a conversation from its beginning, be it over.
    pub(crate) async fn listen_from(
        &self,
        id: &ConversationId,
        run: &RunId,
        first: Position,
    ) -> Started {
        let channel = self.known_channel(id).await;
        let (before, scope) = (Place::piece(first.0, 0), Scope::Run(run.clone()));
        let subscription = self.subscription(channel, Some(before), scope);
        Started { conversation: id.clone(), run: run.clone(), subscription }
    }

    /// Listens to what came of a run behind a place of its log, be it over.
    pub(crate) async fn listen_after(
        &self,
        id: &ConversationId,
        run: &RunId,
        last: Position,
    ) -> Started {
        let channel = self.known_channel(id).await;
        let (behind, scope) = (Place::committed(last.0), Scope::Run(run.clone()));
        let subscription = self.subscription(channel, Some(behind), scope);
        Started { conversation: id.clone(), run: run.clone(), subscription }
    }

    /// Listens to the run that goes on in a conversation, from its beginning.
    pub(crate) async fn listen_to_run(&self, going: &Going) -> Subscription {
        let channel = self.known_channel(&going.conversation).await;
        let before = Place::piece(going.first.0, 0);
        self.subscription(channel, Some(before), Scope::Run(going.run.clone()))
    }

    /// Listens to what is still to come of the run that goes on in a conversation.
    pub(crate) async fn listen_to_rest(&self, going: &Going) -> Subscription {
        let channel = self.known_channel(&going.conversation).await;
        let last = channel.last_place();
        self.subscription(channel, last, Scope::Run(going.run.clone()))
    }

    /// Listens to what came, and is still to come, behind this event of the run that goes on.
    pub(crate) async fn listen_behind(&self, going: &Going, seq: u64) -> Subscription {
        let channel = self.known_channel(&going.conversation).await;
        let named = Place::committed(going.first.0.saturating_add(seq));
        // One that is none yet is the last.
        let after = channel.last_place().map_or(named, |last| last.min(named));
        self.subscription(channel, Some(after), Scope::Run(going.run.clone()))
    }

    /// No run begins any more. Those that only wait for a person are left as they are, so that anybody can resume
    /// them; the others are ended in good order, within this time.
    pub(crate) async fn settle(&self, timeout: Duration) {
        self.stopping.cancel();
        self.tasks.close();
        let active: Vec<_> = self.lock_active().values().cloned().collect();
        for Active { run, cancel, pause, .. } in &active {
            match self.waiting.only_waits(run) {
                true => pause.pause(),
                false => cancel.cancel(),
            }
        }
        if tokio::time::timeout(timeout, self.tasks.wait()).await.is_ok() {
            return;
        }
        active.iter().for_each(|active| active.cancel.cancel());
        if tokio::time::timeout(timeout / 4, self.tasks.wait()).await.is_err() {
            tracing::warn!("runs were left that did not end in time");
        }
    }

    /// Ends everybody's listening.
    pub(crate) fn leave(&self) {
        self.leaving.cancel();
        let mut channels = self.lock_channels();
        channels.are_closed = true;
        channels.open.values().filter_map(Weak::upgrade).for_each(|channel| channel.close());
    }

    fn subscription(
        &self,
        channel: Arc<Channel>,
        after: Option<Place>,
        scope: Scope,
    ) -> Subscription {
        Subscription::new(channel, self.store().clone(), after, scope)
    }

    /// The channel of a conversation, which knows where its log ends where others write to it, too.
    async fn known_channel(&self, id: &ConversationId) -> Arc<Channel> {
        let channel = self.channel(id);
        if self.is_shared() && !channel.is_known() {
            match self.store().progress(id).await {
                Ok(Some(Progress { next, open })) => {
                    channel.learn(next.0, open.map(|(_, first)| first));
                }
                Ok(None) => channel.learn(0, None),
                // Whoever listens finds out for themselves.
                Err(error) => tracing::warn!(conversation = %id, %error, "the log is not read"),
            }
        }
        channel
    }

    /// The channel of a conversation that somebody listens to.
    fn open_channel(&self, id: &ConversationId) -> Option<Arc<Channel>> {
        self.lock_channels().open.get(id).and_then(Weak::upgrade)
    }

    /// The channel of a conversation. It is there while somebody listens or a run goes on.
    fn channel(&self, id: &ConversationId) -> Arc<Channel> {
        let mut channels = self.lock_channels();
        if let Some(channel) = channels.open.get(id).and_then(Weak::upgrade) {
            return channel;
        }
        // Now and then, so that it costs next to nothing each time.
        if channels.open.len() == channels.open.capacity() {
            channels.open.retain(|_, channel| channel.strong_count() > 0);
        }
        let channel = Arc::new(Channel::new(id.clone()));
        if channels.are_closed {
            channel.close();
        }
        channels.open.insert(id.clone(), Arc::downgrade(&channel));
        channel
    }

    fn lock_channels(&self) -> MutexGuard<'_, Channels> {
        self.channels.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn list(&self, id: &ConversationId, active: Active) -> Listed {
        let listed = Listed { all: self.active.clone(), id: id.clone(), run: active.run.clone() };
        self.lock_active().insert(id.clone(), active);
        listed
    }

    fn lock_active(&self) -> MutexGuard<'_, HashMap<ConversationId, Active>> {
        self.active.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A run's entry among those that go on, for as long as this is there.
struct Listed {
    all: Arc<Mutex<HashMap<ConversationId, Active>>>,
    id: ConversationId,
    run: RunId,
}

impl Listed {
    /// Nothing goes on there any more; who is asked what waits.
    fn end(self) -> Option<Follow> {
        self.remove().and_then(|it| it.follow)
    }

    fn remove(&self) -> Option<Active> {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        // The next run may have begun already: its entry is not ours.
        let is_ours = all.get(&self.id).is_some_and(|active| active.run == self.run);
        if is_ours { all.remove(&self.id) } else { None }
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        self.remove();
    }
}
