//! [`run_blocking`]: work that holds up its thread, on threads that are there for that.
//!
//! Not tokio's: a runtime waits for them when it ends, and a tool that hangs would hang the program;
//! and there are file reads and name lookups on them that such tools must not hold up. A thread that
//! hangs here costs a thread, and is gone with the process.

use std::{
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use futures_channel::oneshot;
use futures_core::future::BoxFuture;
use tokio::runtime::Handle;
use toolwright_core::{Job, ToolError, ToolResult};
use tracing::{Span, dispatcher};

use crate::contained::containing;

/// Does a job on a thread where it holds up nobody.
pub(crate) fn run_blocking(job: Job) -> BoxFuture<'static, ToolResult> {
    let (sender, receiver) = oneshot::channel();
    let job = surrounded(job);
    POOL.push(Box::new(move || {
        let result = catch_unwind(AssertUnwindSafe(|| containing(job)));
        // Where nobody waits any more there is nobody to tell.
        let _ = sender.send(result);
    }));
    Box::pin(async move {
        match receiver.await {
            Ok(Ok(result)) => result,
            // Whoever called catches it, as if it had happened there.
            Ok(Err(panic)) => resume_unwind(panic),
            Err(_) => Err(ToolError::temporary("there was no thread to run it on")),
        }
    })
}

/// A job that finds around it what it would find where it was handed over: the span, whoever listens
/// to it, and the tokio runtime.
fn surrounded(job: Job) -> Job {
    let span = Span::current();
    let listener = dispatcher::get_default(Clone::clone);
    let runtime = Handle::try_current().ok();
    Box::new(move || {
        let _entered = runtime.as_ref().map(Handle::enter);
        dispatcher::with_default(&listener, || span.in_scope(job))
    })
}

/// As many jobs at the same time; more wait their turn. Enough for every tool that hangs for a while,
/// and a bound for those that hang for ever.
const THREADS: usize = 256;
/// As many more may wait.
const QUEUE: usize = 1024;
/// How long a thread waits for another job.
const REST: Duration = Duration::from_secs(10);

type Work = Box<dyn FnOnce() + Send>;

static POOL: Pool = Pool { state: Mutex::new(State::NEW), bell: Condvar::new() };

/// Threads that are there for jobs: begun when there is one too many, ended when there is none.
struct Pool {
    state: Mutex<State>,
    bell: Condvar,
}

struct State {
    waiting: VecDeque<Work>,
    threads: usize,
    resting: usize,
}

impl State {
    const NEW: Self = Self { waiting: VecDeque::new(), threads: 0, resting: 0 };
}

impl Pool {
    /// Work that cannot be done is dropped, which tells whoever waits for it.
    fn push(&'static self, work: Work) {
        let mut state = self.lock();
        state.waiting.push_back(work);
        if state.waiting.len() <= state.resting {
            drop(state);
            return self.bell.notify_one();
        }
        if state.threads >= THREADS {
            if state.waiting.len() > QUEUE {
                state.waiting.pop_back();
            }
            return;
        }
        let name = "toolwright-tool".to_owned();
        if thread::Builder::new().name(name).spawn(|| self.serve()).is_ok() {
            state.threads += 1;
        } else if state.threads == 0 {
            // Nobody will ever come for it.
            state.waiting.pop_back();
        }
    }

    /// What a thread does.
    fn serve(&self) {
        let mut state = self.lock();
        loop {
            if let Some(work) = state.waiting.pop_front() {
                drop(state);
                work();
                state = self.lock();
                continue;
            }
            state.resting += 1;
            let rested = self.bell.wait_timeout(state, REST);
            let (awake, rest) = rested.unwrap_or_else(PoisonError::into_inner);
            state = awake;
            state.resting -= 1;
            if rest.timed_out() && state.waiting.is_empty() {
                state.threads -= 1;
                return;
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing under it panics half way.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
