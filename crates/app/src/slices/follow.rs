//! What waits behind a run that has its answer: begun as the next run, under a name that follows from the one before.
//!
//! Whoever ends a run may die before it begins the next: whoever is asked for the slice again finds that out by the
//! name, and how to ask by what was kept under it.

use std::time::Duration;

use tokio::time::sleep;
use toolwright_core::{Digest, EventKind, RunId};
use toolwright_session::{Next, Slice, SliceError};
use toolwright_store::Position;

use super::{Inner, told, unable};
use crate::RunSpec;

/// Somebody else has it for a moment.
const TRIES: u32 = 40;
const BETWEEN: Duration = Duration::from_millis(25);

/// The run that follows one.
pub(super) fn follower(run: &RunId) -> RunId {
    let digest = Digest::of(format!("follows {run}").as_bytes()).to_string();
    let hex: String = digest.chars().filter(char::is_ascii_hexdigit).take(32).collect();
    RunId::new(format!("run_{hex}"))
}

impl Inner {
    /// What is to be done about a run that has ended before.
    pub(super) async fn after(&self, slice: &Slice) -> Result<Next, SliceError> {
        let (id, store, next) = (&slice.conversation, self.pool.store(), follower(&slice.run));
        let progress = store.progress(id).await.map_err(|error| told(&error))?;
        let Some(progress) = progress else { return Ok(Next::Ended) };
        match progress.open {
            Some((open, _)) if open == next => return Ok(Next::Follow { run: next }),
            Some(_) => return Ok(Next::Ended),
            None => {}
        }
        let Some(last) = progress.next.0.checked_sub(1) else { return Ok(Next::Ended) };
        let before = last.checked_sub(1).map(Position);
        let last = store.events(id, before, 1).await.map_err(|error| told(&error))?;
        let is_answer = last.first().is_some_and(|(_, event)| {
            event.run == slice.run && matches!(event.kind, EventKind::Done(_))
        });
        let spec = store.spec(id, &next).await.map_err(|error| told(&error))?;
        match spec.filter(|_| is_answer) {
            Some(spec) => {
                let spec = RunSpec::from_bytes(&spec).map_err(|error| unable(&next, &error))?;
                self.follow(slice, &spec).await
            }
            None => Ok(Next::Ended),
        }
    }

    /// Keeps how what waits is to be asked, where something does: with the end of the run that is forgotten.
    pub(super) async fn prepare_follower(&self, slice: &Slice, spec: &RunSpec) {
        let (id, store) = (&slice.conversation, self.pool.store());
        let kept = async {
            match store.queued(id).await?.is_empty() {
                true => Ok(()),
                false => store.put_spec(id, &follower(&slice.run), &spec.to_bytes()).await,
            }
        };
        if let Err(error) = kept.await {
            tracing::warn!(conversation = %id, %error, "what waits may have to be asked again");
        }
    }

    /// Begins what waits behind a run that has its answer, asked in the same way.
    pub(super) async fn follow(&self, slice: &Slice, spec: &RunSpec) -> Result<Next, SliceError> {
        let (id, store, next) = (&slice.conversation, self.pool.store(), follower(&slice.run));
        if store.queued(id).await.map_err(|error| told(&error))?.is_empty() {
            return Ok(Next::Ended);
        }
        let (session, context) = spec.session(&self.pool).map_err(|error| unable(&next, &error))?;
        store.put_spec(id, &next, &spec.to_bytes()).await.map_err(|error| told(&error))?;
        for _ in 0..TRIES {
            let asked = session.as_run(next.clone()).ask_next(id, context.clone()).await;
            match asked {
                Ok(None) => return Ok(Next::Ended),
                Ok(Some(started)) => {
                    let left = started.leave().await.map_err(|error| told(&error))?;
                    return Ok(Next::Follow { run: left.run });
                }
                Err(error) if error.is_busy() => sleep(BETWEEN).await,
                Err(error) => return Err(told(&error)),
            }
        }
        // Somebody else asks something there: what waits is theirs to take up.
        Ok(Next::Ended)
    }
}
