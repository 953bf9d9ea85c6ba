//! [`PathError`]: why a path that was typed is not used.

use std::{io, path::PathBuf};

/// Why a path that was typed is not used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PathError {
    /// There is no path.
    #[error("the path is empty: use a path from the workspace root, such as src/main.rs")]
    Empty,
    /// It has a NUL byte.
    #[error("the path has a NUL byte in it, which no file name can have")]
    Nul,
    /// It, or a name in it, is longer than the system takes.
    #[error("the path is too long: {what} has {len} bytes, and {most} are allowed")]
    TooLong {
        /// Which part.
        what: &'static str,
        len: usize,
        most: usize,
    },
    /// It goes through too many folders.
    #[error("the path is too deep: it has {depth} parts, and {most} are allowed")]
    TooDeep { depth: usize, most: usize },
    /// It is not in the workspace.
    #[error(
        "{typed} is outside the workspace, {}: use a path from the workspace root, such as \
         src/main.rs",
        root.display()
    )]
    Outside { typed: String, root: PathBuf },
    /// A link in it leads out of the workspace.
    #[error(
        "{} is a link that leads out of the workspace, {}, and is not followed",
        link.display(),
        root.display()
    )]
    LeadsOutside { link: PathBuf, root: PathBuf },
    /// Its links lead to each other.
    #[error("{} is a link that leads back to itself", link.display())]
    Loops { link: PathBuf },
    /// It climbs out of folders that do not exist.
    #[error("{typed} has a .. behind a folder that does not exist: write the path without ..")]
    Climbs { typed: String },
    /// A part that should be a folder is none.
    #[error("{} is {kind}, not a folder", path.display())]
    NoFolder { path: PathBuf, kind: &'static str },
    /// There is nothing.
    #[error("File does not exist: {}{}", path.display(), told(nearby))]
    Missing {
        path: PathBuf,
        /// Files of that name elsewhere in the workspace.
        nearby: Vec<String>,
    },
    /// A new file would have the name of one that is elsewhere.
    #[error(
        "{found} is called so already: to change that, give its path; to make another file in the workspace's \
         own folder, call it ./{typed}"
    )]
    Elsewhere { typed: String, found: String },
    /// The workspace is not where it was.
    #[error(
        "{} is not the folder any more that was opened as the workspace: it was moved, removed or \
         replaced, and nothing is read or changed. Put it back, or start Toolwright again to work in \
         what is there now",
        root.display()
    )]
    Replaced { root: PathBuf },
    /// It is Toolwright's own.
    #[error("{} is where Toolwright keeps its own data: no tool may see or change it", path.display())]
    Hidden { path: PathBuf },
    /// The system says no.
    #[error("{} cannot be looked at: {reason}", path.display())]
    System { path: PathBuf, reason: io::Error },
}

fn told(nearby: &[String]) -> String {
    if nearby.is_empty() {
        return String::new();
    }
    let names = nearby.join(", ");
    format!("\nFiles of that name: {names}. Use the full path from the workspace root.")
}
