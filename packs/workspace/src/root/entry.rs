//! [`Entry`]: what is at a path.

use std::{fs::Metadata, io, time::SystemTime};

/// What is at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// What kind of thing it is.
    pub(crate) kind: Kind,
    /// How many bytes it has.
    pub(crate) len: u64,
    /// When its content was changed.
    pub(crate) modified: Option<SystemTime>,
    /// Which file it is, on systems that tell: device and number.
    identity: Option<(u64, u64)>,
    /// Whose it is and what they may do, on systems that tell.
    pub(crate) access: Option<Access>,
}

/// What kind of thing is at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A plain file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// Anything else, in words: `a pipe`.
    Other(&'static str),
}

/// Whose a file is, and what they may do with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Access {
    pub(crate) mode: u32,
    pub(crate) user: u32,
    pub(crate) group: u32,
}

impl Kind {
    /// In words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::File => "a file",
            Self::Folder => "a folder",
            Self::Link => "a link",
            Self::Other(words) => words,
        }
    }
}

impl Entry {
    /// Which file it is, on systems that tell: device and number.
    pub(crate) fn identity(&self) -> Option<(u64, u64)> {
        self.identity
    }

    /// An error where it is no plain file.
    pub(super) fn must_be_file(&self) -> io::Result<()> {
        match self.kind {
            Kind::File => Ok(()),
            kind => {
                let told = format!("it is {}, not a file", kind.words());
                Err(io::Error::new(io::ErrorKind::InvalidInput, told))
            }
        }
    }
}

#[cfg(any(not(target_os = "linux"), test))]
impl From<&cap_std::fs::Metadata> for Entry {
    fn from(metadata: &cap_std::fs::Metadata) -> Self {
        let kind = match metadata.file_type() {
            file if file.is_file() => Kind::File,
            folder if folder.is_dir() => Kind::Folder,
            link if link.is_symlink() => Kind::Link,
            _ => Kind::Other(NEITHER),
        };
        let modified = metadata.modified().ok().map(cap_std::time::SystemTime::into_std);
        Self { kind, len: metadata.len(), modified, identity: None, access: None }
    }
}

const NEITHER: &str = "something that is neither a file nor a folder";

impl From<&Metadata> for Entry {
    #[cfg(unix)]
    fn from(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self {
            kind: kind(metadata.file_type()),
            len: metadata.len(),
            modified: metadata.modified().ok(),
            identity: Some((metadata.dev(), metadata.ino())),
            access: Some(Access {
                mode: metadata.mode() & 0o7777,
                user: metadata.uid(),
                group: metadata.gid(),
            }),
        }
    }

    #[cfg(not(unix))]
    fn from(metadata: &Metadata) -> Self {
        Self {
            kind: kind(metadata.file_type()),
            len: metadata.len(),
            modified: metadata.modified().ok(),
            identity: None,
            access: None,
        }
    }
}

fn kind(kind: std::fs::FileType) -> Kind {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        if kind.is_fifo() {
            return Kind::Other("a pipe");
        }
        if kind.is_socket() {
            return Kind::Other("a socket");
        }
        if kind.is_block_device() || kind.is_char_device() {
            return Kind::Other("a device");
        }
    }
    if kind.is_file() {
        Kind::File
    } else if kind.is_dir() {
        Kind::Folder
    } else if kind.is_symlink() {
        Kind::Link
    } else {
        Kind::Other(NEITHER)
    }
}
