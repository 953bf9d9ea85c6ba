//! Opening the file, and what SQLite's errors mean.

use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use rusqlite::{Connection, ErrorCode, OpenFlags, ffi};
use toolwright_files::{Writing, private_file, private_folder};

use crate::StoreError;

/// After how many pages the log file is copied into the database: often enough that opening after
/// a crash reads little, seldom enough that commits do not wait for it.
const CHECKPOINT: u32 = 2_000;
/// How long to wait before something that others are just doing is tried again.
const BETWEEN: Duration = Duration::from_millis(5);

/// The file's full path. Its folder and the file itself are made where there are none, readable
/// for nobody else: people say private things.
pub(super) fn place(path: &Path) -> Result<PathBuf, StoreError> {
    let name = path.file_name().ok_or_else(|| {
        StoreError::Unavailable(format!("{} is not the name of a file", path.display()))
    })?;
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let fail = |error: &std::io::Error| {
        StoreError::Unavailable(format!("cannot make {}: {error}", path.display()))
    };
    private_folder(folder).map_err(|error| fail(&error))?;
    // One name for one folder: leases are found by it.
    let path = folder.canonicalize().map_err(|error| fail(&error))?.join(name);
    match private_file(&path, Writing::New) {
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => return Err(fail(&error)),
    }
    Ok(path)
}

/// A connection that may write. A commit has reached the disk when it returns.
pub(super) fn for_writing(path: &Path, busy: Duration) -> Result<Connection, StoreError> {
    let db = open(path, busy)?;
    let mode = keep_a_log(&db, busy)?;
    if mode != "wal" {
        // As safe, and slower; the next opening tries again.
        tracing::warn!(mode, "the database keeps no write-ahead log for now");
    }
    db.execute_batch(&format!(
        "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;
         PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = {CHECKPOINT};
         PRAGMA journal_size_limit = 67108864;"
    ))
    .map_err(|it| error(&it))?;
    #[cfg(feature = "failpoints")]
    if let Some(pages) = crate::failpoint::pages() {
        db.execute_batch(&format!("PRAGMA max_page_count = {pages}")).map_err(|it| error(&it))?;
    }
    Ok(db)
}

/// Switches to a write-ahead log, and says what the file uses now. SQLite does not wait for others
/// who are just doing the same, so that is done here.
fn keep_a_log(db: &Connection, busy: Duration) -> Result<String, StoreError> {
    let started = Instant::now();
    loop {
        let mode = db.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0));
        match mode.map_err(|it| error(&it)) {
            Err(StoreError::Busy) if started.elapsed() < busy => thread::sleep(BETWEEN),
            mode => return mode,
        }
    }
}

pub(super) fn for_reading(path: &Path, busy: Duration) -> Result<Connection, StoreError> {
    let db = open(path, busy)?;
    db.execute_batch("PRAGMA query_only = ON").map_err(|it| error(&it))?;
    Ok(db)
}

fn open(path: &Path, busy: Duration) -> Result<Connection, StoreError> {
    // Not created here: a database that vanished is an error, not a new beginning.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags).map_err(|it| error(&it))?;
    db.busy_timeout(busy).map_err(|it| error(&it))?;
    db.set_prepared_statement_cache_capacity(32);
    db.execute_batch(
        "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000;",
    )
    .map_err(|it| error(&it))?;
    Ok(db)
}

/// What an error of SQLite's means.
pub(super) fn error(error: &rusqlite::Error) -> StoreError {
    let rusqlite::Error::SqliteFailure(code, text) = error else {
        return StoreError::damaged(error);
    };
    let text = text.clone().unwrap_or_else(|| code.to_string());
    match code.code {
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => StoreError::Busy,
        ErrorCode::DiskFull => StoreError::Full(text),
        // The shared memory file could not grow.
        _ if code.extended_code == ffi::SQLITE_IOERR_SHMSIZE => StoreError::Full(text),
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => StoreError::damaged(text),
        _ => StoreError::Unavailable(text),
    }
}
