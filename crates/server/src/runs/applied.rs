//! [`Applied`]: what was left for a run that is driven here, and is done.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
};

use toolwright_core::{CallId, ConversationId, Fingerprint, RunId};
use toolwright_store::{InstructedVerdict, Instruction};

use super::{NotTaken, Runs, Verdict};

/// What was left for a run and is done already.
#[derive(Clone, Default)]
pub(super) struct Applied(Arc<Mutex<HashSet<(CallId, Fingerprint)>>>);

impl Applied {
    fn insert(&self, call: &CallId, about: &Fingerprint) {
        self.lock().insert((call.clone(), about.clone()));
    }

    fn remove(&self, call: &CallId, about: &Fingerprint) {
        self.lock().remove(&(call.clone(), about.clone()));
    }

    fn has(&self, call: &CallId, about: &Fingerprint) -> bool {
        self.lock().contains(&(call.clone(), about.clone()))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashSet<(CallId, Fingerprint)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Runs {
    /// Looks at what was left for the run that is driven here, without anybody waiting for it.
    pub(super) fn look_for_instructions(self: &Arc<Self>, id: &ConversationId) {
        if !self.store().is_shared() || self.active(id).is_none() {
            return;
        }
        let (runs, id) = (self.clone(), id.clone());
        tokio::spawn(async move { runs.apply(&id).await });
    }

    /// Does what was left for the run that is driven here, as far as it waits for that.
    pub(super) async fn apply(&self, id: &ConversationId) {
        let Some(active) = self.lock_active().get(id).cloned() else { return };
        let left = match self.store().instructions(id, &active.run).await {
            Ok(left) => left,
            Err(error) => {
                tracing::warn!(conversation = %id, %error, "what was left for a run is not read");
                return;
            }
        };
        for instruction in left {
            match &instruction {
                Instruction::Stop => active.cancel.cancel(),
                Instruction::Answer { call, question, answer } => {
                    let answer = answer.clone();
                    let _ = self.waiting.answer_question(&active.run, call, question, answer);
                }
                Instruction::Decide { call, about, verdict } => {
                    let is_over =
                        self.apply_decision(&active.run, &active.applied, call, about, verdict);
                    if is_over
                        && let Err(error) =
                            self.store().dismiss(id, &active.run, &instruction).await
                    {
                        tracing::warn!(conversation = %id, %error, "a decision was not taken away");
                    }
                }
            }
        }
    }

    /// Decides as was left, where the call waits. Whether that settles nothing: it cannot be done, or was done and the
    /// very same is asked again. Then somebody has to decide anew.
    fn apply_decision(
        &self,
        run: &RunId,
        applied: &Applied,
        call: &CallId,
        about: &Fingerprint,
        verdict: &InstructedVerdict,
    ) -> bool {
        let verdict = match verdict {
            InstructedVerdict::Once(decision) => Verdict::Once(decision.clone()),
            InstructedVerdict::Always => Verdict::Always,
        };
        if applied.has(call, about) {
            let is_asked_again = self.waiting.would_decide(run, call, about, &verdict).is_ok();
            if is_asked_again {
                applied.remove(call, about);
            }
            return is_asked_again;
        }
        match self.waiting.decide(run, call, about, verdict) {
            Ok(()) => {
                applied.insert(call, about);
                false
            }
            Err(NotTaken::NotAlways) => true,
            Err(NotTaken::Gone | NotTaken::Changed) => false,
        }
    }
}
