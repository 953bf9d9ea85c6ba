//! [`Turns`]: whose turn it is to use the model.

use std::sync::Arc;

use tokio::sync::{Mutex, OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};

/// How many replies are written at a time; others wait. Each has its own memory of what it read.
const AT_A_TIME: usize = 4;

/// Whose turn it is to use the model: one at a time, in the order of asking, for a portion of a prompt or a token.
/// A short reply does not wait for the end of a long one. Cloning it costs nothing.
#[derive(Clone)]
pub(super) struct Turns {
    places: Arc<Semaphore>,
    /// Given to whoever asked first.
    turn: Arc<Mutex<()>>,
}

impl Turns {
    pub(super) fn new() -> Self {
        Self { places: Arc::new(Semaphore::new(AT_A_TIME)), turn: Arc::default() }
    }

    /// Waits for a place among those that are written; nothing where there are no places any more.
    pub(super) async fn place(&self) -> Option<OwnedSemaphorePermit> {
        self.places.clone().acquire_owned().await.ok()
    }

    /// Whether nobody has a place but the one who asks.
    pub(super) fn is_alone(&self) -> bool {
        self.places.available_permits() + 1 >= AT_A_TIME
    }

    /// Waits for the turn, on a thread that may wait.
    pub(super) fn wait(&self) -> OwnedMutexGuard<()> {
        self.turn.clone().blocking_lock_owned()
    }
}
