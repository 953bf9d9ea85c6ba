//! [`as_nobody`]: these very tests, by somebody who may not do everything.

use std::process::Command;

/// This very program, started by an ordinary user. It finds its folder for temporary files and no home.
pub(crate) fn as_nobody() -> Command {
    let mut command = Command::new("setpriv");
    command
        .args(["--reuid", "65534", "--regid", "65534", "--clear-groups"])
        .arg(std::env::current_exe().unwrap())
        .env("TMPDIR", "/tmp")
        .env("HOME", "/nonexistent");
    command
}
