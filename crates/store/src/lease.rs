//! [`ConversationLease`]: a conversation that is ours to write to.

use std::{ops::Range, sync::Arc};

use futures_core::future::BoxFuture;
use toolwright_core::{
    Authenticity, BranchPoint, Conversation, ConversationId, Digest, Event, Journal, JournalError,
    QueueMode, QueuedMessage, Run,
};

use crate::{
    ConversationState, LogKey, Position, StoreError,
    backend::{Backend, Guard},
    branches::{self, Runs},
    columns::Cell,
    failpoint::failpoint,
    ledger::{Append, Claim, Ledger},
    position, queue,
    record::{Record, Stored},
    sql,
    state::{self, Piece},
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
        let ledger = self.ledger().await?;
        let range = position::range(ledger.key);
        let until = ledger.open.as_ref().map_or(range.end, |open| open.first);
        let pieces = match ledger.branches {
            0 => self.said(ledger.snapshot.unwrap_or(range.start)..until).await?,
            _ => {
                let runs = branches::of(&self.backend, &ledger).await?;
                self.leading_to(&runs, runs.before(until)).await?
            }
        };
        let history = state::fold(pieces);
        let unfinished = match ledger.open {
            Some(open) => Some(self.replay(open.first, range.end, &history).await?),
            None => None,
        };
        Ok(ConversationState { history, unfinished })
    }

    /// What was said until a point, for a run that goes on from there.
    ///
    /// # Errors
    /// [`StoreError::Point`] when there is no such point, or calls had no results there yet.
    pub async fn history_at(&self, point: &BranchPoint) -> Result<Conversation, StoreError> {
        let runs = branches::of(&self.backend, &self.ledger().await?).await?;
        let until = runs.until(point).ok_or_else(branches::no_such_point)?;
        let pieces = self.leading_to(&runs, until).await?;
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

    async fn ledger(&self) -> Result<Ledger, StoreError> {
        let cells = vec![self.claim().key.into()];
        let found = self.backend.query(sql::LEDGER, cells, Ledger::read).await?;
        found.into_iter().next().ok_or_else(|| StoreError::NotHeld(self.id().clone()))
    }

    async fn replay(
        &self,
        first: i64,
        end: i64,
        history: &Conversation,
    ) -> Result<Run, StoreError> {
        let bounds = vec![first.into(), end.into()];
        let stored = self.backend.query(sql::REPLAYED, bounds, Stored::read).await?;
        let events = stored.into_iter().map(|stored| {
            let stored = stored.sound()?;
            let authenticity = stored.authenticity(&self.key, self.id());
            Ok((stored.into_event()?, authenticity))
        });
        let located = |error| self.backend.locate(error);
        let events = events.collect::<Result<Vec<_>, _>>().map_err(located)?;
        let events = events.iter().map(|(event, authenticity)| (event, *authenticity));
        let run = Run::replay_mixed(history.clone(), events);
        run.map_err(|error| located(StoreError::damaged(error)))
    }

    /// What leads to this number.
    async fn leading_to(&self, runs: &Runs, until: i64) -> Result<Vec<Piece>, StoreError> {
        let path = runs.path(until).map_err(|error| self.backend.locate(error))?;
        let mut pieces = Vec::new();
        for stretch in path {
            pieces.extend(self.said(stretch).await?);
        }
        Ok(pieces)
    }

    /// What was said in this stretch of the log.
    async fn said(&self, stretch: Range<i64>) -> Result<Vec<Piece>, StoreError> {
        let bounds = vec![Cell::from(stretch.start), Cell::from(stretch.end)];
        let stored = self.backend.query(sql::HISTORY, bounds, Stored::read).await?;
        self.pieces(stored).map_err(|error| self.backend.locate(error))
    }

    fn pieces(&self, stored: Vec<Stored>) -> Result<Vec<Piece>, StoreError> {
        let mut pieces = Vec::with_capacity(stored.len());
        for stored in stored {
            let stored = stored.sound()?;
            let authenticity = stored.authenticity(&self.key, self.id());
            pieces.extend((authenticity == Authenticity::Foreign).then_some(Piece::Foreign));
            pieces.extend(Piece::new(&stored, authenticity)?);
        }
        Ok(pieces)
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

impl Journal for ConversationLease {
    fn attachment(
        &self,
        digest: &Digest,
    ) -> BoxFuture<'static, Result<Option<Arc<[u8]>>, JournalError>> {
        let (backend, key, digest) = (self.backend.clone(), self.claim().key, *digest);
        Box::pin(async move { Ok(backend.attachment(key, &digest).await?) })
    }

    /// What waits for the run that goes on; what waits for its end does not wait for it.
    fn waiting(&self) -> BoxFuture<'static, Result<Vec<QueuedMessage>, JournalError>> {
        let (backend, key, id) = (self.backend.clone(), self.key.clone(), self.id().clone());
        Box::pin(async move {
            let mut waiting = queue::waiting(&backend, &key, &id).await?;
            waiting.retain(|it| it.mode == QueueMode::Steer);
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
