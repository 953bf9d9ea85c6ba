//! [`WatchError`]: what went wrong with a watch history, and what to do about it.

use std::borrow::Cow;

use toolwright_core::ActionableError;

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct WatchError {
    /// What kind of thing.
    pub kind: WatchErrorKind,
    /// What happened.
    pub message: String,
    /// What to do about it.
    pub advice: Option<String>,
}

/// What kind of thing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WatchErrorKind {
    /// A file that cannot be read, or is no watch history.
    Unreadable,
    /// The library on the disk cannot be used.
    Library,
    /// What was asked for is not possible: a date that is none, say.
    Invalid,
    /// YouTube's API refused or cannot be reached.
    Api,
    /// There are no vectors.
    Embedding,
}

impl WatchError {
    /// Something that went wrong.
    pub fn new(kind: WatchErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), advice: None }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn with_advice(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }
}

impl From<rusqlite::Error> for WatchError {
    fn from(error: rusqlite::Error) -> Self {
        Self::new(WatchErrorKind::Library, format!("the watch history cannot be used: {error}"))
    }
}

impl ActionableError for WatchError {
    fn advice(&self) -> Option<Cow<'_, str>> {
        self.advice.as_deref().map(Cow::Borrowed)
    }
}
