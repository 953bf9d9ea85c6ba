//! [`Window`]: so many calls within any stretch of time.

use std::{
    collections::VecDeque,
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    sync,
    time::{Instant, sleep_until},
};

use crate::layers::{later, messages};

/// So many calls within any stretch of time, however it is laid. A bucket of tokens would let
/// almost twice as many through: all it holds, and what drips in while they are spent.
pub(super) struct Window {
    calls: usize,
    period: Duration,
    /// When the last calls started, the oldest first, as many as the window allows.
    starts: Mutex<VecDeque<Instant>>,
    /// Held by the first in the queue while it waits. Tokio hands it on in order, and also when
    /// its holder is gone.
    first: sync::Mutex<()>,
}

impl Window {
    pub(super) fn new(calls: u32, period: Duration) -> Self {
        let calls = usize::try_from(calls).unwrap_or(usize::MAX);
        Self { calls, period, starts: Mutex::default(), first: sync::Mutex::new(()) }
    }

    /// How long a call would wait that has so many before it.
    pub(super) fn wait(&self, ahead: usize, now: Instant) -> Duration {
        let starts = self.lock();
        let (round, place) = (ahead / self.calls.max(1), ahead % self.calls.max(1));
        // First come the places nobody has taken, then those of the oldest calls.
        let free = self.calls.saturating_sub(starts.len());
        let taken = place.checked_sub(free).and_then(|at| starts.get(at));
        let first = taken.map_or(now, |start| later(*start, self.period).max(now));
        let rounds = self.period.saturating_mul(u32::try_from(round).unwrap_or(u32::MAX));
        first.saturating_duration_since(now).saturating_add(rounds)
    }

    /// Starts a call, if it may start now and there is nobody before it.
    pub(super) fn start_now(&self, now: Instant) -> bool {
        let Ok(_first) = self.first.try_lock() else { return false };
        self.try_start(now).is_ok()
    }

    /// Starts a call in its turn.
    pub(super) async fn start(&self) {
        let _first = self.first.lock().await;
        // Nothing is taken before the wait is over: whoever leaves, leaves nothing behind.
        while let Err(due) = self.try_start(Instant::now()) {
            sleep_until(due).await;
        }
    }

    /// Starts a call, or says when it may start.
    fn try_start(&self, now: Instant) -> Result<(), Instant> {
        let mut starts = self.lock();
        if starts.len() >= self.calls
            && let Some(oldest) = starts.front()
        {
            let due = later(*oldest, self.period);
            if due > now {
                return Err(due);
            }
            starts.pop_front();
        }
        starts.push_back(now);
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Instant>> {
        self.starts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let calls = u32::try_from(self.calls).unwrap_or(u32::MAX);
        write!(f, "{} in {}", messages::times(calls), toolwright_duration::format(self.period))
    }
}
