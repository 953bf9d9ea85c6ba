//! [`ListFile`]: a list that is kept as JSON, in a file that only its owner reads, and that one process
//! changes at a time.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use serde::{Serialize, de::DeserializeOwned};

use crate::{Links, Opened, Writing, private_file, private_folder, read_bounded};

/// More than anybody ever gives, where nothing else is said.
const MOST: u64 = 8 << 20;

/// A list that is kept as JSON.
#[derive(Clone, Debug)]
pub struct ListFile {
    path: PathBuf,
    limit: u64,
}

/// Nobody else changes a list for as long as this is there.
#[derive(Debug)]
pub struct ListLock {
    _file: fs::File,
}

impl ListFile {
    /// The list in this file; where there is none, it is empty.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), limit: MOST }
    }

    /// The same, where it may have as many bytes as this.
    #[must_use]
    pub fn with_limit(mut self, limit: u64) -> Self {
        self.limit = limit;
        self
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is kept; nothing where there is no file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read<T: DeserializeOwned>(&self) -> io::Result<Vec<T>> {
        parsed(read_bounded(&self.path, self.limit))
    }

    /// As [`ListFile::read`], where nobody else can have written it.
    ///
    /// # Errors
    /// When it cannot be read, or another account may have written it.
    pub fn read_own<T: DeserializeOwned>(&self) -> io::Result<Vec<T>> {
        parsed(Opened::new(&self.path, Links::Refused).and_then(|opened| {
            is_own(opened.about())?;
            opened.read(self.limit)
        }))
    }

    /// Keeps everybody else from changing it until what is returned is dropped.
    ///
    /// # Errors
    /// When the folder or the lock beside the file cannot be made.
    pub fn hold(&self) -> io::Result<ListLock> {
        if let Some(folder) = self.path.parent() {
            private_folder(folder)?;
        }
        let lock = private_file(self.path.with_extension("lock"), Writing::Update)?;
        lock.lock()?;
        Ok(ListLock { _file: lock })
    }

    /// Changes it, one process at a time; a crash leaves it as it was or as it is now.
    ///
    /// # Errors
    /// When it cannot be read or written, or is then larger than it may be.
    pub fn change<T: DeserializeOwned + Serialize, R>(
        &self,
        change: impl FnOnce(&mut Vec<T>) -> R,
    ) -> io::Result<R> {
        let _lock = self.hold()?;
        let mut list = self.read()?;
        let result = change(&mut list);
        let bytes = serde_json::to_vec_pretty(&list)?;
        if bytes.len() as u64 > self.limit {
            // Written, it could never be read again.
            return Err(crate::too_large(self.limit));
        }
        let new = self.path.with_extension("new");
        // Whoever holds the lock is alone: one that is there was left by a crash.
        let _ = fs::remove_file(&new);
        let mut file = private_file(&new, Writing::New)?;
        file.write_all(&bytes)?;
        file.sync_all()?;
        fs::rename(&new, &self.path)?;
        Ok(result)
    }
}

fn parsed<T: DeserializeOwned>(read: io::Result<Vec<u8>>) -> io::Result<Vec<T>> {
    match read {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes)?),
        // A data folder that cannot be used is told by the store, which needs it more.
        Err(error)
            if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            Ok(Vec::new())
        }
        Err(error) => Err(error),
    }
}

#[cfg(unix)]
fn is_own(about: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;
    let is_ours = about.uid() == rustix::process::geteuid().as_raw();
    if is_ours && about.mode() & 0o022 == 0 {
        return Ok(());
    }
    Err(io::Error::other("another account owns it or may write to it; remove it or take it over"))
}

#[cfg(not(unix))]
fn is_own(_: &fs::Metadata) -> io::Result<()> {
    Ok(())
}
