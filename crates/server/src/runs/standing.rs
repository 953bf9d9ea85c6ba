//! [`Standing`]: what goes on in a conversation, for lists; and [`Given`]: what people have said to a run that nobody has
//! done yet.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use toolwright_core::{CallId, ConversationId, QuestionId, Run, Timestamp, WaitingCall};
use toolwright_store::{
    ConversationStatus, ConversationSummary, Instruction, OpenRun, Store, StoreError,
};

use super::Runs;

/// What goes on in a conversation, for a list.
#[derive(Clone, Copy, Default)]
pub(crate) struct Standing {
    /// Whether a run goes on: somebody drives it, or is about to.
    pub(crate) is_going: bool,
    /// How many decisions and answers it waits for.
    pub(crate) waits_for: usize,
}

impl Standing {
    /// Whether a run waits for somebody who drives it: it waits for nobody else, and nobody has been at it for a while, or
    /// whoever has it is frozen. Between two slices nobody has it, for a moment.
    pub(crate) fn is_undriven(self, summary: &ConversationSummary) -> bool {
        let is_driven = summary.state != ConversationStatus::Unfinished && !summary.is_silent;
        !is_driven && self.is_going && self.waits_for == 0 && age(summary) >= UNDRIVEN
    }
}

/// How long ago something happened in it.
fn age(summary: &ConversationSummary) -> Duration {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.saturating_sub(Duration::from_millis(summary.updated_at.0))
}

/// For how long nobody is at a run that waits for somebody.
const UNDRIVEN: Duration = Duration::from_secs(5);

/// What was read off logs for lists, for as long as nothing happens there.
#[derive(Default)]
pub(super) struct Standings(Mutex<HashMap<ConversationId, (Timestamp, Standing)>>);

/// How long ago something has to have happened so that it is the last of its moment.
const SETTLED: Duration = Duration::from_secs(2);
/// How many are remembered.
const REMEMBERED: usize = 1_000;

impl Standings {
    /// Somebody said something to a run of it, which is no event.
    pub(super) fn forget(&self, id: &ConversationId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    /// As [`Standings::forget`], of any.
    pub(super) fn forget_all(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn get(&self, summary: &ConversationSummary) -> Option<Standing> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, standing) = all.get(&summary.id)?;
        (*at == summary.updated_at).then_some(*standing)
    }

    fn put(&self, summary: &ConversationSummary, standing: Standing) {
        // Times are no finer than this: something else may happen at the very same one.
        if age(summary) < SETTLED {
            return;
        }
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= REMEMBERED {
            all.clear();
        }
        all.insert(summary.id.clone(), (summary.updated_at, standing));
    }
}

impl Runs {
    /// What goes on in a conversation of a list.
    pub(crate) async fn standing(
        &self,
        summary: &ConversationSummary,
    ) -> Result<Standing, StoreError> {
        let is_running = summary.state == ConversationStatus::Running;
        if let Some(run) = self.active(&summary.id) {
            return Ok(Standing { is_going: is_running, waits_for: self.waiting.count(&run) });
        }
        // One that nobody holds may still be driven, where an engine has it.
        if summary.state == ConversationStatus::Idle || !self.is_shared() {
            return Ok(Standing { is_going: is_running, waits_for: 0 });
        }
        let standing = match self.standings.get(summary) {
            Some(known) => known,
            None => {
                let open = self.store().open_run(&summary.id).await?;
                let standing = match open.filter(|it| it.is_held || it.has_spec) {
                    Some(OpenRun { run, has_spec, .. }) => {
                        let given = Given::to(self.store(), &summary.id, &run).await?;
                        Standing { is_going: has_spec, waits_for: given.waits_for(&run) }
                    }
                    None => Standing::default(),
                };
                self.standings.put(summary, standing);
                standing
            }
        };
        Ok(Standing { is_going: is_running || standing.is_going, ..standing })
    }
}

/// What people have said to a run that nobody has done yet: it waits for that no longer.
pub(super) struct Given(Vec<Instruction>);

impl Given {
    pub(super) async fn to(
        store: &Store,
        id: &ConversationId,
        run: &Run,
    ) -> Result<Self, StoreError> {
        // Most runs wait for nobody.
        let asks = !run.waiting_calls().is_empty() || !run.waiting_questions().is_empty();
        Ok(Self(match asks {
            true => store.instructions(id, run.id()).await?,
            false => Vec::new(),
        }))
    }

    /// The calls that still wait for a decision.
    pub(super) fn undecided<'r>(&self, run: &'r Run) -> Vec<WaitingCall<'r>> {
        let is_given = |waiting: &WaitingCall<'_>| {
            self.0.iter().any(|it| match it {
                Instruction::Decide { call, about, .. } => {
                    *call == waiting.call.id && *about == waiting.fingerprint
                }
                Instruction::Stop | Instruction::Answer { .. } => false,
            })
        };
        let mut waiting = run.waiting_calls();
        waiting.retain(|it| !is_given(it));
        waiting
    }

    /// The questions that still wait for an answer, with the calls that ask them.
    pub(super) fn unanswered<'r>(&self, run: &'r Run) -> Vec<(&'r CallId, &'r QuestionId)> {
        let mut questions = run.waiting_questions();
        questions.retain(|(of, asked)| {
            !self.0.iter().any(|it| match it {
                Instruction::Answer { call, question, .. } => call == *of && question == *asked,
                Instruction::Stop | Instruction::Decide { .. } => false,
            })
        });
        questions
    }

    /// How many decisions and answers a run waits for.
    fn waits_for(&self, run: &Run) -> usize {
        self.undecided(run).len() + self.unanswered(run).len()
    }
}
