//! [`Run`]: the state machine that turns a question into an answer.
//!
//! It does no IO and reads no clock. [`Run::step`] says what must happen next; the driver makes
//! it happen and reports back; each report returns the events it caused. The events are the only
//! way its state changes ([`Run::replay`] folds them again), so a stored log and a live run cannot
//! disagree.
//!
//! What it promises, whatever the model says and whoever crashes:
//!
//! 1. every call gets exactly one result;
//! 2. any prefix of the log can be loaded, and the run then goes on or ends;
//! 3. there is exactly one terminal event, and it is the last;
//! 4. a tool that is not repeatable is started at most once per call;
//! 5. limits end a run with an answer or an error that names them;
//! 6. how a reply was cut into pieces makes no difference.

mod approval;
mod calls;
mod edit;
mod end;
mod fallback;
mod fold;
mod foreign;
mod model;
mod nested;
mod output;
mod question;
mod recover;
mod report;
mod review;
mod single_shot;
mod steer;
mod step;
mod waiting;

use std::{collections::BTreeSet, sync::Arc};

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::{
    calls::PartialResult,
    review::ReviewMode,
    single_shot::ResultMode,
    step::{CheckedCall, Step},
    waiting::WaitingCall,
};
use self::{fallback::Models, nested::Spent, output::Asked, review::Aside};
use crate::{
    Answer, Authenticity, BranchPoint, CallId, CallPreview, CallSource, CallSummary, Conversation,
    ConversationId, Event, EventKind, Failure, Fingerprint, Limit, Limits, Message, MessageId,
    OutputSchema, Price, QuestionId, RunId, Timestamp, ToolChoice, ToolEffect, Usage, VERSION,
};

/// The state machine that turns a question into an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    id: RunId,
    conversation_id: ConversationId,
    limits: Limits,
    first_choice: ToolChoice,
    mode: ResultMode,
    #[serde(with = "crate::conversation::whole")]
    conversation: Conversation,
    phase: Phase,
    /// How many events there were.
    seq: u64,
    round: u32,
    /// The calls of the current reply, in the model's order; empty between replies.
    open: Vec<OpenCall>,
    /// The calls of earlier replies.
    settled: Vec<CallSummary>,
    executed: u32,
    /// How many decisions somebody was asked for.
    #[serde(default)]
    asked: u32,
    /// How many questions tools asked the user.
    #[serde(default)]
    questions: u32,
    /// What providers reported.
    usage: Usage,
    /// What they did not report, estimated: it counts against the limits all the same.
    #[serde(default)]
    unreported: Usage,
    /// What runs within this one used, each at its own price.
    #[serde(default)]
    nested: Spent,
    /// Text of a reply that has not been committed yet.
    partial: String,
    empty_replies: u32,
    /// What the answer that was sent back last was told.
    answer_rejected: Option<String>,
    /// Whether a guard sent one back, and whether the review did: each may once.
    guard_returned: bool,
    review_returned: bool,
    /// Whether the answer that the results take the place of says that something was done which was not.
    #[serde(default)]
    rejected_undone: bool,
    reviewing: ReviewMode,
    /// What was found in what was said beside calls.
    #[serde(default)]
    aside: Aside,
    has_judge: bool,
    price: Option<Price>,
    /// The model that is asked, and those before it.
    #[serde(default)]
    models: Models,
    /// The form the answer has to have, and how far the model was asked for it.
    #[serde(default)]
    output: Option<Arc<OutputSchema>>,
    #[serde(default)]
    output_asked: Asked,
    /// The limit that was reached: the model has to answer now.
    closing: Option<Limit>,
    /// Whether it was begun here.
    #[serde(default)]
    begun: Authenticity,
    /// Whether a check or a decision of somebody else's was left out of account.
    #[serde(default)]
    disregarded: bool,
    /// The tools that the user switched off.
    #[serde(default)]
    tools_off: Vec<String>,
    /// What it took up of the conversation's queue.
    #[serde(default)]
    taken_up: BTreeSet<MessageId>,
}

/// What the run is waiting for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Phase {
    /// The model is to be asked, or is being asked.
    Model,
    /// The calls in `open` are to be decided, run and settled.
    Tools,
    /// Every call has its result, and the results are the answer: it is due.
    Ran,
    /// The model answered, the last message: whether that stands is not known yet.
    Answered(crate::FinishReason),
    /// The run has its answer, the last message; the terminal event is due.
    Accepted(crate::FinishReason),
    /// The last message was rejected; the results are due in its place.
    Rejected(crate::FinishReason),
    /// The terminal event was sent.
    Done(Box<Answer>),
    /// The terminal event was sent.
    Failed(Box<Failure>),
}

/// A call of the current reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct OpenCall {
    id: CallId,
    /// The tool's own name, once it is known; what the model wrote until then.
    tool: String,
    arguments: Arc<Value>,
    /// As the model wrote them, where somebody changed them.
    #[serde(default)]
    original_arguments: Option<Arc<Value>>,
    effect: ToolEffect,
    source: CallSource,
    /// Why somebody has to look at it, whatever was approved beforehand.
    #[serde(default)]
    review_reason: Option<String>,
    /// What it would do, once that was told.
    #[serde(default)]
    preview: Arc<CallPreview>,
    /// What exactly was decided about.
    #[serde(default)]
    decided: Option<Fingerprint>,
    /// When it began to run.
    #[serde(default)]
    started: Option<Timestamp>,
    /// What it asked the user and has no answer to.
    #[serde(default)]
    questions: Vec<QuestionId>,
    /// The run that it is, where it is one of another agent.
    #[serde(default)]
    nested: Option<Box<Run>>,
    state: CallState,
}

/// How far a call has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum CallState {
    /// Not checked yet. Only seen in a log that was cut short.
    Proposed,
    /// Passed every check.
    Ready,
    /// Waits for a decision.
    Undecided,
    /// The tool runs, or ran when the process died.
    Started,
    /// Has its result.
    Settled(Arc<Message>),
}

impl CallState {
    fn is_settled(&self) -> bool {
        matches!(self, Self::Settled(_))
    }
}

/// What a run is started with.
#[derive(Clone, Debug)]
pub struct RunConfig {
    /// The run.
    pub id: RunId,
    /// The conversation it adds to.
    pub conversation_id: ConversationId,
    /// The model it asks, by name.
    pub model: String,
    /// What was said before.
    pub history: Conversation,
    /// Where in the conversation that was, where it is not the end of the run before.
    pub after: Option<BranchPoint>,
    /// What is said now: the system prompt, if it was not said before, and the question.
    pub messages: Vec<Message>,
    /// The message in the conversation's queue that the last of them was.
    pub queued: Option<MessageId>,
    /// What bounds it.
    pub limits: Limits,
    /// Whether the first round must call a tool.
    pub first_choice: ToolChoice,
    /// What becomes of the results.
    pub mode: ResultMode,
    /// Whether the answer is held against the results.
    pub review: ReviewMode,
    /// Whether a model judges the answer, too. Only where it is reviewed at all.
    pub judge: bool,
    /// What tokens cost.
    pub price: Option<Price>,
    /// The form the answer has to have.
    pub output: Option<Arc<OutputSchema>>,
    /// The tools that the user switched off for it, by name: they are not offered, and calls of them are refused.
    pub tools_off: Vec<String>,
}

/// What a report returns.
type Events = Result<Vec<Event>, RunError>;

/// A report that does not fit the run's state. The run is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The run has ended.
    #[error("the run has ended")]
    Ended,
    /// The report is about a call that is not open, or already has its result.
    #[error("there is no open call {0} that this report fits")]
    NoSuchCall(CallId),
    /// The report is about a question that is not open.
    #[error("there is no open question {0}")]
    NoSuchQuestion(QuestionId),
    /// The decision is about something else than what would run now.
    #[error("what call {0} would do has changed since it was decided about")]
    Changed(CallId),
    /// The model's reply is not what the run waits for.
    #[error("the run does not wait for the model")]
    NotAsking,
    /// A log does not begin with `run_started`, or has a gap.
    #[error("the log is not a run's: {0}")]
    BadLog(String),
}

impl Run {
    /// Starts a run.
    pub fn start(setup: RunConfig, at: Timestamp) -> (Self, Vec<Event>) {
        let started = EventKind::RunStarted {
            version: VERSION,
            conversation_id: setup.conversation_id,
            after: setup.after,
            model: setup.model,
            limits: setup.limits,
            first_choice: setup.first_choice,
            mode: setup.mode,
            review: setup.review,
            judge: setup.judge,
            price: setup.price,
            output: setup.output.filter(|_| setup.mode == ResultMode::Loop),
            tools_off: setup.tools_off,
        };
        let mut run = Self::blank(setup.id, setup.history);
        let mut events = Vec::with_capacity(1 + setup.messages.len());
        run.emit(&mut events, at, started);
        let last = setup.messages.len().saturating_sub(1);
        for (place, message) in setup.messages.into_iter().enumerate() {
            let queued = setup.queued.clone().filter(|_| place == last);
            run.emit(&mut events, at, EventKind::Message { message: Arc::new(message), queued });
        }
        (run, events)
    }

    /// The run that these events, or any prefix of them, lead to.
    ///
    /// # Errors
    /// When they are not the beginning of a run.
    pub fn replay<'a>(
        history: Conversation,
        events: impl IntoIterator<Item = &'a Event>,
    ) -> Result<Self, RunError> {
        let events = events.into_iter().map(|event| (event, Authenticity::Authentic));
        Self::replay_mixed(history, events)
    }

    /// As [`Run::replay`], with events among them that were not written here. What those say
    /// happened; that a call was checked, that somebody allowed it or that the user said something
    /// does not count in them.
    ///
    /// # Errors
    /// When they are not the beginning of a run.
    pub fn replay_mixed<'a>(
        history: Conversation,
        events: impl IntoIterator<Item = (&'a Event, Authenticity)>,
    ) -> Result<Self, RunError> {
        let mut events = events.into_iter().peekable();
        let (first, _) = events.peek().ok_or_else(|| RunError::BadLog("it is empty".into()))?;
        if !matches!(first.kind, EventKind::RunStarted { .. }) {
            return Err(RunError::BadLog("it does not begin with run_started".into()));
        }
        let mut run = Self::blank(first.run.clone(), history);
        for (event, authenticity) in events {
            if event.seq != run.seq || event.run != run.id {
                return Err(RunError::BadLog(format!(
                    "event {} of {} stands where {} of {} belongs",
                    event.seq, event.run, run.seq, run.id
                )));
            }
            match authenticity {
                Authenticity::Authentic => run.fold(event),
                Authenticity::Foreign => run.fold_foreign(event),
            }
        }
        Ok(run)
    }

    fn blank(id: RunId, history: Conversation) -> Self {
        Self {
            id,
            conversation_id: ConversationId::from(""),
            limits: Limits::default(),
            first_choice: ToolChoice::Auto,
            mode: ResultMode::Loop,
            conversation: history,
            phase: Phase::Model,
            seq: 0,
            round: 0,
            open: Vec::new(),
            settled: Vec::new(),
            executed: 0,
            asked: 0,
            questions: 0,
            usage: Usage::default(),
            unreported: Usage::default(),
            nested: Spent::default(),
            partial: String::new(),
            empty_replies: 0,
            answer_rejected: None,
            guard_returned: false,
            review_returned: false,
            rejected_undone: false,
            reviewing: ReviewMode::Off,
            aside: Aside::default(),
            has_judge: false,
            price: None,
            models: Models::default(),
            output: None,
            output_asked: Asked::NotYet,
            closing: None,
            begun: Authenticity::Authentic,
            disregarded: false,
            tools_off: Vec::new(),
            taken_up: BTreeSet::new(),
        }
    }

    /// The run's name.
    pub fn id(&self) -> &RunId {
        &self.id
    }

    /// The conversation it adds to, by name.
    pub fn conversation_id(&self) -> &ConversationId {
        &self.conversation_id
    }

    /// Everything said so far, as the model is sent it.
    pub fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// The conversation, when the run is no longer needed.
    pub fn into_conversation(self) -> Conversation {
        self.conversation
    }

    /// The current round, from 1; 0 before the model was first asked.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// What bounds it.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The tools that the user switched off for it, by name.
    pub fn tools_off(&self) -> &[String] {
        &self.tools_off
    }

    /// How many decisions somebody was asked for, rules and what was approved beforehand aside; in runs within
    /// this one, too.
    pub fn asked(&self) -> u32 {
        self.asked
    }

    /// The calls of the current reply, and what they are called with.
    pub fn open_calls(&self) -> impl Iterator<Item = (&CallId, &Arc<Value>)> {
        self.open.iter().map(|call| (&call.id, &call.arguments))
    }

    /// Whether the terminal event was sent.
    pub fn is_ended(&self) -> bool {
        matches!(self.phase, Phase::Done(_) | Phase::Failed(_))
    }
}
