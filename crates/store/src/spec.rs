//! How runs were asked for, kept for whoever drives them, and which of them nobody drives.
//!
//! A spec is written before its run begins and gone with its last event, in the same transaction. It may hold
//! credentials, so it is sealed. When somebody was last told to drive a run stands beside it, by the clock of
//! the database: those of machines differ.

use std::time::Duration;

use toolwright_core::{ConversationId, RunId, Timestamp};

use crate::{Store, StoreError, columns::Columns, ledger::check_id, sealed::Sealed, sql};

const KIND: &str = "spec";

/// For how long a spec is kept whose run nobody began, and an idempotency key.
pub(crate) const DAY: Duration = Duration::from_secs(24 * 60 * 60);

impl Store {
    /// Keeps how a run was asked for, before its first event. It is gone with its last, or a day later where
    /// nobody began it.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when another conversation has a run of this name.
    pub async fn put_spec(
        &self,
        id: &ConversationId,
        run: &RunId,
        spec: &[u8],
    ) -> Result<(), StoreError> {
        check_id(id.as_str())?;
        self.check_owner(id).await?;
        check_id(run.as_str())?;
        let about = Sealed { conversation: id, run, kind: KIND, subject: "" };
        let body = about.seal(&self.key, spec)?;
        match self.backend.put_spec(id, run, body).await? {
            true => Ok(()),
            false => Err(crate::ledger::taken(run)),
        }
    }

    /// How a run was asked for; nothing where that is not known, or it has ended.
    ///
    /// # Errors
    /// [`StoreError::Sealed`] when it was kept under another key.
    pub async fn spec(
        &self,
        id: &ConversationId,
        run: &RunId,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        if self.view.is_bounded() && self.ledger(id).await?.is_none() {
            return Ok(None);
        }
        let cells = vec![id.as_str().into(), run.as_str().into()];
        let read = |row: &dyn Columns| Ok(row.maybe_bytes(0)?.unwrap_or_default().to_vec());
        let found = self.backend.query(sql::SPEC, cells, read).await?;
        let Some(stored) = found.into_iter().next() else { return Ok(None) };
        let about = Sealed { conversation: id, run, kind: KIND, subject: "" };
        let opened = about.open(&self.key, &stored);
        opened.map(Some).ok_or_else(|| StoreError::Sealed(run.clone()))
    }

    /// Whether it is known how a run was asked, so that somebody else drives it; also where only they can read that.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn is_entrusted(&self, id: &ConversationId, run: &RunId) -> Result<bool, StoreError> {
        match self.spec(id, run).await {
            Err(StoreError::Sealed(_)) => Ok(true),
            spec => spec.map(|it| it.is_some()),
        }
    }

    /// Runs that go on, with a spec, that nobody holds, in which nothing happened for `idle`, and for which
    /// nobody was woken for that long. They count as woken from now on, so each is handed to one caller.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn stranded(
        &self,
        idle: Duration,
        most: usize,
    ) -> Result<Vec<(ConversationId, RunId)>, StoreError> {
        self.backend.stranded(idle, most).await
    }

    /// Somebody was told to drive a run.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn woken(&self, run: &RunId) -> Result<(), StoreError> {
        self.backend.woken(run).await
    }

    /// Nobody could be told to drive a run: the next one who looks for such is handed it.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn not_woken(&self, run: &RunId) -> Result<(), StoreError> {
        self.backend.not_woken(run).await
    }

    /// A run waits for people, who were shown what for: nobody has to be woken for it before something is left for it, or
    /// until then. Where more was left for it than the `known` instructions, it does not rest.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn rest(
        &self,
        run: &RunId,
        known: usize,
        until: Option<Timestamp>,
    ) -> Result<(), StoreError> {
        self.backend.rest(run, known, until).await
    }
}
