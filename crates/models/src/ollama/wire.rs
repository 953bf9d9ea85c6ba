//! [`Line`]: what Ollama sends, a line of a stream or a whole reply.
//!
//! What is missing, null or of another shape than documented is taken as what it can only mean: there are
//! many servers by now that speak this API.

use serde::Deserialize;
use serde_json::Value;

use crate::endpoint::lenient::{Few, ObjectText, Text};

/// A line of a stream, or a whole reply. What comes once in a reply is read as any value: that costs nothing
/// where it is not there.
#[derive(Deserialize)]
pub(super) struct Line<'a> {
    #[serde(borrow, default)]
    pub(super) message: Option<Piece<'a>>,
    #[serde(default)]
    pub(super) done: Value,
    #[serde(default)]
    pub(super) done_reason: Value,
    #[serde(default)]
    pub(super) prompt_eval_count: Value,
    #[serde(default)]
    pub(super) eval_count: Value,
    #[serde(default)]
    pub(super) error: Value,
}

/// A piece of a message, or a whole one.
#[derive(Deserialize)]
pub(super) struct Piece<'a> {
    #[serde(borrow, default)]
    pub(super) content: Text<'a>,
    #[serde(borrow, default)]
    pub(super) thinking: Text<'a>,
    #[serde(borrow, default)]
    pub(super) tool_calls: Few<Called<'a>>,
}

/// A call, always whole.
#[derive(Deserialize)]
pub(super) struct Called<'a> {
    #[serde(borrow, default)]
    pub(super) id: Text<'a>,
    #[serde(borrow, default)]
    pub(super) function: Option<Function<'a>>,
}

#[derive(Deserialize)]
pub(super) struct Function<'a> {
    #[serde(borrow, default)]
    pub(super) name: Text<'a>,
    #[serde(default)]
    pub(super) arguments: ObjectText,
}

impl Line<'_> {
    /// Whether nothing more comes.
    pub(super) fn is_last(&self) -> bool {
        let is_done = self.done == true || self.done.as_str() == Some("true");
        is_done || self.done_reason.as_str().is_some_and(|it| !it.is_empty())
    }

    /// Whether it brings nothing but a piece of a message.
    pub(super) fn is_piece(&self) -> bool {
        let rest = [&self.done_reason, &self.prompt_eval_count, &self.eval_count, &self.error];
        self.done != true && !self.done.is_string() && rest.iter().all(|it| it.is_null())
    }
}

/// A number, or one written as text.
pub(super) fn count(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.trim().parse().ok())
}
