//! Runs that an engine has driven elsewhere: begun here, kept, and left to it.
//!
//! What is kept is not lost: where the engine does not answer, whoever looks for stranded runs tells it again.

use std::{sync::Arc, time::Duration};

use toolwright_app::{RunSpec, StartedRun, keep_waking};
use toolwright_core::{ConversationId, RunId};
use toolwright_session::{RunEngine, Wake};

use super::{Going, Place, Runs, Scope, Started};
use crate::ApiError;

/// How often an engine is told of a run that does not answer, and how long after the first time.
const ATTEMPTS: u32 = 6;
const BETWEEN: Duration = Duration::from_millis(100);

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
        let spec = self.explicit(spec);
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
            let spec = self.explicit(spec.clone());
            self.store().put_spec(id, run, &spec.to_bytes()).await?;
        }
        let Some(going) = self.going(id).await? else { return Ok(None) };
        let subscription = self.listen_to_rest(&going).await;
        let Going { conversation, run, .. } = going;
        self.wake_soon(&conversation, &run);
        Ok(Some(Started { conversation, run, subscription }))
    }

    /// The same, with the task that this server has where none was named: whoever drives it may have another one, with
    /// other tools. A credential names the task that it is for.
    fn explicit(&self, mut spec: RunSpec) -> RunSpec {
        if spec.task.is_none() && spec.credential.is_none() {
            spec.task = Some(self.host.config().task.value.name.clone());
        }
        spec
    }

    /// Tells the engine of a run, again where it does not answer. Nobody waits for it.
    fn wake_soon(self: &Arc<Self>, id: &ConversationId, run: &RunId) {
        let Some(engine) = self.engine.clone() else { return };
        let (store, leaving) = (self.store().clone(), self.leaving.clone());
        let (id, run) = (id.clone(), run.clone());
        tokio::spawn(leaving.run_until_cancelled_owned(async move {
            let mut wait = BETWEEN;
            for _ in 0..ATTEMPTS {
                match wake(&*engine, &id, &run).await {
                    true => {
                        // At worst it is woken once more.
                        let _ = store.woken(&run).await;
                        return;
                    }
                    false => tokio::time::sleep(wait).await,
                }
                wait = wait.saturating_mul(2);
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

/// Tells an engine of a run; whether it took it up.
pub(super) async fn wake(engine: &dyn RunEngine, id: &ConversationId, run: &RunId) -> bool {
    let woken = engine.wake(Wake::now(id.clone(), run.clone())).await;
    let woken = woken.inspect_err(|error| {
        tracing::warn!(conversation = %id, %run, %error, "a run was not woken");
    });
    woken.is_ok()
}
