//! Tools for working in a folder.
//!
//! [`Workspace`] has the tools: `show`, `edit`, `write`, `list`, `search`, and `bash`. Files are
//! reached through a handle of the folder and never by a path that was only checked; commands run in
//! a [`Sandbox`], or not at all.

mod error;
mod files;
#[doc(hidden)]
pub mod internals;
mod pack;
mod root;
mod sandbox;
mod settings;
mod shell;
mod steering;
#[cfg(target_os = "linux")]
mod survey;
mod tools;
mod vocabulary;
mod workspace;

pub use self::{
    error::WorkspaceError,
    pack::WorkspacePack,
    sandbox::{PREPARATION, Sandbox},
    settings::{Limits, Settings},
    workspace::Workspace,
};
pub use toolwright_sandbox::{ENTER, Helper, NoSandbox, RootCommands};

/// Puts up the inner walls and becomes the command. For the beginning of `main`.
pub fn enter(arguments: impl Iterator<Item = std::ffi::OsString>) -> std::process::ExitCode {
    toolwright_sandbox::enter(arguments, &[PREPARATION])
}
