//! [`keep_waking`]: looks after runs that nobody drives any more, for as long as a process lives.

use std::{convert::Infallible, time::Duration};

use toolwright_session::{RunEngine, wake_stranded};
use toolwright_store::Store;

/// How often they are looked for, and after how long of nothing a run is one of them.
const SWEEP: Duration = Duration::from_secs(10);
const IDLE: Duration = Duration::from_secs(60);

/// Wakes runs that nobody drives, now and then, for as long as this is polled. Every server and every worker does
/// that: each run is woken by one of them.
pub async fn keep_waking(store: &Store, engine: &dyn RunEngine) -> Infallible {
    loop {
        tokio::time::sleep(SWEEP).await;
        match wake_stranded(store, engine, IDLE).await {
            Ok(0) => {}
            Ok(woken) => {
                tracing::info!(woken, "runs were woken that nobody drove");
                hand_on(engine).await;
            }
            Err(error) => tracing::warn!(%error, "runs that nobody drives could not be woken"),
        }
    }
}

/// What the engine keeps for somebody who is gone holds up whoever is woken. It is looked for where a run stood still, and not
/// by everybody all the time.
async fn hand_on(engine: &dyn RunEngine) {
    match engine.hand_on().await {
        Ok(0) => {}
        Ok(conversations) => {
            tracing::info!(
                conversations,
                "what was kept for workers that are gone goes on elsewhere"
            );
        }
        Err(error) => {
            tracing::warn!(%error, "whether anything is kept for workers that are gone could not be seen");
        }
    }
}
