//! [`FetchError`]: why files could not be had, and what to do about it.

/// Why files could not be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FetchError {
    /// What kind of reason it is.
    pub kind: FetchErrorKind,
    /// What happened.
    pub message: String,
    /// What to do about it.
    pub advice: Option<String>,
}

/// What kind of reason it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FetchErrorKind {
    /// A file is not there, or could not be fetched.
    Missing,
    /// A file is not what it should be.
    Damaged,
}

impl FetchError {
    /// A reason.
    pub fn new(kind: FetchErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), advice: None }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn with_advice(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }
}
