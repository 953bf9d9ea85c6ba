//! [`Asking`]: whether somebody is asked, and the run's clock stands still.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::Relaxed},
};

/// Whether somebody is asked about a call. A person may be at lunch: how long that takes says nothing
/// about the run, so its clock does not count it.
#[derive(Clone, Default)]
pub(super) struct Asking(Arc<AtomicBool>);

impl Asking {
    /// Whether an answer is waited for.
    pub(super) fn is_open(&self) -> bool {
        self.0.load(Relaxed)
    }

    /// Waits for an answer.
    pub(super) async fn until<T>(&self, answer: impl Future<Output = T>) -> T {
        /// Also where the wait is broken off.
        struct Open<'a>(&'a AtomicBool);

        impl Drop for Open<'_> {
            fn drop(&mut self) {
                self.0.store(false, Relaxed);
            }
        }

        self.0.store(true, Relaxed);
        let _open = Open(&self.0);
        answer.await
    }
}
