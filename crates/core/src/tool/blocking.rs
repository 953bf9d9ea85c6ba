//! [`Job`]: work that holds up its thread, and where it is done.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::Relaxed},
};

use futures_core::future::BoxFuture;

use super::{RunContext, ToolError, ToolResult};

/// Work that holds up the thread it is done on.
pub type Job = Box<dyn FnOnce() -> ToolResult + Send>;

/// Does a job where nobody is held up by it, and hands back its result. A panic in it is the caller's
/// to catch: it goes on in the future.
pub type BlockingExecutor = fn(Job) -> BoxFuture<'static, ToolResult>;

/// Whether somebody still waits for a job.
#[derive(Clone, Debug, Default)]
pub(super) struct Awaited(Arc<AtomicBool>);

impl Awaited {
    pub(super) fn is_over(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// Whoever waits. Gone with the future that waited.
struct Waiter(Awaited);

impl Drop for Waiter {
    fn drop(&mut self) {
        self.0.0.store(true, Relaxed);
    }
}

impl RunContext {
    /// Does work that holds up its thread: on a thread of its own where the run has any, and here where
    /// it has none. Dropping the future ends the wait, whatever the work does. Work that has not begun
    /// by then is not done; work that has can ask [`is_cancelled`](Self::is_cancelled).
    ///
    /// `#[tool]` does this for a function that is not `async`.
    pub fn run_blocking(
        &self,
        work: impl FnOnce(&Self) -> ToolResult + Send + 'static,
    ) -> BoxFuture<'static, ToolResult> {
        let awaited = Awaited::default();
        let (context, waiter) = (self.awaited(awaited.clone()), Waiter(awaited));
        Box::pin(async move {
            let waiter = waiter;
            let executor = context.executor();
            let job: Job = Box::new(move || match context.is_cancelled() {
                true => Err(ToolError::new("nobody waited for it any more")),
                false => work(&context),
            });
            let result = match executor {
                Some(run) => run(job).await,
                None => job(),
            };
            drop(waiter);
            result
        })
    }
}

#[cfg(test)]
mod tests {
    use std::{
        pin::pin,
        sync::{Mutex, atomic::AtomicUsize},
        task::{Context, Poll, Waker},
    };

    use super::*;
    use crate::Output;

    /// Jobs whose turn has not come.
    static QUEUE: Mutex<Vec<Job>> = Mutex::new(Vec::new());

    fn queued(job: Job) -> BoxFuture<'static, ToolResult> {
        QUEUE.lock().unwrap().push(job);
        Box::pin(std::future::pending())
    }

    /// What somebody stopped waiting for while it waited its turn must not be done later: the run was
    /// told that it was stopped.
    #[test]
    fn work_that_nobody_waits_for_is_not_begun() {
        static DONE: AtomicUsize = AtomicUsize::new(0);
        let work = |context: &RunContext| {
            DONE.fetch_add(1, Relaxed);
            Ok(Output::Text(context.is_cancelled().to_string()))
        };
        let context = RunContext::new().with_executor(queued);
        for (waits, done) in [(true, 1), (false, 1)] {
            let mut waiting = context.run_blocking(work);
            let polled = waiting.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            assert!(polled.is_pending());
            let waiting = waits.then_some(waiting);
            let job = QUEUE.lock().unwrap().pop().unwrap();
            assert_eq!(job().is_ok(), waits);
            assert_eq!(DONE.load(Relaxed), done);
            drop(waiting);
        }
    }

    #[test]
    fn without_threads_it_is_done_where_it_stands() {
        let work = |_: &RunContext| Ok(Output::Text("done".to_owned()));
        let waiting = pin!(RunContext::new().run_blocking(work));
        let polled = waiting.poll(&mut Context::from_waker(Waker::noop()));
        assert_eq!(polled, Poll::Ready(Ok(Output::Text("done".to_owned()))));
    }
}
