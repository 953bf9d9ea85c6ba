//! [`Record`]: an event as it is stored.
//!
//! Number, run, round and time are columns; what happened is JSON beside them, as the event format
//! writes it. What the conversation's own row needs to know is taken out before anything waits for
//! a database, so that nobody has to read the JSON again.

use std::sync::Arc;

use toolwright_core::{
    Attachment, Authenticity, Author, BranchPoint, CompactedHistory, ConversationId, Event,
    EventKind, Message, MessageId, RunId, Timestamp, UserMessage,
};

use crate::{
    LogKey, Position, StoreError,
    columns::Columns,
    position,
    seal::{Head, Seal},
    words::{indexed, shortened},
};

/// How long a title is, in characters.
const TITLE: usize = 80;
/// How much of an answer a summary shows, in characters.
const ANSWER: usize = 200;

/// An event as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Record {
    pub(crate) run: RunId,
    pub(crate) seq: u64,
    pub(crate) round: u32,
    pub(crate) at: Timestamp,
    pub(crate) kind: &'static str,
    pub(crate) body: String,
    pub(crate) seal: Seal,
    pub(crate) mark: Mark,
    /// What it can be found by.
    pub(crate) words: Option<String>,
    /// What is attached to it: kept beside it, in the same transaction.
    pub(crate) attachments: Vec<Attachment>,
    /// The message of the conversation's queue that it takes up: it waits no longer.
    pub(crate) queued: Option<MessageId>,
}

/// What an event means for its conversation's row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mark {
    Started {
        conversation: ConversationId,
        /// Where it goes on from, where that is not the end of the run before it.
        after: Option<BranchPoint>,
    },
    /// The person asked something.
    Asked(String),
    /// Another message.
    Said,
    Compacted,
    /// The run ended, with an answer or without.
    Ended(Option<String>),
    Nothing,
}

impl Record {
    /// The events that are kept, as they are stored. Nobody says yet that they are theirs.
    pub(crate) fn all<'a>(
        events: impl IntoIterator<Item = &'a Event>,
    ) -> Result<Vec<Self>, StoreError> {
        events.into_iter().filter(|event| !event.kind.is_provisional()).map(Self::new).collect()
    }

    fn new(event: &Event) -> Result<Self, StoreError> {
        let body = serde_json::to_string(&event.kind);
        let body =
            body.map_err(|error| StoreError::Invalid(format!("an event is not JSON: {error}")))?;
        Ok(Self {
            run: event.run.clone(),
            seq: event.seq,
            round: event.round,
            at: event.at,
            kind: event.kind.name(),
            seal: Seal::of(&body),
            body,
            mark: mark(&event.kind),
            words: found_by(&event.kind).and_then(|message| indexed(message.content())),
            attachments: event.kind.attachments().to_vec(),
            queued: match &event.kind {
                EventKind::Message { queued, .. } => queued.clone(),
                _ => None,
            },
        })
    }

    /// The same as somebody else wrote it: what waits in a queue here, they did not take up.
    pub(crate) fn imported(self) -> Self {
        Self { queued: None, ..self }
    }

    /// Says that this installation wrote it.
    pub(crate) fn sign(&mut self, key: &LogKey, conversation: &ConversationId) {
        let (run, kind) = (&self.run, self.kind);
        let (seq, round, at) = (self.seq, self.round, self.at);
        self.seal.sign(key, &Head { conversation, run, seq, round, at, kind });
    }

    /// Whether what is stored is this event.
    pub(crate) fn is(&self, stored: &Stored) -> bool {
        (self.round, self.at) == (stored.round, stored.at)
            && (self.body == stored.body() || {
                // The same may be written in two ways, by two versions say. What a run goes on from need not be
                // said where it follows the one before it.
                let said = |body| kind(body).map(said_anywhere);
                let said = (said(&self.body), said(stored.body()));
                matches!(said, (Ok(one), Ok(other)) if one == other)
            })
    }

    /// The beginning of a run that goes on from this point, whatever stands before it.
    pub(crate) fn going_on_from(self, point: &BranchPoint) -> Result<Self, StoreError> {
        let mut kind = kind(&self.body)?;
        if let EventKind::RunStarted { after, .. } = &mut kind {
            *after = Some(point.clone());
        }
        let Self { run, seq, round, at, .. } = self;
        Self::new(&Event { seq, run, round, at, kind })
    }
}

/// What it says wherever it stands.
fn said_anywhere(mut kind: EventKind) -> EventKind {
    if let EventKind::RunStarted { after, .. } = &mut kind {
        *after = None;
    }
    kind
}

fn mark(kind: &EventKind) -> Mark {
    match kind {
        EventKind::RunStarted { conversation_id, after, .. } => {
            Mark::Started { conversation: conversation_id.clone(), after: after.clone() }
        }
        EventKind::Message { message, .. } => match &**message {
            Message::User(said) if matches!(said.origin, Author::Person | Author::Client) => {
                Mark::Asked(title_of(said))
            }
            _ => Mark::Said,
        },
        EventKind::Reply { message, .. } if is_silent(message) => Mark::Nothing,
        EventKind::Reply { .. } | EventKind::CallFinished { .. } => Mark::Said,
        EventKind::Compacted(_) => Mark::Compacted,
        EventKind::Done(answer) => Mark::Ended(Some(shortened(&answer.response, ANSWER))),
        EventKind::Error(_) => Mark::Ended(None),
        // What is said in a run within the run is no part of the conversation: its result is.
        EventKind::Nested { .. } => Mark::Nothing,
        _ => Mark::Nothing,
    }
}

/// What a conversation is called that begins so. A question without words is called by what came with
/// it.
fn title_of(said: &UserMessage) -> String {
    let named = said.attachments.first();
    let named = named.map(|it| it.name.as_deref().unwrap_or(it.kind().name()));
    match shortened(&said.content, TITLE) {
        words if words.trim().is_empty() => shortened(named.unwrap_or_default(), TITLE),
        words => words,
    }
}

/// Whether a reply says nothing and therefore is no part of the conversation.
pub(crate) fn is_silent(message: &Message) -> bool {
    message.calls().is_empty() && message.content().trim().is_empty()
}

/// What a person may look for: questions, what the model said, results. Of a run within the run its answer is
/// found, which is the result of its call.
fn found_by(kind: &EventKind) -> Option<&Message> {
    match kind {
        EventKind::Message { message, .. } => match &**message {
            Message::User(said) if said.origin == Author::Person => Some(message),
            _ => None,
        },
        EventKind::Reply { message, .. } | EventKind::CallFinished { message, .. } => Some(message),
        _ => None,
    }
}

/// The words under which a stored event was put into the index.
#[cfg(feature = "sqlite")]
pub(crate) fn words_of(body: &str) -> Result<Option<String>, StoreError> {
    let kind = kind(body)?;
    Ok(found_by(&kind).and_then(|message| indexed(message.content())))
}

pub(crate) fn kind(body: &str) -> Result<EventKind, StoreError> {
    serde_json::from_str(body).map_err(StoreError::damaged)
}

/// The message an event carries, without the rest of the event: most of a conversation's bytes are
/// messages, and reading only them is several times faster.
pub(crate) fn message(body: &str) -> Result<Arc<Message>, StoreError> {
    #[derive(serde::Deserialize)]
    struct Carrier {
        message: Arc<Message>,
    }
    let carrier: Carrier = serde_json::from_str(body).map_err(StoreError::damaged)?;
    Ok(carrier.message)
}

pub(crate) fn digest(body: &str) -> Result<Arc<CompactedHistory>, StoreError> {
    serde_json::from_str(body).map_err(StoreError::damaged)
}

/// An event as it was read: the columns of `sql::EVENTS`.
pub(crate) struct Stored {
    pub(crate) position: Position,
    pub(crate) run: RunId,
    pub(crate) seq: u64,
    pub(crate) round: u32,
    pub(crate) at: Timestamp,
    /// Nothing for an event that a replay does not look at.
    body: Option<String>,
    pub(crate) kind: String,
    /// Nothing where it was written before there were any.
    seal: Option<Seal>,
}

/// What stands for an event that a replay does not look at.
const PASSED_OVER: &str = r#"{"type":"notice","message":""}"#;

impl Stored {
    /// Columns: number, number of the run's first event, the run's id, round, time, body, kind, seal.
    pub(crate) fn read(row: &dyn Columns) -> Result<Self, StoreError> {
        let (number, first) = (row.int(0)?, row.int(1)?);
        Ok(Self {
            position: position::position(number),
            run: RunId::from(row.text(2)?),
            seq: (number - first).unsigned_abs(),
            round: row.count(3)?,
            at: row.time(4)?,
            body: row.maybe_text(5)?.map(str::to_owned),
            kind: row.text(6)?.to_owned(),
            seal: row.maybe_bytes(7)?.map(Seal::stored),
        })
    }

    pub(crate) fn body(&self) -> &str {
        self.body.as_deref().unwrap_or(PASSED_OVER)
    }

    /// It is what was written, or an error that names it.
    pub(crate) fn sound(self) -> Result<Self, StoreError> {
        let unsound = self.seal.as_ref().zip(self.body.as_ref());
        match unsound.filter(|(seal, body)| !seal.fits(body)) {
            Some(_) => Err(StoreError::damaged(format_args!(
                "event {} of run {} is not what was written",
                self.seq, self.run
            ))),
            None => Ok(self),
        }
    }

    /// Whether this installation wrote it, into this conversation.
    pub(crate) fn authenticity(&self, key: &LogKey, conversation: &ConversationId) -> Authenticity {
        let (run, kind) = (&self.run, self.kind.as_str());
        let (seq, round, at) = (self.seq, self.round, self.at);
        let head = Head { conversation, run, seq, round, at, kind };
        let seal = self.seal.as_ref();
        seal.map_or(Authenticity::Foreign, |seal| seal.authenticity(key, &head))
    }

    pub(crate) fn into_event(self) -> Result<Event, StoreError> {
        let kind = kind(self.body())?;
        Ok(Event { seq: self.seq, run: self.run, round: self.round, at: self.at, kind })
    }
}
