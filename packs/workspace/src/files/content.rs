//! [`Content`]: all of a file, and which version of it.

use std::{fs::File, io::Read as _};

use super::FileError;
use crate::root::{Entry, Kind, Place, Root};

/// The most bytes of a file that is changed.
pub(crate) const MOST: u64 = 64 << 20;

/// All of a file, and which version of it.
pub(crate) struct Content {
    pub(crate) bytes: Vec<u8>,
    pub(crate) entry: Entry,
    /// The file itself, whatever name it has now.
    pub(super) file: File,
}

impl Content {
    /// Reads a file that is going to be changed.
    pub(crate) fn read(root: &Root, place: &Place) -> Result<Self, FileError> {
        let path = || place.absolute.clone();
        let (file, entry) = open(root, place)?;
        if entry.len > MOST {
            return Err(FileError::TooLarge { path: path(), len: entry.len, most: MOST });
        }
        let mut bytes = Vec::with_capacity(usize::try_from(entry.len).unwrap_or_default());
        // It may be growing.
        let read = (&file).take(MOST + 1).read_to_end(&mut bytes);
        read.map_err(|reason| FileError::Unreadable { path: path(), reason })?;
        if bytes.len() as u64 != entry.len {
            return Err(FileError::Changed { path: path() });
        }
        Ok(Self { bytes, entry, file })
    }
}

/// Opens a plain file; whatever else it is, is said.
pub(super) fn open(root: &Root, place: &Place) -> Result<(File, Entry), FileError> {
    let path = || place.absolute.clone();
    let unreadable = |reason| FileError::Unreadable { path: path(), reason };
    let entry = root.metadata(&place.relative).map_err(unreadable)?;
    match entry.kind {
        Kind::File => {}
        Kind::Folder => return Err(FileError::Folder { path: path() }),
        kind => return Err(FileError::NoFile { path: path(), kind: kind.words() }),
    }
    let file = root.open_file(&place.relative).map_err(unreadable)?;
    let opened = Entry::from(&file.metadata().map_err(unreadable)?);
    match entry.identity() {
        // Another file was put in its place in between.
        Some(looked_at) if opened.identity() != Some(looked_at) => {
            Err(FileError::Changed { path: path() })
        }
        _ => Ok((file, entry)),
    }
}
