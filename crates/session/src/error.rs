//! [`SessionError`]: why a session could not go on, and what to do about it.

use toolwright_core::JournalError;
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

impl SessionError {
    /// What a person can do about it.
    pub fn advice(&self) -> Option<String> {
        match self {
            Self::Store(error) => error.advice(),
            Self::Journal(error) => error.advice.clone(),
        }
    }
}
