//! [`PackError`]: why a pack cannot be opened, and what to do about it.

use std::{borrow::Cow, error::Error};

use toolwright_core::{ActionableError, Fault};

/// Why a pack cannot be opened.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct PackError {
    /// What happened, in a sentence.
    pub message: String,
    /// What a person can do about it.
    pub advice: Option<String>,
    /// What made it happen.
    pub source: Option<Box<dyn Error + Send + Sync>>,
}

impl PackError {
    /// An error that says this.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), advice: None, source: None }
    }

    /// The error of something that a pack stands on, in its own words.
    pub fn from_error(error: impl Error + Send + Sync + 'static) -> Self {
        let message = error.to_string();
        Self { message, advice: None, source: Some(Box::new(error)) }
    }

    /// The same with what to do about it.
    pub fn with_advice(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }
}

impl ActionableError for PackError {
    fn advice(&self) -> Option<Cow<'_, str>> {
        self.advice.as_deref().map(Cow::Borrowed)
    }

    fn fault(&self) -> Fault {
        Fault::Usage
    }
}
