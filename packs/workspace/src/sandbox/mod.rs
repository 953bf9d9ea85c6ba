//! [`Sandbox`]: walls around a command in the workspace.
//!
//! The walls are those of `toolwright-sandbox`. What is the workspace's own is here: what commands may
//! not change in it or not even see ([`guarded`]), and a git that runs no program where a command may
//! only look ([`repository`]).

use std::{path::Path, time::Duration};

use toolwright_sandbox::{Ending, Output};

mod config;
#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod guarded;
#[cfg(target_os = "linux")]
mod here;
mod repository;
#[cfg(target_os = "linux")]
mod turn;
#[cfg(target_os = "linux")]
mod unlooked;

#[cfg(not(target_os = "linux"))]
pub use self::elsewhere::Sandbox;
#[cfg(target_os = "linux")]
pub use self::here::Sandbox;
pub use self::repository::PREPARATION;
pub(crate) use self::repository::Repository;

/// What a command may do with the workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// It may read what is there. Its own `/tmp` is all it can write to, and git reads no setting that
    /// could run a program.
    ReadOnly,
    /// It may change what is not protected.
    Write,
}

/// A command to run.
pub(crate) struct Job<'a> {
    /// What `bash` is given.
    pub(crate) script: &'a str,
    /// What it may do with the workspace.
    pub(crate) access: Access,
    /// Where it runs: a folder in the workspace, by its full path.
    pub(crate) folder: &'a Path,
    /// How long it may run.
    pub(crate) time: Duration,
    /// Told the last line of the output now and then.
    pub(crate) progress: &'a (dyn Fn(String) + Send + Sync),
    /// Told what it wrote where nobody waits for its end.
    pub(crate) cut_off: &'a (dyn Fn(Output) + Send + Sync),
}

/// What came of a command. No process of it is left.
#[derive(Debug)]
pub(crate) struct Finished {
    /// How it ended.
    pub(crate) ending: Ending,
    /// What it wrote.
    pub(crate) output: Output,
    /// How long it ran.
    pub(crate) took: Duration,
    /// Files that may not be made without somebody looking at them, as they were found and as they
    /// are called now.
    pub(crate) held: Vec<Held>,
}

/// A file or folder that was put aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Held {
    /// What it was called, from the workspace's folder.
    pub(crate) was: String,
    pub(crate) now: Fate,
}

/// What became of a thing that steers other programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It was put aside, and is called this now.
    Renamed(String),
    /// It was there before, and is not there any more.
    Gone,
    /// It could not be put aside, for this reason.
    Left(String),
}
