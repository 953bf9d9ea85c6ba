//! [`Shelf`]: what searching reads.

use std::sync::{Mutex, PoisonError};

use rusqlite::{Connection, Transaction};

use super::{CHANGES, Vectors, fact};
use crate::WatchError;

/// What searching reads: a connection of its own, so that it waits for no import, and the vectors in memory.
pub(crate) struct Shelf {
    state: Mutex<State>,
}

struct State {
    connection: Connection,
    loaded: Loaded,
}

/// What is in memory, and of which state of the database it is.
#[derive(Default)]
struct Loaded {
    vectors: Vectors,
    /// Changes when another connection commits.
    version: Option<i64>,
    /// Changes when vectors do.
    changes: Option<String>,
}

/// One state of the library, for as long as a search takes.
pub(crate) struct View<'a> {
    pub(crate) database: &'a Transaction<'a>,
    loaded: &'a mut Loaded,
}

impl Shelf {
    /// With a connection that nothing is written by.
    pub(crate) fn new(connection: Connection) -> Self {
        Self { state: Mutex::new(State { connection, loaded: Loaded::default() }) }
    }

    /// Reads one state of the library.
    pub(crate) fn read<T>(
        &self,
        read: impl FnOnce(&mut View<'_>) -> Result<T, WatchError>,
    ) -> Result<T, WatchError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State { connection, loaded } = &mut *state;
        let database = connection.transaction()?;
        read(&mut View { database: &database, loaded })
    }
}

impl View<'_> {
    /// The vectors, which are read again where they have changed.
    pub(crate) fn vectors(&mut self) -> Result<&Vectors, WatchError> {
        let version = self.database.query_row("PRAGMA data_version", [], |row| row.get(0))?;
        let Loaded { vectors, version: known, changes } = &mut *self.loaded;
        if *known != Some(version) {
            // Forgotten first: what is read halfway must not be taken for the whole.
            *known = None;
            let now = fact(self.database, CHANGES)?;
            if *changes != now {
                *changes = None;
                vectors.load(self.database)?;
                *changes = now;
            }
            vectors.load_times(self.database)?;
            *known = Some(version);
        }
        Ok(vectors)
    }
}
