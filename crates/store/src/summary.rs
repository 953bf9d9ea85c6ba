//! [`ConversationSummary`]: a conversation in a line, for lists.

use serde::Serialize;
use toolwright_core::{ConversationId, Timestamp};

use crate::{StoreError, columns::Columns};

/// A conversation in a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConversationSummary {
    /// The conversation.
    pub id: ConversationId,
    /// The name somebody gave it, or the first question, shortened.
    pub title: String,
    /// When its first run began.
    pub created_at: Timestamp,
    /// When something last happened in it.
    pub updated_at: Timestamp,
    /// How many runs there were.
    pub runs: u32,
    /// How many messages were said, by anybody.
    pub messages: u32,
    /// What goes on in it.
    pub state: ConversationStatus,
    /// Whether a run goes on and its process has given no sign of life for some seconds: it is frozen, or cut off from
    /// the database.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_silent: bool,
    /// The last answer, shortened.
    pub last_answer: Option<String>,
    /// Whose it is; nobody's where nobody is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
}

/// What goes on in a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConversationStatus {
    /// Nothing: its last run has ended.
    Idle,
    /// Its last run has not ended, and nobody is at work on it.
    Unfinished,
    /// A run goes on.
    Running,
}

impl ConversationSummary {
    /// Columns as in `sql::summary`. Whether an unfinished run goes on is found out afterwards.
    pub(crate) fn read(row: &dyn Columns) -> Result<Self, StoreError> {
        let is_open = row.maybe_text(6)?.is_some();
        Ok(Self {
            id: ConversationId::from(row.text(0)?),
            title: row.text(1)?.to_owned(),
            created_at: row.time(2)?,
            updated_at: row.time(3)?,
            runs: row.count(4)?,
            messages: row.count(5)?,
            state: if is_open { ConversationStatus::Unfinished } else { ConversationStatus::Idle },
            is_silent: false,
            last_answer: row.maybe_text(7)?.map(str::to_owned),
            owner: row.maybe_text(8)?.map(str::to_owned),
        })
    }

    /// Where a list goes on after this conversation.
    pub fn cursor(&self) -> Cursor {
        Cursor { updated_at: self.updated_at, id: self.id.clone() }
    }
}

/// A part of the list of conversations, the newest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConversationPage {
    /// Where to go on; the beginning where there is none.
    pub before: Option<Cursor>,
    /// How many at most.
    pub limit: usize,
}

impl Default for ConversationPage {
    fn default() -> Self {
        Self { before: None, limit: 50 }
    }
}

/// A place in the list of conversations. It stays valid whatever is added or deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The last conversation's time.
    pub updated_at: Timestamp,
    /// The last conversation.
    pub id: ConversationId,
}
