//! [`ConversationState`]: a conversation as a run needs it to go on.
//!
//! Finished runs are folded from the events that carry messages; the others are not even read. A
//! digest holds everything that is left of what came before it, so reading begins at the last one.

use std::{ops::Range, sync::Arc};

use toolwright_core::{
    Authenticity, CallId, CompactedHistory, Conversation, ConversationId, Message, Outcome, Run,
};

use crate::{
    LogKey, StoreError,
    backend::Backend,
    columns::Cell,
    record::{Stored, digest, is_silent, message},
    sql,
};

/// A conversation as a run needs it to go on.
#[derive(Clone, Debug)]
pub struct ConversationState {
    /// What the runs that have ended said.
    pub history: Conversation,
    /// The last run, if it has not ended: as it was when its last event was stored. It is for the
    /// caller to go on with it ([`Run::recover`]) or to end it ([`Run::abandoned`]).
    pub unfinished: Option<Run>,
}

/// An event that matters to the history.
pub(crate) enum Piece {
    /// From here on it was not written here.
    Foreign,
    Said(Arc<Message>),
    Replied(Arc<Message>),
    Settled(Arc<Message>),
    Compacted(Arc<CompactedHistory>),
}

impl Piece {
    /// What an event adds; nothing where what it adds does not count here.
    pub(crate) fn new(
        stored: &Stored,
        authenticity: Authenticity,
    ) -> Result<Option<Self>, StoreError> {
        let body = stored.body();
        let counts = |message: Arc<Message>| match authenticity {
            Authenticity::Authentic => Some(message),
            Authenticity::Foreign => message.foreign(),
        };
        Ok(match stored.kind.as_str() {
            "message" => counts(message(body)?).map(Self::Said),
            "reply" => counts(message(body)?).map(Self::Replied),
            "call_finished" => counts(message(body)?).map(Self::Settled),
            "compacted" => Some(Self::Compacted(match authenticity {
                Authenticity::Authentic => digest(body)?,
                Authenticity::Foreign => Arc::new(digest(body)?.foreign()),
            })),
            other => return Err(StoreError::damaged(format_args!("`{other}` is no message"))),
        })
    }

    /// As [`Piece::new`], of any event: those that say nothing add nothing.
    pub(crate) fn of(
        stored: &Stored,
        authenticity: Authenticity,
    ) -> Result<Option<Self>, StoreError> {
        match stored.kind.as_str() {
            "message" | "reply" | "call_finished" | "compacted" => Self::new(stored, authenticity),
            _ => Ok(None),
        }
    }
}

/// The conversation that these lead to, the same as folding every event with [`Run::replay`] would.
pub(crate) fn fold(pieces: Vec<Piece>) -> Conversation {
    let mut conversation = Conversation::new();
    let mut open: Vec<OpenCall> = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Foreign => conversation.mark_foreign(),
            Piece::Settled(message) => {
                settle(&mut open, message);
                if open.iter().all(|call| call.result.is_some()) {
                    close(&mut conversation, &mut open);
                }
            }
            Piece::Said(message) => {
                close(&mut conversation, &mut open);
                conversation.push(message);
            }
            Piece::Replied(message) if is_silent(&message) => {}
            Piece::Replied(message) => {
                close(&mut conversation, &mut open);
                let calls = message.calls().iter();
                open.extend(calls.map(|call| OpenCall {
                    id: call.id.clone(),
                    name: call.name.clone(),
                    result: None,
                }));
                conversation.push(message);
            }
            Piece::Compacted(digest) => {
                close(&mut conversation, &mut open);
                conversation.restore(&digest);
            }
        }
    }
    close(&mut conversation, &mut open);
    conversation
}

/// How many calls have no result at the end of this.
pub(crate) fn unanswered(pieces: &[Piece]) -> usize {
    let mut open: Vec<&CallId> = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Replied(message) if !is_silent(message) => {
                open = message.calls().iter().map(|call| &call.id).collect();
            }
            Piece::Settled(message) => {
                if let Message::Tool(result) = &**message {
                    open.retain(|call| **call != result.call);
                }
            }
            Piece::Said(_) | Piece::Compacted(_) => open.clear(),
            Piece::Foreign | Piece::Replied(_) => {}
        }
    }
    open.len()
}

struct OpenCall {
    id: CallId,
    name: String,
    result: Option<Arc<Message>>,
}

fn settle(open: &mut [OpenCall], message: Arc<Message>) {
    let Message::Tool(result) = &*message else { return };
    if let Some(call) = open.iter_mut().find(|call| call.id == result.call) {
        call.result = Some(message);
    }
}

/// Results join in the order of the calls. A call that never got one, which no run of ours leaves
/// behind, gets one that says so: providers reject a history without.
fn close(conversation: &mut Conversation, open: &mut Vec<OpenCall>) {
    for call in open.drain(..) {
        match call.result {
            Some(message) => conversation.push(message),
            None => conversation.push(Message::tool(call.id, call.name, Outcome::interrupted())),
        }
    }
}

/// What was said in this stretch of a conversation's log.
pub(crate) async fn said(
    backend: &Backend,
    key: &LogKey,
    id: &ConversationId,
    stretch: Range<i64>,
) -> Result<Vec<Piece>, StoreError> {
    let bounds = vec![Cell::from(stretch.start), Cell::from(stretch.end)];
    let stored = backend.query(sql::HISTORY, bounds, Stored::read).await?;
    let pieces = || {
        let mut pieces = Vec::with_capacity(stored.len());
        for stored in stored {
            let stored = stored.sound()?;
            let authenticity = stored.authenticity(key, id);
            pieces.extend((authenticity == Authenticity::Foreign).then_some(Piece::Foreign));
            pieces.extend(Piece::new(&stored, authenticity)?);
        }
        Ok(pieces)
    };
    pieces().map_err(|error| backend.locate(error))
}
