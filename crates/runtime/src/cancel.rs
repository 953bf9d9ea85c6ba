//! [`CancelHandle`]: stops a run from anywhere.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use tokio::sync::Notify;

/// Stops a run from anywhere. Clones stop the same run.
#[derive(Clone, Debug, Default)]
pub struct CancelHandle(Arc<State>);

#[derive(Debug, Default)]
struct State {
    asked: AtomicBool,
    bell: Notify,
}

impl CancelHandle {
    /// One that stops nothing until it is given to a run.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops the run: what it waits for is dropped and every open call is settled as cancelled.
    pub fn cancel(&self) {
        self.0.asked.store(true, Ordering::Release);
        self.0.bell.notify_waiters();
    }

    /// Whether somebody cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.asked.load(Ordering::Acquire)
    }

    /// Ends when somebody cancels.
    pub async fn cancelled(&self) {
        // Registered before the flag is read, so that no cancel falls between the two.
        let bell = self.0.bell.notified();
        if !self.is_cancelled() {
            bell.await;
        }
    }
}
