//! [`Steered`]: what steers other programs by another name than its own.

use std::{io, os::fd::OwnedFd, path::Path};

use rustix::fs::{Mode, OFlags};

use crate::sandbox::Survey;

/// Finds out, as is done for commands, what links, repositories and the settings of git lead other
/// programs to.
pub(super) struct Steered {
    handle: OwnedFd,
    survey: Survey,
}

impl Steered {
    pub(super) fn open(root: &Path) -> io::Result<Self> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let handle = rustix::fs::open(root, flags, Mode::empty())?;
        Ok(Self { handle, survey: Survey::default() })
    }

    /// Why a change at a path, from the root, needs somebody's look, if it does. Where that cannot be
    /// found out, it does.
    pub(super) fn why(&self, root: &Path, path: &Path) -> Option<String> {
        self.survey.steered(root, &self.handle, path).unwrap_or_else(|error| {
            Some(format!(
                "may steer other programs: the workspace cannot be looked through ({error})"
            ))
        })
    }
}
