//! [`Shelf`]: the folder lists are kept in.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use jiff::civil::Date;
use tempfile::{Builder, NamedTempFile};
use toolwright_files::{Links, Opened, private_folder};

use super::Instruments;
use crate::{Columns, MarketError, MarketErrorKind};

/// Begins the name of a file that is being written.
const UNFINISHED: &str = ".unfinished-";

/// A file that is still unfinished after this long was left behind by a crash.
const ABANDONED: Duration = Duration::from_secs(60 * 60);

/// The folder lists are kept in. A file's name says of which day it is and how long, so that one
/// that was cut off is noticed.
#[derive(Clone, Debug)]
pub(super) struct Shelf {
    folder: PathBuf,
    stem: &'static str,
}

/// A list on the shelf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Kept {
    pub(super) date: Date,
    bytes: u64,
    path: PathBuf,
}

impl Shelf {
    pub(super) fn new(folder: PathBuf, columns: Columns) -> Self {
        let file = columns.file();
        Self { folder, stem: file.strip_suffix(".csv").unwrap_or(file) }
    }

    /// What is there, the newest first.
    pub(super) fn lists(&self) -> Vec<Kept> {
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        let paths = entries.filter_map(Result::ok).map(|it| it.path());
        let mut lists: Vec<Kept> = paths.filter_map(|path| self.kept(path)).collect();
        lists.sort_by_key(|it| std::cmp::Reverse(it.date));
        lists
    }

    fn kept(&self, path: PathBuf) -> Option<Kept> {
        let name = path.file_name()?.to_str()?.strip_suffix(".csv")?;
        let (date, bytes) = name.strip_prefix(self.stem)?.strip_prefix('.')?.split_once('.')?;
        Some(Kept { date: date.parse().ok()?, bytes: bytes.parse().ok()?, path })
    }

    /// Reads a list, if it is whole. One that is not is thrown away.
    pub(super) fn load(&self, kept: &Kept) -> Option<Instruments> {
        let read = || {
            let opened = Opened::new(&kept.path, Links::Refused).ok()?;
            let whole = opened.about().len() == kept.bytes;
            whole.then(|| Instruments::read(opened.into_file()).ok())?
        };
        let list = read();
        if list.is_none() {
            // If it stays, it is looked at again tomorrow: no harm.
            let _ = fs::remove_file(&kept.path);
        }
        list
    }

    /// A file to write a new list to. It is gone if it is not kept.
    pub(super) fn blank(&self) -> Result<NamedTempFile, MarketError> {
        let made = private_folder(&self.folder)
            .and_then(|()| Builder::new().prefix(UNFINISHED).tempfile_in(&self.folder));
        made.map_err(|error| self.trouble(&error))
    }

    /// Reads what was written, and if it is a list, keeps it as that of a day and removes what is
    /// older.
    pub(super) fn keep(
        &self,
        written: NamedTempFile,
        bytes: u64,
        date: Date,
    ) -> Result<Instruments, MarketError> {
        let file = written.reopen().map_err(|error| self.trouble(&error))?;
        let length = file.metadata().map_err(|error| self.trouble(&error))?.len();
        if length != bytes {
            let message = format!("Of the list of instruments' {bytes} bytes {length} were kept.");
            return Err(MarketError::new(MarketErrorKind::Unreadable, message));
        }
        let list = Instruments::read(file)?;
        let path = self.folder.join(format!("{}.{date}.{bytes}.csv", self.stem));
        written.persist(&path).map_err(|error| self.trouble(&error.error))?;
        self.tidy(&path);
        Ok(list)
    }

    fn tidy(&self, newest: &Path) {
        let old = self.lists().into_iter().map(|it| it.path).filter(|path| path != newest);
        for path in old.chain(self.abandoned()) {
            // Another process may have been faster.
            let _ = fs::remove_file(path);
        }
    }

    fn abandoned(&self) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        let left = entries.filter_map(Result::ok).filter(|it| {
            let named = it.file_name().to_string_lossy().starts_with(UNFINISHED);
            let changed = it.metadata().and_then(|about| about.modified()).ok();
            let age = changed.and_then(|at| SystemTime::now().duration_since(at).ok());
            named && age.is_some_and(|age| age > ABANDONED)
        });
        left.map(|it| it.path()).collect()
    }

    /// An error of the folder, in words.
    pub(super) fn trouble(&self, error: &io::Error) -> MarketError {
        let folder = self.folder.display();
        let message = format!(
            "The list of instruments cannot be kept in {folder}: {error}. Make room, or choose \
             another folder (TOOLWRIGHT_DATA)."
        );
        MarketError::new(MarketErrorKind::Storage, message)
    }
}
