//! [`Backend`]: the two databases behind one face. What differs between them is here and below;
//! everything else is written once, above.

mod engine;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use futures_core::future::BoxFuture;
use toolwright_core::{ConversationId, Digest, MessageId};

use crate::{
    IntegrityReport, LogKey, StoreError, StoreLocation, Timeouts, Withdrawal,
    columns::{Cell, Columns, Reading},
    format::next_step,
    import::Addition,
    lease::Lease,
    ledger::{Append, Claim, check_id},
    owner::View,
    queue::Queued,
    sql,
    words::Query,
};

#[cfg(feature = "postgres")]
use crate::postgres::{Postgres, SessionLock};
#[cfg(feature = "sqlite")]
use crate::sqlite::{LeaseFile, ServedFile, Sqlite};

/// A database, and where it is.
pub(crate) struct Backend {
    database: Database,
    place: Arc<Place>,
}

/// Where a database is, as people call it, and when it last had no room.
struct Place {
    name: String,
    full: Mutex<Option<Instant>>,
}

/// How long a database that had no room is taken to have none: only writing tells.
const FULL: Duration = Duration::from_secs(30);

impl Place {
    /// The error, saying which database it is about.
    fn locate(&self, error: StoreError) -> StoreError {
        if matches!(error, StoreError::Full(_)) {
            *self.full.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        }
        error.in_place(&self.name)
    }
}

/// The two databases, as far as they are compiled in.
enum Database {
    #[cfg(feature = "sqlite")]
    Sqlite(Sqlite),
    #[cfg(feature = "postgres")]
    Postgres(Box<Postgres>),
}

/// Whether whoever holds a conversation can be at work in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Liveness {
    Alive,
    /// It gave no sign of life for some seconds.
    Silent,
}

/// What gives a conversation back when it is dropped.
pub(crate) enum Guard {
    #[cfg(feature = "sqlite")]
    File(#[expect(dead_code, reason = "it is there to be dropped")] LeaseFile),
    #[cfg(feature = "postgres")]
    Lock(#[expect(dead_code, reason = "it is there to be dropped")] SessionLock),
}

/// What lets another process serve when it is dropped.
#[cfg(feature = "sqlite")]
pub(crate) type ServerGuard = ServedFile;
#[cfg(not(feature = "sqlite"))]
pub(crate) type ServerGuard = std::convert::Infallible;

impl Backend {
    pub(crate) async fn open(
        location: &StoreLocation,
        timeouts: Timeouts,
        key: &LogKey,
    ) -> Result<Self, StoreError> {
        let place = Place { name: location.to_string(), full: Mutex::default() };
        let database = Database::open(location, timeouts, key).await;
        let database = database.map_err(|error| place.locate(error))?;
        Ok(Self { database, place: Arc::new(place) })
    }

    /// The error, saying which database it is about.
    pub(crate) fn locate(&self, error: StoreError) -> StoreError {
        self.place.locate(error)
    }

    /// Whether there was room when it was last written to, as far as that is not long ago.
    pub(crate) fn has_room(&self) -> bool {
        let full = *self.place.full.lock().unwrap_or_else(PoisonError::into_inner);
        full.is_none_or(|at| at.elapsed() >= FULL)
    }

    pub(crate) async fn query<T: Send + 'static>(
        &self,
        sql: &'static str,
        cells: Vec<Cell>,
        read: Reading<T>,
    ) -> Result<Vec<T>, StoreError> {
        let found = match self.database {
            #[cfg(feature = "sqlite")]
            Database::Sqlite(ref it) => it.query(sql, cells, read).await,
            #[cfg(feature = "postgres")]
            Database::Postgres(ref it) => it.query(sql, cells, read).await,
        };
        found.map_err(|error| self.locate(error))
    }

    /// Writes what is no part of the log; how many rows that changed.
    pub(crate) async fn execute(
        &self,
        sql: &'static str,
        cells: Vec<Cell>,
    ) -> Result<u64, StoreError> {
        let done = match self.database {
            #[cfg(feature = "sqlite")]
            Database::Sqlite(ref it) => it.execute(sql, cells).await,
            #[cfg(feature = "postgres")]
            Database::Postgres(ref it) => it.execute(sql, cells).await,
        };
        done.map_err(|error| self.locate(error))
    }

    /// The bytes of something that is attached in a conversation.
    pub(crate) async fn attachment(
        &self,
        key: i64,
        digest: &Digest,
    ) -> Result<Option<Arc<[u8]>>, StoreError> {
        let cells = vec![key.into(), digest.to_string().as_str().into()];
        Ok(self.query(sql::BLOB, cells, bytes).await?.into_iter().next())
    }

    /// The same, where only the conversation's id is known.
    pub(crate) async fn attachment_of(
        &self,
        id: &ConversationId,
        digest: &Digest,
    ) -> Result<Option<Arc<[u8]>>, StoreError> {
        let cells = vec![id.as_str().into(), digest.to_string().as_str().into()];
        Ok(self.query(sql::BLOB_OF, cells, bytes).await?.into_iter().next())
    }

    /// Reads a little, which shows whether more could be; and whether anything could be written, where that can be seen.
    pub(crate) async fn check(&self) -> Result<(), StoreError> {
        let looked = match &self.database {
            #[cfg(feature = "sqlite")]
            Database::Sqlite(it) => it.is_in_place(),
            #[cfg(feature = "postgres")]
            Database::Postgres(it) => it.check().await,
        };
        looked.map_err(|error| self.locate(error))?;
        let (sql, steps) = match &self.database {
            #[cfg(feature = "sqlite")]
            Database::Sqlite(_) => (sql::CONDITION_SQLITE, Sqlite::STEPS),
            #[cfg(feature = "postgres")]
            Database::Postgres(_) => (sql::CONDITION_POSTGRES, Postgres::STEPS),
        };
        let found = self.query(sql, Vec::new(), |row| row.int(0)).await?;
        // A newer program may have changed it since it was opened here.
        let Some(found) = found.into_iter().next() else { return Ok(()) };
        next_step(steps, found, &self.place.name).map(drop)
    }

    /// How a search is put: the statement, that for one owner's alone, and the words as it wants them.
    pub(crate) fn matches(&self, query: &Query) -> ([&'static str; 2], String) {
        match self.database {
            #[cfg(feature = "sqlite")]
            Database::Sqlite(_) => {
                let both = [sql::MATCHES_SQLITE, sql::MATCHES_SQLITE_OWNED];
                (both, query.prefixes("\"", "*", " AND "))
            }
            #[cfg(feature = "postgres")]
            Database::Postgres(_) => {
                let both = [sql::MATCHES_POSTGRES, sql::MATCHES_POSTGRES_OWNED];
                (both, query.prefixes("'", ":*", " & "))
            }
        }
    }

    pub(crate) async fn acquire(
        &self,
        id: &ConversationId,
        view: &View,
    ) -> Result<Lease, StoreError> {
        check_id(id.as_str())?;
        let held = match self.database {
            #[cfg(feature = "sqlite")]
            Database::Sqlite(ref it) => {
                it.acquire(id, view).await.map(|(claim, lease)| (claim, Guard::File(lease)))
            }
            #[cfg(feature = "postgres")]
            Database::Postgres(ref it) => {
                it.acquire(id, view).await.map(|(claim, lock)| (claim, Guard::Lock(lock)))
            }
        };
        let (claim, _guard) = held.map_err(|error| self.locate(error))?;
        Ok(Lease { claim, _guard })
    }

    /// Those of them that somebody is at work in, and whether they can be.
    pub(crate) async fn held(
        &self,
        ids: &[ConversationId],
    ) -> Result<HashMap<ConversationId, Liveness>, StoreError> {
        match self.database {
            _ if ids.is_empty() => Ok(HashMap::new()),
            #[cfg(feature = "sqlite")]
            Database::Sqlite(ref it) => Ok(it.held(ids)),
            #[cfg(feature = "postgres")]
            Database::Postgres(ref it) => it.held(ids).await,
        }
    }

    pub(crate) fn append(
        &self,
        append: Append,
        lease: Arc<Lease>,
    ) -> BoxFuture<'static, Result<(), StoreError>> {
        let done = match self.database {
            #[cfg(feature = "sqlite")]
            Database::Sqlite(ref it) => it.append(append, lease),
            #[cfg(feature = "postgres")]
            Database::Postgres(ref it) => it.append(append, lease),
        };
        let place = self.place.clone();
        Box::pin(async move { done.await.map_err(|error| place.locate(error)) })
    }

    pub(crate) async fn import(&self, additions: Vec<Addition>) -> Result<(), StoreError> {
        let done = match self.database {
            #[cfg(feature = "sqlite")]
            Database::Sqlite(ref it) => it.import(additions).await,
            #[cfg(feature = "postgres")]
            Database::Postgres(ref it) => it.import(additions).await,
        };
        done.map_err(|error| self.locate(error))
    }

    /// Whether there was a conversation to rename.
    pub(crate) async fn rename(
        &self,
        id: &ConversationId,
        title: String,
    ) -> Result<bool, StoreError> {
        let renamed = match self.database {
            #[cfg(feature = "sqlite")]
            Database::Sqlite(ref it) => it.rename(id, title).await,
            #[cfg(feature = "postgres")]
            Database::Postgres(ref it) => it.rename(id, title).await,
        };
        renamed.map_err(|error| self.locate(error))
    }

    /// Whether there was a conversation for it to wait in.
    pub(crate) async fn queue(
        &self,
        id: &ConversationId,
        queued: Queued,
    ) -> Result<bool, StoreError> {
        let done = match self.database {
            #[cfg(feature = "sqlite")]
            Database::Sqlite(ref it) => it.queue(id, queued).await,
            #[cfg(feature = "postgres")]
            Database::Postgres(ref it) => it.queue(id, queued).await,
        };
        done.map_err(|error| self.locate(error))
    }

    /// What became of it.
    pub(crate) async fn withdraw(
        &self,
        id: &ConversationId,
        message: &MessageId,
    ) -> Result<Withdrawal, StoreError> {
        let done = match self.database {
            #[cfg(feature = "sqlite")]
            Database::Sqlite(ref it) => it.withdraw(id, message).await,
            #[cfg(feature = "postgres")]
            Database::Postgres(ref it) => it.withdraw(id, message).await,
        };
        done.map_err(|error| self.locate(error))
    }

    /// Which of them are taken up from here on: they are not taken back any more.
    pub(crate) async fn take_up(
        &self,
        claim: &Claim,
        messages: Vec<MessageId>,
    ) -> Result<Vec<MessageId>, StoreError> {
        let done = match self.database {
            #[cfg(feature = "sqlite")]
            Database::Sqlite(ref it) => it.take_up(claim, messages).await,
            #[cfg(feature = "postgres")]
            Database::Postgres(ref it) => it.take_up(claim, messages).await,
        };
        done.map_err(|error| self.locate(error))
    }

    pub(crate) async fn delete(&self, claim: Claim) -> Result<(), StoreError> {
        let done = match self.database {
            #[cfg(feature = "sqlite")]
            Database::Sqlite(ref it) => it.delete(claim).await,
            #[cfg(feature = "postgres")]
            Database::Postgres(ref it) => it.delete(claim).await,
        };
        done.map_err(|error| self.locate(error))
    }

    /// Looks for damage, for at most this long.
    #[cfg_attr(
        not(feature = "sqlite"),
        expect(unused_variables, reason = "a server is not searched")
    )]
    pub(crate) async fn examine(&self, most: Duration) -> Result<IntegrityReport, StoreError> {
        let found = match self.database {
            #[cfg(feature = "sqlite")]
            Database::Sqlite(ref it) => it.examine(most).await,
            // A server looks after its own files.
            #[cfg(feature = "postgres")]
            Database::Postgres(_) => Ok(IntegrityReport::Whole),
        };
        found.map_err(|error| self.locate(error))
    }
}

fn bytes(row: &dyn Columns) -> Result<Arc<[u8]>, StoreError> {
    row.maybe_bytes(0).map(|it| Arc::from(it.unwrap_or_default()))
}

impl Database {
    #[cfg_attr(
        not(feature = "postgres"),
        expect(unused_variables, reason = "a file's news need no proof")
    )]
    async fn open(
        location: &StoreLocation,
        timeouts: Timeouts,
        key: &LogKey,
    ) -> Result<Self, StoreError> {
        Ok(match location {
            #[cfg(feature = "sqlite")]
            StoreLocation::Sqlite(path) => Self::Sqlite(Sqlite::open(path, timeouts).await?),
            #[cfg(feature = "postgres")]
            StoreLocation::Postgres(address) => {
                Self::Postgres(Box::new(Postgres::open(address, timeouts, key.clone()).await?))
            }
            #[cfg(not(feature = "sqlite"))]
            StoreLocation::Sqlite(_) => return Err(StoreError::NotBuilt("sqlite")),
            #[cfg(not(feature = "postgres"))]
            StoreLocation::Postgres(_) => return Err(StoreError::NotBuilt("postgres")),
        })
    }
}
