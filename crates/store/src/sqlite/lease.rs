//! [`Leases`]: who is at work in which conversation, told by locks on files.
//!
//! The kernel gives a lock back when its owner dies, however it dies. The file says who that is.
//! Its owner removes it before letting go; whoever then gets a lock on a file that is no longer
//! there under its name tries again.

use std::{
    fs::{self, File, TryLockError},
    io::{self, Write},
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use toolwright_core::{ConversationId, Timestamp};
use toolwright_files::{Links, Opened, Writing, private_file, private_folder};

use super::beside;
use crate::{LeaseHolder, StoreError};

/// The leases of a database.
#[derive(Clone)]
pub(super) struct Leases {
    folder: PathBuf,
}

/// A lease that is held until this is dropped.
pub(crate) struct LeaseFile {
    file: File,
    path: PathBuf,
}

/// Files left behind are looked at once they are this old.
const OLD: Duration = Duration::from_secs(60);
/// How many of them are looked at, at most.
const TIDIED: usize = 1_000;

impl Leases {
    pub(super) fn beside(database: &Path) -> Self {
        Self { folder: beside(database, "leases") }
    }

    /// The lease, unless somebody has it.
    pub(super) fn take(&self, id: &ConversationId) -> Result<Option<LeaseFile>, StoreError> {
        let fail = |error: io::Error| {
            StoreError::Unavailable(format!(
                "cannot lock a file in {}: {error}",
                self.folder.display()
            ))
        };
        match LeaseFile::take(self.path(id)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                private_folder(&self.folder).map_err(fail)?;
                LeaseFile::take(self.path(id)).map_err(fail)
            }
            taken => taken.map_err(fail),
        }
    }

    /// As [`Leases::take`], of the right to serve from the database.
    pub(super) fn serve(database: &Path) -> Result<Option<LeaseFile>, StoreError> {
        let taken = LeaseFile::take(serving(database));
        taken.map_err(|error| StoreError::Unavailable(format!("cannot lock a file: {error}")))
    }

    /// Who serves from the database, if they have said so yet.
    pub(super) fn server(database: &Path) -> Option<LeaseHolder> {
        holder(&serving(database))
    }

    /// Whether somebody has it.
    pub(super) fn is_taken(&self, id: &ConversationId) -> bool {
        let file = Opened::new(&self.path(id), Links::Refused).map(Opened::into_file);
        file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// Who has it, if they have said so yet.
    pub(super) fn holder(&self, id: &ConversationId) -> Option<LeaseHolder> {
        holder(&self.path(id))
    }

    /// Removes what processes that were killed left behind.
    pub(super) fn tidy(&self) {
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten().take(TIDIED) {
            let changed = entry.metadata().and_then(|it| it.modified());
            let is_old = changed.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > OLD));
            if is_old {
                // Taken and let go: that removes it, unless it is held.
                drop(LeaseFile::take(entry.path()));
            }
        }
    }

    /// Ids come from elsewhere: only those that are harmless as a name are used as one.
    fn path(&self, id: &ConversationId) -> PathBuf {
        let id = id.as_str();
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        if id.len() <= 100 && id.bytes().all(is_name) {
            return self.folder.join(id);
        }
        // FNV-1a: the same in every version of every program. Two ids that share a name only have
        // to wait for each other.
        let hash = id.bytes().fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128, |hash, byte| {
            (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
        });
        self.folder.join(format!("={hash:032x}"))
    }
}

/// The file that the database's server locks.
fn serving(database: &Path) -> PathBuf {
    let mut name = database.file_name().unwrap_or_default().to_owned();
    name.push("-server");
    database.with_file_name(name)
}

/// Who has locked a file, if they have said so yet.
fn holder(path: &Path) -> Option<LeaseHolder> {
    let text = toolwright_files::read_text(path, 4096).ok()?;
    let (process, since) = text.trim_end().split_once(' ')?;
    Some(LeaseHolder { process: process.to_owned(), since: since.parse().ok().map(Timestamp) })
}

impl LeaseFile {
    fn take(path: PathBuf) -> io::Result<Option<Self>> {
        loop {
            let file = private_file(&path, Writing::Update)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(error),
            }
            if is_at(&file, &path) {
                let mut lease = Self { file, path };
                lease.sign()?;
                return Ok(Some(lease));
            }
        }
    }

    /// Says who has it. Somebody may be reading it already, so it is never empty for long.
    fn sign(&mut self) -> io::Result<()> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let text = format!("{} {}\n", std::process::id(), now.as_millis());
        self.file.set_len(0)?;
        self.file.write_all(text.as_bytes())
    }
}

impl Drop for LeaseFile {
    fn drop(&mut self) {
        // While it is still locked. Where that is not allowed, the next opening tidies.
        let _ = fs::remove_file(&self.path);
    }
}

/// Whether the file is still the one of that name.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let same = |a: &fs::Metadata, b: &fs::Metadata| (a.dev(), a.ino()) == (b.dev(), b.ino());
    matches!((file.metadata(), fs::metadata(path)), (Ok(a), Ok(b)) if same(&a, &b))
}

/// A file that is open cannot be removed on other systems.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicBool, AtomicUsize, Ordering},
        thread,
    };

    use super::*;

    /// A file may be removed between being opened and being locked: that is no lease.
    #[test]
    fn a_lease_has_one_holder_however_fast_it_changes_hands() {
        let folder = tempfile::tempdir().expect("a folder");
        let leases = Leases::beside(&folder.path().join("log.db"));
        let (inside, taken) = (AtomicBool::new(false), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    while taken.load(Ordering::SeqCst) < 600 {
                        let Some(lease) = leases.take(&"talk".into()).expect("a folder") else {
                            thread::yield_now();
                            continue;
                        };
                        assert!(!inside.swap(true, Ordering::SeqCst), "two hold it");
                        taken.fetch_add(1, Ordering::SeqCst);
                        thread::sleep(Duration::from_micros(20));
                        inside.store(false, Ordering::SeqCst);
                        drop(lease);
                    }
                });
            }
        });
    }

    #[test]
    fn a_name_leads_nowhere_else() {
        let leases = Leases::beside(Path::new("/data/log.db"));
        assert_eq!(leases.path(&"conv_1".into()), Path::new("/data/leases/conv_1"));
        let long = "x".repeat(150);
        for id in ["../../etc/passwd", "/etc/passwd", "..", ".", "a b", "ü", &long] {
            let path = leases.path(&id.into());
            assert_eq!(path.parent(), Some(Path::new("/data/leases")), "{id}");
            let name = path.file_name().expect("a name").to_string_lossy();
            assert!(name.starts_with('=') && name.len() == 33, "{id}: {name}");
        }
    }
}
