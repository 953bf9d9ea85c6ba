//! [`Runs`]: the runs that go on here, whoever listens to them.
//!
//! A run belongs to the server and not to the request that began it: who leaves does not lose it,
//! and who comes back finds it.

mod approvals;
mod channel;
mod follow;
mod frame;
mod pump;
mod questions;
mod subscription;

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
use toolwright_app::{AgentPool, StartedRun};
use toolwright_core::{ConversationId, RunId};
use toolwright_runtime::CancelHandle;

pub use self::approvals::PendingApprovals;
use self::follow::Follow;
pub(crate) use self::{
    approvals::{NotTaken, Verdict, WaitingDecision},
    channel::Channel,
    follow::Begun,
    frame::Place,
    questions::NotAnswered,
    subscription::{Heard, Scope, Subscription},
};
use crate::{ApiError, Limits};

/// The runs that go on here.
pub(crate) struct Runs {
    host: Arc<AgentPool>,
    channels: Mutex<Channels>,
    active: Arc<Mutex<HashMap<ConversationId, Active>>>,
    places: Arc<Semaphore>,
    rate: Option<DefaultDirectRateLimiter>,
    tasks: TaskTracker,
    /// No run begins any more.
    stopping: CancellationToken,
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
    /// Who is asked what waits behind it.
    follow: Option<Follow>,
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
    pub(crate) fn new(host: Arc<AgentPool>, limits: &Limits) -> Self {
        let rate = limits.runs_per_minute.map(|most| RateLimiter::direct(Quota::per_minute(most)));
        Self {
            host,
            channels: Mutex::default(),
            active: Arc::default(),
            places: Arc::new(Semaphore::new(limits.runs)),
            rate,
            tasks: TaskTracker::new(),
            stopping: CancellationToken::new(),
        }
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
        let Begun { run: StartedRun { mut running, conversation, first }, follow } = begun;
        let cancel = running.cancel();
        // The question is kept before anybody hears that it was taken.
        let Some(event) = running.next().await else { return Err(ApiError::internal()) };
        let (run, mark) = (event.run.clone(), pump::Mark::of(&event));
        let channel = self.channel(&conversation);
        let before = channel.begin(first, event);
        let subscription =
            self.subscription(channel.clone(), Some(before), Scope::Run(run.clone()));
        let active = Active { run: run.clone(), cancel: cancel.clone(), follow: follow.clone() };
        let listed = self.list(&conversation, active);
        if self.stopping.is_cancelled() {
            cancel.cancel();
        }
        let (runs, id) = (self.clone(), conversation.clone());
        self.tasks.spawn(async move {
            let is_answered = pump::to_the_end(running, channel, mark).await;
            // As it is wanted by now.
            let follow = listed.end().or(follow);
            // Whoever stopped a run wants to see what became of it first.
            if let Some(follow) = follow.filter(|_| is_answered) {
                runs.follow_up(id, follow, place).await;
            }
        });
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

    /// Stops the run that goes on in a conversation, if there is one.
    pub(crate) fn stop(&self, id: &ConversationId) -> bool {
        let active = self.lock_active().get(id).cloned();
        active.inspect(|active| active.cancel.cancel()).is_some()
    }

    /// Listens to a conversation from behind a place, or to what is new.
    pub(crate) fn listen(&self, id: &ConversationId, after: Option<Place>) -> Subscription {
        self.subscription(self.channel(id), after, Scope::Conversation)
    }

    /// Listens to the run that goes on in a conversation, from its beginning or from behind a place.
    pub(crate) fn listen_to_run(
        &self,
        id: &ConversationId,
        after: Option<Place>,
    ) -> Option<Subscription> {
        let run = self.active(id)?;
        Some(self.subscription(self.channel(id), after, Scope::Run(run)))
    }

    /// Listens to what is still to come of the run that goes on in a conversation.
    pub(crate) fn listen_to_rest(&self, id: &ConversationId) -> Option<Subscription> {
        let (run, channel) = (self.active(id)?, self.channel(id));
        let last = channel.last_place();
        Some(self.subscription(channel, last, Scope::Run(run)))
    }

    /// Listens to what came, and is still to come, behind this event of the run that goes on.
    pub(crate) fn listen_behind(
        &self,
        id: &ConversationId,
        run: &RunId,
        seq: u64,
    ) -> Option<Subscription> {
        let run = self.active(id).filter(|it| it == run)?;
        let channel = self.channel(id);
        let after = channel.place_of(seq);
        Some(self.subscription(channel, after, Scope::Run(run)))
    }

    /// Ends every run in good order, and then everybody's listening.
    pub(crate) async fn close(&self, timeout: Duration) {
        self.stopping.cancel();
        self.tasks.close();
        let active: Vec<_> = self.lock_active().values().cloned().collect();
        active.iter().for_each(|active| active.cancel.cancel());
        if tokio::time::timeout(timeout, self.tasks.wait()).await.is_err() {
            tracing::warn!("runs were left that did not end in time");
        }
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
        let store = self.host.store().clone();
        Subscription::new(channel, store, after, scope)
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
