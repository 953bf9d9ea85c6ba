//! [`Postgres`]: the log on a server.
//!
//! Three connections: one writes and gathers what waits into one transaction ([`writer`]), one
//! holds the locks that say who is at work in which conversation ([`lease`]), one reads. A fourth
//! listens, where somebody wants to hear ([`wire`]); a few more are kept for small changes
//! ([`pool`]). Each is made again when it breaks. Tables live in a schema of their own, `toolwright`.

mod append;
mod claim;
mod engine;
mod lease;
mod notice;
mod pool;
mod queue;
mod reader;
mod schema;
mod session;
mod tls;
mod wire;
mod writer;

use std::{collections::HashMap, time::Duration};

use futures_core::future::BoxFuture;
use tokio::time::Instant;
use tokio_postgres::{Config, types::ToSql};
use toolwright_core::{ConversationId, Event, MessageId, RunId};

pub(crate) use self::lease::SessionLock;
use self::{
    lease::Locks, pool::Pool, reader::Reader, session::Session, tls::Tls, wire::Wire,
    writer::Writer,
};
use crate::{
    Instructed, KeyClaim, KeyState, LogKey, Position, Refusal, StoreError, StoreNews, Timeouts,
    Withdrawal,
    address::Address,
    backend::Liveness,
    columns::{Cell, Reading},
    import::Addition,
    instruction::SealedInstruction,
    ledger::{Append, Claim},
    owner::View,
    queue::Queued,
    sql,
};

/// The log on a server.
pub(crate) struct Postgres {
    settings: Settings,
    reader: Reader,
    writer: Writer,
    locks: Locks,
    pool: Pool,
    wire: Wire,
}

/// How to connect.
#[derive(Clone)]
struct Settings {
    config: Config,
    tls: Tls,
    timeouts: Timeouts,
}

/// How often a conversation that is taken is tried again, and how long apart, longer each time: giving
/// one back takes a moment to reach the server.
const ATTEMPTS: u32 = 5;
const BETWEEN: Duration = Duration::from_millis(20);

impl Postgres {
    /// What brings it from format to format.
    pub(crate) const STEPS: &[&str] = schema::STEPS;

    pub(crate) async fn open(
        address: &str,
        timeouts: Timeouts,
        key: LogKey,
    ) -> Result<Self, StoreError> {
        let address: Address = address.parse()?;
        let place = address.place();
        let Address { config, safety } = address;
        let settings = Settings { config, tls: Tls::new(&safety)?, timeouts };
        // Nothing was lost yet, and of several databases somebody wants to know which.
        let session = Session::open(&settings).await.map_err(|error| match error {
            StoreError::Lost(why) => StoreError::Refused {
                what: format!("no connection to {place}: {why}"),
                why: Refusal::Unreached,
            },
            StoreError::Refused { what, why } => {
                StoreError::Refused { what: format!("no connection to {place}: {what}"), why }
            }
            StoreError::Unavailable(why) => {
                StoreError::Unavailable(format!("no connection to {place}: {why}"))
            }
            other => other,
        })?;
        schema::migrate(&session).await?;
        Ok(Self {
            reader: Reader::new(settings.clone(), session),
            writer: Writer::start(settings.clone()),
            locks: Locks::start(settings.clone()),
            pool: Pool::new(settings.clone()),
            wire: Wire::new(settings.clone(), key)?,
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

    /// Whether all of it is there, and can be changed.
    pub(crate) async fn check(&self) -> Result<(), StoreError> {
        let read: Reading<(bool, String)> =
            |row| Ok((row.text(0)? == "on", row.text(1)?.to_owned()));
        let found = self.reader.query(schema::CONDITION, &[], read).await?;
        match found.into_iter().next() {
            Some((_, missing)) if !missing.is_empty() => Err(StoreError::Refused {
                what: format!("tables are missing from its schema `toolwright`: {missing}"),
                why: Refusal::OtherTables,
            }),
            Some((true, _)) => Err(session::read_only()),
            _ => Ok(()),
        }
    }

    /// Writes what is no part of the log.
    pub(crate) async fn execute(
        &self,
        sql: &'static str,
        cells: Vec<Cell>,
    ) -> Result<u64, StoreError> {
        let session = self.pool.begin().await?;
        let values: Vec<&(dyn ToSql + Sync)> = cells.iter().map(|cell| cell as _).collect();
        let changed = session.execute(sql, &values).await?;
        session.commit().await?;
        Ok(changed)
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
        view: &View,
    ) -> Result<(Claim, SessionLock), StoreError> {
        let deadline = Instant::now() + self.settings.timeouts.lost;
        let mut attempt = 1;
        loop {
            match self.locks.take(id, view).await {
                Err(StoreError::InUse { .. }) if attempt < ATTEMPTS => {}
                Err(StoreError::Lost(_)) if Instant::now() < deadline => {}
                taken => return taken,
            }
            tokio::time::sleep(BETWEEN * attempt.min(ATTEMPTS)).await;
            attempt += 1;
        }
    }

    pub(crate) async fn held(
        &self,
        ids: &[ConversationId],
    ) -> Result<HashMap<ConversationId, Liveness>, StoreError> {
        self.reader.held(ids).await
    }

    /// All of them or none.
    pub(crate) async fn import(&self, additions: Vec<Addition>) -> Result<(), StoreError> {
        let session = Session::open(&self.settings).await?;
        append::import(&session, additions).await
    }

    pub(crate) async fn seize(
        &self,
        id: &ConversationId,
    ) -> Result<(Claim, SessionLock), StoreError> {
        let session = self.pool.begin().await?;
        let claim = claim::seize(&session, id).await?;
        // Locked before anybody can see that there is something to lock.
        let lock = self.locks.hold(&claim).await?;
        session.commit().await?;
        Ok((claim, lock))
    }

    pub(crate) async fn rename(
        &self,
        id: &ConversationId,
        title: String,
    ) -> Result<bool, StoreError> {
        let session = self.pool.begin().await?;
        let renamed = session.execute(sql::RENAME, &[&title, &id.as_str()]).await?;
        session.commit().await?;
        Ok(renamed > 0)
    }

    /// Whether there was a conversation for it to wait in.
    pub(crate) async fn queue(
        &self,
        id: &ConversationId,
        queued: Queued,
    ) -> Result<bool, StoreError> {
        let session = self.pool.begin().await?;
        let done = queue::queue(&session, id, &queued).await?;
        session.commit().await?;
        Ok(done)
    }

    /// What became of it.
    pub(crate) async fn withdraw(
        &self,
        id: &ConversationId,
        message: &MessageId,
    ) -> Result<Withdrawal, StoreError> {
        let session = self.pool.begin().await?;
        let done = queue::withdraw(&session, id, message).await?;
        session.commit().await?;
        Ok(done)
    }

    /// Which of them are taken up from here on.
    pub(crate) async fn take_up(
        &self,
        claim: &Claim,
        messages: Vec<MessageId>,
    ) -> Result<Vec<MessageId>, StoreError> {
        let session = self.pool.begin().await?;
        let done = queue::take_up(&session, claim, &messages).await?;
        session.commit().await?;
        Ok(done)
    }

    pub(crate) fn news(&self) -> StoreNews {
        self.wire.news()
    }

    pub(crate) fn show(&self, id: &ConversationId, at: Position, before: u64, event: &Event) {
        self.wire.show(id, (at, before), event);
    }

    pub(crate) async fn instruct(
        &self,
        id: &ConversationId,
        run: &RunId,
        instruction: SealedInstruction,
    ) -> Result<Instructed, StoreError> {
        let session = self.pool.begin().await?;
        let done = engine::instruct(&session, id, run, &instruction).await?;
        session.commit().await?;
        Ok(done)
    }

    pub(crate) async fn dismiss(
        &self,
        id: &ConversationId,
        run: &RunId,
        subject: String,
    ) -> Result<(), StoreError> {
        let session = self.pool.begin().await?;
        engine::dismiss(&session, id, run, &subject).await?;
        session.commit().await
    }

    pub(crate) async fn put_spec(
        &self,
        id: &ConversationId,
        run: &RunId,
        body: Vec<u8>,
    ) -> Result<bool, StoreError> {
        let session = self.pool.begin().await?;
        let done = engine::put_spec(&session, id, run, &body).await?;
        session.commit().await?;
        Ok(done)
    }

    pub(crate) async fn stranded(
        &self,
        idle: i64,
        most: i64,
    ) -> Result<Vec<(ConversationId, RunId)>, StoreError> {
        let session = self.pool.begin().await?;
        let done = engine::stranded(&session, idle, most).await?;
        session.commit().await?;
        Ok(done)
    }

    pub(crate) async fn woken(&self, run: &RunId) -> Result<(), StoreError> {
        let session = self.pool.begin().await?;
        engine::woken(&session, run).await?;
        session.commit().await
    }

    pub(crate) async fn not_woken(&self, run: &RunId) -> Result<(), StoreError> {
        let session = self.pool.begin().await?;
        engine::not_woken(&session, run).await?;
        session.commit().await
    }

    pub(crate) async fn rest(&self, run: &RunId, known: i64, until: i64) -> Result<(), StoreError> {
        let session = self.pool.begin().await?;
        engine::rest(&session, run, known, until).await?;
        session.commit().await
    }

    pub(crate) async fn claim_key(&self, claim: &KeyClaim) -> Result<KeyState, StoreError> {
        let session = self.pool.begin().await?;
        let done = engine::claim_key(&session, claim).await?;
        session.commit().await?;
        Ok(done)
    }

    pub(crate) async fn delete(&self, claim: Claim) -> Result<(), StoreError> {
        let session = Session::open(&self.settings).await?;
        append::delete(&session, &claim).await
    }
}
