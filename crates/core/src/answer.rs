//! [`Answer`] and [`Failure`]: the two ways a run ends.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{ConversationId, FinishReason, JournalErrorKind, Limit, ModelErrorKind, Status, Usage};

/// What a run gives back when it has an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Answer {
    /// The answer.
    pub response: String,
    /// Every call of the run, in order.
    pub tool_calls: Vec<CallSummary>,
    /// Why the model stopped.
    pub finish_reason: FinishReason,
    /// How many tools really ran.
    pub tools_executed: u32,
    /// What the run used.
    pub usage: Usage,
    /// What that cost in money, in millionths of the unit that the prices speak of, where one is known.
    #[serde(default, rename = "cost_millionths", skip_serializing_if = "Option::is_none")]
    pub cost: Option<u64>,
    /// The conversation it belongs to.
    pub conversation_id: ConversationId,
    /// Whether it reports a call that failed: results that are the answer may say that there are none.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
}

/// One call, in a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct CallSummary {
    /// The tool.
    pub tool: String,
    /// How it ended.
    pub status: Status,
    /// The arguments.
    pub args: Arc<Value>,
}

/// What a run gives back when it has no answer: what happened, and what to do about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Failure {
    /// What kind of failure.
    #[serde(flatten)]
    pub kind: FailureKind,
    /// What happened, in one line.
    pub message: String,
    /// What a person can do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
    /// Text the model had already said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub response: String,
    /// Every call of the run, in order.
    pub tool_calls: Vec<CallSummary>,
    /// What the run used.
    pub usage: Usage,
    /// What that cost in money, in millionths of the unit that the prices speak of, where one is known.
    #[serde(default, rename = "cost_millionths", skip_serializing_if = "Option::is_none")]
    pub cost: Option<u64>,
    /// The conversation it belongs to.
    pub conversation_id: ConversationId,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

/// Why a run has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind", content = "of")]
#[non_exhaustive]
pub enum FailureKind {
    /// The model gave no reply.
    Model(ModelErrorKind),
    /// The model replied with nothing, again and again.
    EmptyReplies,
    /// The provider withheld the answer.
    ContentFilter,
    /// The answer was to have a form, and the model declined to answer.
    Refused,
    /// The answer was to have a form, and was cut off at the most the model may write.
    Truncated,
    /// The answer does not have the form it was to have.
    Output,
    /// A limit was reached and the model had no answer by then.
    Limit(Limit),
    /// A source of tools that is required is not there.
    SourceMissing,
    /// Somebody cancelled the run.
    Cancelled,
    /// What happened could not be recorded.
    Storage(JournalErrorKind),
    /// A process died while the run went on, and nobody went on with it.
    Interrupted,
}
