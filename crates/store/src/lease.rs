//! [`ConversationLease`]: a conversation that is ours to write to.

use std::sync::Arc;

use futures_core::future::BoxFuture;
use toolwright_core::{
    BranchPoint, Conversation, ConversationId, Digest, Event, Journal, JournalError, MessageId,
    QueueMode, QueuedMessage,
};

use crate::{
    ConversationState, LogKey, Position, StoreError,
    backend::{Backend, Guard},
    branches,
    failpoint::failpoint,
    ledger::{Append, Claim, Ledger},
    load, queue,
    record::Record,
    sql, state,
};

/// A conversation that is ours to write to, until the last clone of this is dropped.
///
/// It is the [`Journal`] of the conversation's runs. Should another process take the conversation
/// over, because the machine lost touch with the database say, appending fails: nothing two
/// holders write is ever mixed.
#[derive(Clone)]
pub struct ConversationLease {
    backend: Arc<Backend>,
    key: LogKey,
    lease: Arc<Lease>,
}

pub(crate) struct Lease {
    pub(crate) claim: Claim,
    /// Gives the conversation back when it is dropped.
    pub(crate) _guard: Guard,
}

impl ConversationLease {
    pub(crate) fn new(backend: Arc<Backend>, key: LogKey, lease: Lease) -> Self {
        Self { backend, key, lease: Arc::new(lease) }
    }

    /// The conversation.
    pub fn id(&self) -> &ConversationId {
        &self.lease.claim.id
    }

    pub(crate) fn claim(&self) -> &Claim {
        &self.lease.claim
    }

    /// What was said so far, and the run that has not ended, if there is one.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn load(&self) -> Result<ConversationState, StoreError> {
        load::load(&self.backend, &self.key, &self.ledger().await?).await
    }

    /// What was said until a point, for a run that goes on from there.
    ///
    /// # Errors
    /// [`StoreError::Point`] when there is no such point, or calls had no results there yet.
    pub async fn history_at(&self, point: &BranchPoint) -> Result<Conversation, StoreError> {
        let runs = branches::of(&self.backend, &self.ledger().await?).await?;
        let until = runs.until(point).ok_or_else(branches::no_such_point)?;
        let pieces = load::leading_to(&self.backend, &self.key, self.id(), &runs, until).await?;
        match state::unanswered(&pieces) {
            0 => Ok(state::fold(pieces)),
            _ => Err(branches::between_calls()),
        }
    }

    /// Where the next event goes. While the conversation is held nobody else appends to it, so
    /// those that follow stand one behind the other; those that are shown and not kept have no place.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn next(&self) -> Result<Position, StoreError> {
        self.ledger().await.map(|ledger| Position(ledger.events.unsigned_abs()))
    }

    /// Whether a message waits still, for whoever asks it now: from here on nobody takes it back.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn take_up(&self, message: &MessageId) -> Result<bool, StoreError> {
        let taken = self.backend.take_up(self.claim(), vec![message.clone()]).await?;
        Ok(!taken.is_empty())
    }

    /// Whether it still is ours: nobody took it, and nobody deleted the conversation.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn is_held(&self) -> Result<bool, StoreError> {
        self.watch().is_held().await
    }

    /// Tells whether it still is ours, without holding it.
    pub fn watch(&self) -> LeaseWatch {
        LeaseWatch { backend: self.backend.clone(), claim: self.claim().clone() }
    }

    async fn ledger(&self) -> Result<Ledger, StoreError> {
        let found = ledger(&self.backend, self.claim()).await?;
        found.ok_or_else(|| StoreError::NotHeld(self.id().clone()))
    }

    fn submit(&self, events: &[Event]) -> Result<Option<BoxFuture<'static, Done>>, StoreError> {
        failpoint!("store::append");
        let mut records = Record::all(events)?;
        if records.is_empty() {
            return Ok(None);
        }
        records.iter_mut().for_each(|record| record.sign(&self.key, self.id()));
        let append = Append { claim: self.claim().clone(), records };
        // The lease lives until the append is settled, also where nobody waits for that.
        Ok(Some(self.backend.append(append, self.lease.clone())))
    }
}

type Done = Result<(), StoreError>;

/// Tells whether a lease is still what it was, for somebody who does not have it.
#[derive(Clone)]
pub struct LeaseWatch {
    backend: Arc<Backend>,
    claim: Claim,
}

impl LeaseWatch {
    /// Whether nobody took the conversation since, and nobody deleted it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn is_held(&self) -> Result<bool, StoreError> {
        let found = ledger(&self.backend, &self.claim).await?;
        Ok(found.is_some_and(|ledger| ledger.epoch == self.claim.epoch))
    }
}

async fn ledger(backend: &Backend, claim: &Claim) -> Result<Option<Ledger>, StoreError> {
    let found = backend.query(sql::LEDGER, vec![claim.key.into()], Ledger::read).await?;
    Ok(found.into_iter().next())
}

impl Journal for ConversationLease {
    fn attachment(
        &self,
        digest: &Digest,
    ) -> BoxFuture<'static, Result<Option<Arc<[u8]>>, JournalError>> {
        let (backend, key, digest) = (self.backend.clone(), self.claim().key, *digest);
        Box::pin(async move { Ok(backend.attachment(key, &digest).await?) })
    }

    /// What waits for the run that goes on; what waits for its end does not wait for it. From here on nobody
    /// takes it back.
    fn waiting(&self) -> BoxFuture<'static, Result<Vec<QueuedMessage>, JournalError>> {
        let claim = self.claim().clone();
        let (backend, key, id) = (self.backend.clone(), self.key.clone(), self.id().clone());
        Box::pin(async move {
            let mut waiting = queue::waiting(&backend, &key, &id).await?;
            waiting.retain(|it| it.mode == QueueMode::Steer);
            if !waiting.is_empty() {
                let names = waiting.iter().map(|it| it.id.clone()).collect();
                let taken = backend.take_up(&claim, names).await?;
                waiting.retain(|it| taken.contains(&it.id));
            }
            Ok(waiting)
        })
    }

    fn append(&self, events: &[Event]) -> BoxFuture<'static, Result<(), JournalError>> {
        let submitted = self.submit(events);
        Box::pin(async {
            match submitted? {
                Some(done) => Ok(done.await?),
                None => Ok(()),
            }
        })
    }
}
