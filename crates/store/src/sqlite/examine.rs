//! Looking for damage in the whole file.
//!
//! SQLite tells whether its pages fit together; the records' digests tell whether what stands in
//! them is what was written. Either reads everything, which takes seconds for a large file: so there
//! is a bound.

use std::{
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use rusqlite::{Connection, ErrorCode};
use tokio::sync::oneshot;

use super::connection::{error, for_reading};
use crate::{IntegrityReport, StoreError, Timeouts, position, seal::Seal};

pub(super) async fn examine(
    path: PathBuf,
    timeouts: Timeouts,
    most: Duration,
) -> Result<IntegrityReport, StoreError> {
    let (reply, answer) = oneshot::channel();
    let work = move || drop(reply.send(examined(&path, timeouts, most)));
    let started = thread::Builder::new().name("store-examiner".to_owned()).spawn(work);
    started.map_err(|error| StoreError::Unavailable(error.to_string()))?;
    let gone = || StoreError::Unavailable("the examination stopped".to_owned());
    answer.await.map_err(|_| gone())?
}

fn examined(
    path: &Path,
    timeouts: Timeouts,
    most: Duration,
) -> Result<IntegrityReport, StoreError> {
    let started = Instant::now();
    let db = for_reading(path, timeouts.locked)?;
    let interrupt = db.get_interrupt_handle();
    let (done, stop) = std::sync::mpsc::channel::<()>();
    let clock = thread::spawn(move || {
        // Either the work is done, or the time is up.
        if stop.recv_timeout(most).is_err() {
            interrupt.interrupt();
        }
    });
    let found = pages(&db).and_then(|found| match found {
        IntegrityReport::Whole => records(&db, started, most),
        part => Ok(part),
    });
    let _ = done.send(());
    let _ = clock.join();
    found
}

/// Whether the pages fit together.
fn pages(db: &Connection) -> Result<IntegrityReport, StoreError> {
    let said = db.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
    match said {
        Ok(said) if said == "ok" => Ok(IntegrityReport::Whole),
        Ok(said) => Err(StoreError::damaged(said)),
        Err(failed) if is_interrupted(&failed) => Ok(IntegrityReport::Part),
        Err(failed) => Err(error(&failed)),
    }
}

/// Whether every record is what was written.
fn records(
    db: &Connection,
    started: Instant,
    most: Duration,
) -> Result<IntegrityReport, StoreError> {
    let sql = "SELECT e.position, e.seal, e.body, c.id FROM event e
        LEFT JOIN conversation c ON c.key = e.position >> 32 ORDER BY e.position";
    let mut statement = db.prepare(sql).map_err(|it| error(&it))?;
    let mut rows = statement.query([]).map_err(|it| error(&it))?;
    loop {
        if started.elapsed() > most {
            return Ok(IntegrityReport::Part);
        }
        let row = match rows.next() {
            Ok(Some(row)) => row,
            Ok(None) => return Ok(IntegrityReport::Whole),
            Err(failed) if is_interrupted(&failed) => return Ok(IntegrityReport::Part),
            Err(failed) => return Err(error(&failed)),
        };
        let seal: Option<Vec<u8>> = row.get(1).map_err(|it| error(&it))?;
        let body = row.get_ref(2).map_err(|it| error(&it))?;
        let body = body.as_str().map_err(StoreError::damaged)?;
        if seal.is_some_and(|seal| !Seal::stored(&seal).fits(body)) {
            let at = position::position(row.get(0).map_err(|it| error(&it))?);
            let id: Option<String> = row.get(3).map_err(|it| error(&it))?;
            let id = id.unwrap_or_else(|| "nobody knows which".to_owned());
            return Err(StoreError::damaged(format_args!(
                "event {at} of the conversation {id} is not what was written"
            )));
        }
    }
}

fn is_interrupted(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted)
}
