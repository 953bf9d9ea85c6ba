//! [`Asking`]: whether somebody is asked, and the run's clock stands still.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

/// Whether somebody is asked about a call, or by one. A person may be at lunch: how long that takes says
/// nothing about the run, so its clock does not count it. Nor does that of a run that it is a part of.
#[derive(Clone, Default)]
pub(crate) struct Asking {
    /// How many answers are waited for, in runs within this one, too.
    open: Arc<AtomicUsize>,
    outer: Option<Arc<Self>>,
}

/// An answer that is waited for, until it is dropped.
pub(super) struct OpenAsking(Asking);

impl Asking {
    /// For a run within another.
    pub(super) fn within(outer: &Self) -> Self {
        Self { open: Arc::default(), outer: Some(Arc::new(outer.clone())) }
    }

    /// Whether an answer is waited for.
    pub(super) fn is_open(&self) -> bool {
        self.open.load(Relaxed) > 0
    }

    /// Begins to wait for an answer.
    pub(super) fn begin(&self) -> OpenAsking {
        self.add();
        OpenAsking(self.clone())
    }

    fn add(&self) {
        self.open.fetch_add(1, Relaxed);
        self.outer.iter().for_each(|outer| outer.add());
    }

    fn remove(&self) {
        self.open.fetch_sub(1, Relaxed);
        self.outer.iter().for_each(|outer| outer.remove());
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
        self.0.remove();
    }
}
