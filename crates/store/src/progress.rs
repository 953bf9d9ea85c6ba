//! [`Progress`]: how far a conversation has come, for whoever only listens.

use toolwright_core::{ConversationId, RunId};

use crate::{Position, Store, StoreError, position};

/// How far a conversation has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Where its next event will stand: how many there are.
    pub next: Position,
    /// The run that has not ended, and where it begins.
    pub open: Option<(RunId, Position)>,
}

impl Store {
    /// How far a conversation has come; nothing where there is none. It reads one row, and no event.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn progress(&self, id: &ConversationId) -> Result<Option<Progress>, StoreError> {
        let ledger = self.ledger(id).await?;
        Ok(ledger.map(|ledger| Progress {
            next: Position(ledger.events.unsigned_abs()),
            open: ledger.open.map(|open| (open.run, position::position(open.first))),
        }))
    }

    /// Where a run of a conversation begins; nothing where it has no such run.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn beginning(
        &self,
        id: &ConversationId,
        run: &RunId,
    ) -> Result<Option<Position>, StoreError> {
        let Some(ledger) = self.ledger(id).await? else { return Ok(None) };
        let first = self.stored(&ledger, run, 1).await?.into_iter().next();
        Ok(first.map(|it| it.position))
    }
}
