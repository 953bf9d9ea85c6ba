//! [`Event`]: what the API sends, an event of a stream or a whole message, read in one pass and without copies.

use serde::Deserialize;
use serde_json::Value;
use toolwright_core::Usage;

use super::lenient::{Json, Number, Object, OneOrMany, Text};

/// An event of a stream, or a whole message.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Event<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Text<'a>,
    pub(super) index: Number,
    #[serde(borrow)]
    pub(super) delta: Object<Piece<'a>>,
    #[serde(borrow)]
    pub(super) content_block: Object<Piece<'a>>,
    /// The message that begins here; or words, in an error of somebody else's.
    #[serde(borrow)]
    pub(super) message: OneOrMany<Whole<'a>>,
    pub(super) usage: Object<Counts>,
    pub(super) error: Value,
    #[serde(borrow)]
    pub(super) content: OneOrMany<Piece<'a>>,
    #[serde(borrow)]
    pub(super) role: Text<'a>,
    #[serde(borrow)]
    pub(super) stop_reason: Text<'a>,
    #[serde(borrow)]
    pub(super) stop_details: Object<Details<'a>>,
}

/// A message as it begins, or whole.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Whole<'a> {
    #[serde(borrow)]
    pub(super) content: OneOrMany<Piece<'a>>,
    #[serde(borrow)]
    pub(super) stop_reason: Text<'a>,
    #[serde(borrow)]
    pub(super) stop_details: Object<Details<'a>>,
    pub(super) usage: Object<Counts>,
}

/// A block as it begins, or whole, or what is added to one or to the message.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Piece<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Text<'a>,
    #[serde(borrow)]
    pub(super) text: Text<'a>,
    #[serde(borrow)]
    pub(super) thinking: Text<'a>,
    #[serde(borrow)]
    pub(super) signature: Text<'a>,
    #[serde(borrow)]
    pub(super) data: Text<'a>,
    #[serde(borrow)]
    pub(super) id: Text<'a>,
    #[serde(borrow)]
    pub(super) name: Text<'a>,
    #[serde(borrow)]
    pub(super) input: Json<'a>,
    #[serde(borrow)]
    pub(super) partial_json: Json<'a>,
    #[serde(borrow)]
    pub(super) stop_reason: Text<'a>,
    #[serde(borrow)]
    pub(super) stop_details: Object<Details<'a>>,
}

/// What is said about a refusal.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Details<'a> {
    #[serde(borrow)]
    pub(super) explanation: Text<'a>,
}

/// What a reply cost: what is not said here was said before.
#[derive(Clone, Copy, Deserialize, Default)]
#[serde(default)]
pub(super) struct Counts {
    input_tokens: Number,
    cache_creation_input_tokens: Number,
    cache_read_input_tokens: Number,
    output_tokens: Number,
    output_tokens_details: Object<Thought>,
}

#[derive(Clone, Copy, Deserialize, Default)]
#[serde(default)]
struct Thought {
    thinking_tokens: Number,
}

impl Counts {
    /// Takes later counts, each of which is a total.
    pub(super) fn take(&mut self, later: Self) {
        let newer = |old: &mut Number, new: Number| *old = Number(new.0.or(old.0));
        newer(&mut self.input_tokens, later.input_tokens);
        newer(&mut self.cache_creation_input_tokens, later.cache_creation_input_tokens);
        newer(&mut self.cache_read_input_tokens, later.cache_read_input_tokens);
        newer(&mut self.output_tokens, later.output_tokens);
        if later.output_tokens_details.0.is_some() {
            self.output_tokens_details = later.output_tokens_details;
        }
    }

    /// The same as everybody counts: what was cached is a part of what was read.
    pub(super) fn usage(&self) -> Usage {
        let count = |number: Number| number.0.unwrap_or_default();
        let cached = count(self.cache_read_input_tokens);
        let fresh =
            count(self.input_tokens).saturating_add(count(self.cache_creation_input_tokens));
        let thought = self.output_tokens_details.0.unwrap_or_default();
        Usage {
            prompt_tokens: fresh.saturating_add(cached),
            completion_tokens: count(self.output_tokens),
            cached_tokens: cached,
            reasoning_tokens: count(thought.thinking_tokens),
        }
    }
}
