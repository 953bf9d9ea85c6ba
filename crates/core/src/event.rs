//! [`Event`]: one change to a run. The conversation, the terminal, the page, the trace and the
//! database are all folds of a run's events.
//!
//! Deltas (`content`, `reasoning`, `call_delta`) are provisional: they are shown and not kept, and
//! carry the number of the event that comes after them. What `reply` and `call_finished` carry is
//! the truth. Every run ends with exactly one [`EventKind::Done`] or [`EventKind::Error`].
//!
//! Where a call is a run of another agent, that run's events stand under the call, in the same log
//! ([`EventKind::Nested`]); each has its own place and round in its own run.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Answer, ArgumentsError, Attachment, BranchPoint, Call, CallId, CallPreview, CallSource,
    CompactedHistory, ConversationId, Decision, Failure, Fingerprint, FinishReason, Limit, Limits,
    Message, MessageId, OutputSchema, PolicyNote, Price, Provenance, Question, QuestionAnswer,
    QuestionId, ResultMode, ReviewMode, RunId, Status, ToolChoice, ToolEffect, Usage,
    review::{Finding, FindingKind},
};

/// The version of the event format, written into every `run_started`. It rises when what is written
/// already would mean something else; a kind of event, or a field that may be missing, is added without.
pub const VERSION: u32 = 2;

/// A moment, in milliseconds since 1970 (UTC). The run reads no clock: whoever drives it does.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(transparent)]
pub struct Timestamp(pub u64);

impl Timestamp {
    /// Milliseconds from `earlier` to this moment; 0 if a clock was set back.
    pub fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// One change to a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Event {
    /// Its place in the run, from 0, without gaps. A provisional event has no place of its own and
    /// carries that of the next event.
    pub seq: u64,
    /// The run.
    pub run: RunId,
    /// The round it happened in; 0 before the first.
    pub round: u32,
    /// When.
    pub at: Timestamp,
    /// What happened.
    #[serde(flatten)]
    pub kind: EventKind,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum EventKind {
    /// A run began.
    RunStarted {
        /// The version of the event format.
        version: u32,
        /// The conversation it adds to.
        conversation_id: ConversationId,
        /// Where it goes on from, where that is not the end of the run before it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<BranchPoint>,
        /// The model it asks.
        model: String,
        /// What bounds it.
        limits: Limits,
        /// Whether the first round must call a tool.
        #[serde(default)]
        first_choice: ToolChoice,
        /// What becomes of the results.
        #[serde(default, skip_serializing_if = "ResultMode::is_loop")]
        mode: ResultMode,
        /// Whether the answer is held against the results.
        #[serde(default, skip_serializing_if = "ReviewMode::is_off")]
        review: ReviewMode,
        /// Whether a model judges the answer, too.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        judge: bool,
        /// What tokens cost.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        price: Option<Price>,
        /// The form the answer has to have.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        output: Option<Arc<OutputSchema>>,
        /// The tools that the user switched off for it, by name.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        tools_off: Vec<String>,
    },
    /// A message joined the conversation that the model did not write: instructions, a question,
    /// a correction, or results put into words as the answer.
    Message {
        /// The message.
        message: Arc<Message>,
        /// The one that waited in the conversation's queue, where it did: it waits no longer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        queued: Option<MessageId>,
    },
    /// The model has said what it had to say, and is asked for it in the form it has to have. From here on
    /// it calls no tools.
    OutputRequested,
    /// The model is asked.
    RoundStarted {
        /// How many rounds may use tools.
        of: u32,
        /// Whether the model may, must or must not call one.
        tool_choice: ToolChoice,
    },
    /// A piece of the answer's text. Provisional.
    Content {
        /// The piece.
        data: String,
    },
    /// A piece of the model's reasoning. Provisional.
    Reasoning {
        /// The piece.
        data: String,
    },
    /// A piece of a call. Provisional.
    CallDelta {
        /// Which call of this reply.
        index: usize,
        /// The tool, with the first piece.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tool: Option<String>,
        /// A piece of the arguments.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        arguments: String,
    },
    /// The provider failed before anything arrived and is asked again.
    ModelRetry {
        /// Which attempt begins, from 2.
        attempt: u32,
        /// How long it waits before that.
        wait_ms: u64,
        /// Why the one before failed.
        reason: String,
    },
    /// A model gave no reply, and from here on another is asked in its place. What the first had begun to
    /// say is taken back.
    ModelFallback {
        /// The model that gave none.
        from: String,
        /// The model that is asked from here on.
        to: String,
        /// Why the first gave none, in one line.
        reason: String,
        /// What tokens cost from here on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        price: Option<Price>,
        /// What the first used up all the same.
        #[serde(default, skip_serializing_if = "Usage::is_nothing")]
        usage: Usage,
    },
    /// The model's reply, whole: the committed assistant message.
    Reply {
        /// The message.
        message: Arc<Message>,
        /// Why the model stopped.
        finish: FinishReason,
        /// What the reply cost.
        usage: Usage,
    },
    /// The calls of the reply, as they stand before any has run.
    ToolCalls {
        /// The calls, in the model's order.
        tool_calls: Vec<RequestedCall>,
    },
    /// The call passed every check. Once more, where somebody changed its arguments.
    CallChecked {
        /// The call.
        id: CallId,
        /// The tool's own name.
        tool: String,
        /// The arguments as they were checked.
        arguments: Arc<Value>,
        /// What running it does to the world.
        effect: ToolEffect,
        /// Where the values in its arguments came from, as far as that was asked.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        provenance: Vec<Provenance>,
        /// Why somebody has to look at it, whatever was approved beforehand.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        review_reason: Option<String>,
    },
    /// A person has to decide before these calls may run.
    DecisionNeeded {
        /// The calls.
        calls: Vec<CallId>,
    },
    /// What one of these calls would do, for whoever decides about it.
    CallPreview {
        /// The call.
        id: CallId,
        /// What exactly is decided about.
        fingerprint: Fingerprint,
        /// What it would do.
        #[serde(flatten)]
        preview: Arc<CallPreview>,
    },
    /// A decision was made.
    DecisionMade {
        /// The call.
        id: CallId,
        /// What exactly it is about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fingerprint: Option<Fingerprint>,
        /// The decision.
        decision: Decision,
        /// Whether nobody was asked for it: a rule decided, or what was approved beforehand did.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        automatic: bool,
    },
    /// The tool is about to run: from here on it may have had an effect.
    CallStarted {
        /// The call.
        id: CallId,
        /// The tool.
        tool: String,
    },
    /// The tool says how far it is.
    CallProgress {
        /// The call.
        id: CallId,
        /// What it says.
        data: String,
    },
    /// A policy layer did something about the call: asked again, answered from the cache, gave up.
    PolicyApplied {
        /// The call.
        id: CallId,
        /// What, by which layer.
        #[serde(flatten)]
        note: PolicyNote,
    },
    /// The tool asks the user something, and waits. Void once the call has its result, or is checked
    /// again.
    QuestionAsked {
        /// The call.
        id: CallId,
        /// The question's name in this run.
        question_id: QuestionId,
        /// The tool.
        tool: String,
        /// The question.
        question: Arc<Question>,
    },
    /// The tool has its answer.
    QuestionAnswered {
        /// The call.
        id: CallId,
        /// The question.
        question_id: QuestionId,
        /// The answer.
        answer: QuestionAnswer,
    },
    /// The call is a run of another agent, and this happened in it. Provisional where that is.
    Nested {
        /// The call.
        id: CallId,
        /// What happened in its run.
        event: Box<Event>,
    },
    /// The result as the tool gave it, where the model reads only a part.
    FullResult {
        /// The call.
        id: CallId,
        /// The result.
        text: String,
    },
    /// The call has its one result.
    CallFinished {
        /// The call.
        id: CallId,
        /// The tool.
        tool: String,
        /// How it ended.
        status: Status,
        /// The committed tool message.
        message: Arc<Message>,
        /// How long the tool ran.
        elapsed_ms: f64,
        /// The guard that refused it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        guard: Option<String>,
    },
    /// The answer was unusable and goes back to the model, once.
    AnswerRejected {
        /// The guard that refused it.
        guard: String,
        /// What the model is told.
        reason: String,
    },
    /// The answer was held against the results.
    Reviewed {
        /// What is wrong with it; nothing when it passed.
        findings: Vec<Finding>,
        /// How many figures, dates, ids, names and quoted lines in it a source has.
        #[serde(default, skip_serializing_if = "is_zero")]
        checked: usize,
        /// What follows from that.
        #[serde(flatten)]
        verdict: Verdict,
        /// What a judge's opinion cost.
        #[serde(default, skip_serializing_if = "Usage::is_nothing")]
        usage: Usage,
    },
    /// The older part of the conversation was replaced by a digest.
    Compacted(Arc<CompactedHistory>),
    /// Which tools the model is offered, when that is not all of them.
    ToolsOffered {
        /// Those that are offered.
        tools: Vec<String>,
        /// How many there are.
        of: usize,
        /// Those that would be, but are out of order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        unavailable: Vec<UnavailableTool>,
    },
    /// What can be called is not what it was when the run began.
    ToolsChanged(ToolChanges),
    /// A limit was reached; the run comes to its end.
    LimitReached {
        /// Which.
        limit: Limit,
        /// What it was and how to raise it.
        message: String,
    },
    /// Something worth knowing that changes nothing.
    Notice {
        /// The words.
        message: String,
        /// The call it is about, if it is about one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<CallId>,
    },
    /// The run has an answer. The last event.
    Done(Box<Answer>),
    /// The run has none. The last event.
    Error(Box<Failure>),
}

impl EventKind {
    /// A message that waited in no queue.
    pub fn message(message: Arc<Message>) -> Self {
        Self::Message { message, queued: None }
    }

    /// What is attached to the message that it brings.
    pub fn attachments(&self) -> &[Attachment] {
        match self {
            Self::Message { message, .. } | Self::CallFinished { message, .. } => {
                message.attachments()
            }
            Self::Nested { event, .. } => event.kind.attachments(),
            _ => &[],
        }
    }

    /// Says that it happened in another conversation, into which its run was copied: there a run goes on from the
    /// end of the run before it.
    pub fn move_to(&mut self, conversation: &ConversationId) {
        match self {
            Self::RunStarted { conversation_id, after, .. } => {
                conversation_id.clone_from(conversation);
                *after = None;
            }
            Self::Done(answer) => answer.conversation_id.clone_from(conversation),
            Self::Error(failure) => failure.conversation_id.clone_from(conversation),
            Self::Nested { event, .. } => event.kind.move_to(conversation),
            _ => {}
        }
    }

    /// Whether this is the last event of its run.
    pub fn is_terminal(&self) -> bool {
        matches!(self, Self::Done(_) | Self::Error(_))
    }

    /// Whether it is shown and not kept.
    pub fn is_provisional(&self) -> bool {
        match self {
            Self::Content { .. } | Self::Reasoning { .. } | Self::CallDelta { .. } => true,
            Self::Nested { event, .. } => event.kind.is_provisional(),
            _ => false,
        }
    }

    /// The name of its kind, as it is serialised.
    pub fn name(&self) -> &'static str {
        match self {
            Self::RunStarted { .. } => "run_started",
            Self::Message { .. } => "message",
            Self::OutputRequested => "output_requested",
            Self::RoundStarted { .. } => "round_started",
            Self::Content { .. } => "content",
            Self::Reasoning { .. } => "reasoning",
            Self::CallDelta { .. } => "call_delta",
            Self::ModelRetry { .. } => "model_retry",
            Self::ModelFallback { .. } => "model_fallback",
            Self::Reply { .. } => "reply",
            Self::ToolCalls { .. } => "tool_calls",
            Self::CallChecked { .. } => "call_checked",
            Self::DecisionNeeded { .. } => "decision_needed",
            Self::CallPreview { .. } => "call_preview",
            Self::DecisionMade { .. } => "decision_made",
            Self::CallStarted { .. } => "call_started",
            Self::CallProgress { .. } => "call_progress",
            Self::PolicyApplied { .. } => "policy_applied",
            Self::QuestionAsked { .. } => "question_asked",
            Self::QuestionAnswered { .. } => "question_answered",
            Self::Nested { .. } => "nested",
            Self::FullResult { .. } => "full_result",
            Self::CallFinished { .. } => "call_finished",
            Self::AnswerRejected { .. } => "answer_rejected",
            Self::Reviewed { .. } => "reviewed",
            Self::Compacted(_) => "compacted",
            Self::ToolsOffered { .. } => "tools_offered",
            Self::ToolsChanged(_) => "tools_changed",
            Self::LimitReached { .. } => "limit_reached",
            Self::Notice { .. } => "notice",
            Self::Done(_) => "done",
            Self::Error(_) => "error",
        }
    }
}

/// What follows from a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// The answer stands: a source has what it says.
    Passed,
    /// The answer stands: nothing in it could be held against anything.
    NothingToCheck,
    /// The answer stands, and what no source has is shown beside it.
    #[serde(alias = "warned")]
    NotSupported,
    /// The answer goes back to the model, once.
    Returned,
    /// The results stand in the place of the answer.
    Replaced,
    /// What was said beside calls is not shown. The reply it is about follows.
    Withheld,
}

impl Verdict {
    /// Whether the answer stands.
    pub fn accepts(self) -> bool {
        matches!(self, Self::Passed | Self::NothingToCheck | Self::NotSupported)
    }

    /// Its name, as it is serialised.
    pub fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::NothingToCheck => "nothing_to_check",
            Self::NotSupported => "not_supported",
            Self::Returned => "returned",
            Self::Replaced => "replaced",
            Self::Withheld => "withheld",
        }
    }

    /// What people are told of what a review found, in one line.
    pub fn describe_findings(findings: &[Finding]) -> String {
        let told = findings.iter().map(|it| match it.kind {
            FindingKind::Empty => "it says nothing".to_owned(),
            FindingKind::Apology => "it apologises although the tools answered".to_owned(),
            FindingKind::Undone => format!("{} (no tool did it)", it.text),
            _ => it.text.clone(),
        });
        told.collect::<Vec<_>>().join("; ")
    }

    /// What people are told: what was looked at, and what came of it.
    pub fn describe(self, checked: usize) -> String {
        match (self, checked) {
            (Self::Passed, 0) => "passed".to_owned(),
            (Self::Passed, 1) => "passed (1 value)".to_owned(),
            (Self::Passed, _) => format!("passed ({checked} values)"),
            (Self::NothingToCheck, _) => "nothing to check".to_owned(),
            (Self::NotSupported | Self::Returned | Self::Replaced | Self::Withheld, _) => {
                "not supported".to_owned()
            }
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A tool that is out of order for now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct UnavailableTool {
    /// The tool.
    pub tool: String,
    /// Why, in words for the model.
    pub reason: String,
}

/// What became of tools that come from elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct ToolChanges {
    /// Those that were not there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<String>,
    /// Those that are not there any more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<String>,
    /// Those that are told or treated in another way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// Those that are there and not offered, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub withheld: Vec<UnavailableTool>,
}

impl ToolChanges {
    /// Whether all is as it was.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A call as the model proposed it, for those who watch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RequestedCall {
    /// The call.
    pub id: CallId,
    /// The tool.
    pub tool: String,
    /// The arguments; the raw text where they are not JSON.
    pub args: Arc<Value>,
    /// `pending`: what became of it is told by `call_finished`.
    pub status: Pending,
    /// How the call was obtained: whether it was found in text, and had to be repaired there.
    #[serde(default)]
    pub source: CallSource,
}

impl RequestedCall {
    /// A call of `tool`, which is the tool's own name where the model spelled it otherwise.
    pub(crate) fn new(
        call: &Call,
        tool: &str,
        parsed: &Result<Arc<Value>, ArgumentsError>,
    ) -> Self {
        Self {
            id: call.id.clone(),
            tool: tool.to_owned(),
            args: match parsed {
                Ok(args) => args.clone(),
                Err(_) => Arc::new(Value::String(call.arguments.clone())),
            },
            status: Pending::Pending,
            source: call.source,
        }
    }
}

/// The one status of a call that has not been checked yet.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Pending {
    /// Not run yet.
    #[default]
    Pending,
}
