//! [`wake_stranded`]: runs that nobody drives any more, although they go on.

use std::time::Duration;

use toolwright_store::Store;

use crate::{EngineError, RunEngine, SessionError, Wake};

/// How many are looked for at a time: others look, too.
const MOST: usize = 100;

/// Wakes runs that go on and in which nothing happened for `idle`: whoever began them was gone before the engine had
/// heard of them, or the engine lost what it had. Those that wait for people are among them, and wait on. How many
/// were woken; the rest of them is found the next time.
///
/// # Errors
/// When the store cannot be read; and the last reason why one could not be woken.
pub async fn wake_stranded(
    store: &Store,
    engine: &dyn RunEngine,
    idle: Duration,
) -> Result<usize, WakeError> {
    let mut woken = 0;
    let found = store.stranded(idle, MOST).await.map_err(|it| WakeError::Store(it.into()))?;
    let mut found = found.into_iter();
    for (conversation, run) in found.by_ref() {
        if let Err(error) = engine.wake(Wake::now(conversation, run.clone())).await {
            // One that cannot be reached cannot be reached for the others either. Somebody else may reach it.
            for run in std::iter::once(run).chain(found.map(|(_, run)| run)) {
                store.not_woken(&run).await.map_err(|it| WakeError::Store(it.into()))?;
            }
            return Err(WakeError::Engine(error));
        }
        woken += 1;
    }
    Ok(woken)
}

/// Why stranded runs could not be woken.
#[derive(Debug, thiserror::Error)]
pub enum WakeError {
    /// They could not be looked for.
    #[error(transparent)]
    Store(SessionError),
    /// The engine did not take them.
    #[error(transparent)]
    Engine(EngineError),
}
