//! [`Part`]: the pieces of a reply as they are kept: those that follow each other made one.

use serde::{Deserialize, Serialize};
use toolwright_core::{ModelDelta, ModelResponse};

/// A piece of a reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Part {
    Text(String),
    Reasoning(String),
    CallName { index: usize, name: String },
    CallArguments { index: usize, json: String },
    Retry { attempt: u32, wait_ms: u64, reason: String },
}

impl Part {
    /// The pieces a whole reply would come in, if it came in as few as it can.
    pub(super) fn of(reply: &ModelResponse) -> Vec<Self> {
        let mut parts = Vec::new();
        if !reply.reasoning.is_empty() {
            parts.push(Self::Reasoning(reply.reasoning.clone()));
        }
        if !reply.text.is_empty() {
            parts.push(Self::Text(reply.text.clone()));
        }
        for (index, call) in reply.calls.iter().enumerate() {
            parts.push(Self::CallName { index, name: call.name.clone() });
            if !call.arguments.is_empty() {
                parts.push(Self::CallArguments { index, json: call.arguments.clone() });
            }
        }
        parts
    }

    /// Adds a piece, to the last one where it goes on with that.
    pub(super) fn add(parts: &mut Vec<Self>, delta: &ModelDelta) {
        let new = match delta {
            ModelDelta::Text(text) => Self::Text(text.clone()),
            ModelDelta::Reasoning(text) => Self::Reasoning(text.clone()),
            ModelDelta::CallName { index, name } => {
                Self::CallName { index: *index, name: name.clone() }
            }
            ModelDelta::CallArguments { index, json } => {
                Self::CallArguments { index: *index, json: json.clone() }
            }
            ModelDelta::Retry { attempt, wait_ms, reason } => {
                Self::Retry { attempt: *attempt, wait_ms: *wait_ms, reason: reason.clone() }
            }
            ModelDelta::Response(_) => return,
        };
        match (parts.last_mut(), new) {
            (_, Self::Text(text) | Self::Reasoning(text)) if text.is_empty() => {}
            (_, Self::CallArguments { json, .. }) if json.is_empty() => {}
            (Some(Self::Text(last)), Self::Text(text))
            | (Some(Self::Reasoning(last)), Self::Reasoning(text)) => last.push_str(&text),
            (
                Some(Self::CallArguments { index: at, json: last }),
                Self::CallArguments { index, json },
            ) if *at == index => last.push_str(&json),
            (_, new) => parts.push(new),
        }
    }
}

impl From<Part> for ModelDelta {
    fn from(part: Part) -> Self {
        match part {
            Part::Text(text) => Self::Text(text),
            Part::Reasoning(text) => Self::Reasoning(text),
            Part::CallName { index, name } => Self::CallName { index, name },
            Part::CallArguments { index, json } => Self::CallArguments { index, json },
            Part::Retry { attempt, wait_ms, reason } => Self::Retry { attempt, wait_ms, reason },
        }
    }
}
