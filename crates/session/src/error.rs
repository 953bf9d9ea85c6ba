//! [`SessionError`]: why a session could not go on, and what to do about it.

use std::borrow::Cow;

use toolwright_core::{ActionableError, Fault, JournalError};
use toolwright_store::StoreError;

/// Why a session could not go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The conversation cannot be read, or another run goes on in it.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Something could not be added to a conversation.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl ActionableError for SessionError {
    fn advice(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Store(error) => error.advice(),
            Self::Journal(error) => ActionableError::advice(error),
        }
    }

    fn fault(&self) -> Fault {
        match self {
            Self::Store(error) => error.fault(),
            Self::Journal(error) => error.fault(),
        }
    }
}
