//! [`PauseHandle`]: has a run left at a boundary, so that somebody else goes on with it.

use std::{
    future::pending,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use toolwright_core::CallId;

use crate::CancelHandle;

/// Has a run left at a boundary, from anywhere. Clones pause the same run.
///
/// Before each step, and at once while only decisions are waited for, everything that was reported is kept and the
/// [stream](crate::RunStream) ends, without a terminal event. A model that was asked is heard out, and tools that
/// run come to their end. Whoever loads the run goes on with it ([`Agent::resume_in`](crate::Agent::resume_in)),
/// in this process or in another.
///
/// ```
/// # use toolwright_core::ModelResponse;
/// # use toolwright_models::Scripted;
/// # use toolwright_runtime::Agent;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let agent = Agent::builder(Scripted::new([ModelResponse::text("Hello.")])).build()?;
/// let mut left = agent.run("Greet me.");
/// left.pause_handle().pause();
/// while left.next().await.is_some() {}
/// assert!(left.is_paused());
///
/// let run = left.into_run().expect("it was left");
/// assert_eq!(agent.resume(run, Default::default()).await?.response, "Hello.");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct PauseHandle(CancelHandle);

impl PauseHandle {
    /// Has the run left at its next boundary.
    pub fn pause(&self) {
        self.0.cancel();
    }

    /// Whether somebody paused it.
    pub fn is_paused(&self) -> bool {
        self.0.is_cancelled()
    }

    /// Ends when somebody pauses.
    pub(crate) async fn paused(&self) {
        self.0.cancelled().await;
    }
}

/// Whether a run rests: it waits for nothing but people, or for being left, and so do the calls that are runs
/// themselves. What rests can be dropped: its events are kept, and it goes on from those.
#[derive(Default)]
pub(crate) struct Rest {
    /// How many times it waits so itself.
    waits: AtomicUsize,
    /// How many calls run.
    running: AtomicUsize,
    /// Those of them that are runs and can be left.
    within: Mutex<Vec<(CallId, Arc<Self>)>>,
}

/// A wait, until it is dropped.
struct Waiting<'a>(&'a Rest);

impl Rest {
    pub(crate) fn is_resting(&self) -> bool {
        if self.waits.load(Relaxed) > 0 {
            return true;
        }
        let running = self.running.load(Relaxed);
        let resting = || self.lock().iter().filter(|(_, run)| run.is_resting()).count();
        running > 0 && resting() == running
    }

    /// Waits for somebody, resting meanwhile.
    pub(crate) async fn until<T>(&self, work: impl Future<Output = T>) -> T {
        self.waits.fetch_add(1, Relaxed);
        let _waiting = Waiting(self);
        work.await
    }

    /// Waits to be dropped.
    pub(crate) async fn left(&self) {
        self.until(pending::<()>()).await;
    }

    /// So many calls run now.
    pub(crate) fn set_running(&self, calls: usize) {
        self.running.store(calls, Relaxed);
    }

    /// A call begins that is a run, and can be left.
    pub(crate) fn begin(&self, call: &CallId) -> Arc<Self> {
        let run = Arc::new(Self::default());
        self.lock().push((call.clone(), run.clone()));
        run
    }

    /// A call is over.
    pub(crate) fn end_of(&self, call: &CallId) {
        self.lock().retain(|(it, _)| it != call);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(CallId, Arc<Self>)>> {
        // Nothing under it panics half way.
        self.within.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Also where the wait is broken off.
impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waits.fetch_sub(1, Relaxed);
    }
}
