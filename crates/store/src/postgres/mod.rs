//! [`Postgres`]: the log on a server.
//!
//! Three connections: one writes and gathers what waits into one transaction ([`writer`]), one
//! holds the locks that say who is at work in which conversation ([`lease`]), one reads. Each is
//! made again when it breaks. Tables live in a schema of their own, `toolwright`.

mod append;
mod lease;
mod queue;
mod reader;
mod schema;
mod session;
mod writer;

use std::{collections::HashSet, time::Duration};

use futures_core::future::BoxFuture;
use tokio::time::Instant;
use tokio_postgres::Config;
use toolwright_core::{ConversationId, MessageId};

pub(crate) use self::lease::SessionLock;
use self::{lease::Locks, reader::Reader, session::Session, writer::Writer};
use crate::{
    StoreError, Timeouts, Withdrawal,
    columns::{Cell, Reading},
    import::Addition,
    ledger::{Append, Claim},
    queue::Queued,
    sql,
};

/// The log on a server.
pub(crate) struct Postgres {
    settings: Settings,
    reader: Reader,
    writer: Writer,
    locks: Locks,
}

/// How to connect.
#[derive(Clone)]
struct Settings {
    config: Config,
    timeouts: Timeouts,
}

/// How often a conversation that is taken is tried again, and how long apart: giving one back
/// takes a moment to reach the server.
const ATTEMPTS: u32 = 5;
const BETWEEN: Duration = Duration::from_millis(20);

impl Postgres {
    pub(crate) async fn open(address: &str, timeouts: Timeouts) -> Result<Self, StoreError> {
        let config: Config = address.parse().map_err(|error| {
            StoreError::Unavailable(format!("the address of PostgreSQL cannot be read: {error}"))
        })?;
        let settings = Settings { config, timeouts };
        let session = Session::open(&settings).await?;
        schema::migrate(&session).await?;
        Ok(Self {
            reader: Reader::new(settings.clone(), session),
            writer: Writer::start(settings.clone()),
            locks: Locks::start(settings.clone()),
            settings,
        })
    }

    pub(crate) async fn query<T>(
        &self,
        sql: &'static str,
        cells: Vec<Cell>,
        read: Reading<T>,
    ) -> Result<Vec<T>, StoreError> {
        self.reader.query(sql, &cells, read).await
    }

    pub(crate) fn append<K: Send + 'static>(
        &self,
        append: Append,
        keep: K,
    ) -> BoxFuture<'static, Result<(), StoreError>> {
        self.writer.submit(append, Box::new(keep))
    }

    pub(crate) async fn acquire(
        &self,
        id: &ConversationId,
    ) -> Result<(Claim, SessionLock), StoreError> {
        let deadline = Instant::now() + self.settings.timeouts.lost;
        let mut attempt = 1;
        loop {
            match self.locks.take(id).await {
                Err(StoreError::InUse { .. }) if attempt < ATTEMPTS => {}
                Err(StoreError::Lost(_)) if Instant::now() < deadline => {}
                taken => return taken,
            }
            attempt += 1;
            tokio::time::sleep(BETWEEN).await;
        }
    }

    pub(crate) async fn held(
        &self,
        ids: &[ConversationId],
    ) -> Result<HashSet<ConversationId>, StoreError> {
        self.reader.held(ids).await
    }

    /// All of them or none.
    pub(crate) async fn import(&self, additions: Vec<Addition>) -> Result<(), StoreError> {
        let session = Session::open(&self.settings).await?;
        append::import(&session, additions).await
    }

    /// In a session of its own: it may have to wait for an append that is under way.
    pub(crate) async fn rename(
        &self,
        id: &ConversationId,
        title: String,
    ) -> Result<bool, StoreError> {
        let session = Session::open(&self.settings).await?;
        let renamed = session.execute(sql::RENAME, &[&title, &id.as_str()]).await?;
        Ok(renamed > 0)
    }

    /// Whether there was a conversation for it to wait in. In a session of its own, as renaming is.
    pub(crate) async fn queue(
        &self,
        id: &ConversationId,
        queued: Queued,
    ) -> Result<bool, StoreError> {
        let session = Session::open(&self.settings).await?;
        queue::queue(&session, id, &queued).await
    }

    /// What became of it.
    pub(crate) async fn withdraw(
        &self,
        id: &ConversationId,
        message: &MessageId,
    ) -> Result<Withdrawal, StoreError> {
        let session = Session::open(&self.settings).await?;
        queue::withdraw(&session, id, message).await
    }

    /// Which of them are taken up from here on.
    pub(crate) async fn take_up(
        &self,
        claim: &Claim,
        messages: Vec<MessageId>,
    ) -> Result<Vec<MessageId>, StoreError> {
        let session = Session::open(&self.settings).await?;
        queue::take_up(&session, claim, &messages).await
    }

    pub(crate) async fn delete(&self, claim: Claim) -> Result<(), StoreError> {
        let session = Session::open(&self.settings).await?;
        append::delete(&session, &claim).await
    }
}
