//! [`ModelResponse`]: what a model said, whole; and [`ModelDelta`], the pieces it arrived in.

use std::{ops::AddAssign, sync::Arc};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Call;

/// A piece of a reply as it arrives. All but the last are provisional: only [`ModelDelta::Response`] is
/// kept.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelDelta {
    /// Text for the person.
    Text(String),
    /// The model's reasoning.
    Reasoning(String),
    /// A call begins.
    CallName {
        /// Which call of this reply.
        index: usize,
        /// The tool.
        name: String,
    },
    /// A piece of a call's arguments.
    CallArguments {
        /// Which call of this reply.
        index: usize,
        /// The piece.
        json: String,
    },
    /// The provider was asked again; nothing had arrived yet.
    Retry {
        /// Which attempt begins now, from 2.
        attempt: u32,
        /// How long it waits before that, in milliseconds.
        wait_ms: u64,
        /// Why the one before failed.
        reason: String,
    },
    /// The whole reply. Always the last part.
    Response(ModelResponse),
}

/// Why a model stopped.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    /// It had said everything.
    #[default]
    Stop,
    /// It called tools and waits for their results.
    ToolCalls,
    /// It ran into its length limit: the end is missing.
    Length,
    /// The provider withheld the rest.
    ContentFilter,
    /// It declined, and said so.
    Refusal,
}

impl FinishReason {
    /// What whoever reads an answer that ended so must know: that it is not whole.
    pub fn notice(self) -> Option<&'static str> {
        match self {
            Self::Stop | Self::ToolCalls | Self::Refusal => None,
            Self::Length => Some(
                "The answer is cut off: the model reached the most it may write. Ask it to go on, or \
                 for less at once.",
            ),
            Self::ContentFilter => {
                Some("The answer is cut off: the provider withheld the rest of it.")
            }
        }
    }
}

/// What a model said, whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelResponse {
    /// Text for the person.
    pub text: String,
    /// The model's reasoning.
    pub reasoning: String,
    /// The calls, in the model's order; ids may be missing or doubled here.
    pub calls: Vec<Call>,
    /// Why it stopped.
    pub finish: FinishReason,
    /// What it cost.
    pub usage: Usage,
    /// Which model said it, where that matters for what goes back: `provider:name`.
    pub model: Option<Arc<str>>,
    /// Provider fields that must be echoed unchanged on the next request.
    pub extra: Option<Map<String, Value>>,
}

impl ModelResponse {
    /// Whether there is something in it that only the model it came from may be sent back: what it thought, or
    /// what its provider signed.
    pub fn is_bound(&self) -> bool {
        let is_signed = |call: &Call| call.extra.is_some();
        !self.reasoning.is_empty() || self.extra.is_some() || self.calls.iter().any(is_signed)
    }

    /// A reply of text alone.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// A reply that calls tools.
    pub fn calls(calls: impl IntoIterator<Item = Call>) -> Self {
        Self {
            calls: calls.into_iter().collect(),
            finish: FinishReason::ToolCalls,
            ..Self::default()
        }
    }
}

/// What a model's work cost, in tokens.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
pub struct Usage {
    /// Tokens read.
    pub prompt_tokens: u64,
    /// Tokens written.
    pub completion_tokens: u64,
    /// Of the tokens read, those the provider had cached.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cached_tokens: u64,
    /// Of the tokens written, those spent on reasoning.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub reasoning_tokens: u64,
}

impl Usage {
    /// Whether nothing was read or written.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// What was used since there was this much.
    pub(crate) fn since(&self, earlier: &Self) -> Self {
        Self {
            prompt_tokens: self.prompt_tokens.saturating_sub(earlier.prompt_tokens),
            completion_tokens: self.completion_tokens.saturating_sub(earlier.completion_tokens),
            cached_tokens: self.cached_tokens.saturating_sub(earlier.cached_tokens),
            reasoning_tokens: self.reasoning_tokens.saturating_sub(earlier.reasoning_tokens),
        }
    }

    /// Tokens read and written.
    pub fn total(&self) -> u64 {
        self.prompt_tokens.saturating_add(self.completion_tokens)
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        // Saturating: the numbers come from outside.
        self.prompt_tokens = self.prompt_tokens.saturating_add(other.prompt_tokens);
        self.completion_tokens = self.completion_tokens.saturating_add(other.completion_tokens);
        self.cached_tokens = self.cached_tokens.saturating_add(other.cached_tokens);
        self.reasoning_tokens = self.reasoning_tokens.saturating_add(other.reasoning_tokens);
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}
