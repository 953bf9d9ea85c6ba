//! [`thinking`]: whether a model is to think, in the form that this model takes.

use std::sync::Arc;

use serde_json::{Value, json};
use toolwright_core::{Message, ModelOptions, ModelRequest};

use super::{
    messages::OF_MESSAGE,
    options::wanted_effort,
    rules::{Rules, Thinking},
};
use crate::endpoint::Fixed;

/// The least that a model can be told to think with.
const LEAST: u64 = 1_024;

/// What to say about thinking, where an effort is wanted.
pub(super) fn thinking(
    options: &ModelOptions,
    rules: &Rules,
    most: u64,
    request: &ModelRequest<'_>,
    fixed: &Fixed<'_>,
) -> Option<Value> {
    let Some(effort) = wanted_effort(options) else {
        let none = options.reasoning_effort.as_ref().and(rules.unthinking);
        return none.map(|kind| json!({"type": kind}));
    };
    match rules.thinking {
        Thinking::Never => None,
        Thinking::Adaptive => Some(json!({"type": "adaptive"})),
        Thinking::Hidden => Some(json!({"type": "adaptive", "display": "summarized"})),
        Thinking::Budget => {
            let messages = request.conversation.messages();
            let budget = budget(effort, most).filter(|_| may_think(messages, fixed.identity))?;
            Some(json!({"type": "enabled", "budget_tokens": budget}))
        }
    }
}

/// How many tokens of a reply are for thoughts: not more than half.
fn budget(effort: &str, most: u64) -> Option<u64> {
    let wanted = match effort {
        "minimal" | "low" => 2_048,
        "medium" => 8_192,
        "high" => 16_384,
        _ => 32_768,
    };
    Some(wanted.min(most / 2)).filter(|it| *it >= LEAST)
}

/// Whether a model with a budget may think now. In the middle of calling tools the API wants to see the thoughts
/// that this began with, and there are none where it began elsewhere, or without them.
fn may_think(messages: &[Arc<Message>], model: &str) -> bool {
    let opens = |at: usize| {
        let is = |at: usize, role: &str| messages.get(at).is_some_and(|it| it.role() == role);
        // Words behind results do not end the turn.
        is(at, "user") && !at.checked_sub(1).is_some_and(|before| is(before, "tool"))
    };
    let start = (0..messages.len()).rev().find(|at| opens(*at)).unwrap_or_default();
    let turn = messages.get(start..).unwrap_or_default();
    let first = turn.iter().find_map(|it| match &**it {
        Message::Assistant(message) => Some(message),
        _ => None,
    });
    first.is_none_or(|it| {
        let is_kept = it.extra.as_ref().is_some_and(|extra| extra.contains_key(OF_MESSAGE));
        it.calls.is_empty() || it.is_of(model) && is_kept
    })
}
