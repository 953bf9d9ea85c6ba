//! [`Notes`]: which writes have not finished, so that what a crash left half done is found.

use std::{
    ffi::OsStr,
    fs::{File, TryLockError},
    io::{self, Read as _, Write as _},
    path::{Component, Path, PathBuf},
};

use toolwright_files::{Links, Opened, Writing, private_file, private_folder};

use crate::root::Root;

/// The private folder with a note for each write that has not finished.
///
/// A note is locked as long as whoever wrote it lives. One that can be locked is left from a crash.
pub(crate) struct Notes {
    folder: PathBuf,
}

/// A write that has not finished.
pub(super) struct Note {
    path: PathBuf,
    /// Holds the lock.
    _file: File,
}

/// How the notes are called.
const BEGIN: &str = "write-";
const END: &str = ".note";
/// How the files are called that become the new content.
const TEMP_BEGIN: &str = ".toolwright-";
const TEMP_END: &str = ".tmp";
/// How many letters make a name nobody else has.
const LETTERS: usize = 12;
/// The most bytes of a note: two paths.
const MOST: u64 = 16 << 10;
/// How often a name is tried.
const TRIES: usize = 8;

impl Notes {
    pub(crate) fn open(folder: &Path) -> io::Result<Self> {
        private_folder(folder)?;
        Ok(Self { folder: folder.canonicalize()? })
    }

    /// Notes that `temp` is going to be made in the workspace at `root`.
    pub(super) fn begin(&self, root: &Path, temp: &Path) -> io::Result<Note> {
        for _ in 0..TRIES {
            let path = self.folder.join(format!("{BEGIN}{}{END}", random()));
            let mut file = private_file(&path, Writing::New)?;
            file.lock()?;
            // Before it was locked, somebody who sweeps could take it for one that a crash left.
            if !path.exists() {
                continue;
            }
            let note = Note { path, _file: file.try_clone()? };
            file.write_all(&[bytes(root), b"\0", bytes(temp)].concat())?;
            return Ok(note);
        }
        Err(io::Error::other("the note of a write is removed again and again"))
    }

    /// Removes what a crash left half done in this workspace, as far as it can.
    pub(crate) fn sweep(&self, root: &Root) {
        let Ok(found) = std::fs::read_dir(&self.folder) else { return };
        for entry in found.flatten() {
            let name = entry.file_name();
            if name.to_str().is_some_and(|it| it.starts_with(BEGIN) && it.ends_with(END))
                && let Err(error) = sweep_one(root, &entry.path())
            {
                tracing::warn!(%error, note = %entry.path().display(), "a write that a crash left is not cleared away");
            }
        }
    }
}

fn sweep_one(root: &Root, path: &Path) -> io::Result<()> {
    let file = match Opened::new(path, Links::Refused).map(Opened::into_file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        opened => opened?,
    };
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => return Ok(()),
        Err(TryLockError::Error(error)) => return Err(error),
        Ok(()) => {}
    }
    let mut text = Vec::new();
    (&file).take(MOST).read_to_end(&mut text)?;
    let mut parts = text.splitn(2, |byte| *byte == 0);
    match (parts.next(), parts.next()) {
        (Some(noted), Some(_)) if noted != bytes(root.path()) => return Ok(()),
        (Some(_), Some(temp)) => remove_temp(root, &path_of(temp))?,
        // Whoever wrote it did not get to making anything.
        _ => {}
    }
    std::fs::remove_file(path)
}

fn remove_temp(root: &Root, temp: &Path) -> io::Result<()> {
    let is_ours = temp.components().all(|part| matches!(part, Component::Normal(_)))
        && temp.file_name().is_some_and(is_temp);
    let (Some(parent), Some(name), true) = (temp.parent(), temp.file_name(), is_ours) else {
        return Ok(());
    };
    let removed = root.folder().folder(parent).and_then(|folder| folder.remove(name));
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

impl Drop for Note {
    fn drop(&mut self) {
        // One that stays is swept at the next start.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// A name for a file that becomes the new content.
pub(super) fn temp_name() -> String {
    format!("{TEMP_BEGIN}{}{TEMP_END}", random())
}

fn is_temp(name: &OsStr) -> bool {
    let letters = name
        .to_str()
        .and_then(|it| it.strip_prefix(TEMP_BEGIN)?.strip_suffix(TEMP_END))
        .unwrap_or_default();
    letters.len() == LETTERS && letters.bytes().all(|it| it.is_ascii_alphanumeric())
}

fn random() -> String {
    std::iter::repeat_with(fastrand::alphanumeric).take(LETTERS).collect()
}

fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    OsStr::from_bytes(bytes).into()
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    String::from_utf8_lossy(bytes).into_owned().into()
}
