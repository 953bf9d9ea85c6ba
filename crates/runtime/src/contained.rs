//! [`Contained`]: work whose panic is made a result, and of which nobody else need be told.

use std::{
    cell::Cell,
    pin::Pin,
    task::{Context, Poll},
};

use futures_core::future::BoxFuture;

thread_local! {
    /// Whether this thread is at such work.
    static IS_CONTAINED: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic on this thread, now, is one that becomes a tool's result. A program's panic hook
/// may ask, so that it tells people only of the others.
pub fn is_panic_contained() -> bool {
    IS_CONTAINED.get()
}

/// Work whose panic is made a result.
pub(crate) struct Contained<'a, T>(BoxFuture<'a, T>);

impl<'a, T> Contained<'a, T> {
    pub(crate) fn new(work: impl Future<Output = T> + Send + 'a) -> Self {
        Self(Box::pin(work))
    }
}

/// As [`Contained`], for work that is done here and now.
pub(crate) fn containing<T>(work: impl FnOnce() -> T) -> T {
    let _before = Before(IS_CONTAINED.replace(true));
    work()
}

/// What was so before is so again, also after a panic.
struct Before(bool);

impl Drop for Before {
    fn drop(&mut self) {
        IS_CONTAINED.set(self.0);
    }
}

impl<T> Future for Contained<'_, T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        containing(|| self.0.as_mut().poll(context))
    }
}
