//! [`Readers`]: threads that read, each with a connection of its own.

use std::{
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, Sender},
    },
    thread,
};

use rusqlite::{
    Connection, Row,
    types::{ToSql, ToSqlOutput, ValueRef},
};
use tokio::sync::oneshot;

use super::{
    condition::Condition,
    connection::{error, for_reading},
};
use crate::{
    StoreError, Timeouts,
    columns::{Cell, Columns, Reading},
};

/// Threads that read.
pub(super) struct Readers {
    jobs: Sender<Job>,
    condition: Condition,
}

/// Reads, and says whether the connection is still good.
type Job = Box<dyn FnOnce(Result<&Connection, StoreError>) -> Fit + Send>;

#[derive(PartialEq, Eq)]
enum Fit {
    Good,
    Broken,
}

/// One may be busy with a long conversation while the other lists.
const THREADS: usize = 2;

impl Readers {
    pub(super) fn start(
        path: &Path,
        timeouts: Timeouts,
        condition: Condition,
    ) -> Result<Self, StoreError> {
        let (jobs, queue) = mpsc::channel();
        let queue = Arc::new(Mutex::new(queue));
        for _ in 0..THREADS {
            let (queue, path) = (queue.clone(), path.to_owned());
            let thread = thread::Builder::new().name("store-reader".to_owned());
            let started = thread.spawn(move || serve(&queue, &path, timeouts));
            started.map_err(|error| StoreError::Unavailable(error.to_string()))?;
        }
        Ok(Self { jobs, condition })
    }

    pub(super) async fn query<T: Send + 'static>(
        &self,
        sql: &'static str,
        cells: Vec<Cell>,
        read: Reading<T>,
    ) -> Result<Vec<T>, StoreError> {
        let (reply, answer) = oneshot::channel();
        let condition = self.condition.clone();
        let job: Job = Box::new(move |db| {
            let result = db.and_then(|db| rows(db, sql, &cells, read));
            if let Err(error) = &result {
                condition.note(error);
            }
            let broken =
                matches!(result, Err(StoreError::Unavailable(_) | StoreError::Damaged { .. }));
            // Whoever asked may have gone.
            let _ = reply.send(result);
            if broken { Fit::Broken } else { Fit::Good }
        });
        let gone = || StoreError::Unavailable("its reader has stopped".to_owned());
        self.jobs.send(job).map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}

fn serve(queue: &Mutex<Receiver<Job>>, path: &Path, timeouts: Timeouts) {
    let mut db = None;
    loop {
        // The lock is held while waiting: whoever waits longest is next.
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        let fit = match &db {
            Some(db) => job(Ok(db)),
            None => match for_reading(path, timeouts.locked) {
                Ok(fresh) => job(Ok(db.insert(fresh))),
                Err(error) => job(Err(error)),
            },
        };
        if fit == Fit::Broken {
            db = None;
        }
    }
}

/// Every row that a query finds.
pub(super) fn rows<T>(
    db: &Connection,
    sql: &str,
    cells: &[Cell],
    read: Reading<T>,
) -> Result<Vec<T>, StoreError> {
    let mut statement = db.prepare_cached(sql).map_err(|it| error(&it))?;
    let cells = rusqlite::params_from_iter(cells);
    let mut rows = statement.query(cells).map_err(|it| error(&it))?;
    let mut found = Vec::new();
    while let Some(row) = rows.next().map_err(|it| error(&it))? {
        found.push(read(row)?);
    }
    Ok(found)
}

impl ToSql for Cell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Int(value) => ValueRef::Integer(*value),
            Self::Text(value) => ValueRef::Text(value.as_bytes()),
            Self::Bytes(value) => ValueRef::Blob(value),
        }))
    }
}

impl Columns for Row<'_> {
    fn maybe_int(&self, at: usize) -> Result<Option<i64>, StoreError> {
        self.get(at).map_err(|it| error(&it))
    }

    fn maybe_text(&self, at: usize) -> Result<Option<&str>, StoreError> {
        let value = self.get_ref(at).map_err(|it| error(&it))?;
        value.as_str_or_null().map_err(StoreError::damaged)
    }

    fn maybe_bytes(&self, at: usize) -> Result<Option<&[u8]>, StoreError> {
        let value = self.get_ref(at).map_err(|it| error(&it))?;
        value.as_blob_or_null().map_err(StoreError::damaged)
    }
}
