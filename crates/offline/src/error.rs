//! [`OfflineError`]: why the offline model does not answer, and what to do about it.

use std::borrow::Cow;

use toolwright_core::{ActionableError, Fault};
use toolwright_embed::{EmbedError, EmbedErrorKind};
use toolwright_fetch::{FetchError, FetchErrorKind};

/// Why the offline model does not answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct OfflineError {
    /// What kind of reason it is.
    pub kind: OfflineErrorKind,
    /// What happened.
    pub message: String,
    /// What to do about it.
    pub advice: Option<String>,
}

/// What kind of reason it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfflineErrorKind {
    /// A file is not there, or could not be fetched.
    Missing,
    /// A file is not what it should be.
    Damaged,
    /// A file is right, and of a kind that is not understood here.
    Unsupported,
    /// The conversation does not fit what the model can read.
    TooLong,
    /// Something in this process failed.
    Internal,
}

impl OfflineError {
    /// A reason.
    pub fn new(kind: OfflineErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), advice: None }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn with_advice(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }

    pub(crate) fn damaged(message: impl Into<String>) -> Self {
        Self::new(OfflineErrorKind::Damaged, message)
    }

    pub(crate) fn unsupported(message: impl Into<String>) -> Self {
        Self::new(OfflineErrorKind::Unsupported, message)
    }

    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::new(OfflineErrorKind::Internal, message)
    }
}

impl From<FetchError> for OfflineError {
    fn from(error: FetchError) -> Self {
        let kind = match error.kind {
            FetchErrorKind::Missing => OfflineErrorKind::Missing,
            FetchErrorKind::Damaged => OfflineErrorKind::Damaged,
        };
        Self { kind, message: error.message, advice: error.advice }
    }
}

impl From<EmbedError> for OfflineError {
    fn from(error: EmbedError) -> Self {
        let kind = match error.kind {
            EmbedErrorKind::Missing => OfflineErrorKind::Missing,
            EmbedErrorKind::Damaged => OfflineErrorKind::Damaged,
            _ => OfflineErrorKind::Internal,
        };
        Self { kind, message: error.message, advice: error.advice }
    }
}

impl ActionableError for OfflineError {
    fn advice(&self) -> Option<Cow<'_, str>> {
        self.advice.as_deref().map(Cow::Borrowed)
    }

    fn fault(&self) -> Fault {
        Fault::NotConfigured
    }
}
