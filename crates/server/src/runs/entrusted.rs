//! Runs that an engine has driven elsewhere: begun here, kept, and left to it.
//!
//! What is kept is not lost: where the engine does not answer, whoever looks for stranded runs tells it again.

use std::{sync::Arc, time::Duration};

use toolwright_app::{RunSpec, StartedRun, keep_waking};
use toolwright_core::{ActionableError, ConversationId, RunId};
use toolwright_session::{EngineError, RunEngine, Slice, Wake};

use super::{Going, Place, Runs, Scope, Started};
use crate::ApiError;

/// How often an engine is told of a run that does not answer, and how long after the first time.
const ATTEMPTS: u32 = 6;
const BETWEEN: Duration = Duration::from_millis(100);

/// How often it is tried to end a run where the store does not answer, and how long apart.
const ENDINGS: u32 = 120;
const BETWEEN_ENDINGS: Duration = Duration::from_secs(1);

/// A run that can be described to whoever drives it: what it is called, and how it was asked.
#[derive(Clone)]
pub(crate) struct Entrusted {
    pub(crate) run: RunId,
    pub(crate) spec: RunSpec,
}

impl Runs {
    /// Whether runs are driven elsewhere, where they can be described.
    pub(crate) fn has_engine(&self) -> bool {
        self.engine.is_some()
    }

    /// Keeps the question of a run and leaves the rest to the engine.
    pub(super) async fn entrust(
        self: &Arc<Self>,
        started: StartedRun,
        Entrusted { run, spec }: Entrusted,
    ) -> Result<Started, ApiError> {
        let spec = spec.explicit(&self.host)?;
        self.store().put_spec(&started.conversation, &run, &spec.to_bytes()).await?;
        let left = started.leave().await?;
        let channel = self.known_channel(&left.conversation).await;
        let (scope, before) = (Scope::Run(left.run.clone()), Place::piece(left.first.0, 0));
        let subscription = self.subscription(channel, Some(before), scope);
        self.wake_soon(&left.conversation, &left.run);
        Ok(Started { conversation: left.conversation, run: left.run, subscription })
    }

    /// Goes on with a run that was cut short, wherever it was driven: from here on the engine has it driven.
    pub(crate) async fn entrust_rest(
        self: &Arc<Self>,
        id: &ConversationId,
        spec: &RunSpec,
    ) -> Result<Option<Started>, ApiError> {
        let Some(open) = self.store().open_run(id).await? else { return Ok(None) };
        if open.is_held {
            return Err(ApiError::busy());
        }
        let run = open.run.id();
        if !open.has_spec {
            let spec = spec.clone().explicit(&self.host)?;
            self.store().put_spec(id, run, &spec.to_bytes()).await?;
            // Other servers hear of it.
            self.is_left_to_somebody(id);
        }
        let Some(going) = self.going(id).await? else { return Ok(None) };
        let subscription = self.listen_to_rest(&going).await;
        let Going { conversation, run, .. } = going;
        self.wake_soon(&conversation, &run);
        Ok(Some(Started { conversation, run, subscription }))
    }

    /// What was known of a run before something was left for it, or it was left to the engine, holds no longer.
    pub(super) fn is_left_to_somebody(&self, id: &ConversationId) {
        self.standings.forget(id);
        if let Some(channel) = self.open_channel(id) {
            channel.may_be_driven();
        }
    }

    /// Tells the engine of a run, again where it does not answer. Nobody waits for it; whoever listens is told why
    /// nothing happens.
    pub(super) fn wake_soon(self: &Arc<Self>, id: &ConversationId, run: &RunId) {
        let Some(engine) = self.engine.clone() else { return };
        let (runs, id, run) = (self.clone(), id.clone(), run.clone());
        tokio::spawn(self.leaving.clone().run_until_cancelled_owned(async move {
            let mut wait = BETWEEN;
            for _ in 0..ATTEMPTS {
                match wake(&*engine, &id, &run).await {
                    Ok(()) => {
                        // At worst it is woken once more.
                        let _ = runs.store().woken(&run).await;
                        break;
                    }
                    Err(error) => runs.suspect(&id, Some(error.sentence())),
                }
                tokio::time::sleep(wait).await;
                wait = wait.saturating_mul(2);
            }
            runs.suspect(&id, None);
        }));
    }

    /// Ends a run that was told to stop, also where nobody can drive it, or whoever has it is frozen. Nobody waits for it.
    pub(super) fn end_soon(self: &Arc<Self>, id: &ConversationId, run: &RunId) {
        let (runs, slice) = (self.clone(), Slice::first(id.clone(), run.clone()));
        tokio::spawn(self.leaving.clone().run_until_cancelled_owned(async move {
            // Whoever has it hears of it, or is gone and has it no longer, or is waited for and then it is taken from them.
            for _ in 0..ENDINGS {
                match runs.slices.stop(&slice).await {
                    Ok(false) => return,
                    Ok(true) => {}
                    Err(error) => {
                        let id = &slice.conversation;
                        tracing::debug!(conversation = %id, %error, "a run does not stop yet");
                    }
                }
                tokio::time::sleep(BETWEEN_ENDINGS).await;
            }
        }));
    }

    /// Looks for runs that nobody drives, now and then, and has them driven.
    pub(super) fn sweep(self: &Arc<Self>) {
        let Some(engine) = self.engine.clone() else { return };
        let (store, leaving) = (self.store().clone(), self.leaving.clone());
        tokio::spawn(leaving.run_until_cancelled_owned(async move {
            keep_waking(&store, &*engine).await;
        }));
    }
}

/// Tells an engine of a run.
pub(super) async fn wake(
    engine: &dyn RunEngine,
    id: &ConversationId,
    run: &RunId,
) -> Result<(), EngineError> {
    let woken = engine.wake(Wake::now(id.clone(), run.clone())).await;
    woken.inspect_err(|error| {
        tracing::warn!(conversation = %id, %run, %error, "a run was not woken");
    })
}
