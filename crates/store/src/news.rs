//! [`News`]: what happens in the log, told to whoever listens, whoever writes it.
//!
//! It says where to look; the log is the truth. What a database carries from process to process is a
//! [`Notice`]: anybody who may write to the database can send one, so one that shows something is proved with
//! the key of the log, and the others make nobody do more than look.

use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD};
use hmac::Mac;
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast::{self, error::RecvError};
use toolwright_core::{ConversationId, Event};

use crate::{LogKey, Position, Store};

/// What happens in the log.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// Events were kept.
    Kept {
        /// The conversation.
        id: ConversationId,
        /// How many events it has now.
        events: u64,
    },
    /// A message waits, or one was taken back.
    Queue {
        /// The conversation.
        id: ConversationId,
    },
    /// Something was left for the run that goes on.
    Instructed {
        /// The conversation.
        id: ConversationId,
    },
    /// Somebody else shows an event that is not kept ([`Store::show`]).
    Shown {
        /// The conversation.
        id: ConversationId,
        /// Behind how many events it was shown.
        at: Position,
        /// The event.
        event: Event,
    },
    /// Nobody listened for a while: when listening began, when the connection was lost, or because this
    /// listener was too slow. Everything is to be looked at.
    Missed,
}

/// How much news is kept for a listener that is slow; then it is told [`News::Missed`].
const KEPT: usize = 1_024;

/// What happens in the log, from when this was made.
#[derive(Debug)]
pub struct StoreNews(broadcast::Receiver<News>);

impl StoreNews {
    /// The next news, once there is some; nothing when the store is gone.
    pub async fn next(&mut self) -> Option<News> {
        match self.0.recv().await {
            Ok(news) => Some(news),
            Err(RecvError::Lagged(_)) => Some(News::Missed),
            Err(RecvError::Closed) => None,
        }
    }
}

/// Tells everybody who listens to a store.
#[derive(Clone, Debug)]
pub(crate) struct Newsroom(broadcast::Sender<News>);

impl Newsroom {
    pub(crate) fn new() -> Self {
        Self(broadcast::Sender::new(KEPT))
    }

    pub(crate) fn listen(&self) -> StoreNews {
        StoreNews(self.0.subscribe())
    }

    pub(crate) fn tell(&self, news: News) {
        // Where nobody listens, nobody is told.
        let _ = self.0.send(news);
    }
}

/// News as a database carries them.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Notice {
    Kept {
        id: ConversationId,
        events: u64,
    },
    Queue {
        id: ConversationId,
    },
    Instructed {
        id: ConversationId,
    },
    /// What is shown is JSON, and proved.
    Shown {
        proof: String,
        shown: String,
    },
}

/// What is shown, by which store, as its how-manieth.
#[derive(Serialize, Deserialize)]
struct Shown {
    by: u64,
    number: u64,
    id: ConversationId,
    at: Position,
    event: Event,
}

impl Notice {
    pub(crate) fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// A notice that shows an event; nothing where it cannot be written.
    pub(crate) fn shown(
        key: &LogKey,
        (by, number): (u64, u64),
        id: &ConversationId,
        at: Position,
        event: &Event,
    ) -> Option<String> {
        let shown = Shown { by, number, id: id.clone(), at, event: event.clone() };
        let shown = serde_json::to_string(&shown).ok()?;
        let proof = proof(key, &shown).finalize().into_bytes();
        serde_json::to_string(&Self::Shown { proof: STANDARD_NO_PAD.encode(proof), shown }).ok()
    }

    /// The news in a notice; nothing where it is none, or this store's own.
    pub(crate) fn read(text: &str, key: &LogKey, own: u64) -> Option<News> {
        match serde_json::from_str(text).ok()? {
            Self::Kept { id, events } => Some(News::Kept { id, events }),
            Self::Queue { id } => Some(News::Queue { id }),
            Self::Instructed { id } => Some(News::Instructed { id }),
            Self::Shown { proof: found, shown } => {
                let found = STANDARD_NO_PAD.decode(found).ok()?;
                proof(key, &shown).verify_slice(&found).ok()?;
                let Shown { by, id, at, event, .. } = serde_json::from_str(&shown).ok()?;
                (by != own).then_some(News::Shown { id, at, event })
            }
        }
    }
}

fn proof(key: &LogKey, shown: &str) -> impl Mac + use<> {
    let mut mac = key.mac();
    mac.update(b"toolwright shown 1\0");
    mac.update(shown.as_bytes());
    mac
}

impl Store {
    /// What happens in the log from now on, whoever writes it; in a file, what this store writes. All who
    /// listen to a store share one connection, which is made for the first of them: where that takes a
    /// moment, or it breaks, [`News::Missed`] says when listening has begun (again).
    pub fn news(&self) -> StoreNews {
        self.backend.news()
    }

    /// Shows an event that is not kept to those who listen to other stores of the same log, where it can be:
    /// nobody waits for it, and what is too large or too much is left out. A file has no others.
    pub fn show(&self, id: &ConversationId, at: Position, event: &Event) {
        self.backend.show(id, at, event);
    }
}
