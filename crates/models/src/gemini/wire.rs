//! [`Chunk`]: what Gemini sends, a piece of a stream or a whole reply.

use serde::Deserialize;
use serde_json::Value;
use toolwright_core::Usage;

use crate::endpoint::lenient::{Few, ObjectText, Text, flag, number};

/// A piece of a stream, or a whole reply: both are a response with what is new in it.
#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Chunk<'a> {
    #[serde(borrow)]
    pub(super) candidates: Few<Candidate<'a>>,
    #[serde(borrow, alias = "prompt_feedback")]
    pub(super) prompt_feedback: Option<Feedback<'a>>,
    #[serde(alias = "usage_metadata")]
    pub(super) usage_metadata: Option<Counts>,
    pub(super) error: Value,
    /// With the two below, an error that is not under its name.
    pub(super) message: Value,
    pub(super) code: Value,
    pub(super) status: Value,
}

impl Chunk<'_> {
    /// The error that it is.
    pub(super) fn failure(&mut self) -> Option<Value> {
        if !self.error.is_null() {
            return Some(self.error.take());
        }
        let is_bare = self.message.is_string() && self.candidates.iter().next().is_none();
        is_bare.then(|| {
            serde_json::json!({
                "message": self.message.take(),
                "code": self.code.take(),
                "status": self.status.take(),
            })
        })
    }

    /// The text that it brings, if that is all.
    pub(super) fn only_text(&self) -> Option<&str> {
        let candidate = self.candidates.only()?;
        let part = candidate.content.as_ref()?.parts.only()?;
        let is_plain = self.prompt_feedback.is_none()
            && candidate.finish_reason.as_str().is_empty()
            && !candidate.is_other()
            && !part.thought
            && part.thought_signature.as_str().is_empty()
            && part.function_call.is_none();
        is_plain.then(|| part.text.as_str())
    }
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Candidate<'a> {
    #[serde(borrow)]
    pub(super) content: Option<Content<'a>>,
    #[serde(borrow, alias = "finish_reason")]
    pub(super) finish_reason: Text<'a>,
    #[serde(borrow, alias = "finish_message")]
    pub(super) finish_message: Text<'a>,
    #[serde(deserialize_with = "number")]
    index: Option<u64>,
}

impl Candidate<'_> {
    /// Whether it is a second reply beside the one that was asked for.
    pub(super) fn is_other(&self) -> bool {
        self.index.is_some_and(|it| it > 0)
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Content<'a> {
    #[serde(borrow)]
    pub(super) parts: Few<Part<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Part<'a> {
    #[serde(borrow)]
    pub(super) text: Text<'a>,
    #[serde(deserialize_with = "flag")]
    pub(super) thought: bool,
    #[serde(borrow, alias = "thought_signature")]
    pub(super) thought_signature: Text<'a>,
    #[serde(borrow, alias = "function_call")]
    pub(super) function_call: Option<FunctionCall<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct FunctionCall<'a> {
    #[serde(borrow)]
    pub(super) id: Text<'a>,
    #[serde(borrow)]
    pub(super) name: Text<'a>,
    pub(super) args: ObjectText,
}

/// Why the prompt was not answered.
#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Feedback<'a> {
    #[serde(borrow, alias = "block_reason")]
    pub(super) block_reason: Text<'a>,
    #[serde(borrow, alias = "block_reason_message")]
    pub(super) block_reason_message: Text<'a>,
}

/// What it cost so far.
#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Counts {
    #[serde(alias = "prompt_token_count", deserialize_with = "number")]
    prompt_token_count: Option<u64>,
    #[serde(alias = "tool_use_prompt_token_count", deserialize_with = "number")]
    tool_use_prompt_token_count: Option<u64>,
    #[serde(alias = "cached_content_token_count", deserialize_with = "number")]
    cached_content_token_count: Option<u64>,
    #[serde(alias = "candidates_token_count", deserialize_with = "number")]
    candidates_token_count: Option<u64>,
    #[serde(alias = "thoughts_token_count", deserialize_with = "number")]
    thoughts_token_count: Option<u64>,
}

impl From<Counts> for Usage {
    fn from(counts: Counts) -> Self {
        let sum = |one: Option<u64>, other: Option<u64>| {
            one.unwrap_or_default().saturating_add(other.unwrap_or_default())
        };
        Self {
            prompt_tokens: sum(counts.prompt_token_count, counts.tool_use_prompt_token_count),
            // Thoughts are counted beside the reply, and paid for as it is.
            completion_tokens: sum(counts.candidates_token_count, counts.thoughts_token_count),
            cached_tokens: counts.cached_content_token_count.unwrap_or_default(),
            reasoning_tokens: counts.thoughts_token_count.unwrap_or_default(),
        }
    }
}

/// What it cost so far, and nothing else.
#[derive(Deserialize)]
pub(super) struct Cost {
    #[serde(rename = "usageMetadata", alias = "usage_metadata")]
    pub(super) usage: Counts,
}
