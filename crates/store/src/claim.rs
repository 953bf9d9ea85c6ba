//! [`KeyClaim`]: a request with a key of its sender's, which is done once however often it is sent.

use toolwright_core::{ConversationId, Digest, RunId};

use crate::{Store, StoreError, columns::Columns, ledger::check_id};

/// A request with a key of its sender's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyClaim {
    /// Who sent it: a key is good for one sender.
    pub owner: String,
    /// The key, of at most 200 bytes.
    pub key: String,
    /// What was asked for.
    pub digest: Digest,
    /// Where it is done, if it is new.
    pub conversation: ConversationId,
    /// The run that does it, if it is new.
    pub run: RunId,
}

/// What a key was used for in the last 24 hours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyState {
    /// Nothing: it is this request's from now on.
    New,
    /// The same request, which is done there. Whoever sent it first may have died before the run began.
    Same {
        /// The conversation.
        conversation: ConversationId,
        /// The run.
        run: RunId,
    },
    /// Another request.
    Other,
}

/// What is stored under a key.
#[derive(Clone, Debug)]
pub(crate) struct Claimed {
    pub(crate) digest: String,
    pub(crate) conversation: ConversationId,
    pub(crate) run: RunId,
}

impl Claimed {
    /// Columns as in `sql::CLAIMED`.
    pub(crate) fn read(row: &dyn Columns) -> Result<Self, StoreError> {
        let (conversation, run) = (row.text(1)?.into(), row.text(2)?.into());
        Ok(Self { digest: row.text(0)?.to_owned(), conversation, run })
    }

    pub(crate) fn state(self, claim: &KeyClaim) -> KeyState {
        if self.digest == claim.digest.to_string() {
            KeyState::Same { conversation: self.conversation, run: self.run }
        } else {
            KeyState::Other
        }
    }
}

impl Store {
    /// Takes a key for a request, unless it was used in the last 24 hours. However many ask at once, wherever,
    /// one of them is told that it is new.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] when the key is empty, too long, or has control characters in it.
    pub async fn claim_key(&self, claim: &KeyClaim) -> Result<KeyState, StoreError> {
        for name in [claim.key.as_str(), claim.conversation.as_str(), claim.run.as_str()] {
            check_id(name)?;
        }
        // Where there is one user, it has no name.
        if !claim.owner.is_empty() {
            check_id(&claim.owner)?;
        }
        // Whoever sees only what is theirs has keys of their own.
        match self.view.only() {
            Some(owner) => {
                let owner = owner.to_owned();
                self.backend.claim_key(&KeyClaim { owner, ..claim.clone() }).await
            }
            None => self.backend.claim_key(claim).await,
        }
    }
}
