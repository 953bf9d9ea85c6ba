//! [`Health`]: whether what the server needs is there, looked at now and then.

use std::time::{Duration, Instant};

use tokio::sync::Mutex;
use toolwright_store::Store;

/// How long an answer is good, so that whoever asks often costs nothing.
const FRESH: Duration = Duration::from_secs(2);
/// How long the store may take.
const PATIENCE: Duration = Duration::from_secs(3);

/// Whether what the server needs is there.
#[derive(Default)]
pub(crate) struct Health {
    /// When the store was last looked at, and whether it answered.
    store: Mutex<Option<(Instant, bool)>>,
}

impl Health {
    /// Whether the store answers. One looks at a time, and the others are told what it saw.
    pub(crate) async fn of_store(&self, store: &Store) -> bool {
        let mut last = self.store.lock().await;
        if let Some((_, answers)) = last.filter(|(at, _)| at.elapsed() < FRESH) {
            return answers;
        }
        let answers = match tokio::time::timeout(PATIENCE, store.check()).await {
            Ok(Ok(())) => true,
            Ok(Err(error)) => {
                tracing::error!(%error, "the store does not answer");
                false
            }
            Err(_) => {
                tracing::error!("the store does not answer in time");
                false
            }
        };
        *last = Some((Instant::now(), answers));
        answers
    }
}
