//! [`stream_from`]: a future that hands out items while it works, as a stream.
//!
//! The stream polls the future and the future fills an [`StreamSender`], so there is no task, no
//! channel, and never more in the box than one poll produced: who listens slowly slows the work.

use std::{
    collections::VecDeque,
    future::poll_fn,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
};

use futures_core::Stream;

/// Where a future puts items for whoever polls it.
#[derive(Debug)]
pub struct StreamSender<T>(Arc<Mutex<VecDeque<T>>>);

impl<T> StreamSender<T> {
    /// An empty box.
    pub fn new() -> Self {
        Self(Arc::default())
    }

    /// Puts an item in.
    pub fn put(&self, item: T) {
        self.lock().push_back(item);
    }

    /// Lets `merge` add to the item last put in, if that was not taken yet, or make a new one.
    pub fn merge(&self, merge: impl FnOnce(Option<&mut T>) -> Option<T>) {
        let mut items = self.lock();
        let more = merge(items.back_mut());
        items.extend(more);
    }

    /// Puts several items in.
    pub fn extend(&self, items: impl IntoIterator<Item = T>) {
        self.lock().extend(items);
    }

    /// Ends once everything in the box was taken. A producer that waits for this after a `put`
    /// hands the item on before it looks for more work: it is polled again when, and only when,
    /// whoever listens comes back, so no waker is needed.
    pub async fn taken(&self) {
        poll_fn(|_| if self.is_empty() { Poll::Ready(()) } else { Poll::Pending }).await;
    }

    /// Whether nothing waits to be taken.
    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    fn take(&self) -> Option<T> {
        self.lock().pop_front()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<T>> {
        // Pushing and popping do not panic half way.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Default for StreamSender<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Clone for StreamSender<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// A future that hands out items while it works; made by [`stream_from`].
pub struct StreamFrom<T, F: Future> {
    work: Option<Pin<Box<F>>>,
    outbox: StreamSender<T>,
    output: Option<F::Output>,
}

/// The items that `work` puts into the outbox it is given, as a stream.
pub fn stream_from<T, F: Future>(outbox: StreamSender<T>, work: F) -> StreamFrom<T, F> {
    StreamFrom { work: Some(Box::pin(work)), outbox, output: None }
}

impl<T, F: Future> StreamFrom<T, F> {
    /// What the future returned, once the stream has ended.
    pub fn output(&self) -> Option<&F::Output> {
        self.output.as_ref()
    }

    /// What the future returned, once the stream has ended.
    pub fn into_output(self) -> Option<F::Output> {
        self.output
    }
}

impl<T, F: Future> Stream for StreamFrom<T, F>
where
    F::Output: Unpin,
{
    type Item = T;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        if let Some(item) = self.outbox.take() {
            return Poll::Ready(Some(item));
        }
        let Some(work) = &mut self.work else { return Poll::Ready(None) };
        if let Poll::Ready(output) = work.as_mut().poll(cx) {
            self.work = None;
            self.output = Some(output);
        }
        match (self.outbox.take(), &self.work) {
            (Some(item), _) => Poll::Ready(Some(item)),
            (None, None) => Poll::Ready(None),
            (None, Some(_)) => Poll::Pending,
        }
    }
}
