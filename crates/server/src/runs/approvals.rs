//! [`PendingApprovals`]: calls that wait for somebody to decide about them, somewhere else, and what they
//! ask the user.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use futures_core::future::BoxFuture;
use serde::Serialize;
use tokio::sync::oneshot;
use toolwright_app::AutoApprove;
use toolwright_core::{
    CallId, CallSource, Decision, Fingerprint, QuestionAnswer, QuestionId, RunId,
};
use toolwright_runtime::{ApprovalRequest, Approver, QuestionFuture, QuestionRequest, Rule};
use utoipa::ToSchema;

use super::questions::{NotAnswered, PendingQuestions};

/// Calls that wait for somebody to decide about them.
#[derive(Clone, Default)]
pub struct PendingApprovals {
    beforehand: AutoApprove,
    open: Arc<Mutex<HashMap<Waiting, Open>>>,
    questions: PendingQuestions,
}

/// A call that waits. It may be one of a run within the run that was asked for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Waiting {
    root: RunId,
    run: RunId,
    call: CallId,
}

struct Open {
    about: Fingerprint,
    always: Vec<Rule>,
    answer: oneshot::Sender<Decision>,
}

/// A call that waits, as whoever decides is told of it.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct WaitingDecision {
    /// The call.
    call_id: String,
    /// What is shown, as its `preview` says.
    fingerprint: String,
    /// The rules that `always` adds, in words; none where such calls have to be looked at each time.
    always: Vec<String>,
}

/// Why a decision was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotTaken {
    /// The call does not wait, or not any more.
    Gone,
    /// It was made about something else than what waits now.
    Changed,
    /// Calls such as this one have to be looked at each time.
    NotAlways,
}

/// What somebody decided.
pub(crate) enum Verdict {
    /// This.
    Once(Decision),
    /// Run it, and others like it.
    Always,
}

impl PendingApprovals {
    /// Nobody waits yet; what was approved beforehand does not wait.
    pub fn new(beforehand: AutoApprove) -> Self {
        Self { beforehand, ..Self::default() }
    }

    /// What was approved beforehand.
    #[cfg(feature = "mcp")]
    pub(crate) fn beforehand(&self) -> AutoApprove {
        self.beforehand
    }

    /// Decides about a call of a run, or of one within it, as it was shown. Returns the rules that hold from now
    /// on.
    pub(crate) fn decide(
        &self,
        root: &RunId,
        call: &CallId,
        about: &Fingerprint,
        verdict: Verdict,
    ) -> Result<Vec<Rule>, NotTaken> {
        let mut all = self.lock();
        let is_meant = |key: &&Waiting| key.root == *root && key.call == *call;
        let mut meant: Vec<_> = all.keys().filter(is_meant).cloned().collect();
        // Agents that run side by side may name their calls alike. Of two that would do the very same, either is meant.
        meant.sort();
        let is_shown = |key: &&Waiting| all.get(*key).is_some_and(|it| it.about == *about);
        let key = match meant.iter().find(is_shown) {
            Some(key) => key.clone(),
            None if meant.is_empty() => return Err(NotTaken::Gone),
            None => return Err(NotTaken::Changed),
        };
        let open = all.get(&key).ok_or(NotTaken::Gone)?;
        if matches!(verdict, Verdict::Always) && open.always.is_empty() {
            return Err(NotTaken::NotAlways);
        }
        let open = all.remove(&key).ok_or(NotTaken::Gone)?;
        drop(all);
        let (decision, rules) = match verdict {
            Verdict::Once(decision) => (decision, Vec::new()),
            Verdict::Always => (Decision::AllowReviewed, open.always),
        };
        // Whoever waited may have left meanwhile.
        open.answer.send(decision).map_err(|_| NotTaken::Gone)?;
        Ok(rules)
    }

    /// Answers what a call of a run, or of one within it, asks the user.
    pub(crate) fn answer_question(
        &self,
        root: &RunId,
        call: &CallId,
        question: &QuestionId,
        answer: QuestionAnswer,
    ) -> Result<(), NotAnswered> {
        self.questions.answer(root, call, question, answer)
    }

    /// How many decisions and answers a run waits for, with those within it.
    pub(crate) fn count(&self, root: &RunId) -> usize {
        let calls = self.lock().keys().filter(|it| it.root == *root).count();
        calls + self.questions.count(root)
    }

    /// The calls of a run, and of those within it, that wait: as they are shown, with what "always" would allow.
    pub(crate) fn of_run(&self, root: &RunId) -> Vec<WaitingDecision> {
        let all = self.lock();
        let of_run = all.iter().filter(|(key, _)| key.root == *root);
        let mut waiting: Vec<_> = of_run
            .map(|(key, open)| WaitingDecision {
                call_id: key.call.to_string(),
                fingerprint: open.about.to_string(),
                always: open.always.iter().map(ToString::to_string).collect(),
            })
            .collect();
        waiting.sort_by(|a, b| a.call_id.cmp(&b.call_id));
        waiting
    }

    /// Whether a question waits for its answer.
    pub(crate) fn has_question(&self, root: &RunId, question: &QuestionId) -> bool {
        self.questions.is_open(root, question)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Waiting, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Approver for PendingApprovals {
    fn decide<'a>(&'a self, question: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Decision> {
        let call = question.call;
        let about = Fingerprint::of(&call.tool, &call.arguments, question.preview);
        // What was meant, or made of it by hand, is no rule for what is meant next.
        let is_plain = call.source != CallSource::Repaired && call.original_arguments.is_none();
        let always = if is_plain { Rule::always(question) } else { Vec::new() };
        let (answer, decided) = oneshot::channel();
        let (root, run) = (question.root.clone(), question.run.clone());
        let key = Waiting { root, run, call: call.id.clone() };
        self.lock().insert(key.clone(), Open { about, always, answer });
        let leaving = Leaving { waiting: self.clone(), key };
        Box::pin(async move {
            let decision = decided.await;
            drop(leaving);
            // Who could have decided is gone: that is no permission.
            decision.unwrap_or_else(|_| Decision::deny("nobody decided about it."))
        })
    }

    fn without_asking(&self, request: &ApprovalRequest<'_>) -> Option<Decision> {
        let approved = self.beforehand == AutoApprove::Everything && !request.needs_review();
        approved.then_some(Decision::Allow)
    }

    fn decides_in_any_order(&self) -> bool {
        true
    }

    fn answers_questions(&self, _: &QuestionRequest<'_>) -> bool {
        true
    }

    fn answer<'a>(&'a self, request: &'a QuestionRequest<'a>) -> QuestionFuture<'a> {
        self.questions.put(request)
    }
}

/// Takes a call off the list when its run stops waiting.
struct Leaving {
    waiting: PendingApprovals,
    key: Waiting,
}

impl Drop for Leaving {
    fn drop(&mut self) {
        self.waiting.lock().remove(&self.key);
    }
}
