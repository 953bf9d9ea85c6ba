//! [`SearchHit`]: a conversation in which something was found.

use std::ops::Range;

use serde::Serialize;
use toolwright_core::{Message, RunId, Timestamp};

use crate::{
    ConversationSummary, StoreError, columns::Columns, record::message, seal::Seal, words::Query,
};

/// A conversation in which something was found, with the newest message that fits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SearchHit {
    /// The conversation.
    #[serde(rename = "conversation")]
    pub summary: ConversationSummary,
    /// The run in which the message was said: the version, where there are several.
    pub run: RunId,
    /// When the message was said.
    pub at: Timestamp,
    /// Who said it.
    pub role: Role,
    /// The words around the match, on one line.
    pub snippet: String,
    /// The match in the snippet, in bytes.
    pub matched: Range<usize>,
}

/// Who said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
    /// A tool.
    Tool,
}

/// A message that fits, as it was read.
pub(crate) struct Match {
    summary: ConversationSummary,
    run: RunId,
    at: Timestamp,
    message: std::sync::Arc<Message>,
}

impl Match {
    /// Columns: those of a summary, then time, kind, body and seal of the event, and its run.
    pub(crate) fn read(row: &dyn Columns) -> Result<Self, StoreError> {
        let (at, body) = (row.time(9)?, row.text(11)?);
        if row.maybe_bytes(12)?.is_some_and(|seal| !Seal::stored(seal).fits(body)) {
            let id = row.text(0)?;
            return Err(StoreError::damaged(format_args!(
                "an event of the conversation {id} is not what was written"
            )));
        }
        let message = message(body)?;
        let run = RunId::from(row.text(13)?);
        Ok(Self { summary: ConversationSummary::read(row)?, run, at, message })
    }

    pub(crate) fn into_hit(self, query: &Query) -> SearchHit {
        let (snippet, matched) = query.snippet(self.message.content());
        let role = match &*self.message {
            Message::Assistant(_) => Role::Assistant,
            Message::Tool(_) => Role::Tool,
            Message::System(_) | Message::User(_) => Role::User,
        };
        let Self { summary, run, at, .. } = self;
        SearchHit { summary, run, at, role, snippet, matched }
    }
}
