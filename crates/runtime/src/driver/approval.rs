//! [`Asking`]: whether somebody is asked, and the run's clock stands still.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

/// Whether somebody is asked about a call, or by one. A person may be at lunch: how long that takes says
/// nothing about the run, so its clock does not count it.
#[derive(Clone, Default)]
pub(super) struct Asking(Arc<AtomicUsize>);

/// An answer that is waited for, until it is dropped.
pub(super) struct OpenAsking(Arc<AtomicUsize>);

impl Asking {
    /// Whether an answer is waited for.
    pub(super) fn is_open(&self) -> bool {
        self.0.load(Relaxed) > 0
    }

    /// Begins to wait for an answer.
    pub(super) fn begin(&self) -> OpenAsking {
        self.0.fetch_add(1, Relaxed);
        OpenAsking(self.0.clone())
    }

    /// Waits for an answer.
    pub(super) async fn until<T>(&self, answer: impl Future<Output = T>) -> T {
        let _open = self.begin();
        answer.await
    }
}

/// Also where the wait is broken off.
impl Drop for OpenAsking {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}
