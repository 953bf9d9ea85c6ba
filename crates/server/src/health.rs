//! [`Health`]: whether the server can be asked: what it needs is there, looked at now and then, and it is not about
//! to stop.

use std::{
    sync::{
        Arc, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::sync::Mutex;
use toolwright_app::LogOnce;
use toolwright_core::ActionableError;
use toolwright_session::RunEngine;
use toolwright_store::Store;

/// How long an answer is good, so that whoever asks often costs nothing.
const FRESH: Duration = Duration::from_secs(2);
/// How long what is looked at may take.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long whoever asks waits for what a server can do without, or what was away a moment ago: those who balance give up
/// after a second.
const GLANCE: Duration = Duration::from_millis(250);

/// Whether the server can be asked.
pub(crate) struct Health {
    store: Arc<Part>,
    engine: Arc<Part>,
    is_draining: AtomicBool,
}

impl Default for Health {
    fn default() -> Self {
        // Without the store there would be no server; whether the engine is there nobody knows yet.
        let store = Part { last: AtomicBool::new(true), ..Part::default() };
        let (store, engine) = (Arc::new(store), Arc::default());
        Self { store, engine, is_draining: AtomicBool::new(false) }
    }
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
struct Part {
    seen: Mutex<Option<(Instant, bool)>>,
    /// Whether it answered when it was last looked at, for whoever does not wait.
    last: AtomicBool,
    log_once: std::sync::Mutex<LogOnce>,
}

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
        if !store.has_room() || !self.store_answers(store, FRESH).await {
            return Err(NotReady::Store);
        }
        Ok(match engine {
            Some(engine) => {
                let look = engine.check();
                let look = async move { look.await.map_err(|error| error.sentence()) };
                self.engine.answers_soon("the engine", look).await
            }
            None => true,
        })
    }

    /// Whether what is asked now can be kept. Whoever asks while the database is away would wait for it twice over, and is told
    /// sooner here, before anything was begun. A file is there, or is noticed at once.
    pub(crate) async fn keeps(&self, store: &Store) -> bool {
        !store.is_shared() || self.store_answers(store, GLANCE).await
    }

    async fn store_answers(&self, store: &Store, fresh: Duration) -> bool {
        let store = store.clone();
        let look = async move { store.check().await.map_err(|error| error.sentence()) };
        self.store.answers_unless_away("the store", look, fresh).await
    }
}

impl Part {
    /// Whether it answers. One looks at a time, and the others are told what it saw, for as long as that is `fresh`.
    async fn answers<E: std::fmt::Display>(
        &self,
        what: &str,
        look: impl Future<Output = Result<(), E>>,
        fresh: Duration,
    ) -> bool {
        let mut last = self.seen.lock().await;
        if let Some((_, answers)) = last.filter(|(at, _)| at.elapsed() < fresh) {
            return answers;
        }
        let answers = match tokio::time::timeout(PATIENCE, look).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err("it does not answer in time".to_owned()),
        };
        self.tell(what, answers.as_ref().err());
        let answers = answers.is_ok();
        *last = Some((Instant::now(), answers));
        self.last.store(answers, Ordering::Release);
        answers
    }

    /// Whoever balances asks all the time: what stays away is told once.
    fn tell(&self, what: &str, error: Option<&String>) {
        let mut log_once = self.log_once.lock().unwrap_or_else(PoisonError::into_inner);
        match error {
            Some(error) if log_once.is_news(error) => {
                tracing::error!(%error, "{what} cannot be used");
            }
            Some(_) => {}
            // As loud as what it takes back.
            None if log_once.is_over() => tracing::warn!("{what} can be used again"),
            None => {}
        }
    }

    /// Whether it answers; where that takes long, what was seen last. It is looked on meanwhile.
    async fn answers_soon<E: std::fmt::Display + Send + 'static>(
        self: &Arc<Self>,
        what: &'static str,
        look: impl Future<Output = Result<(), E>> + Send + 'static,
    ) -> bool {
        self.glanced(what, look, FRESH, GLANCE).await
    }

    /// Whether it answers, as one can wait for who needs it; where it did not a moment ago nobody waits for long.
    async fn answers_unless_away<E: std::fmt::Display + Send + 'static>(
        self: &Arc<Self>,
        what: &'static str,
        look: impl Future<Output = Result<(), E>> + Send + 'static,
        fresh: Duration,
    ) -> bool {
        let was_there = self.last.load(Ordering::Acquire);
        // Who looks already is waited for: what they see is as good.
        let patience = if was_there { PATIENCE + GLANCE } else { GLANCE };
        self.glanced(what, look, fresh, patience).await
    }

    /// Whether it answers; after so long, what was seen last. It is looked on meanwhile.
    async fn glanced<E: std::fmt::Display + Send + 'static>(
        self: &Arc<Self>,
        what: &'static str,
        look: impl Future<Output = Result<(), E>> + Send + 'static,
        fresh: Duration,
        patience: Duration,
    ) -> bool {
        let this = self.clone();
        let looked = tokio::spawn(async move { this.answers(what, look, fresh).await });
        match tokio::time::timeout(patience, looked).await {
            Ok(Ok(answers)) => answers,
            Ok(Err(_)) | Err(_) => self.last.load(Ordering::Acquire),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    /// Whether it answers, and how long that took: time is made up here.
    async fn asked(
        part: &Arc<Part>,
        look: impl Future<Output = Result<(), String>> + Send + 'static,
    ) -> (bool, Duration) {
        let began = tokio::time::Instant::now();
        let answers = part.answers_soon("it", look).await;
        (answers, began.elapsed())
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_there_is_waited_for_and_what_was_away_is_not() {
        let part = Health::default().store;
        let never = || pending::<Result<(), String>>();
        let asked = async |look: bool| {
            *part.seen.lock().await = None;
            let began = tokio::time::Instant::now();
            let answers = match look {
                true => part.answers_unless_away("it", async { Ok::<_, String>(()) }, FRESH).await,
                false => part.answers_unless_away("it", never(), FRESH).await,
            };
            (answers, began.elapsed())
        };
        let (answers, took) = asked(false).await;
        assert!(!answers && took >= PATIENCE, "it was there when the server began: {took:?}");
        let (answers, took) = asked(false).await;
        assert!(!answers && took < PATIENCE, "it was away: {took:?}");
        tokio::time::sleep(PATIENCE).await;
        assert!(asked(true).await.0, "it is back");
        let (answers, took) = asked(false).await;
        assert!(!answers && took >= PATIENCE, "it was there: {took:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_waits_for_what_hangs_and_it_is_told_what_was_seen_last() {
        let part = Arc::new(Part::default());
        let never = || pending::<Result<(), String>>();
        let (answers, took) = asked(&part, never()).await;
        assert!(!answers && took < Duration::from_secs(1), "never seen: {took:?}");
        // The look comes to its end by itself, and the next one sees that it is there.
        tokio::time::sleep(PATIENCE).await;
        *part.seen.lock().await = None;
        assert!(asked(&part, async { Ok(()) }).await.0);
        *part.seen.lock().await = None;
        let (answers, took) = asked(&part, never()).await;
        assert!(answers && took < Duration::from_secs(1), "seen a moment ago: {took:?}");
        tokio::time::sleep(PATIENCE).await;
        let (answers, took) = asked(&part, never()).await;
        assert!(!answers && took < Duration::from_secs(1), "it was looked on meanwhile: {took:?}");
    }
}
