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
mod size;
mod steering;
#[cfg(target_os = "linux")]
mod survey;
mod tools;
mod vocabulary;
mod workspace;

pub use self::{
    error::WorkspaceError,
    pack::WorkspacePack,
    sandbox::{ENTER, NoSandbox, Sandbox, enter},
    settings::{Helper, Limits, RootCommands, Settings},
    workspace::Workspace,
};
