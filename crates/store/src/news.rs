//! [`News`]: what happens in the log, told to whoever listens, whoever writes it.
//!
//! It says where to look; the log is the truth.

use tokio::sync::broadcast::{self, error::RecvError};
use toolwright_core::{ConversationId, Event};

use crate::{Position, Store};

/// What happens in the log.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "a thousand of the largest are 300 kB, and no more are kept"
)]
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
    /// Something was left for the run that goes on, or it was left to an engine.
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
        /// How many bytes of the same text were shown before it, where it is a piece of one. Whoever does not have as many
        /// missed some, and shows no part of the text.
        before: u64,
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

impl Store {
    /// What happens in the log from now on, whoever writes it; in a file, what this store writes. All who
    /// listen to a store share one connection, which is made for the first of them: where that takes a
    /// moment, or it breaks, [`News::Missed`] says when listening has begun (again).
    pub fn news(&self) -> StoreNews {
        self.backend.news()
    }

    /// Shows an event that is not kept to those who listen to other stores of the same log, where it can be:
    /// nobody waits for it, and what is too large or too much is left out. A file has no others. `before` is how much of
    /// the same text came before it: others may have begun to listen since, or not have been shown all of it.
    pub fn show(&self, id: &ConversationId, at: Position, before: u64, event: &Event) {
        self.backend.show(id, at, before, event);
    }
}
