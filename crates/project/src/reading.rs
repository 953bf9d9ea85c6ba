//! [`Reader`]: files that somebody else may have made, read within bounds and inside of one folder.

use std::{
    fs::DirEntry,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use toolwright_files::{Links, Opened};

/// A file that is not used, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedFile {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub reason: String,
}

/// How much is read of all the files together, in bytes.
const MOST_BYTES: u64 = 16 << 20;
/// How many files are read.
const MOST_FILES: usize = 2_000;
/// How many entries of folders are looked at.
const MOST_ENTRIES: usize = 20_000;

/// Reads files that lie inside of a folder, links included, and belong to the user or to the system.
pub(crate) struct Reader {
    /// What links may not lead out of, a real path.
    within: PathBuf,
    bytes: u64,
    files: usize,
    entries: usize,
    pub(crate) refused: Vec<RefusedFile>,
}

impl Reader {
    pub(crate) fn new(within: &Path) -> Self {
        let within = within.canonicalize().unwrap_or_else(|_| within.to_owned());
        Self { within, bytes: 0, files: 0, entries: 0, refused: Vec::new() }
    }

    /// Links may not lead out of this folder from here on.
    pub(crate) fn keep_within(&mut self, folder: &Path) {
        self.within = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    }

    /// The bytes of a file of at most `limit` bytes; none where there is none.
    ///
    /// # Errors
    /// Where it cannot be used, with the reason.
    pub(crate) fn read(&mut self, path: &Path, limit: u64) -> Result<Option<Arc<[u8]>>, String> {
        match self.bytes_of(path, limit) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }

    /// As [`Reader::read`]; what cannot be used is noted.
    pub(crate) fn read_or_note(&mut self, path: &Path, limit: u64) -> Option<Arc<[u8]>> {
        match self.read(path, limit) {
            Ok(bytes) => bytes,
            Err(reason) => {
                self.refuse(path, reason);
                None
            }
        }
    }

    pub(crate) fn refuse(&mut self, path: &Path, reason: impl Into<String>) {
        self.refused.push(RefusedFile { path: path.to_owned(), reason: reason.into() });
    }

    fn bytes_of(&mut self, path: &Path, limit: u64) -> io::Result<Arc<[u8]>> {
        if self.files >= MOST_FILES {
            return Err(io::Error::other(format!("there are more than {MOST_FILES} files")));
        }
        let real = self.inside(path)?;
        let opened = Opened::new(&real, Links::Refused)?;
        check_owner(&opened)?;
        let left = MOST_BYTES.saturating_sub(self.bytes);
        let bytes = opened.read(limit.min(left)).map_err(|error| match left < limit {
            true => {
                io::Error::other(format!("all files together have more than {MOST_BYTES} bytes"))
            }
            false => error,
        })?;
        self.bytes += bytes.len() as u64;
        self.files += 1;
        Ok(bytes.into())
    }

    /// The real path of something, where that is inside of the folder.
    pub(crate) fn inside(&self, path: &Path) -> io::Result<PathBuf> {
        let real = path.canonicalize()?;
        match real.starts_with(&self.within) {
            true => Ok(real),
            false => {
                let message = format!("it is a link that leads out of {}", self.within.display());
                Err(io::Error::new(io::ErrorKind::PermissionDenied, message))
            }
        }
    }

    /// What lies in a folder, in the order of names; none where there is no folder, or one outside.
    pub(crate) fn list(&mut self, folder: &Path) -> Vec<(String, PathBuf)> {
        if folder.symlink_metadata().is_err() {
            return Vec::new();
        }
        let listed = self.inside(folder).and_then(std::fs::read_dir);
        let entries = match listed {
            Ok(entries) => entries,
            Err(error) => {
                self.refuse(folder, error.to_string());
                return Vec::new();
            }
        };
        let mut found = Vec::new();
        for entry in entries.filter_map(Result::ok) {
            if self.entries >= MOST_ENTRIES {
                let reason = format!(
                    "there are more than {MOST_ENTRIES} entries: the rest is not looked at"
                );
                self.refuse(folder, reason);
                break;
            }
            self.entries += 1;
            found.extend(named(folder, &entry));
        }
        found.sort();
        found
    }
}

/// A name that is no text is nothing that a model could be told.
fn named(folder: &Path, entry: &DirEntry) -> Option<(String, PathBuf)> {
    let name = entry.file_name().into_string().ok()?;
    let path = folder.join(&name);
    Some((name, path))
}

#[cfg(unix)]
fn check_owner(opened: &Opened) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;
    let owner = opened.about().uid();
    if owner != 0 && owner != rustix::process::geteuid().as_raw() {
        let message = format!("it belongs to another account (number {owner}); copy it to use it");
        return Err(io::Error::other(message));
    }
    Ok(())
}

#[cfg(not(unix))]
fn check_owner(_: &Opened) -> io::Result<()> {
    Ok(())
}
