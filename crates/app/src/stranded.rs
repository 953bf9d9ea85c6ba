//! [`keep_waking`]: looks after runs that nobody drives any more, for as long as a process lives.

use std::{convert::Infallible, time::Duration};

use toolwright_core::ActionableError;
use toolwright_session::{EngineError, RunEngine, WakeError, wake_stranded};
use toolwright_store::Store;

use crate::{Engines, LogOnce};

/// How often they are looked for, and after how long of nothing a run is one of them.
const SWEEP: Duration = Duration::from_secs(10);
const IDLE: Duration = Duration::from_secs(60);

/// Wakes runs that nobody drives, now and then, and has the engine hand on what it keeps for workers that are gone, for as long
/// as this is polled. Every server and every worker does that: each run is woken by one of them.
pub async fn keep_waking(store: &Store, engine: &dyn RunEngine) -> Infallible {
    tokio::select! {
        never = keep_sweeping(store, engine) => never,
        never = keep_handing_on(engine) => never,
        never = keep_meeting(store, engine) => never,
    }
}

async fn keep_sweeping(store: &Store, engine: &dyn RunEngine) -> Infallible {
    let mut log_once = LogOnce::default();
    loop {
        tokio::time::sleep(SWEEP).await;
        match wake_stranded(store, engine, IDLE).await {
            Ok(woken) => {
                if log_once.is_over() {
                    tracing::warn!("runs that nobody drives are looked for and woken again");
                }
                if woken > 0 {
                    tracing::info!(woken, "runs were woken that nobody drove");
                }
            }
            Err(error) if log_once.is_news(&error.to_string()) => tell_not_woken(&error),
            Err(_) => {}
        }
    }
}

/// Where the log cannot be used nothing is wrong with the runs.
fn tell_not_woken(error: &WakeError) {
    match error {
        WakeError::Store(error) => {
            let advice = error.advice().unwrap_or_default();
            tracing::warn!(%error, %advice, "the log cannot be used: runs that nobody drives are not looked for");
        }
        WakeError::Engine(error) => {
            let advice = error.advice().unwrap_or_default();
            tracing::warn!(%error, %advice, "runs that nobody drives could not be woken");
        }
    }
}

/// What the engine keeps for somebody who is gone holds up whoever is woken. The log cannot tell: a worker that is stopped and
/// not dead holds its conversations there, and nobody is seen to stand still. So the engine is asked whatever the log says,
/// beside the sweep: to find that somebody says nothing takes a while.
async fn keep_handing_on(engine: &dyn RunEngine) -> Infallible {
    let mut was_told = false;
    loop {
        tokio::time::sleep(IDLE).await;
        match engine.hand_on().await {
            Ok(conversations) => {
                if std::mem::take(&mut was_told) {
                    tracing::info!(
                        "it can be seen again whether anything is kept for workers that are gone"
                    );
                }
                if conversations > 0 {
                    tracing::info!(
                        conversations,
                        "what was kept for workers that are gone goes on elsewhere"
                    );
                }
            }
            // Once: an engine that is away for long is told of by everybody who asks it for something.
            Err(error) if !was_told => {
                was_told = true;
                tell_not_handed_on(engine, &error).await;
            }
            Err(_) => {}
        }
    }
}

/// Why nothing is handed on. The engine may drive all the same: then only looking after it is missing.
async fn tell_not_handed_on(engine: &dyn RunEngine, error: &EngineError) {
    if let (Ok(()), Err(error)) = (engine.check().await, engine.check_admin().await) {
        let advice = error.advice().unwrap_or_default();
        tracing::warn!(%advice, "{error}");
        return;
    }
    tracing::warn!(%error, "whether anything is kept for workers that are gone could not be seen");
}

/// Notes which engine this process uses, and tells where another drives the runs of the same log.
async fn keep_meeting(store: &Store, engine: &dyn RunEngine) -> Infallible {
    let (engines, mut was_told, mut before) = (Engines::of(store, engine), false, None);
    loop {
        let met = async {
            engines.note().await?;
            engines.another().await
        };
        match met.await {
            Ok(Some(other)) => {
                if other.is_used_since(before.as_ref()) && !was_told {
                    was_told = true;
                    let at = &other.address;
                    tracing::warn!(
                        at,
                        "another engine drives the runs of this database, too: neither knows what the other does; stop one of them"
                    );
                }
                before = Some(other);
            }
            Ok(None) => {
                if std::mem::take(&mut was_told) {
                    tracing::warn!("no other engine drives the runs of this database any more");
                }
                before = None;
            }
            // Whoever needs them says so.
            Err(error) => {
                tracing::debug!(%error, "whether there is another engine could not be seen");
            }
        }
        tokio::time::sleep(IDLE).await;
    }
}
