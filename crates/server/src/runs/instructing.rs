//! [`Going`]: the run that goes on in a conversation, wherever it is driven; and what anybody can say to it: stop,
//! decide, answer.
//!
//! Where servers share a store it is said through the store, also to a run that is driven here: of two who decide at
//! the same time, on two servers, one is first, and the other is told so.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use toolwright_app::AppError;
use toolwright_core::{
    CallId, ConversationId, Event, EventKind, Fingerprint, Question, QuestionAnswer, QuestionId,
    Run, RunId, Timestamp, WaitingCall,
};
use toolwright_runtime::Rule;
use toolwright_store::{
    ConversationStatus, ConversationSummary, Instructed, InstructedVerdict, Instruction, OpenRun,
    Position, Progress, StoreError,
};

use super::{
    Active, NotAnswered, NotTaken, Runs, Verdict, WaitingDecision, approvals::always,
    entrusted::wake,
};
use crate::ApiError;

/// How often a decision is tried that somebody else may have made, and how long apart.
const ATTEMPTS: u32 = 20;
const BETWEEN: Duration = Duration::from_millis(50);
/// How many events are read at once where a question is looked for.
const PAGE: usize = 256;

/// The run that goes on in a conversation.
pub(crate) struct Going {
    pub(crate) conversation: ConversationId,
    pub(crate) run: RunId,
    /// The position of its first event.
    pub(crate) first: Position,
    driven: Driven,
}

/// What follows from a decision.
pub(crate) struct Granted {
    /// The rules that hold from now on.
    pub(crate) rules: Vec<Rule>,
    /// Why they do not.
    pub(crate) failure: Option<AppError>,
}

/// Who drives it.
enum Driven {
    /// This server.
    Here,
    /// Somebody else. This is how far it has come.
    Elsewhere(Box<OpenRun>),
}

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

/// What goes on in a conversation, for a list.
#[derive(Clone, Copy, Default)]
pub(crate) struct Standing {
    /// Whether a run goes on: somebody drives it, or is about to.
    pub(crate) is_going: bool,
    /// How many decisions and answers it waits for.
    pub(crate) waits_for: usize,
}

impl Standing {
    /// Whether a run waits for somebody who drives it: an engine has it, it waits for nobody else, and nobody has been
    /// at it for a while. Between two slices nobody is, for a moment.
    pub(crate) fn is_undriven(self, summary: &ConversationSummary) -> bool {
        let is_held = summary.state != ConversationStatus::Unfinished;
        !is_held && self.is_going && self.waits_for == 0 && age(summary) >= UNDRIVEN
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
                let open = open.filter(|it| it.is_held || it.has_spec);
                let standing = open.map(|open| Standing {
                    is_going: open.has_spec,
                    waits_for: waits_for(&open.run),
                });
                let standing = standing.unwrap_or_default();
                self.standings.put(summary, standing);
                standing
            }
        };
        Ok(Standing { is_going: is_running || standing.is_going, ..standing })
    }

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
                // Whoever drives it would not hear it, and this would say that they did.
                if !self.store().shares_key().await? {
                    return Err(StoreError::Sealed(going.run.clone()));
                }
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
    pub(crate) fn decisions(&self, going: &Going) -> Vec<WaitingDecision> {
        match &going.driven {
            Driven::Here => self.waiting.of_run(&going.run),
            Driven::Elsewhere(open) => {
                let waiting = open.run.waiting_calls();
                let mut all: Vec<_> = waiting.iter().map(WaitingDecision::of).collect();
                all.sort_by(|a, b| a.call_id().cmp(b.call_id()));
                all
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

    /// Answers what a call of a run, or of one within it, asks the user.
    pub(crate) async fn answer(
        self: &Arc<Self>,
        going: &Going,
        call: &CallId,
        question: &QuestionId,
        answer: QuestionAnswer,
    ) -> Result<(), ApiError> {
        let checked = match &going.driven {
            Driven::Here if !self.store().is_shared() => {
                let answered = self.waiting.answer_question(&going.run, call, question, answer);
                return answered.map_err(not_answered);
            }
            Driven::Here => self.waiting.would_answer(&going.run, call, question, answer),
            Driven::Elsewhere(open) => {
                let waits = open.run.waiting_questions();
                match waits.contains(&(call, question)) {
                    true => match self.question(going, question).await? {
                        Some(asked) => asked.check_answer(answer).map_err(NotAnswered::Invalid),
                        None => Err(NotAnswered::Gone),
                    },
                    false => Err(NotAnswered::Gone),
                }
            }
        };
        let answer = checked.map_err(not_answered)?;
        let (call, question) = (call.clone(), question.clone());
        let instruction = Instruction::Answer { call, question, answer };
        if self.left(going, &instruction).await? != Instructed::Taken {
            return Err(not_answered(NotAnswered::Gone));
        }
        self.tell_driver(going).await;
        Ok(())
    }

    /// Leaves an instruction. One that is left already and did not settle anything is left again.
    async fn left(
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
    async fn tell_driver(self: &Arc<Self>, going: &Going) {
        match &going.driven {
            Driven::Here => self.apply(&going.conversation).await,
            Driven::Elsewhere(open) => self.wake(going, open).await,
        }
    }

    /// Wakes a run that an engine drives, again where the engine does not answer. Where that fails for good nothing is
    /// lost: whoever looks for stranded runs does it once more.
    async fn wake(self: &Arc<Self>, going: &Going, open: &OpenRun) {
        let Some(engine) = self.engine.as_ref().filter(|_| open.has_spec) else { return };
        if wake(&**engine, &going.conversation, &going.run).await.is_err() {
            self.wake_soon(&going.conversation, &going.run);
        }
    }

    /// The question of this name in a run, as the log has it.
    async fn question(
        &self,
        going: &Going,
        id: &QuestionId,
    ) -> Result<Option<Arc<Question>>, StoreError> {
        let mut after = going.first.0.checked_sub(1).map(Position);
        loop {
            let events = self.store().events(&going.conversation, after, PAGE).await?;
            if let Some(found) = events.iter().find_map(|(_, event)| asked(event, id)) {
                return Ok(Some(found));
            }
            match events.last() {
                Some((last, _)) if events.len() == PAGE => after = Some(*last),
                _ => return Ok(None),
            }
        }
    }

    /// Looks at what was left for the run that is driven here, without anybody waiting for it.
    pub(super) fn look_for_instructions(self: &Arc<Self>, id: &ConversationId) {
        if !self.store().is_shared() || self.active(id).is_none() {
            return;
        }
        let (runs, id) = (self.clone(), id.clone());
        tokio::spawn(async move { runs.apply(&id).await });
    }

    /// Does what was left for the run that is driven here, as far as it waits for that.
    async fn apply(&self, id: &ConversationId) {
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

/// How many decisions and answers a run waits for.
fn waits_for(run: &Run) -> usize {
    run.waiting_calls().len() + run.waiting_questions().len()
}

/// The question of this name, where an event asks it, be it in a run within the run.
fn asked(event: &Event, id: &QuestionId) -> Option<Arc<Question>> {
    match &event.kind {
        EventKind::QuestionAsked { question_id, question, .. } if question_id == id => {
            Some(question.clone())
        }
        EventKind::Nested { event, .. } => asked(event, id),
        _ => None,
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

fn not_answered(why: NotAnswered) -> ApiError {
    match why {
        NotAnswered::Gone => ApiError::not_found("no such question waits for an answer"),
        NotAnswered::Invalid(wrong) => {
            ApiError::invalid(format!("the answer is not valid: {}", wrong.join("; ")))
        }
    }
}
