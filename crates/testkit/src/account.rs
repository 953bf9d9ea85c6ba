//! [`as_nobody`]: programs of an ordinary user, for tests that run as root.

use std::{ffi::OsStr, os::unix::fs::MetadataExt, process::Command};

/// Another account of this machine: it need not have a name.
pub const NOBODY: u32 = 65534;

/// Whether this process may become somebody else.
pub fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|it| it.uid() == 0)
}

/// A program, started by an ordinary user. It finds a folder for temporary files and no home.
pub fn as_nobody(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("setpriv");
    command
        .args([format!("--reuid={NOBODY}"), format!("--regid={NOBODY}")])
        .arg("--clear-groups")
        .arg(program)
        .env("TMPDIR", "/tmp")
        .env("HOME", "/nonexistent");
    command
}
