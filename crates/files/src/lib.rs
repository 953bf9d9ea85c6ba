//! [`read_bounded`]: a file that somebody else may have made, read whole, if it is a file and no larger
//! than it may be.
//!
//! `std::fs::read` waits for ever on a pipe, and takes as much memory as whoever made the file likes. The
//! other side is [`private_file`]: what is written for its owner alone. A [`ListFile`] is such a file with a
//! list in it, and a [`DigestStore`] one that says what the user approved.

mod digest_store;
mod exposed;
mod list_file;
mod private;

pub use self::{
    digest_store::{Digest, DigestEntry, DigestMatch, DigestStore, digest_of},
    exposed::{Exposed, exposed},
    list_file::{ListFile, ListLock},
    private::{Writing, private_file, private_folder},
};

use std::{
    fs::{File, Metadata, OpenOptions},
    io::{self, Read},
    path::Path,
};

/// The largest settings, rules and lists that people write by hand, many times over.
pub const SETTINGS: u64 = 1 << 20;

/// The bytes of a file of at most `limit` bytes. Links are followed.
///
/// # Errors
/// Where it cannot be read, is no regular file, or is larger ([`io::ErrorKind::FileTooLarge`]).
pub fn read_bounded(path: impl AsRef<Path>, limit: u64) -> io::Result<Vec<u8>> {
    Opened::new(path.as_ref(), Links::Followed)?.read(limit)
}

/// As [`read_bounded`], for a text in UTF-8.
///
/// # Errors
/// As those of [`read_bounded`], and where it is no such text.
pub fn read_text(path: impl AsRef<Path>, limit: u64) -> io::Result<String> {
    text(read_bounded(path, limit)?)
}

/// What comes out of a stream, at most `limit` bytes: for standard input, and for what a person named,
/// which may be a pipe.
///
/// # Errors
/// Where it cannot be read, or is longer ([`io::ErrorKind::FileTooLarge`]).
pub fn read_stream(stream: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(too_large(limit));
    }
    Ok(bytes)
}

/// As [`read_stream`], for a text in UTF-8.
///
/// # Errors
/// As those of [`read_stream`], and where it is no such text.
pub fn stream_text(stream: impl Read, limit: u64) -> io::Result<String> {
    text(read_stream(stream, limit)?)
}

/// What becomes of a symbolic link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// It is followed.
    Followed,
    /// It is no file.
    Refused,
}

/// A regular file that was opened: what is told of it and what is read of it is of the same file,
/// whatever stands at its path meanwhile.
#[derive(Debug)]
pub struct Opened {
    file: File,
    about: Metadata,
}

impl Opened {
    /// Opens a file, without waiting for anybody.
    ///
    /// # Errors
    /// Where it cannot be opened, or is no regular file.
    pub fn new(path: &Path, links: Links) -> io::Result<Self> {
        let file = open(path, links)?;
        let about = file.metadata()?;
        if !about.is_file() {
            return Err(no_file());
        }
        Ok(Self { file, about })
    }

    /// What the system tells of it.
    pub fn about(&self) -> &Metadata {
        &self.about
    }

    /// The file itself, to be read a part at a time.
    pub fn into_file(self) -> File {
        self.file
    }

    /// Its bytes, at most `limit`.
    ///
    /// # Errors
    /// Where it cannot be read, or is larger ([`io::ErrorKind::FileTooLarge`]).
    pub fn read(self, limit: u64) -> io::Result<Vec<u8>> {
        read_stream(self.file, limit)
    }
}

fn open(path: &Path, links: Links) -> io::Result<File> {
    open_with(OpenOptions::new().read(true), path, links)
}

fn no_file() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file")
}

fn too_large(limit: u64) -> io::Error {
    let message = format!("it is larger than {}", amount(limit));
    io::Error::new(io::ErrorKind::FileTooLarge, message)
}

/// Opens a file without waiting for anybody; where it is made, it is for its owner alone.
#[cfg(unix)]
fn open_with(options: &mut OpenOptions, path: &Path, links: Links) -> io::Result<File> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    let flags = match links {
        Links::Followed => OFlags::NONBLOCK,
        Links::Refused => OFlags::NONBLOCK | OFlags::NOFOLLOW,
    };
    let opened = options.mode(0o600).custom_flags(flags.bits().cast_signed()).open(path);
    opened.map_err(|error| match error.raw_os_error() {
        Some(code) if links == Links::Refused && code == rustix::io::Errno::LOOP.raw_os_error() => {
            io::Error::new(io::ErrorKind::InvalidInput, "it is a link")
        }
        // Nobody writes to it, or it is a socket.
        Some(code) if code == rustix::io::Errno::NXIO.raw_os_error() => no_file(),
        _ => error,
    })
}

#[cfg(not(unix))]
fn open_with(options: &mut OpenOptions, path: &Path, links: Links) -> io::Result<File> {
    if links == Links::Refused && path.symlink_metadata().is_ok_and(|it| it.is_symlink()) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a link"));
    }
    options.open(path)
}

fn text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is no text in UTF-8"))
}

fn amount(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..0x10_0000 => format!("{} KiB", bytes >> 10),
        _ => format!("{} MiB", bytes >> 20),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_its_limit_and_not_beyond() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, b"12345").unwrap();
        assert_eq!(read_bounded(&path, 5).unwrap(), b"12345");
        let error = read_bounded(&path, 4).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(error.to_string(), "it is larger than 4 bytes");
    }

    /// A file that grows while it is read, or says that it is empty: `/proc` and `/dev`.
    #[cfg(target_os = "linux")]
    #[test]
    fn what_a_file_says_of_its_length_does_not_count() {
        assert!(!read_bounded("/proc/self/status", 1 << 16).unwrap().is_empty());
        assert_eq!(
            read_bounded("/proc/self/status", 8).unwrap_err().kind(),
            io::ErrorKind::FileTooLarge
        );
        assert!(read_bounded("/dev/zero", 8).is_err());
    }

    #[cfg(unix)]
    pub(crate) fn make_pipe(path: &Path) {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_refused_at_once() {
        use std::os::unix::{fs::symlink, net::UnixListener};
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        make_pipe(&at("pipe"));
        let _socket = UnixListener::bind(at("socket")).unwrap();
        std::fs::create_dir(at("folder")).unwrap();
        symlink("pipe", at("link to a pipe")).unwrap();
        for name in ["pipe", "socket", "folder", "link to a pipe"] {
            let error = read_bounded(at(name), 10).unwrap_err();
            assert_eq!(error.to_string(), "it is no regular file", "{name}");
        }
        std::fs::write(at("file"), "x").unwrap();
        symlink("file", at("link")).unwrap();
        assert_eq!(read_bounded(at("link"), 10).unwrap(), b"x");
        let refused = Opened::new(&at("link"), Links::Refused).unwrap_err();
        assert_eq!(refused.to_string(), "it is a link");
    }
}
