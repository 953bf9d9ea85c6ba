//! [`Library`]: what was watched, on the disk.
//!
//! One SQLite file. Tables: `channels` (by id where it is known, else by name), `videos` (one row for each
//! id, with how often and when last), `watches` (one row for each time), `gone` (times at which
//! something was watched that the export does not name any more), `unsure` (which of those times hang on a zone that
//! was chosen), `words` (FTS5 over title and channel).

mod fold;
mod schema;
mod unsure;
mod writing;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use rusqlite::{Connection, Transaction, TransactionBehavior};
use toolwright_files::{private_file, private_folder};

pub(crate) use self::{
    fold::fold,
    writing::{Kept, Learned, Writing},
};
use crate::{WatchError, WatchErrorKind, index::Shelf};

const FILE: &str = "watch.db";
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// What was watched, on the disk. A handle: a clone is the same library.
#[derive(Clone)]
pub struct Library {
    shared: Arc<Shared>,
}

struct Shared {
    folder: PathBuf,
    asked: Mutex<Connection>,
    /// Apart from the other, so that no question waits for an import.
    written: Mutex<Connection>,
    /// What searching needs: a connection of its own, and the vectors in memory.
    shelf: Shelf,
}

impl Library {
    /// Opens the library in this folder, and makes it where there is none.
    ///
    /// # Errors
    /// When it cannot be read or made.
    pub fn open(folder: &Path) -> Result<Self, WatchError> {
        // What the database writes beside its file has the permissions of that.
        private_folder(folder)
            .and_then(|()| private_file(folder.join(FILE), toolwright_files::Writing::Update))
            .map_err(|error| {
                let message = format!("cannot make a library in {}: {error}", folder.display());
                WatchError::new(WatchErrorKind::Library, message)
            })?;
        let written = connection(folder)?;
        written.execute_batch(schema::SCHEMA)?;
        let asked = connection(folder)?;
        let shared = Shared {
            folder: folder.to_owned(),
            asked: Mutex::new(asked),
            written: Mutex::new(written),
            shelf: Shelf::new(connection(folder)?),
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.shared.folder
    }

    /// What searching needs.
    pub(crate) fn shelf(&self) -> &Shelf {
        &self.shared.shelf
    }

    /// The database, for questions and for small changes. Held for as long as a statement takes, and never
    /// across an await.
    pub(crate) fn database(&self) -> MutexGuard<'_, Connection> {
        self.shared.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the library: all of it, or nothing.
    pub(crate) fn write<T>(
        &self,
        change: impl FnOnce(&mut Writing<'_>) -> Result<T, WatchError>,
    ) -> Result<T, WatchError> {
        let mut connection = self.shared.written.lock().unwrap_or_else(PoisonError::into_inner);
        let transaction = Transaction::new(&mut connection, TransactionBehavior::Immediate)?;
        let mut writing = Writing::new(&transaction);
        let changed = change(&mut writing)?;
        writing.finish()?;
        transaction.commit()?;
        Ok(changed)
    }
}

fn connection(folder: &Path) -> Result<Connection, WatchError> {
    let connection = Connection::open(folder.join(FILE))?;
    connection.busy_timeout(LONGEST_WAIT)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}
