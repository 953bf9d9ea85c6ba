//! [`PendingApprovals`]: calls that wait for somebody to decide about them, somewhere else, and what they
//! ask the user.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use futures_core::future::BoxFuture;
use serde::Serialize;
use tokio::sync::{mpsc, oneshot};
use toolwright_app::AutoApprove;
use toolwright_core::{
    CallId, CallPreview, CallSource, CheckedCall, Decision, Fingerprint, QuestionAnswer,
    QuestionId, RunId, WaitingCall,
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
    /// Who is told of runs that begin to wait for something.
    told: Arc<OnceLock<mpsc::UnboundedSender<RunId>>>,
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
#[derive(Clone)]
pub(crate) enum Verdict {
    /// This.
    Once(Decision),
    /// Run it, and others like it.
    Always,
}

impl WaitingDecision {
    /// As whoever may not add rules sees it.
    pub(crate) fn forget_always(&mut self) {
        self.always.clear();
    }
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

    /// Tells of runs that begin to wait for something from now on. There is one who is told.
    pub(crate) fn tell_of_new(&self) -> mpsc::UnboundedReceiver<RunId> {
        let (tell, told) = mpsc::unbounded_channel();
        let _ = self.told.set(tell);
        told
    }

    /// Decides about a call of a run, or of one within it, as it was shown. Rules that are to hold from now on
    /// ([`PendingApprovals::would_decide`]) are kept before, by whoever was told so.
    pub(crate) fn decide(
        &self,
        root: &RunId,
        call: &CallId,
        about: &Fingerprint,
        verdict: Verdict,
    ) -> Result<(), NotTaken> {
        let mut all = self.lock();
        let key = meant(&all, root, call, about, &verdict)?;
        let open = all.remove(&key).ok_or(NotTaken::Gone)?;
        drop(all);
        let decision = match verdict {
            Verdict::Once(decision) => decision,
            Verdict::Always => Decision::AllowReviewed,
        };
        // Whoever waited may have left meanwhile.
        open.answer.send(decision).map_err(|_| NotTaken::Gone)
    }

    /// The rules that would hold from now on if it were decided so.
    pub(crate) fn would_decide(
        &self,
        root: &RunId,
        call: &CallId,
        about: &Fingerprint,
        verdict: &Verdict,
    ) -> Result<Vec<Rule>, NotTaken> {
        let all = self.lock();
        let key = meant(&all, root, call, about, verdict)?;
        let always = all.get(&key).filter(|_| matches!(verdict, Verdict::Always));
        Ok(always.map(|open| open.always.clone()).unwrap_or_default())
    }

    /// Whether a run does nothing but wait for decisions: its own calls do, so none of them runs.
    pub(crate) fn only_waits(&self, root: &RunId) -> bool {
        self.lock().keys().any(|it| it.root == *root && it.run == *root)
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

    /// The answer as [`PendingApprovals::answer_question`] would take it.
    pub(crate) fn would_answer(
        &self,
        root: &RunId,
        call: &CallId,
        question: &QuestionId,
        answer: QuestionAnswer,
    ) -> Result<QuestionAnswer, NotAnswered> {
        self.questions.would_answer(root, call, question, answer)
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

    /// The questions of a run, and of those within it, that wait for an answer.
    pub(crate) fn questions_of(&self, root: &RunId) -> Vec<QuestionId> {
        self.questions.of_run(root)
    }

    fn tell(&self, root: &RunId) {
        // Where nobody is told, nobody needs to be.
        let _ = self.told.get().map(|told| told.send(root.clone()));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Waiting, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Approver for PendingApprovals {
    fn decide<'a>(&'a self, question: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Decision> {
        let call = question.call;
        let about = Fingerprint::of(&call.tool, &call.arguments, question.preview);
        let always = always(call, &question.tool.name, question.preview);
        let (answer, decided) = oneshot::channel();
        let (root, run) = (question.root.clone(), question.run.clone());
        let key = Waiting { root, run, call: call.id.clone() };
        self.lock().insert(key.clone(), Open { about, always, answer });
        self.tell(question.root);
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
        let answer = self.questions.put(request);
        self.tell(request.root);
        answer
    }
}

impl WaitingDecision {
    pub(super) fn call_id(&self) -> &str {
        &self.call_id
    }

    /// Whether it is of this call.
    pub(crate) fn is_of(&self, call: &CallId) -> bool {
        self.call_id == call.as_str()
    }

    /// Whether it is this call, as it was shown so.
    pub(crate) fn is_about(&self, call: &CallId, about: &Fingerprint) -> bool {
        self.call_id == call.as_str() && self.fingerprint == about.to_string()
    }

    /// A call that waits in a run that is driven elsewhere.
    pub(super) fn of(waiting: &WaitingCall<'_>) -> Self {
        let WaitingCall { call, preview, fingerprint, .. } = waiting;
        let always = always(call, &call.tool, preview);
        Self {
            call_id: call.id.to_string(),
            fingerprint: fingerprint.to_string(),
            always: always.iter().map(ToString::to_string).collect(),
        }
    }
}

/// The call that a decision is about.
fn meant(
    all: &HashMap<Waiting, Open>,
    root: &RunId,
    call: &CallId,
    about: &Fingerprint,
    verdict: &Verdict,
) -> Result<Waiting, NotTaken> {
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
    match verdict {
        Verdict::Always if open.always.is_empty() => Err(NotTaken::NotAlways),
        _ => Ok(key),
    }
}

/// The rules that let calls like this one run from now on.
pub(super) fn always(call: &CheckedCall, tool: &str, preview: &CallPreview) -> Vec<Rule> {
    // What was meant, or made of it by hand, is no rule for what is meant next.
    let is_plain = call.source != CallSource::Repaired && call.original_arguments.is_none();
    if is_plain { Rule::always_about(tool, &call.arguments, preview) } else { Vec::new() }
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
