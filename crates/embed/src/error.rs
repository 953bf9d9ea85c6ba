//! [`EmbedError`]: why there are no vectors, and what to do about it.

use std::borrow::Cow;

use toolwright_core::ActionableError;

/// Why there are no vectors.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct EmbedError {
    /// What kind of reason it is.
    pub kind: EmbedErrorKind,
    /// What happened.
    pub message: String,
    /// What to do about it.
    pub advice: Option<String>,
}

/// What kind of reason it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmbedErrorKind {
    /// The model's files are not there, or could not be fetched.
    Missing,
    /// A file is not what it should be.
    Damaged,
    /// The endpoint cannot be reached, or failed.
    Unavailable,
    /// The endpoint refused: a wrong key, no such model.
    Refused,
    /// Something in this process failed.
    Internal,
}

#[cfg(feature = "local")]
impl From<toolwright_fetch::FetchError> for EmbedError {
    fn from(error: toolwright_fetch::FetchError) -> Self {
        let kind = match error.kind {
            toolwright_fetch::FetchErrorKind::Missing => EmbedErrorKind::Missing,
            toolwright_fetch::FetchErrorKind::Damaged => EmbedErrorKind::Damaged,
        };
        Self { kind, message: error.message, advice: error.advice }
    }
}

impl EmbedError {
    /// A reason.
    pub fn new(kind: EmbedErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), advice: None }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn with_advice(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }
}

impl ActionableError for EmbedError {
    fn advice(&self) -> Option<Cow<'_, str>> {
        self.advice.as_deref().map(Cow::Borrowed)
    }
}
