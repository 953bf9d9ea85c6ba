//! [`Link`]: between a run and the runs that are parts of it.
//!
//! Both are polled by the same task, the inner ones by the outer: what they say to each other lies in a box until
//! the outer driver looks into it, which is right after it polled them.

use std::{
    collections::VecDeque,
    mem::take,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use futures_core::future::BoxFuture;
use tokio::sync::{Semaphore, SemaphorePermit, oneshot};
use toolwright_core::{
    CallId, Digest, Event, Journal, JournalError, JournalErrorKind, Limit, Limits, Run,
};

/// Says that events are kept, or why not.
pub(crate) type Ack = oneshot::Sender<Result<(), JournalError>>;

/// What a run within a run says to the driver of the outer one.
pub(crate) enum Said {
    /// These are to be kept before it goes on.
    Keep(Vec<Event>, Ack),
    /// This is to be shown, and it goes on when that was taken.
    Show(Box<Event>, oneshot::Sender<()>),
}

/// Between a run and the runs that are parts of it.
pub(crate) struct Link {
    outer: Option<Arc<Self>>,
    said: Mutex<VecDeque<(CallId, Said)>>,
    /// How the outer run stands.
    standing: Mutex<Standing>,
    turns: Semaphore,
}

#[derive(Default)]
struct Standing {
    left: Limits,
    exhausted: Option<(Limit, String)>,
    asked: u32,
}

impl Link {
    pub(super) fn new(outer: Option<Arc<Self>>, parallel: usize) -> Self {
        let (said, standing) = Default::default();
        Self { outer, said, standing, turns: Semaphore::new(parallel.max(1)) }
    }

    /// Tells the runs within how this one stands: what one of them used is not there for the others.
    pub(crate) fn publish(&self, run: &Run) {
        let exhausted = run.exhausted().map(|limit| (limit, limit.describe(run.limits())));
        *lock(&self.standing) = Standing { left: run.remaining(), exhausted, asked: run.asked() };
    }

    /// What was said since this was last asked.
    pub(crate) fn heard(&self) -> VecDeque<(CallId, Said)> {
        take(&mut *lock(&self.said))
    }

    pub(super) fn say(&self, call: CallId, said: Said) {
        lock(&self.said).push_back((call, said));
    }

    /// Waits until one more run may begin.
    pub(super) async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        // It is never closed.
        self.turns.acquire().await.ok()
    }

    /// What is left to a run within, on the whole way out.
    pub(super) fn remaining(&self) -> Limits {
        let left = lock(&self.standing).left;
        self.outer.as_ref().map_or(left, |outer| left.within(&outer.remaining()))
    }

    /// The limit that is used up, on the whole way out, and what it was.
    pub(crate) fn exhausted(&self) -> Option<(Limit, String)> {
        let own = lock(&self.standing).exhausted.clone();
        own.or_else(|| self.outer.as_ref()?.exhausted())
    }

    /// The limit of which nothing is left that a request to a model could use.
    pub(super) fn used_up(&self) -> Option<String> {
        let left = self.remaining();
        let none = |left: Option<u64>| left == Some(0);
        match (none(left.tokens), none(left.cost)) {
            (true, _) => Some("tokens".to_owned()),
            (_, true) => Some("cost".to_owned()),
            _ => None,
        }
    }

    /// How many decisions somebody was asked for in all.
    pub(crate) fn asked(&self) -> u32 {
        match &self.outer {
            Some(outer) => outer.asked(),
            None => lock(&self.standing).asked,
        }
    }
}

fn lock<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing under it panics half way.
    it.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The journal of a run within a run: its events are kept as events of the outer one.
pub(crate) struct LinkedJournal {
    call: CallId,
    link: Arc<Link>,
    kept_in: Option<Arc<dyn Journal>>,
}

impl LinkedJournal {
    pub(super) fn new(call: CallId, link: Arc<Link>, kept_in: Option<Arc<dyn Journal>>) -> Self {
        Self { call, link, kept_in }
    }
}

impl Journal for LinkedJournal {
    fn append(&self, events: &[Event]) -> BoxFuture<'static, Result<(), JournalError>> {
        let (ack, kept) = oneshot::channel();
        self.link.say(self.call.clone(), Said::Keep(events.to_vec(), ack));
        Box::pin(async move {
            kept.await.unwrap_or_else(|_| {
                let text = "the run that this is a part of does not keep it any more";
                Err(JournalError::new(JournalErrorKind::NotHeld, text))
            })
        })
    }

    fn attachment(
        &self,
        digest: &Digest,
    ) -> BoxFuture<'static, Result<Option<Arc<[u8]>>, JournalError>> {
        match &self.kept_in {
            Some(journal) => journal.attachment(digest),
            None => Box::pin(std::future::ready(Ok(None))),
        }
    }
}
