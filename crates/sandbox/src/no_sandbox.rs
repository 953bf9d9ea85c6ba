//! [`NoSandbox`]: why there is no sandbox, and what to do about it.

use std::path::PathBuf;

/// Why there is no sandbox, or why a program cannot be started in one, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct NoSandbox {
    /// Why.
    pub reason: String,
    /// What to do about it.
    pub advice: String,
    /// The folder that the program would have to read, where that is all that is missing.
    pub unread: Option<PathBuf>,
}

impl NoSandbox {
    /// For this reason, with this advice.
    pub fn new(reason: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { reason: reason.into(), advice: advice.into(), unread: None }
    }

    /// A folder is not the one any more that was looked at.
    pub fn replaced(path: &str) -> Self {
        Self::new(
            format!("another file or folder was put in the place of {path}"),
            "put the one back that was there, or start Toolwright again to work in this one",
        )
    }
}
