//! [`ServedFile`]: the right to serve from a database file, whatever it is called: a link to it or another name are the
//! same file, and two servers that know it by two names would each have a journal of their own and damage it.
//!
//! The lock is on the file itself (`flock`, which SQLite's own locks know nothing of). What is opened for it stays open as
//! long as the process does: closing any handle of a file gives back all that SQLite has locked in it.

use std::{
    collections::BTreeMap,
    fs::{File, TryLockError},
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::{
    identity,
    lease::{LeaseFile, Leases},
};
use crate::StoreError;

/// The right to serve from a database file, until this is dropped.
pub(crate) struct ServedFile {
    identity: (u64, u64),
    /// The file beside it, which says who serves.
    _said: LeaseFile,
}

/// A file that this process serves from, or wanted to.
struct Handle {
    file: File,
    is_taken: bool,
}

/// By what the system calls them.
static HANDLES: Mutex<BTreeMap<(u64, u64), Handle>> = Mutex::new(BTreeMap::new());

impl ServedFile {
    /// The right to serve, unless somebody has it.
    pub(super) fn take(database: &Path) -> Result<Option<Self>, StoreError> {
        let identity = identity(database)?;
        if !lock(identity, database)? {
            return Ok(None);
        }
        match Leases::serve(database) {
            Ok(Some(said)) => Ok(Some(Self { identity, _said: said })),
            others => {
                unlock(identity);
                others.map(|_| None)
            }
        }
    }
}

impl Drop for ServedFile {
    fn drop(&mut self) {
        unlock(self.identity);
    }
}

/// Locks the file; whether nobody had it.
fn lock(identity: (u64, u64), database: &Path) -> Result<bool, StoreError> {
    let fail = |error: std::io::Error| {
        StoreError::Unavailable(format!("cannot lock {}: {error}", database.display()))
    };
    let mut handles = handles();
    let handle = match handles.remove(&identity) {
        Some(handle) => handle,
        None => Handle { file: File::open(database).map_err(fail)?, is_taken: false },
    };
    let handle = handles.entry(identity).or_insert(handle);
    if handle.is_taken {
        return Ok(false);
    }
    match handle.file.try_lock() {
        Err(TryLockError::WouldBlock) => return Ok(false),
        // Over a network it would be the same lock as SQLite's, and is not given for reading: the file beside it is all
        // there is then.
        Ok(()) | Err(TryLockError::Error(_)) => handle.is_taken = true,
    }
    Ok(true)
}

fn unlock(identity: (u64, u64)) {
    if let Some(handle) = handles().get_mut(&identity) {
        handle.is_taken = false;
        // Where it was none there is nothing to give back.
        let _ = handle.file.unlock();
    }
}

fn handles() -> MutexGuard<'static, BTreeMap<(u64, u64), Handle>> {
    HANDLES.lock().unwrap_or_else(PoisonError::into_inner)
}
