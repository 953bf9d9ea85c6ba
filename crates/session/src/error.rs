//! [`SessionError`]: why a session could not go on, and what to do about it.

use std::borrow::Cow;

use toolwright_core::{ActionableError, ConversationId, Fault, JournalError};
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
    /// The run that goes on in the conversation is driven by an engine, also while nobody holds it.
    #[error("the run that goes on in {0} is driven by an engine, whoever is at it now")]
    Entrusted(ConversationId),
}

impl SessionError {
    /// Whether somebody else has the conversation, and may be done with it soon.
    pub fn is_busy(&self) -> bool {
        matches!(self, Self::Store(StoreError::InUse { .. }) | Self::Entrusted(_))
    }
}

impl ActionableError for SessionError {
    fn advice(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Store(error) => error.advice(),
            Self::Journal(error) => ActionableError::advice(error),
            Self::Entrusted(id) => Some(Cow::Owned(format!(
                "follow it, decide and stop it on the page of a server, or there with POST \
                 /api/conversations/{id}/stop; to have it driven on, POST /api/conversations/{id}/resume"
            ))),
        }
    }

    fn fault(&self) -> Fault {
        match self {
            Self::Store(error) => error.fault(),
            Self::Journal(error) => error.fault(),
            Self::Entrusted(_) => Fault::Failure,
        }
    }
}
