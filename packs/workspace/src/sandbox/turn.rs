//! [`Turns`]: what was there before the commands that run now, whoever runs them.
//!
//! Commands in one workspace may overlap, also those of several processes. The first of them writes
//! down what is there; each of them, when it is over, is held against that, and the last removes it.
//! What a crash leaves is found by the next. So is what could not be put aside: until it is, no
//! command begins.

use std::{
    ffi::OsStr,
    fs::{self, File, OpenOptions, TryLockError},
    io,
    os::unix::{ffi::OsStrExt, fs::OpenOptionsExt},
    path::{Path, PathBuf},
};

use crate::survey::{Found, Mark};

/// The files of one workspace, in the private folder.
pub(super) struct Turns {
    /// Held for as long as somebody looks or compares.
    gate: PathBuf,
    /// Shared by all commands that run.
    busy: PathBuf,
    /// What was there before the first of them.
    before: PathBuf,
}

/// One command that runs.
pub(super) struct Turn {
    busy: File,
}

/// Nobody else looks or compares.
pub(super) struct Gate {
    _file: File,
}

impl Turns {
    pub(super) fn new(scratch: &Path, (device, number): (u64, u64)) -> Self {
        let file = |what: &str| scratch.join(format!("commands-{device:x}-{number:x}.{what}"));
        Self { gate: file("gate"), busy: file("busy"), before: file("before") }
    }

    /// Whether commands run, or were never looked after.
    pub(super) fn is_pending(&self) -> bool {
        fs::symlink_metadata(&self.before).is_ok()
    }

    pub(super) fn gate(&self) -> io::Result<Gate> {
        let file = private(&self.gate)?;
        file.lock()?;
        Ok(Gate { _file: file })
    }

    /// A turn, where no command runs.
    pub(super) fn alone(&self, _gate: &Gate) -> io::Result<Option<Turn>> {
        let busy = private(&self.busy)?;
        match busy.try_lock() {
            Ok(()) => Ok(Some(Turn { busy })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// A turn beside others.
    pub(super) fn share(&self, _gate: &Gate, alone: Option<Turn>) -> io::Result<Turn> {
        let busy = match alone {
            Some(turn) => turn.busy,
            None => private(&self.busy)?,
        };
        busy.lock_shared()?;
        Ok(Turn { busy })
    }

    /// Ends a turn. Says whether it was the last.
    pub(super) fn end(&self, gate: &Gate, turn: &Turn) -> io::Result<bool> {
        turn.busy.unlock()?;
        Ok(self.alone(gate)?.is_some())
    }

    pub(super) fn write(&self, found: &[Found]) -> io::Result<()> {
        let mut text = Vec::new();
        for Found { path, mark, .. } in found {
            let Mark { device, number, changed, is_folder, is_link, has_other_names } = mark;
            let line = format!(
                "{device} {number} {changed} {} {} {} ",
                u8::from(*is_folder),
                u8::from(*is_link),
                u8::from(*has_other_names)
            );
            text.extend_from_slice(line.as_bytes());
            text.extend_from_slice(path.as_os_str().as_bytes());
            text.push(0);
        }
        // Whole or not at all.
        text.extend_from_slice(END);
        fs::write(&self.before, text)
    }

    /// What was there before the first command, if somebody wrote it down.
    pub(super) fn read(&self) -> io::Result<Option<Vec<Found>>> {
        let text = match fs::read(&self.before) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read?,
        };
        // One that was not finished was followed by no command.
        let Some(text) = text.strip_suffix(END) else { return Ok(None) };
        let lines = text.split(|byte| *byte == 0).filter(|line| !line.is_empty());
        let found: Option<Vec<Found>> = lines.map(parse).collect();
        found.map(Some).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    pub(super) fn forget(&self) -> io::Result<()> {
        match fs::remove_file(&self.before) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }
}

const END: &[u8] = b"end";

fn parse(line: &[u8]) -> Option<Found> {
    let mut parts = line.splitn(7, |byte| *byte == b' ');
    let mut number = || std::str::from_utf8(parts.next()?).ok()?.parse::<i128>().ok();
    let mark = Mark {
        device: number()?.try_into().ok()?,
        number: number()?.try_into().ok()?,
        changed: number()?,
        is_folder: number()? == 1,
        is_link: number()? == 1,
        has_other_names: number()? == 1,
    };
    let path = OsStr::from_bytes(parts.next()?).into();
    Some(Found { path, mark, through: Vec::new() })
}

fn private(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)
}
