//! [`Going`]: the run that goes on in a conversation, wherever it is driven; and what anybody can say to it: stop,
//! decide. Answers are in `answering`.
//!
//! Where servers share a store it is said through the store, also to a run that is driven here: of two who decide at
//! the same time, on two servers, one is first, and the other is told so.

use std::{sync::Arc, time::Duration};

use toolwright_app::AppError;
use toolwright_core::{CallId, ConversationId, Fingerprint, QuestionId, Run, RunId, WaitingCall};
use toolwright_runtime::Rule;
use toolwright_store::{
    Instructed, InstructedVerdict, Instruction, OpenRun, Position, Progress, StoreError,
};
use toolwright_timeout::timeout;

use super::{
    Active, NotTaken, Runs, Verdict, WaitingDecision, approvals::always, entrusted::wake,
    standing::Given,
};
use crate::ApiError;

/// How often a decision is tried that somebody else may have made, and how long apart.
const ATTEMPTS: u32 = 20;
const BETWEEN: Duration = Duration::from_millis(50);
/// How long whoever stops, decides or says something waits until the engine was told: what they said is kept already, and an
/// engine that hangs is told later.
const TOLD: Duration = Duration::from_secs(3);

/// The run that goes on in a conversation.
pub(crate) struct Going {
    pub(crate) conversation: ConversationId,
    pub(crate) run: RunId,
    /// The position of its first event.
    pub(crate) first: Position,
    pub(super) driven: Driven,
}

/// What follows from a decision.
pub(crate) struct Granted {
    /// The rules that hold from now on.
    pub(crate) rules: Vec<Rule>,
    /// Why they do not.
    pub(crate) failure: Option<AppError>,
}

/// What a run waits for, of people.
pub(crate) struct Waits {
    pub(crate) decisions: Vec<WaitingDecision>,
    pub(crate) questions: Vec<QuestionId>,
}

/// Who drives it.
pub(super) enum Driven {
    /// This server.
    Here,
    /// Somebody else. This is how far it has come.
    Elsewhere(Box<OpenRun>),
}

impl Runs {
    /// What somebody wanted to stop and was not stopped is resumed now: nobody wants it stopped any more.
    pub(crate) async fn forget_stop(&self, id: &ConversationId) -> Result<(), StoreError> {
        if !self.is_shared() {
            return Ok(());
        }
        match self.store().progress(id).await? {
            Some(Progress { open: Some((run, _)), .. }) => {
                self.store().dismiss(id, &run, &Instruction::Stop).await
            }
            _ => Ok(()),
        }
    }

    /// The run that goes on in a conversation: somebody drives it, here or elsewhere, or is about to.
    pub(crate) async fn going(&self, id: &ConversationId) -> Result<Option<Going>, StoreError> {
        let here = self.lock_active().get(id).cloned();
        if let Some(active) = here
            && self.has_still(&active).await
        {
            let (conversation, first) = (id.clone(), Position(active.origin));
            return Ok(Some(Going { conversation, run: active.run, first, driven: Driven::Here }));
        }
        // PostgreSQL knows no text with a NUL in it, and would fail.
        if !self.is_shared() || id.as_str().contains('\0') {
            return Ok(None);
        }
        let open = self.store().open_run(id).await?;
        let Some(open) = open.filter(|it| it.is_held || it.has_spec) else { return Ok(None) };
        let Some(Progress { open: Some((run, first)), .. }) = self.store().progress(id).await?
        else {
            return Ok(None);
        };
        if run != *open.run.id() {
            // It ended meanwhile, and the next one began.
            return Ok(None);
        }
        let (conversation, driven) = (id.clone(), Driven::Elsewhere(Box::new(open)));
        Ok(Some(Going { conversation, run, first, driven }))
    }

    /// The run that goes on, which somebody was shown to wait for them; or why it does not: it was cut short, or it is `gone`.
    pub(crate) async fn going_or(
        &self,
        id: &ConversationId,
        gone: &'static str,
    ) -> Result<Going, ApiError> {
        if let Some(going) = self.going(id).await? {
            return Ok(going);
        }
        Err(match self.store().progress(id).await? {
            Some(Progress { open: Some((run, _)), .. }) => ApiError::cut_short(id, &run),
            _ => ApiError::not_found(gone),
        })
    }

    /// Whether a run that was begun here is driven here still: somebody else may have taken its conversation over, and it
    /// has not found out. Where that cannot be read it is, as far as anybody here knows.
    async fn has_still(&self, active: &Active) -> bool {
        !self.is_shared() || active.lease.is_held().await.unwrap_or(true)
    }

    /// Stops a run; whether it goes on still.
    pub(crate) async fn stop(self: &Arc<Self>, going: &Going) -> Result<bool, StoreError> {
        match &going.driven {
            Driven::Here => {
                let active = self.lock_active().get(&going.conversation).cloned();
                let active = active.filter(|it| it.run == going.run);
                Ok(active.inspect(|active| active.cancel.cancel()).is_some())
            }
            Driven::Elsewhere(open) => {
                let left = self.instruct(going, &Instruction::Stop).await?;
                self.wake(going, open).await;
                if left != Instructed::NotOpen && open.has_spec {
                    self.end_soon(&going.conversation, &going.run);
                }
                Ok(left != Instructed::NotOpen)
            }
        }
    }

    /// The calls of a run, and of those within it, that wait for a decision.
    pub(crate) async fn decisions(
        &self,
        going: &Going,
    ) -> Result<Vec<WaitingDecision>, StoreError> {
        self.waits(going).await.map(|it| it.decisions)
    }

    /// What a run, and those within it, waits for, of people. One that was decided about, or answered, waits for whoever
    /// drives the run, and for nobody else.
    pub(crate) async fn waits(&self, going: &Going) -> Result<Waits, StoreError> {
        match &going.driven {
            Driven::Here => Ok(Waits {
                decisions: self.waiting.of_run(&going.run),
                questions: self.waiting.questions_of(&going.run),
            }),
            Driven::Elsewhere(open) => {
                let given = Given::to(self.store(), &going.conversation, &open.run).await?;
                let waiting = given.undecided(&open.run);
                let mut decisions: Vec<_> = waiting.iter().map(WaitingDecision::of).collect();
                decisions.sort_by(|a, b| a.call_id().cmp(b.call_id()));
                let questions = given.unanswered(&open.run);
                let questions = questions.into_iter().map(|(_, id)| id.clone()).collect();
                Ok(Waits { decisions, questions })
            }
        }
    }

    /// Decides about a call of a run, or of one within it, as it was shown.
    pub(crate) async fn decide(
        self: &Arc<Self>,
        going: &Going,
        call: &CallId,
        about: &Fingerprint,
        verdict: Verdict,
    ) -> Result<Granted, ApiError> {
        let rules = match &going.driven {
            Driven::Here => self.waiting.would_decide(&going.run, call, about, &verdict),
            Driven::Elsewhere(open) => would_decide(&open.run, call, about, &verdict),
        };
        let rules = rules.map_err(not_taken)?;
        // Before the call runs: the next one may be like it. And here alone: whoever drives the run may come to it when
        // they were taken back.
        let approvals = self.host.approvals();
        let (new, failure) = match approvals.grant(&rules).await {
            Ok(new) => (new, None),
            Err(error) => (Vec::new(), Some(error)),
        };
        if let Err(error) = self.take_decision(going, call, about, verdict).await {
            if let Err(error) = approvals.revoke(&new).await {
                tracing::warn!(%error, "rules hold of a decision that was not taken");
            }
            return Err(error);
        }
        Ok(Granted { rules, failure })
    }

    async fn take_decision(
        self: &Arc<Self>,
        going: &Going,
        call: &CallId,
        about: &Fingerprint,
        verdict: Verdict,
    ) -> Result<(), ApiError> {
        if matches!(going.driven, Driven::Here) && !self.store().is_shared() {
            return self.waiting.decide(&going.run, call, about, verdict).map_err(not_taken);
        }
        let verdict = match verdict {
            Verdict::Once(decision) => InstructedVerdict::Once(decision),
            Verdict::Always => InstructedVerdict::Always,
        };
        let (call, about) = (call.clone(), about.clone());
        let instruction = Instruction::Decide { call: call.clone(), about: about.clone(), verdict };
        let mut left = self.left(going, &instruction).await?;
        for _ in 0..ATTEMPTS {
            if left != Instructed::Twice || !self.still_waits(going, &call, &about).await? {
                break;
            }
            tokio::time::sleep(BETWEEN).await;
            left = self.left(going, &instruction).await?;
        }
        if left != Instructed::Taken {
            return Err(not_taken(NotTaken::Gone));
        }
        self.tell_driver(going).await;
        Ok(())
    }

    /// Leaves an instruction. One that is left already and did not settle anything is left again.
    pub(super) async fn left(
        &self,
        going: &Going,
        instruction: &Instruction,
    ) -> Result<Instructed, StoreError> {
        match self.instruct(going, instruction).await? {
            Instructed::Twice if matches!(going.driven, Driven::Here) => {
                self.apply(&going.conversation).await;
                self.instruct(going, instruction).await
            }
            left => Ok(left),
        }
    }

    /// Whether a call waits in the log as it was shown, though somebody decided about it: that is about to be done, or
    /// was of no use, and whoever drives the run is about to take it away.
    async fn still_waits(
        &self,
        going: &Going,
        call: &CallId,
        about: &Fingerprint,
    ) -> Result<bool, StoreError> {
        let open = self.store().open_run(&going.conversation).await?;
        let open = open.filter(|it| *it.run.id() == going.run);
        let is_it = |it: &WaitingCall<'_>| it.call.id == *call && it.fingerprint == *about;
        Ok(open.is_some_and(|open| open.run.waiting_calls().iter().any(is_it)))
    }

    async fn instruct(
        &self,
        going: &Going,
        instruction: &Instruction,
    ) -> Result<Instructed, StoreError> {
        self.store().instruct(&going.conversation, &going.run, instruction).await
    }

    /// Whoever drives the run looks at what was left for it.
    pub(super) async fn tell_driver(self: &Arc<Self>, going: &Going) {
        match &going.driven {
            Driven::Here => self.apply(&going.conversation).await,
            Driven::Elsewhere(open) => self.wake(going, open).await,
        }
    }

    /// Wakes a run that an engine drives, again where the engine does not answer. Where that fails for good nothing is
    /// lost: whoever looks for stranded runs does it once more.
    async fn wake(self: &Arc<Self>, going: &Going, open: &OpenRun) {
        let Some(engine) = self.engine.as_ref().filter(|_| open.has_spec) else { return };
        match timeout(TOLD, wake(&**engine, &going.conversation, &going.run)).await {
            Ok(Ok(())) => self.suspect(&going.conversation, None),
            Ok(Err(_)) | Err(_) => self.wake_soon(&going.conversation, &going.run),
        }
    }
}

/// What deciding about a call comes to in a run that is driven elsewhere.
fn would_decide(
    run: &Run,
    call: &CallId,
    about: &Fingerprint,
    verdict: &Verdict,
) -> Result<Vec<Rule>, NotTaken> {
    let waiting = run.waiting_calls();
    let meant: Vec<_> = waiting.iter().filter(|it| it.call.id == *call).collect();
    let shown = match meant.iter().find(|it| it.fingerprint == *about) {
        Some(shown) => shown,
        None if meant.is_empty() => return Err(NotTaken::Gone),
        None => return Err(NotTaken::Changed),
    };
    let rules = always(&shown.call, &shown.call.tool, shown.preview);
    match verdict {
        Verdict::Once(_) => Ok(Vec::new()),
        Verdict::Always if rules.is_empty() => Err(NotTaken::NotAlways),
        Verdict::Always => Ok(rules),
    }
}

fn not_taken(why: NotTaken) -> ApiError {
    match why {
        NotTaken::Gone => ApiError::not_found("nothing such waits for a decision"),
        NotTaken::Changed => ApiError::changed(),
        NotTaken::NotAlways => ApiError::invalid("such calls have to be looked at each time"),
    }
}
