//! [`Tasks`]: the slices that are driven here, each in a task of its own.
//!
//! The library polls a handler within the response to Restate, and drops it where that connection breaks: a tool
//! that runs would be dropped with it. So the handler only attaches to a task. Where the connection broke and
//! Restate asks again, the task is found and attached to; where it has ended meanwhile, the log has what it did.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use tokio::sync::watch;
use toolwright_core::{ActionableError, ConversationId, RunId};
use toolwright_session::{Fitness, Next, Slice, SliceDriver, SliceError};

type Driven = Result<Next, SliceError>;

/// The slices that are driven here: one at most for each conversation.
pub(crate) struct Tasks {
    driver: Arc<dyn SliceDriver>,
    running: Mutex<HashMap<ConversationId, Running>>,
    /// How many there are, for those who wait until there are none.
    count: watch::Sender<usize>,
    is_draining: AtomicBool,
    /// Whether it was told that there are conversations of other logs.
    is_told_of_others: AtomicBool,
    pub(crate) started: AtomicU64,
    pub(crate) attached: AtomicU64,
    pub(crate) failed: AtomicU64,
    /// Why slices could not be driven, as it was told last: Restate asks again and again.
    told: Mutex<HashMap<ConversationId, String>>,
}

/// How many are remembered.
const TOLD: usize = 4096;

/// A slice that is driven now.
#[derive(Clone)]
struct Running {
    run: RunId,
    ended: watch::Receiver<Option<Driven>>,
}

impl Tasks {
    pub(crate) fn new(driver: Arc<dyn SliceDriver>) -> Arc<Self> {
        Arc::new(Self {
            driver,
            running: Mutex::default(),
            count: watch::Sender::new(0),
            is_draining: AtomicBool::new(false),
            is_told_of_others: AtomicBool::new(false),
            started: AtomicU64::new(0),
            attached: AtomicU64::new(0),
            failed: AtomicU64::new(0),
            told: Mutex::default(),
        })
    }

    /// Drives a slice to its end, or waits for the end of the one that is driven. Whoever stops waiting leaves
    /// it going.
    pub(crate) async fn drive(self: &Arc<Self>, slice: Slice) -> Driven {
        loop {
            let mut found = self.attach_or_start(&slice)?;
            let ended = found.ended.wait_for(Option::is_some).await;
            let ended = ended.ok().and_then(|it| it.clone());
            // Another run's, of which nobody waits for the end any more: there is one slice a conversation.
            if found.run == slice.run {
                return ended.unwrap_or_else(|| Err(SliceError::new("the slice was given up")));
            }
        }
    }

    /// Whether a slice is for a worker of this log; why not is told once, as Restate asks again and again.
    pub(crate) async fn knows(&self, log: &str, slice: &Slice) -> Result<(), SliceError> {
        let known = self.driver.knows(log, &slice.conversation).await;
        if let Err(error) = &known {
            self.failed.fetch_add(1, Ordering::Relaxed);
            if !self.is_told_of_others.swap(true, Ordering::Relaxed) {
                let advice = error.advice().unwrap_or_default();
                tracing::warn!("{error}. What to do: {advice}");
            }
        }
        known
    }

    /// From now on slices end at their next boundary, and none begins.
    pub(crate) fn drain(&self) {
        // Under the lock: one that begins at this moment is told, too.
        let running = self.lock();
        self.is_draining.store(true, Ordering::SeqCst);
        drop(running);
        self.driver.drain();
    }

    pub(crate) fn is_draining(&self) -> bool {
        self.is_draining.load(Ordering::SeqCst)
    }

    pub(crate) fn fitness(&self) -> Fitness {
        self.driver.fitness()
    }

    pub(crate) fn count(&self) -> usize {
        *self.count.borrow()
    }

    /// Waits until none is driven.
    pub(crate) async fn none(&self) {
        // The sender is in `self`.
        let _ = self.count.subscribe().wait_for(|count| *count == 0).await;
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ConversationId, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn attach_or_start(self: &Arc<Self>, slice: &Slice) -> Result<Running, SliceError> {
        let mut running = self.lock();
        if let Some(found) = running.get(&slice.conversation) {
            self.attached.fetch_add(1, Ordering::Relaxed);
            return Ok(found.clone());
        }
        if self.is_draining() {
            return Err(SliceError::new("this worker is about to end: another one will take it"));
        }
        self.started.fetch_add(1, Ordering::Relaxed);
        let (end, ended) = watch::channel(None);
        let started = Running { run: slice.run.clone(), ended };
        running.insert(slice.conversation.clone(), started.clone());
        self.count.send_replace(running.len());
        drop(running);
        // In a task of its own even so: where it panics that is told, and the rest here goes on.
        let driven = tokio::spawn(self.driver.slice(slice.clone()));
        let (tasks, slice) = (self.clone(), slice.clone());
        tokio::spawn(async move {
            let driven = driven.await.unwrap_or_else(|error| {
                let why = if error.is_panic() { "has a defect and broke off" } else { "was ended" };
                Err(SliceError::new(format!("what drives the run {why}")))
            });
            tasks.ended(&slice, &driven);
            end.send_replace(Some(driven));
        });
        Ok(started)
    }

    /// Says why a slice could not be driven, once for as long as nothing changes.
    fn tell(&self, slice: &Slice, error: &SliceError) {
        let (conversation, run, error) = (&slice.conversation, &slice.run, sentence(error));
        if !self.is_news(slice, &error) {
            tracing::debug!(%conversation, %run, error, "a slice could not be driven again");
            return;
        }
        tracing::warn!(%conversation, %run, error, "a slice could not be driven; it will be again");
        let mut told = self.told();
        if told.len() >= TOLD {
            told.clear();
        }
        told.insert(conversation.clone(), error);
    }

    fn is_news(&self, slice: &Slice, error: &str) -> bool {
        self.told().get(&slice.conversation).is_none_or(|it| it != error)
    }

    fn told(&self) -> MutexGuard<'_, HashMap<ConversationId, String>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ended(&self, slice: &Slice, driven: &Driven) {
        match driven {
            Ok(_) => drop(self.told().remove(&slice.conversation)),
            Err(error) => {
                self.failed.fetch_add(1, Ordering::Relaxed);
                self.tell(slice, error);
            }
        }
        let mut running = self.lock();
        running.remove(&slice.conversation);
        self.count.send_replace(running.len());
    }
}

/// Why a slice was not driven, for whoever looks at the log or at Restate.
pub(crate) fn sentence(error: &SliceError) -> String {
    match error.advice() {
        Some(advice) => format!("{error}: {advice}"),
        None => error.to_string(),
    }
}

#[cfg(test)]
mod tests;
