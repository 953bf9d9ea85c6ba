//! [`Once`]: a question that is asked once, however often it is sent.
//!
//! What it will be called is kept under the sender's key before anything begins. Whoever sends it again, to whichever
//! server, is told of that run; and where the one who came first died before it began, it begins now.

use std::time::Duration;

use toolwright_core::{ConversationId, Digest, RunId};
use toolwright_runtime::new_run_id;
use toolwright_store::{KeyClaim, KeyState};

use crate::{ApiError, auth::Asker, runs::Started};

/// How often a conversation is tried that somebody has, who may be asking the very same, and how long apart.
const ATTEMPTS: u32 = 10;
const BETWEEN: Duration = Duration::from_millis(200);

/// A question that is asked once.
pub(super) struct Once {
    conversation: ConversationId,
    run: RunId,
    is_keyed: bool,
    /// How often it may still be tried.
    attempts: u32,
}

impl Once {
    /// A question in this conversation, with the key that its sender gave it and the digest of what was sent.
    pub(super) async fn new(
        service: &Asker,
        conversation: ConversationId,
        key: Option<(String, Digest)>,
    ) -> Result<Self, ApiError> {
        let run = new_run_id();
        let Some((key, digest)) = key else {
            return Ok(Self { conversation, run, is_keyed: false, attempts: 0 });
        };
        let owner = service.who().owner.as_deref().unwrap_or_default().to_owned();
        let claim = KeyClaim { owner, key, digest, conversation, run };
        match service.store().claim_key(&claim).await? {
            KeyState::New => {
                let KeyClaim { conversation, run, .. } = claim;
                Ok(Self { conversation, run, is_keyed: true, attempts: ATTEMPTS })
            }
            KeyState::Same { conversation, run } => {
                Ok(Self { conversation, run, is_keyed: true, attempts: ATTEMPTS })
            }
            KeyState::Other => Err(ApiError::key_taken()),
        }
    }

    /// The conversation it is asked in.
    pub(super) fn conversation(&self) -> &ConversationId {
        &self.conversation
    }

    /// The run that answers it.
    pub(super) fn run(&self) -> &RunId {
        &self.run
    }

    /// The run, where it began already.
    pub(super) async fn begun(&self, service: &Asker) -> Result<Option<Started>, ApiError> {
        if !self.is_keyed {
            return Ok(None);
        }
        let first = service.store().beginning(&self.conversation, &self.run).await?;
        let Some(first) = first else { return Ok(None) };
        Ok(Some(service.runs().listen_from(&self.conversation, &self.run, first).await))
    }

    /// Looks once more, now that nobody else writes to the conversation: whoever sent the same may have been faster.
    pub(super) async fn check(&self, service: &Asker) -> Result<(), ApiError> {
        let is_first = !self.is_keyed
            || service.store().beginning(&self.conversation, &self.run).await?.is_none();
        if is_first { Ok(()) } else { Err(ApiError::busy()) }
    }

    /// Whether it is worth waiting: somebody is at work in the conversation, who may be asking the very same.
    pub(super) fn may_wait(&mut self, error: &ApiError) -> bool {
        let may = self.is_keyed && error.is_busy() && self.attempts > 0;
        self.attempts = self.attempts.saturating_sub(1);
        may
    }

    /// Waits a moment, and looks whether it has begun.
    pub(super) async fn wait(&self, service: &Asker) -> Result<Option<Started>, ApiError> {
        tokio::time::sleep(BETWEEN).await;
        self.begun(service).await
    }
}
