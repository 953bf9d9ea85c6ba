//! [`put`]: new content for a file, all of it or none.

use std::{ffi::OsStr, io, io::Write as _, path::Path};

use super::{FileError, notes};
use crate::root::{Entry, Folder, Place, Root};

/// What the new content takes the place of.
#[derive(Clone, Copy)]
pub(crate) enum Over<'a> {
    /// Nothing: the file is new.
    Nothing,
    /// This version of the file; should there be another meanwhile, nothing is written.
    This(&'a Entry),
}

/// Writes `content` beside the file, and then puts it in the file's place at once. Where something
/// goes wrong the file is as it was, and nothing lies beside it.
pub(crate) fn put(
    root: &Root,
    place: &Place,
    content: &[u8],
    over: Over<'_>,
) -> Result<(), FileError> {
    let path = || place.absolute.clone();
    write(root, &place.relative, content, over).map_err(|failure| match failure {
        Failure::Changed => FileError::Changed { path: path() },
        Failure::System(reason) if reason.kind() == io::ErrorKind::AlreadyExists => {
            FileError::Exists { path: path() }
        }
        Failure::System(reason) => FileError::Unwritten { path: path(), reason },
    })
}

enum Failure {
    Changed,
    System(io::Error),
}

impl From<io::Error> for Failure {
    fn from(reason: io::Error) -> Self {
        Self::System(reason)
    }
}

fn write(root: &Root, relative: &Path, content: &[u8], over: Over<'_>) -> Result<(), Failure> {
    let (Some(parent), Some(name)) = (relative.parent(), relative.file_name()) else {
        return Err(io::Error::from(io::ErrorKind::IsADirectory).into());
    };
    let folder = match over {
        Over::Nothing => root.make_folders(parent)?,
        Over::This(_) => root.folder().folder(parent)?,
    };
    let temp = notes::temp_name();
    let _note = root.notes().begin(root.path(), &parent.join(&temp))?;
    let temp = OsStr::new(&temp);
    let done = fill(&folder, temp, content, over).and_then(|()| replace(&folder, temp, name, over));
    if done.is_err() {
        // It may not be there at all.
        let _ = folder.remove(temp);
    }
    done?;
    Ok(folder.sync()?)
}

fn fill(folder: &Folder, temp: &OsStr, content: &[u8], over: Over<'_>) -> Result<(), Failure> {
    let access = match over {
        Over::Nothing => None,
        Over::This(entry) => entry.access,
    };
    // Nobody else may read it before it has the rights of the file.
    let mut file = folder.create(temp, if access.is_some() { 0o600 } else { 0o644 })?;
    file.write_all(content)?;
    if let Some(access) = access {
        Folder::take_over(&file, access)?;
    }
    Ok(file.sync_all()?)
}

fn replace(folder: &Folder, temp: &OsStr, name: &OsStr, over: Over<'_>) -> Result<(), Failure> {
    match over {
        Over::Nothing => Ok(folder.rename_new(temp, name)?),
        Over::This(entry) if folder.metadata(Path::new(name)).ok().as_ref() == Some(entry) => {
            Ok(folder.rename(temp, name)?)
        }
        Over::This(_) => Err(Failure::Changed),
    }
}
