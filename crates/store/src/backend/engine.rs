//! What those need who drive runs, or have them driven, elsewhere.

use std::time::Duration;

use toolwright_core::{ConversationId, Event, RunId, Timestamp};

use super::{Backend, Database, ServerGuard};
use crate::{
    Instructed, KeyClaim, KeyState, Position, StoreError, StoreNews, columns::Columns,
    instruction::SealedInstruction, lease::Lease, ledger::check_id, owner::View, sql,
};

/// The same of either database.
macro_rules! either {
    ($self:ident, $it:ident => $does:expr) => {
        match $self.database {
            #[cfg(feature = "sqlite")]
            Database::Sqlite(ref $it) => $does,
            #[cfg(feature = "postgres")]
            Database::Postgres(ref $it) => $does,
        }
    };
}

impl Backend {
    pub(crate) fn is_shared(&self) -> bool {
        match self.database {
            #[cfg(feature = "sqlite")]
            Database::Sqlite(_) => false,
            #[cfg(feature = "postgres")]
            Database::Postgres(_) => true,
        }
    }

    /// Nothing where several may serve.
    pub(crate) fn serve_alone(&self) -> Result<Option<ServerGuard>, StoreError> {
        match self.database {
            #[cfg(feature = "sqlite")]
            Database::Sqlite(ref it) => it.serve_alone().map(Some),
            #[cfg(feature = "postgres")]
            Database::Postgres(_) => Ok(None),
        }
    }

    #[cfg_attr(not(feature = "sqlite"), expect(unused_variables, reason = "whoever seizes looked"))]
    pub(crate) async fn seize(
        &self,
        id: &ConversationId,
        view: &View,
    ) -> Result<Lease, StoreError> {
        check_id(id.as_str())?;
        match self.database {
            // The kernel gives back what the dead held, and knows who lives.
            #[cfg(feature = "sqlite")]
            Database::Sqlite(_) => self.acquire(id, view).await,
            #[cfg(feature = "postgres")]
            Database::Postgres(ref it) => {
                let held = it.seize(id).await.map_err(|error| self.locate(error));
                held.map(|(claim, lock)| Lease { claim, _guard: super::Guard::Lock(lock) })
            }
        }
    }

    pub(crate) fn news(&self) -> StoreNews {
        either!(self, it => it.news())
    }

    #[cfg_attr(
        not(feature = "postgres"),
        expect(unused_variables, reason = "a file has no other processes to show it to")
    )]
    pub(crate) fn show(&self, id: &ConversationId, at: Position, before: u64, event: &Event) {
        match self.database {
            #[cfg(feature = "sqlite")]
            Database::Sqlite(_) => {}
            #[cfg(feature = "postgres")]
            Database::Postgres(ref it) => it.show(id, at, before, event),
        }
    }

    pub(crate) async fn instruct(
        &self,
        id: &ConversationId,
        run: &RunId,
        instruction: SealedInstruction,
    ) -> Result<Instructed, StoreError> {
        let done = either!(self, it => it.instruct(id, run, instruction).await);
        done.map_err(|error| self.locate(error))
    }

    pub(crate) async fn dismiss(
        &self,
        id: &ConversationId,
        run: &RunId,
        subject: String,
    ) -> Result<(), StoreError> {
        let done = either!(self, it => it.dismiss(id, run, subject).await);
        done.map_err(|error| self.locate(error))
    }

    /// Whether there is no such run elsewhere.
    pub(crate) async fn put_spec(
        &self,
        id: &ConversationId,
        run: &RunId,
        body: Vec<u8>,
    ) -> Result<bool, StoreError> {
        let done = either!(self, it => it.put_spec(id, run, body).await);
        done.map_err(|error| self.locate(error))
    }

    pub(crate) async fn has_spec(
        &self,
        id: &ConversationId,
        run: &RunId,
    ) -> Result<bool, StoreError> {
        let cells = vec![id.as_str().into(), run.as_str().into()];
        Ok(!self.query(sql::HAS_SPEC, cells, |_| Ok(())).await?.is_empty())
    }

    pub(crate) async fn stranded(
        &self,
        idle: Duration,
        most: usize,
    ) -> Result<Vec<(ConversationId, RunId)>, StoreError> {
        let idle = i64::try_from(idle.as_millis()).unwrap_or(i64::MAX);
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let done = either!(self, it => it.stranded(idle, most).await);
        done.map_err(|error| self.locate(error))
    }

    pub(crate) async fn woken(&self, run: &RunId) -> Result<(), StoreError> {
        let done = either!(self, it => it.woken(run).await);
        done.map_err(|error| self.locate(error))
    }

    pub(crate) async fn not_woken(&self, run: &RunId) -> Result<(), StoreError> {
        let done = either!(self, it => it.not_woken(run).await);
        done.map_err(|error| self.locate(error))
    }

    pub(crate) async fn rest(
        &self,
        run: &RunId,
        known: usize,
        until: Option<Timestamp>,
    ) -> Result<(), StoreError> {
        let known = i64::try_from(known).unwrap_or(i64::MAX);
        let until = until.and_then(|it| i64::try_from(it.0).ok()).unwrap_or(i64::MAX);
        let done = either!(self, it => it.rest(run, known, until).await);
        done.map_err(|error| self.locate(error))
    }

    pub(crate) async fn claim_key(&self, claim: &KeyClaim) -> Result<KeyState, StoreError> {
        let done = either!(self, it => it.claim_key(claim).await);
        done.map_err(|error| self.locate(error))
    }

    /// Notes the key of the log, where none is noted yet.
    pub(crate) async fn note_key(&self, check_value: Vec<u8>) -> Result<(), StoreError> {
        self.execute(sql::NOTE_KEY, vec![check_value.into()]).await.map(drop)
    }

    /// What tells this database from others that several processes share.
    pub(crate) async fn database_id(&self) -> Result<Option<String>, StoreError> {
        if !self.is_shared() {
            return Ok(None);
        }
        let read = |row: &dyn Columns| Ok(row.text(0)?.to_owned());
        Ok(self.query(sql::DATABASE_ID, Vec::new(), read).await?.into_iter().next())
    }

    pub(crate) async fn noted_key(&self) -> Result<Option<Vec<u8>>, StoreError> {
        let read = |row: &dyn Columns| Ok(row.maybe_bytes(0)?.unwrap_or_default().to_vec());
        Ok(self.query(sql::NOTED_KEY, Vec::new(), read).await?.into_iter().next())
    }
}
