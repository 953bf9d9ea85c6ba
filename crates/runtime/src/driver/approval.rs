//! [`Asking`]: whether somebody is asked, and the run's clock stands still.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

/// Whether somebody is asked about a call. A person may be at lunch: how long that takes says nothing
/// about the run, so its clock does not count it. Nor does that of a run that it is a part of.
#[derive(Clone, Default)]
pub(crate) struct Asking {
    /// How many answers are waited for, in runs within this one, too.
    open: Arc<AtomicUsize>,
    outer: Option<Arc<Self>>,
}

impl Asking {
    /// For a run within another.
    pub(super) fn within(outer: &Self) -> Self {
        Self { open: Arc::default(), outer: Some(Arc::new(outer.clone())) }
    }

    /// Whether an answer is waited for.
    pub(super) fn is_open(&self) -> bool {
        self.open.load(Relaxed) > 0
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
        /// Also where the wait is broken off.
        struct Open<'a>(&'a Asking);

        impl Drop for Open<'_> {
            fn drop(&mut self) {
                self.0.remove();
            }
        }

        self.add();
        let _open = Open(self);
        answer.await
    }
}
