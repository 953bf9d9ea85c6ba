//! [`LogKey`]: the secret by which an installation knows what it wrote itself.
//!
//! Whoever writes to a log without it, be it by importing or by changing the database, writes
//! something that allows nothing. Several servers that share a database share the key, or each
//! takes what the others wrote for imported.

use std::{
    fmt,
    fs::{self, File},
    io::{self, Write},
    path::Path,
    str::FromStr,
};

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use toolwright_files::{Links, Opened, Writing, private_file, private_folder};

use crate::StoreError;

/// The secret by which an installation knows what it wrote itself. It cannot be printed.
#[derive(Clone)]
pub struct LogKey {
    mac: Hmac<Sha256>,
    /// Whether another process can have it, too.
    lasts: bool,
}

const BYTES: usize = 32;

impl LogKey {
    /// A key that nobody else has and that is gone with this process: what earlier processes wrote
    /// is taken for imported.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn random() -> Result<Self, StoreError> {
        fresh().map(|bytes| Self { lasts: false, ..Self::new(&bytes) })
    }

    /// The key in this file. Where there is none yet, one is made that only its owner may read.
    ///
    /// # Errors
    /// When the file cannot be made or read, holds no key, or may be read by others.
    pub fn in_file(path: &Path) -> Result<Self, StoreError> {
        let unusable = |reason: &dyn fmt::Display| StoreError::Key {
            place: path.display().to_string(),
            reason: reason.to_string(),
        };
        let text = match read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let bytes = fresh()?;
                make(path, &bytes).and_then(|()| read(path))
            }
            read => read,
        };
        let text = text.map_err(|error| unusable(&error))?;
        text.trim().parse().map_err(|error| unusable(&error))
    }

    fn new(bytes: &[u8; BYTES]) -> Self {
        let mut block = [0_u8; 64];
        block.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        // HMAC fills a shorter key up with zeros: it is the same key.
        Self { mac: Hmac::new(&block.into()), lasts: true }
    }

    /// A fresh calculation under this key.
    pub(crate) fn mac(&self) -> Hmac<Sha256> {
        self.mac.clone()
    }

    /// Whether another process can have it, too.
    pub(crate) fn lasts(&self) -> bool {
        self.lasts
    }

    /// By which it is known again, and which tells nothing about it.
    pub(crate) fn check_value(&self) -> Vec<u8> {
        let mut mac = self.mac();
        mac.update(b"toolwright log key 1\0");
        mac.finalize().into_bytes().to_vec()
    }
}

impl fmt::Debug for LogKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[hidden]")
    }
}

/// Text that is no key. It does not say what the text was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a key has 64 hexadecimal digits")]
pub struct InvalidKey;

/// 64 hexadecimal digits.
impl FromStr for LogKey {
    type Err = InvalidKey;

    fn from_str(text: &str) -> Result<Self, InvalidKey> {
        let mut bytes = [0_u8; BYTES];
        if text.len() != 2 * BYTES || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(InvalidKey);
        }
        for (at, byte) in bytes.iter_mut().enumerate() {
            let digits = text.get(2 * at..2 * at + 2).ok_or(InvalidKey)?;
            *byte = u8::from_str_radix(digits, 16).map_err(|_| InvalidKey)?;
        }
        Ok(Self::new(&bytes))
    }
}

fn fresh() -> Result<[u8; BYTES], StoreError> {
    let mut bytes = [0_u8; BYTES];
    let no = |error| StoreError::Unavailable(format!("the system has no randomness: {error}"));
    getrandom::fill(&mut bytes).map_err(no).map(|()| bytes)
}

/// What the file says, if nobody else may read it.
fn read(path: &Path) -> io::Result<String> {
    let opened = Opened::new(path, Links::Followed)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if opened.about().mode() & 0o077 != 0 {
            return Err(io::Error::other("others may read or write it; `chmod 600` it"));
        }
    }
    io::read_to_string(io::Read::take(opened.into_file(), 1_024))
}

/// Makes the file whole or not at all. Where somebody else just did, theirs stays.
fn make(path: &Path, bytes: &[u8; BYTES]) -> io::Result<()> {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    private_folder(folder)?;
    let own = path.with_extension(format!("new-{}-{:016x}", std::process::id(), unique()?));
    let mut file = private_file(&own, Writing::New)?;
    let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let linked = writeln!(file, "{text}")
        .and_then(|()| file.sync_all())
        // Unlike a rename, this leaves alone what is there already.
        .and_then(|()| fs::hard_link(&own, path));
    fs::remove_file(&own)?;
    match linked {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
        Ok(()) => File::open(folder).and_then(|folder| folder.sync_all()),
    }
}

fn unique() -> io::Result<u64> {
    getrandom::u64().map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(key: &LogKey) -> Vec<u8> {
        key.mac().finalize().into_bytes().to_vec()
    }

    #[test]
    fn whoever_opens_first_makes_the_key_and_all_have_the_same() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data/log.key");
        let marks: Vec<_> = std::thread::scope(|scope| {
            let open = || mark(&LogKey::in_file(&path).expect("a key"));
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
            threads.into_iter().map(|it| it.join().expect("it ends")).collect()
        });
        assert!(marks.iter().all(|it| *it == marks[0]));
        assert_eq!(fs::read_dir(path.parent().expect("a folder")).expect("it").count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_key_that_others_may_read_is_no_secret() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("log.key");
        LogKey::in_file(&path).expect("a key");
        assert_eq!(fs::metadata(&path).expect("it").permissions().mode() & 0o777, 0o600);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("it is ours");
        let error = LogKey::in_file(&path).expect_err("others may read it");
        assert!(error.to_string().contains("chmod 600"), "{error}");
    }

    #[test]
    fn what_is_no_key_is_told_without_repeating_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("log.key");
        LogKey::in_file(&path).expect("a key");
        fs::write(&path, "hunter2hunter2").expect("it is ours");
        let error = LogKey::in_file(&path).expect_err("it is no key").to_string();
        assert!(error.contains("log.key") && !error.contains("hunter2"), "{error}");
        for text in ["", "zz", &"g".repeat(64), &"é".repeat(32)] {
            assert_eq!(text.parse::<LogKey>().map(drop), Err(InvalidKey), "{text}");
        }
    }
}
