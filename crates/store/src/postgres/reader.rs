//! [`Reader`]: the connection that reads, made again when it breaks.

use std::{collections::HashMap, sync::Arc, time::Duration};

use tokio::{sync::Mutex, time::Instant};
use tokio_postgres::{
    Row,
    types::{IsNull, ToSql, Type, private::BytesMut, to_sql_checked},
};
use toolwright_core::ConversationId;

use super::{Settings, claim::LOCKS, lease::SILENT, session::Session};
use crate::{
    StoreError,
    backend::Liveness,
    columns::{Cell, Columns, Reading},
};

/// The connection that reads. Several may use it at a time; the server answers in order.
pub(super) struct Reader {
    settings: Settings,
    session: Mutex<Option<Arc<Session>>>,
}

/// A server that takes longer than this to read something is not going to.
const LONGEST: Duration = Duration::from_secs(60);

impl Reader {
    pub(super) fn new(settings: Settings, session: Session) -> Self {
        Self { settings, session: Mutex::new(Some(Arc::new(session))) }
    }

    pub(super) async fn query<T>(
        &self,
        sql: &'static str,
        cells: &[Cell],
        read: Reading<T>,
    ) -> Result<Vec<T>, StoreError> {
        let values: Vec<&(dyn ToSql + Sync)> = cells.iter().map(|cell| cell as _).collect();
        self.rows(sql, &values).await?.iter().map(|row| read(row)).collect()
    }

    /// Which of them somebody holds. Of another role's connection the server does not say when it was last heard of: then it
    /// is taken for alive.
    pub(super) async fn held(
        &self,
        ids: &[ConversationId],
    ) -> Result<HashMap<ConversationId, Liveness>, StoreError> {
        let sql = "SELECT c.id, coalesce(a.state = 'idle'
                  AND a.state_change < clock_timestamp() - make_interval(secs => $3::bigint), false)
            FROM conversation c JOIN pg_locks l
              ON ((l.classid::bigint << 32) | l.objid::bigint)
                  = hashtextextended(c.id, $2::bigint + c.epoch)
            LEFT JOIN pg_stat_activity a ON a.pid = l.pid
            WHERE c.id = ANY($1) AND l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
              AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())";
        let ids: Vec<&str> = ids.iter().map(ConversationId::as_str).collect();
        let rows = self.rows(sql, &[&ids, &LOCKS, &SILENT]).await?;
        let liveness = |row: &Row| match row.try_get(1) {
            Ok(true) => Liveness::Silent,
            _ => Liveness::Alive,
        };
        rows.iter().map(|row| Ok((ConversationId::from(row.text(0)?), liveness(row)))).collect()
    }

    /// Reading twice does no harm, so whatever was lost is simply asked again.
    async fn rows(
        &self,
        sql: &'static str,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, StoreError> {
        let lost = self.settings.timeouts.lost;
        let deadline = Instant::now() + lost;
        // A connection may be dead without a word. So where nothing comes for a while, another one is made, which
        // tells whether the server is there; if so, it has time.
        let mut limit = lost / 2;
        loop {
            let session = self.session(deadline).await?;
            let rows = tokio::time::timeout(limit, session.query(sql, values)).await;
            let rows = rows.unwrap_or_else(|_| {
                limit = LONGEST;
                Err(StoreError::Lost("the server does not answer".to_owned()))
            });
            match rows {
                Err(StoreError::Lost(reason)) => {
                    self.drop(&session).await;
                    if Instant::now() >= deadline {
                        return Err(StoreError::Lost(reason));
                    }
                }
                rows => return rows,
            }
        }
    }

    async fn session(&self, deadline: Instant) -> Result<Arc<Session>, StoreError> {
        let mut current = self.session.lock().await;
        match &*current {
            Some(session) => Ok(session.clone()),
            None => {
                let session = Session::open_by(&self.settings, deadline).await?;
                Ok(current.insert(Arc::new(session)).clone())
            }
        }
    }

    /// Unless somebody else has made a new one already.
    async fn drop(&self, broken: &Arc<Session>) {
        let mut current = self.session.lock().await;
        current.take_if(|session| Arc::ptr_eq(session, broken));
    }
}

impl ToSql for Cell {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Self::Int(value) => value.to_sql(ty, out),
            Self::Text(value) => value.to_sql(ty, out),
            Self::Bytes(value) => value.to_sql(ty, out),
        }
    }

    fn accepts(ty: &Type) -> bool {
        <i64 as ToSql>::accepts(ty)
            || <String as ToSql>::accepts(ty)
            || <Vec<u8> as ToSql>::accepts(ty)
    }

    to_sql_checked!();
}

impl Columns for Row {
    fn maybe_int(&self, at: usize) -> Result<Option<i64>, StoreError> {
        self.try_get(at).map_err(StoreError::damaged)
    }

    fn maybe_text(&self, at: usize) -> Result<Option<&str>, StoreError> {
        self.try_get(at).map_err(StoreError::damaged)
    }

    fn maybe_bytes(&self, at: usize) -> Result<Option<&[u8]>, StoreError> {
        self.try_get(at).map_err(StoreError::damaged)
    }
}
