//! [`RebuiltRequest`]: what a model was sent in a round, made once more from the log.

use std::{pin::Pin, sync::Arc};

use toolwright_core::{
    ConversationId, Digest, Event, Journal, JournalError, JournalErrorKind, ModelError, RunId,
    SentRequest,
};
use toolwright_store::Store;

use crate::{Session, SessionError};

/// What a model was sent in a round, made once more from the log by what makes requests.
#[derive(Clone, Debug)]
pub struct RebuiltRequest {
    /// The model that it is made for: the one that is asked now, where the run's own is not there any more.
    pub model: String,
    /// The request; nothing where that model is asked in none.
    pub request: Result<Option<SentRequest>, ModelError>,
}

impl Session {
    /// What the model was sent in this round of a run; nothing where there is no such round.
    ///
    /// # Errors
    /// When there is no such conversation, or it cannot be read.
    pub async fn rebuild_request(
        &self,
        id: &ConversationId,
        run: &RunId,
        round: u32,
    ) -> Result<Option<RebuiltRequest>, SessionError> {
        let Some(round) = self.store().round(id, run, round).await? else { return Ok(None) };
        let attached = Attached { store: self.store().clone(), id: id.clone() };
        let (offered, agent) = (round.offered.as_deref(), self.agent());
        let request = agent.sent_request(&round.run, round.choice, offered, Some(&attached)).await;
        Ok(Some(RebuiltRequest { model: agent.model_of(&round.run).to_owned(), request }))
    }
}

type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// What is attached in a conversation, for somebody who does not write to it.
struct Attached {
    store: Store,
    id: ConversationId,
}

impl Journal for Attached {
    fn append(&self, _events: &[Event]) -> BoxFuture<Result<(), JournalError>> {
        let error = JournalError::new(JournalErrorKind::NotHeld, "it is only read here");
        Box::pin(std::future::ready(Err(error)))
    }

    fn attachment(&self, digest: &Digest) -> BoxFuture<Result<Option<Arc<[u8]>>, JournalError>> {
        let (store, id, digest) = (self.store.clone(), self.id.clone(), *digest);
        Box::pin(async move { Ok(store.attachment(&id, &digest).await?) })
    }
}
