//! [`Door`]: the program that puts up the inner walls, and that it is still the same.

use std::{fs, io, os::unix::fs::MetadataExt, path::PathBuf};

/// The program that puts up the inner walls.
pub(super) struct Door {
    pub(super) path: PathBuf,
    is: Identity,
}

/// Which file it is, and when it was last changed in any way.
#[derive(PartialEq, Eq)]
struct Identity {
    device: u64,
    number: u64,
    changed: (i64, i64),
}

impl Door {
    pub(super) fn open(path: PathBuf) -> io::Result<Self> {
        Ok(Self { is: identity(&path)?, path })
    }

    /// An error where another file is in its place, or it was changed: that might put up no walls.
    pub(super) fn check(&self) -> io::Result<()> {
        match identity(&self.path) {
            Ok(now) if now == self.is => Ok(()),
            _ => Err(io::Error::other(format!(
                "Toolwright's own program was replaced while it ran ({}): end Toolwright and start it again",
                self.path.display()
            ))),
        }
    }
}

fn identity(path: &PathBuf) -> io::Result<Identity> {
    let found = fs::metadata(path)?;
    let changed = (found.ctime(), found.ctime_nsec());
    Ok(Identity { device: found.dev(), number: found.ino(), changed })
}
