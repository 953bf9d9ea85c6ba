//! [`WorkspaceError`]: why a folder cannot be worked in.

use std::path::PathBuf;

/// Why a folder cannot be worked in.
#[derive(Debug, thiserror::Error)]
pub enum WorkspaceError {
    /// It is not there, or is no folder, or may not be opened.
    #[error("cannot work in {}: {reason}", path.display())]
    Unusable {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// It holds more than work: the whole machine, or somebody's home.
    #[error(
        "{} is no workspace: it holds keys and settings that no model may see; choose a project's \
         folder in it",
        path.display()
    )]
    TooWide {
        /// The folder.
        path: PathBuf,
    },
}
