//! [`OpenRun`]: the run that goes on in a conversation, for whoever does not hold it.

use toolwright_core::{ConversationId, Run};

use crate::{Store, StoreError, ledger::Ledger, load};

/// The run that goes on in a conversation, as it was when its last event was stored.
#[derive(Clone, Debug)]
pub struct OpenRun {
    /// The run.
    pub run: Run,
    /// Whether somebody holds the conversation now.
    pub is_held: bool,
    /// Whether it is known how it was asked for, so that anybody can drive it.
    pub has_spec: bool,
}

impl Store {
    /// The run that goes on in a conversation, whoever drives it; nothing where there is none.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn open_run(&self, id: &ConversationId) -> Result<Option<OpenRun>, StoreError> {
        let Some(ledger) = self.ledger(id).await? else { return Ok(None) };
        match self.opened(id, &ledger).await {
            // It was deleted while it was read.
            Err(_) if self.ledger(id).await?.is_none_or(|now| now.key != ledger.key) => Ok(None),
            opened => opened,
        }
    }

    async fn opened(
        &self,
        id: &ConversationId,
        ledger: &Ledger,
    ) -> Result<Option<OpenRun>, StoreError> {
        let Some(open) = &ledger.open else { return Ok(None) };
        let loaded = load::load(&self.backend, &self.key, ledger).await?;
        let Some(run) = loaded.unfinished else { return Ok(None) };
        let held = self.backend.held(std::slice::from_ref(id)).await?;
        let has_spec = self.backend.has_spec(id, &open.run).await?;
        Ok(Some(OpenRun { run, is_held: held.contains_key(id), has_spec }))
    }
}
