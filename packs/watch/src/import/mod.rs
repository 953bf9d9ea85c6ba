//! Filling a [`Library`](crate::Library) from Google Takeout.

mod date;
mod dating;
mod entry;
mod html;
mod intake;
mod json;
mod link;
mod reading;
mod source;
mod tokens;
mod verbs;
mod words;
mod zone;

use std::path::Path;

use jiff::tz::TimeZone;
use serde::Serialize;

use self::dating::Hints;
pub(crate) use self::{dating::Local, zone::may_be};
use crate::{Library, Progress, WatchError, Watched, library::Kept};

/// What became of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Imported {
    /// The files that were read.
    pub files: Vec<String>,
    /// Entries in them.
    pub entries: u64,
    /// Times something was watched that were new.
    pub added: u64,
    /// Times that were known already.
    pub known: u64,
    /// Videos that were new.
    pub videos: u64,
    /// Advertisements.
    pub ads: u64,
    /// Removed or private videos.
    pub gone: u64,
    /// Entries that are no watching: searches, visits, games.
    pub other: u64,
    /// Entries that could not be read.
    pub broken: u64,
    /// What was wrong with the first of them, and with files that could not be read to their end.
    pub problems: Vec<String>,
}

/// What became of entries that were added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Added {
    /// Times that were new.
    pub added: u64,
    /// Times that were known already.
    pub known: u64,
    /// Videos that were new.
    pub videos: u64,
}

impl Added {
    fn count(&mut self, kept: Kept) {
        match kept {
            Kept::Known => self.known += 1,
            Kept::Again => self.added += 1,
            Kept::First => {
                self.added += 1;
                self.videos += 1;
            }
        }
    }
}

impl Library {
    /// Reads an export: a file, a folder or an archive. It is told how many entries were read. Times that
    /// tell no zone, or one of many meanings, may be in that of the system.
    ///
    /// # Errors
    /// When nothing in it is a watch history, or the library cannot be written.
    pub fn import(&self, path: &Path, progress: Progress<'_>) -> Result<Imported, WatchError> {
        self.read(None, path, progress)
    }

    /// Reads an export, as [`Library::import`] does. Times that tell no zone, or a name that this one has among
    /// others, are in this one.
    ///
    /// # Errors
    /// When nothing in it is a watch history, or the library cannot be written.
    pub fn import_in(
        &self,
        zone: &TimeZone,
        path: &Path,
        progress: Progress<'_>,
    ) -> Result<Imported, WatchError> {
        self.read(Some(zone.clone()), path, progress)
    }

    fn read(
        &self,
        configured: Option<TimeZone>,
        path: &Path,
        progress: Progress<'_>,
    ) -> Result<Imported, WatchError> {
        let hints = Hints { configured, machine: TimeZone::system() };
        let mut intake = intake::Intake::new(self, hints, progress);
        source::read(path, &mut intake)?;
        intake.finish(path)
    }

    /// Adds what was watched, in one piece.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub fn add(&self, watched: &[Watched]) -> Result<Added, WatchError> {
        self.write(|writing| {
            let mut added = Added::default();
            for watched in watched {
                added.count(writing.watched(watched, None)?);
            }
            Ok(added)
        })
    }
}
