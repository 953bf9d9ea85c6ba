//! [`SliceDesk`]: decides about calls, and answers what tools ask, as people told the store.

use std::{
    collections::{HashMap, HashSet},
    future::poll_fn,
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::Poll,
    time::Duration,
};

use futures_util::future::BoxFuture;
use tokio::sync::watch;
use toolwright_core::{
    CallId, CallSource, ConversationId, Decision, Fingerprint, QuestionAnswer, RunId, Timestamp,
};
use toolwright_runtime::{
    ApprovalRequest, Approver, PauseHandle, QuestionFuture, QuestionRequest, Rule,
};
use toolwright_store::{InstructedVerdict, Instruction};

use super::{log::Shown, now};
use crate::AgentPool;

/// Decides about calls of runs that are driven in slices: whoever decides is somewhere else, and leaves what they
/// decided in the store. Where nobody did yet the run is left.
#[derive(Clone, Default)]
pub struct SliceDesk {
    open: Arc<Mutex<HashMap<RunId, Arc<Attended>>>>,
}

/// A run that is driven here, and what was left for it.
pub(super) struct Attended {
    pub(super) pool: Arc<AgentPool>,
    pub(super) conversation: ConversationId,
    pub(super) run: RunId,
    /// What was left for it, the oldest first.
    pub(super) left: watch::Sender<Vec<Instruction>>,
    /// Since when calls are shown that wait for a decision.
    pub(super) shown: Shown,
    /// How long people may take.
    pub(super) patience: Option<Duration>,
    /// Whether everything was approved beforehand that nobody has to look at.
    approved: bool,
    /// What has the run left where nobody decided.
    pub(super) pause: PauseHandle,
    /// Decisions that were made here. Each is good for once.
    used: Mutex<HashSet<(CallId, Fingerprint)>>,
    /// What settles nothing and is to be taken away. Whoever finds that out may be left at any moment.
    dismissed: Mutex<Vec<Instruction>>,
}

/// A run is attended for as long as this is there.
pub(super) struct Attending {
    desk: SliceDesk,
    run: RunId,
}

impl SliceDesk {
    /// Nobody decided yet. What was approved beforehand is said by whoever was asked.
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn attend(&self, run: Arc<Attended>) -> Attending {
        let name = run.run.clone();
        lock(&self.open).insert(name.clone(), run);
        Attending { desk: self.clone(), run: name }
    }

    fn attended(&self, root: &RunId) -> Option<Arc<Attended>> {
        lock(&self.open).get(root).cloned()
    }
}

impl Drop for Attending {
    fn drop(&mut self) {
        lock(&self.desk.open).remove(&self.run);
    }
}

impl Attended {
    pub(super) fn new(
        pool: Arc<AgentPool>,
        (conversation, run): (ConversationId, RunId),
        left: Vec<Instruction>,
        (shown, patience): (Shown, Option<Duration>),
        approved: bool,
        pause: PauseHandle,
    ) -> Self {
        let (left, used, dismissed) =
            (watch::Sender::new(left), Mutex::default(), Mutex::default());
        Self { pool, conversation, run, left, shown, patience, approved, pause, used, dismissed }
    }

    /// Takes away what settles nothing, and reads what was left anew. What cannot be read now is read later.
    pub(super) async fn look(&self) {
        let store = self.pool.store();
        // One stays among them until it is taken away: whoever looks may be left at any moment.
        let dismissed = lock(&self.dismissed).clone();
        for instruction in dismissed {
            match store.dismiss(&self.conversation, &self.run, &instruction).await {
                Ok(()) => lock(&self.dismissed).retain(|it| *it != instruction),
                Err(error) => {
                    let id = &self.conversation;
                    tracing::warn!(conversation = %id, %error, "a decision was not taken away");
                }
            }
        }
        match store.instructions(&self.conversation, &self.run).await {
            Ok(mut now) => {
                now.retain(|it| !lock(&self.dismissed).contains(it));
                self.left.send_if_modified(|known| {
                    let is_new = *known != now;
                    *known = now;
                    is_new
                });
            }
            Err(error) => {
                let id = &self.conversation;
                tracing::warn!(conversation = %id, %error, "what was left for a run is not read");
            }
        }
    }

    /// Ends with what was left that `find` finds.
    async fn wait_for<T>(&self, find: impl Fn(&Instruction) -> Option<T>) -> T {
        let mut left = self.left.subscribe();
        loop {
            let found = left.borrow_and_update().iter().find_map(&find);
            if let Some(found) = found {
                return found;
            }
            // The sender is in `self`.
            let _ = left.changed().await;
        }
    }

    fn dismiss(&self, instruction: Instruction) {
        self.left.send_if_modified(|left| {
            left.retain(|it| *it != instruction);
            false
        });
        lock(&self.dismissed).push(instruction);
    }

    /// What was decided about a call as it is shown.
    async fn decision(&self, call: &CallId, about: &Fingerprint, always: &[Rule]) -> Decision {
        let is_meant = |it: &Instruction| match it {
            Instruction::Decide { call: of, about: shown, verdict }
                if of == call && shown == about =>
            {
                Some((it.clone(), verdict.clone()))
            }
            _ => None,
        };
        loop {
            let (instruction, verdict) = self.wait_for(is_meant).await;
            // The very same is asked again: what was decided changed nothing, or is used up.
            let decided = (call.clone(), about.clone());
            if !lock(&self.used).insert(decided.clone()) {
                lock(&self.used).remove(&decided);
                self.dismiss(instruction);
                continue;
            }
            match verdict {
                InstructedVerdict::Once(decision) => return decision,
                // The rules are kept already, by whoever was told so: they may have been taken back meanwhile.
                InstructedVerdict::Always if !always.is_empty() => return Decision::AllowReviewed,
                // Such calls have to be looked at each time.
                InstructedVerdict::Always => {}
            }
        }
    }

    /// Until when people may decide about a call as it is shown.
    fn until(&self, call: &CallId, about: &Fingerprint) -> Option<Timestamp> {
        let since = self.shown.since(call, about).unwrap_or_else(now);
        self.patience.map(|patience| later(since, patience))
    }
}

fn lock<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing under it panics half way.
    it.lock().unwrap_or_else(PoisonError::into_inner)
}

/// So much later.
pub(super) fn later(moment: Timestamp, by: Duration) -> Timestamp {
    Timestamp(moment.0.saturating_add(u64::try_from(by.as_millis()).unwrap_or(u64::MAX)))
}

impl Approver for SliceDesk {
    fn decide<'a>(&'a self, request: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Decision> {
        let Some(run) = self.attended(request.root) else {
            return Box::pin(std::future::ready(Decision::deny("nobody is there to approve it.")));
        };
        let call = request.call;
        let about = Fingerprint::of(&call.tool, &call.arguments, request.preview);
        // What was meant, or made of it by hand, is no rule for what is meant next.
        let is_plain = call.source != CallSource::Repaired && call.original_arguments.is_none();
        let always = if is_plain { Rule::always(request) } else { Vec::new() };
        Box::pin(async move {
            let until = run.until(&call.id, &about);
            let mut decision = pin!(run.decision(&call.id, &about, &always));
            // What was left before comes first, also where the time is up.
            let left = poll_fn(|cx| Poll::Ready(decision.as_mut().poll(cx))).await;
            if let Poll::Ready(decision) = left {
                return decision;
            }
            if let (Some(until), Some(patience)) = (until, run.patience)
                && now() >= until
            {
                let patience = toolwright_duration::format(patience);
                return Decision::deny(format!("nobody decided about it within {patience}."));
            }
            // Whoever decides wakes the run: nobody waits for them here.
            run.pause.pause();
            decision.await
        })
    }

    fn without_asking(&self, request: &ApprovalRequest<'_>) -> Option<Decision> {
        let approved = self.attended(request.root).is_some_and(|it| it.approved);
        (approved && !request.needs_review()).then_some(Decision::Allow)
    }

    fn decides_in_any_order(&self) -> bool {
        true
    }

    fn answers_questions(&self, request: &QuestionRequest<'_>) -> bool {
        self.attended(request.root).is_some()
    }

    /// The tool runs meanwhile, so whoever drives it stays.
    fn answer<'a>(&'a self, request: &'a QuestionRequest<'a>) -> QuestionFuture<'a> {
        let Some(run) = self.attended(request.root) else {
            return Box::pin(std::future::ready(QuestionAnswer::Decline));
        };
        Box::pin(async move {
            let answer = |it: &Instruction| match it {
                Instruction::Answer { call, question, answer }
                    if call == request.call && question == request.id =>
                {
                    Some((it.clone(), answer.clone()))
                }
                _ => None,
            };
            loop {
                let (instruction, answer) = run.wait_for(answer).await;
                match request.question.check_answer(answer) {
                    Ok(answer) => return answer,
                    // Another can be given then.
                    Err(_) => run.dismiss(instruction),
                }
            }
        })
    }
}
