//! [`ServedTools`]: what is served, and [`RunStarter`]: who drives the runs of it.

use std::{sync::Arc, time::Duration};

use futures_core::{future::BoxFuture, stream::BoxStream};
use futures_util::{StreamExt, stream};
use http::Extensions;
use tokio::sync::{Semaphore, mpsc};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use toolwright_core::{Attachment, Event, RunContext};
use toolwright_runtime::{Approver, Rules};
use toolwright_session::{Session, SessionError, StartedRun};

/// What is served, and who decides about it.
#[derive(Clone)]
pub struct ServedTools {
    /// The agent whose tools they are, and where the conversations are kept. Its model is not asked.
    pub session: Session,
    /// What clients are told of the tools as a whole.
    pub instructions: Option<String>,
    /// Questions to begin with, which clients can offer their users.
    pub starters: Vec<String>,
    /// Prompts that take something, which clients can offer them, too.
    pub prompts: Vec<ServedPrompt>,
    /// What runs are given and no client sees.
    pub context: RunContext,
    /// What may run without a question, and what may not run at all.
    pub rules: Arc<Rules>,
    /// Whether everything was approved beforehand that nobody has to look at.
    pub approve: bool,
    /// Who decides where the client has no way to ask its user.
    pub unasked: Arc<dyn Approver>,
}

/// A prompt that clients can offer their users.
#[derive(Clone)]
pub struct ServedPrompt {
    /// What it is called.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// What it takes, in order.
    pub parameters: Vec<PromptParameter>,
    /// What becomes of it.
    pub expand: PromptExpander,
}

/// Something that a prompt takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptParameter {
    /// What it is called.
    pub name: String,
    /// Whether it must be there.
    pub is_required: bool,
}

/// What becomes of a prompt with these values, in the order of its parameters, those that are missing empty: the
/// text and the files that go with it, or why nothing does. It may read files.
pub type PromptExpander =
    Arc<dyn Fn(Vec<String>) -> Result<(String, Vec<Attachment>), String> + Send + Sync>;

/// A run that is about to begin.
pub type Begin = BoxFuture<'static, Result<StartedRun, SessionError>>;

/// The events of a run, the last of them terminal. Whoever drops them stops listening, not the run.
pub type RunEvents = BoxStream<'static, Arc<Event>>;

/// Why a run did not begin.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// There is no room for it now.
    #[error("{0}")]
    Busy(String),
    /// The conversation cannot be used.
    #[error(transparent)]
    Session(#[from] SessionError),
}

/// Drives runs, whoever listens to them.
pub trait RunStarter: Send + Sync + 'static {
    /// Begins a run, where there is room for it, and drives it to its end. `asked` is what whoever handed over the
    /// HTTP request put into it, where it came in one: who asks, for example.
    fn start<'a>(
        &'a self,
        begin: Begin,
        asked: Option<&'a Extensions>,
    ) -> BoxFuture<'a, Result<RunEvents, StartError>>;
}

/// Runs that nobody but their client listens to: each in a task of its own.
#[derive(Clone)]
pub struct DetachedRuns {
    places: Arc<Semaphore>,
    tasks: TaskTracker,
    stopping: CancellationToken,
}

/// How many events of a run wait for whoever listens: behind that the run waits.
const EVENTS: usize = 64;

impl DetachedRuns {
    /// At most so many at the same time.
    pub fn new(most: usize) -> Self {
        let places = Arc::new(Semaphore::new(most));
        Self { places, tasks: TaskTracker::new(), stopping: CancellationToken::new() }
    }

    /// Ends every run in good order, within this time.
    pub async fn close(&self, timeout: Duration) {
        self.stopping.cancel();
        self.tasks.close();
        if tokio::time::timeout(timeout, self.tasks.wait()).await.is_err() {
            tracing::warn!("runs were left that did not end in time");
        }
    }
}

impl RunStarter for DetachedRuns {
    fn start<'a>(
        &'a self,
        begin: Begin,
        _: Option<&'a Extensions>,
    ) -> BoxFuture<'a, Result<RunEvents, StartError>> {
        Box::pin(async move {
            let place = self.places.clone().try_acquire_owned().map_err(|_| {
                StartError::Busy("too many calls go on at the same time".to_owned())
            })?;
            let mut running = begin.await?.running;
            let (sender, receiver) = mpsc::channel(EVENTS);
            let (stopping, cancel) = (self.stopping.clone(), running.cancel());
            self.tasks.spawn(async move {
                let mut is_heard = true;
                loop {
                    let event = tokio::select! {
                        biased;
                        event = running.next() => event,
                        () = stopping.cancelled(), if !cancel.is_cancelled() => {
                            cancel.cancel();
                            continue;
                        }
                    };
                    let Some(event) = event else { break };
                    is_heard = is_heard && sender.send(Arc::new(event)).await.is_ok();
                }
                drop(place);
            });
            let events = stream::unfold(receiver, |mut receiver| async {
                receiver.recv().await.map(|event| (event, receiver))
            });
            Ok(events.boxed())
        })
    }
}
