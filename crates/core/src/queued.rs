//! [`QueuedMessage`]: what somebody said while a run went on, until a run takes it up.

use serde::{Deserialize, Serialize};

use crate::{Message, MessageId, Timestamp, UserMessage};

/// What a message waits for.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum QueueMode {
    /// The run that goes on takes it up as soon as every call has its result.
    #[default]
    Steer,
    /// It is the next question, once the run has ended.
    Next,
}

impl QueueMode {
    /// As it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Steer => "steer",
            Self::Next => "next",
        }
    }
}

/// What somebody said while a run went on, until a run takes it up. The event that brings it into the
/// conversation names it, so that it is taken up once.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QueuedMessage {
    /// Its name.
    pub id: MessageId,
    /// What it waits for.
    pub mode: QueueMode,
    /// Since when it waits.
    pub at: Timestamp,
    /// What was said.
    #[serde(serialize_with = "as_message")]
    pub message: UserMessage,
}

fn as_message<S: serde::Serializer>(said: &UserMessage, serializer: S) -> Result<S::Ok, S::Error> {
    Message::User(said.clone()).serialize(serializer)
}
