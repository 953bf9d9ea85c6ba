//! [`Health`]: whether the server can be asked: what it needs is there, looked at now and then, and it is not about
//! to stop.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use tokio::sync::Mutex;
use toolwright_session::RunEngine;
use toolwright_store::Store;

/// How long an answer is good, so that whoever asks often costs nothing.
const FRESH: Duration = Duration::from_secs(2);
/// How long what is looked at may take.
const PATIENCE: Duration = Duration::from_secs(3);

/// Whether the server can be asked.
#[derive(Default)]
pub(crate) struct Health {
    store: Part,
    engine: Part,
    is_draining: AtomicBool,
}

/// What keeps a server from being asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotReady {
    /// It is about to stop.
    Draining,
    /// The store does not answer.
    Store,
}

/// When something was last looked at, and whether it answered.
#[derive(Default)]
struct Part(Mutex<Option<(Instant, bool)>>);

impl Health {
    /// From now on it is not ready: whoever balances sends nobody here any more.
    pub(crate) fn drain(&self) {
        self.is_draining.store(true, Ordering::Release);
    }

    /// Whether it can be asked; otherwise what it lacks. Then whether what drives its runs answers: where it does not, what
    /// is asked is kept and waits, and people look, decide and stop as before.
    pub(crate) async fn ready(
        &self,
        store: &Store,
        engine: Option<&dyn RunEngine>,
    ) -> Result<bool, NotReady> {
        if self.is_draining.load(Ordering::Acquire) {
            return Err(NotReady::Draining);
        }
        if !self.store.answers("the store", store.check()).await {
            return Err(NotReady::Store);
        }
        Ok(match engine {
            Some(engine) => self.engine.answers("the engine", engine.check()).await,
            None => true,
        })
    }
}

impl Part {
    /// Whether it answers. One looks at a time, and the others are told what it saw.
    async fn answers<E: std::fmt::Display>(
        &self,
        what: &str,
        look: impl Future<Output = Result<(), E>>,
    ) -> bool {
        let mut last = self.0.lock().await;
        if let Some((_, answers)) = last.filter(|(at, _)| at.elapsed() < FRESH) {
            return answers;
        }
        let answers = match tokio::time::timeout(PATIENCE, look).await {
            Ok(Ok(())) => true,
            Ok(Err(error)) => {
                tracing::error!(%error, "{what} does not answer");
                false
            }
            Err(_) => {
                tracing::error!("{what} does not answer in time");
                false
            }
        };
        *last = Some((Instant::now(), answers));
        answers
    }
}
