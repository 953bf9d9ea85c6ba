//! [`Backend`]: the two databases behind one face. What differs between them is here and below;
//! everything else is written once, above.

use std::{collections::HashSet, sync::Arc};

use futures_core::future::BoxFuture;
use toolwright_core::ConversationId;

use crate::{
    Location, Patience, StoreError,
    columns::{Cell, Reading},
    held::Lease,
    import::Addition,
    ledger::{Append, Claim, check_id},
    postgres::{Postgres, SessionLock},
    sql,
    sqlite::{LeaseFile, Sqlite},
    words::Query,
};

/// The two databases.
pub(crate) enum Backend {
    Sqlite(Sqlite),
    Postgres(Box<Postgres>),
}

/// What gives a conversation back when it is dropped.
pub(crate) enum Guard {
    File(#[expect(dead_code, reason = "it is there to be dropped")] LeaseFile),
    Lock(#[expect(dead_code, reason = "it is there to be dropped")] SessionLock),
}

impl Backend {
    pub(crate) async fn open(location: &Location, patience: Patience) -> Result<Self, StoreError> {
        Ok(match location {
            Location::Sqlite(path) => Self::Sqlite(Sqlite::open(path, patience).await?),
            Location::Postgres(address) => {
                Self::Postgres(Box::new(Postgres::open(address, patience).await?))
            }
        })
    }

    pub(crate) async fn query<T: Send + 'static>(
        &self,
        sql: &'static str,
        cells: Vec<Cell>,
        read: Reading<T>,
    ) -> Result<Vec<T>, StoreError> {
        match self {
            Self::Sqlite(it) => it.query(sql, cells, read).await,
            Self::Postgres(it) => it.query(sql, cells, read).await,
        }
    }

    /// Reads a little, which shows whether more could be.
    pub(crate) async fn check(&self) -> Result<(), StoreError> {
        if let Self::Sqlite(it) = self {
            it.is_in_place()?;
        }
        let sql = "SELECT 1 FROM conversation LIMIT 1";
        self.query(sql, Vec::new(), |_| Ok(())).await.map(drop)
    }

    /// How a search is put: the statement, and the words as it wants them.
    pub(crate) fn matches(&self, query: &Query) -> (&'static str, String) {
        match self {
            Self::Sqlite(_) => (sql::MATCHES_SQLITE, query.prefixes("\"", "*", " AND ")),
            Self::Postgres(_) => (sql::MATCHES_POSTGRES, query.prefixes("'", ":*", " & ")),
        }
    }

    pub(crate) async fn hold(&self, id: &ConversationId) -> Result<Lease, StoreError> {
        check_id(id.as_str())?;
        let (claim, _guard) = match self {
            Self::Sqlite(it) => {
                let (claim, lease) = it.hold(id).await?;
                (claim, Guard::File(lease))
            }
            Self::Postgres(it) => {
                let (claim, lock) = it.hold(id).await?;
                (claim, Guard::Lock(lock))
            }
        };
        Ok(Lease { claim, _guard })
    }

    /// Those of them that somebody is at work in.
    pub(crate) async fn held(
        &self,
        ids: &[ConversationId],
    ) -> Result<HashSet<ConversationId>, StoreError> {
        match self {
            _ if ids.is_empty() => Ok(HashSet::new()),
            Self::Sqlite(it) => Ok(it.held(ids)),
            Self::Postgres(it) => it.held(ids).await,
        }
    }

    pub(crate) fn append(
        &self,
        append: Append,
        lease: Arc<Lease>,
    ) -> BoxFuture<'static, Result<(), StoreError>> {
        match self {
            Self::Sqlite(it) => it.append(append, lease),
            Self::Postgres(it) => it.append(append, lease),
        }
    }

    pub(crate) async fn import(&self, additions: Vec<Addition>) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(it) => it.import(additions).await,
            Self::Postgres(it) => it.import(additions).await,
        }
    }

    /// Whether there was a conversation to rename.
    pub(crate) async fn rename(
        &self,
        id: &ConversationId,
        title: String,
    ) -> Result<bool, StoreError> {
        match self {
            Self::Sqlite(it) => it.rename(id, title).await,
            Self::Postgres(it) => it.rename(id, title).await,
        }
    }

    pub(crate) async fn delete(&self, claim: Claim) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(it) => it.delete(claim).await,
            Self::Postgres(it) => it.delete(claim).await,
        }
    }
}
