//! [`unlooked`]: why a workspace cannot be looked through, and what to do about it.

use std::io;

use rustix::io::Errno;
use toolwright_sandbox::NoSandbox;

/// Why a workspace cannot be looked through.
pub(super) fn unlooked(error: &io::Error) -> NoSandbox {
    NoSandbox::new(
        format!("the workspace cannot be looked through: {}", words(error)),
        match Errno::from_io_error(error) {
            Some(Errno::MFILE | Errno::NFILE) => "raise the limit of open files (`ulimit -n`)",
            Some(Errno::ACCESS | Errno::PERM) => {
                "check that you may read all of it, and start Toolwright again"
            }
            _ => "check that the folder is there and its disk works, and start Toolwright again",
        },
    )
}

/// An error of looking through the workspace, in words.
pub(super) fn words(error: &io::Error) -> String {
    match Errno::from_io_error(error) {
        Some(Errno::MFILE | Errno::NFILE) => "too many files are open".to_owned(),
        _ => error.to_string(),
    }
}
