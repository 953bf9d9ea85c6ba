//! [`Staging`]: the folder for work in progress, in the folder that the files belong into.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant, SystemTime},
};

use tempfile::TempDir;
use toolwright_files::private_folder;

/// What the names of folders for work in progress begin with.
const PREFIX: &str = ".fetch-";
/// The one whose contents are gone on with.
const KEPT: &str = ".fetch-partial";
/// Work in progress that is older was given up.
const OLD: Duration = Duration::from_secs(7 * 24 * 3600);
const PACE: Duration = Duration::from_millis(100);
/// Another process that fetches the same and brings nothing for so long is not waited for.
const PATIENCE: Duration = Duration::from_secs(75);

/// The folder for work in progress. One process at a time has the one that is kept, and goes on with what is
/// in it; where it is taken, and its holder brings nothing, there is another.
#[derive(Debug)]
pub(crate) struct Staging {
    path: PathBuf,
    /// Whether another process was waited for: it may have done the work.
    pub(crate) has_waited: bool,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// Held as long as the file is open, whatever becomes of the process.
    Kept {
        _lock: File,
    },
    Own {
        _folder: TempDir,
    },
}

impl Staging {
    /// `tell` hears, while another process is waited for, how many bytes it has.
    pub(crate) fn enter(folder: &Path, tell: &mut dyn FnMut(u64)) -> io::Result<Self> {
        sweep(folder);
        let path = folder.join(KEPT);
        let Some((lock, has_waited)) = lock(folder, &path, tell) else {
            return Self::own(folder);
        };
        private_folder(&path)?;
        if path.symlink_metadata()?.is_symlink() {
            return Self::own(folder);
        }
        Ok(Self { path, has_waited, kind: Kind::Kept { _lock: lock } })
    }

    fn own(folder: &Path) -> io::Result<Self> {
        let own = tempfile::Builder::new().prefix(PREFIX).tempdir_in(folder)?;
        let path = own.path().to_owned();
        Ok(Self { path, has_waited: false, kind: Kind::Own { _folder: own } })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Removes it with all that is in it: the work is done.
    pub(crate) fn finish(self) -> io::Result<()> {
        fs::remove_dir_all(&self.path)
    }
}

impl Drop for Staging {
    /// What is worth going on with stays.
    fn drop(&mut self) {
        if let Kind::Own { .. } = self.kind {
            return;
        }
        for entry in fs::read_dir(&self.path).into_iter().flatten().flatten() {
            if entry.metadata().is_ok_and(|it| it.len() == 0 || it.is_dir()) {
                let _ = fs::remove_file(entry.path()).or_else(|_| fs::remove_dir_all(entry.path()));
            }
        }
        let _ = fs::remove_dir(&self.path);
    }
}

/// Locks the folder itself, which needs no file that would have to be removed. None where that cannot be done
/// here, or where its holder does nothing.
fn lock(folder: &Path, kept: &Path, tell: &mut dyn FnMut(u64)) -> Option<(File, bool)> {
    let file = File::open(folder).ok()?;
    let (mut bytes, mut moved, mut has_waited) = (0, Instant::now(), false);
    loop {
        match file.try_lock() {
            Ok(()) => return Some((file, has_waited)),
            Err(TryLockError::WouldBlock) => has_waited = true,
            Err(TryLockError::Error(_)) => return None,
        }
        let now = weight(kept);
        if now != bytes {
            (bytes, moved) = (now, Instant::now());
            tell(bytes);
        }
        if moved.elapsed() > PATIENCE {
            return None;
        }
        thread::sleep(PACE);
    }
}

/// The bytes in a folder, and in those in it.
pub(crate) fn weight(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let weights = entries.filter_map(|entry| {
        let about = entry.metadata().ok()?;
        Some(if about.is_dir() { weight(&entry.path()) } else { about.len() })
    });
    weights.sum()
}

/// Removes what processes left that were ended in between, and nobody went on with.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        let changed = entry.metadata().and_then(|it| it.modified()).ok();
        let age = changed.and_then(|it| SystemTime::now().duration_since(it).ok());
        if is_ours && age.is_some_and(|it| it > OLD) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
