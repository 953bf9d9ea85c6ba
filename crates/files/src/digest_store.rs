//! [`DigestStore`]: what the user approved, each thing by the digest of what it was then.

use std::{
    collections::BTreeSet,
    io,
    marker::PhantomData,
    path::{Path, PathBuf},
    time::SystemTime,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sha2::{Digest as _, Sha256};

use crate::ListFile;

/// What things are known by: the SHA-256 of these parts, each with its length before it, so that no part can be taken
/// for the end of another.
pub fn digest_of<P: AsRef<[u8]>>(parts: impl IntoIterator<Item = P>) -> String {
    let mut digest = Digest::default();
    parts.into_iter().for_each(|part| digest.add(part));
    digest.finish()
}

/// What [`digest_of`] says of parts that come one after the other, and are not all in memory at once.
#[derive(Clone, Debug, Default)]
pub struct Digest(Sha256);

impl Digest {
    /// Adds the next part.
    pub fn add(&mut self, part: impl AsRef<[u8]>) {
        let part = part.as_ref();
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    /// The digest of all parts.
    pub fn finish(self) -> String {
        self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// What the user approved, each thing by the digest of what it was then, in a file that only its owner reads and
/// nobody else can have written.
#[derive(Clone, Debug)]
pub struct DigestStore<T = ()> {
    file: ListFile,
    details: PhantomData<fn() -> T>,
}

/// What the user said of one thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DigestEntry<T = ()> {
    /// What it is: a folder's path, the name of a tool, of a document.
    pub subject: String,
    /// The digest of what it was when the user said it.
    pub digest: String,
    /// What else is kept with it.
    pub details: T,
}

/// What the user said of a thing, held against what it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DigestMatch<T = ()> {
    /// Nothing.
    Unknown,
    /// Something, and it is what it was then.
    Same(DigestEntry<T>),
    /// Something, and it is not what it was then.
    Changed(DigestEntry<T>),
}

impl<T> DigestStore<T> {
    /// What is kept in this file; nothing where there is none.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { file: ListFile::new(path), details: PhantomData }
    }

    /// The same, where it may have as many bytes as this.
    #[must_use]
    pub fn with_limit(mut self, limit: u64) -> Self {
        self.file = self.file.with_limit(limit);
        self
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// What tells that the file is another one.
    pub fn stamp(&self) -> Option<(SystemTime, u64)> {
        let about = std::fs::metadata(self.path()).ok()?;
        Some((about.modified().ok()?, about.len()))
    }
}

impl<T: Serialize + DeserializeOwned> DigestStore<T> {
    /// All that was said.
    ///
    /// # Errors
    /// When it cannot be read, or others may have written it.
    pub fn entries(&self) -> io::Result<Vec<DigestEntry<T>>> {
        self.file.read_own()
    }

    /// What was said of a thing whose digest is this one now.
    ///
    /// # Errors
    /// As those of [`DigestStore::entries`].
    pub fn check(&self, subject: &str, digest: &str) -> io::Result<DigestMatch<T>> {
        let known = self.entries()?.into_iter().find(|it| it.subject == subject);
        Ok(match known {
            None => DigestMatch::Unknown,
            Some(entry) if entry.digest == digest => DigestMatch::Same(entry),
            Some(entry) => DigestMatch::Changed(entry),
        })
    }

    /// Keeps what the user says of some things, in the place of what was said of them before.
    ///
    /// # Errors
    /// When it cannot be kept, or others may have written what is there.
    pub fn put(&self, entries: Vec<DigestEntry<T>>) -> io::Result<()> {
        self.change(|all| {
            let new: BTreeSet<&str> = entries.iter().map(|it| it.subject.as_str()).collect();
            all.retain(|it| !new.contains(it.subject.as_str()));
            all.extend(entries);
        })
    }

    /// Forgets what was said of a thing; whether anything was.
    ///
    /// # Errors
    /// As those of [`DigestStore::put`].
    pub fn forget(&self, subject: &str) -> io::Result<bool> {
        self.change(|all| {
            let before = all.len();
            all.retain(|it| it.subject != subject);
            all.len() < before
        })
    }

    /// Forgets all that was said; whether anything was.
    ///
    /// # Errors
    /// As those of [`DigestStore::put`].
    pub fn clear(&self) -> io::Result<bool> {
        // Nothing is made where there is nothing to forget.
        match self.entries()?.is_empty() {
            true => Ok(false),
            false => self.change(|all| !std::mem::take(all).is_empty()),
        }
    }

    fn change<R>(&self, change: impl FnOnce(&mut Vec<DigestEntry<T>>) -> R) -> io::Result<R> {
        // What others may have written is not kept on under the user's name.
        self.entries()?;
        self.file.change(change)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn entry(subject: &str, digest: &str) -> DigestEntry<u8> {
        DigestEntry { subject: subject.to_owned(), digest: digest.to_owned(), details: 1 }
    }

    #[test]
    fn parts_are_told_apart() {
        assert_eq!(digest_of(["ab", "c"]), digest_of(["ab", "c"]));
        assert_ne!(digest_of(["ab", "c"]), digest_of(["a", "bc"]));
        assert_ne!(digest_of(["ab"]), digest_of(["ab", ""]));
        assert_eq!(digest_of(["ab"]).len(), 64);
    }

    #[test]
    fn a_thing_is_known_by_what_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let store = DigestStore::<u8>::new(folder.path().join("deeper/a.json"));
        assert_eq!(store.check("a", "1").unwrap(), DigestMatch::Unknown);
        assert!(!store.clear().unwrap() && !store.path().exists());
        store.put(vec![entry("a", "1"), entry("b", "1")]).unwrap();
        assert_eq!(store.check("a", "1").unwrap(), DigestMatch::Same(entry("a", "1")));
        assert_eq!(store.check("a", "2").unwrap(), DigestMatch::Changed(entry("a", "1")));
        store.put(vec![entry("a", "2")]).unwrap();
        assert_eq!(store.entries().unwrap(), [entry("b", "1"), entry("a", "2")]);
        assert!(store.forget("a").unwrap() && !store.forget("a").unwrap());
        assert!(store.clear().unwrap() && !store.clear().unwrap());
        assert_eq!(store.entries().unwrap(), []);
    }

    #[test]
    fn more_than_can_be_read_again_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let store = DigestStore::<u8>::new(folder.path().join("a.json")).with_limit(200);
        store.put(vec![entry("a", "1")]).unwrap();
        let error = store.put(vec![entry(&"b".repeat(200), "1")]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(store.entries().unwrap(), [entry("a", "1")]);
    }

    #[cfg(unix)]
    #[test]
    fn what_others_may_have_written_is_neither_believed_nor_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let store = DigestStore::<u8>::new(folder.path().join("a.json"));
        store.put(vec![entry("a", "1")]).unwrap();
        let mode = |mode| {
            std::fs::set_permissions(store.path(), PermissionsExt::from_mode(mode)).unwrap();
        };
        assert_eq!(store.path().metadata().unwrap().permissions().mode() & 0o777, 0o600);
        mode(0o622);
        assert!(store.check("a", "1").is_err() && store.put(vec![entry("b", "1")]).is_err());
        mode(0o600);
        assert_eq!(store.entries().unwrap(), [entry("a", "1")]);
        let link = DigestStore::<u8>::new(folder.path().join("link.json"));
        symlink(store.path(), link.path()).unwrap();
        assert!(link.entries().is_err());
    }
}
