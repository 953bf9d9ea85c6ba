//! [`Sandbox`]: walls around a command.
//!
//! Bubblewrap builds the outer walls: namespaces, and a file system of which a command sees the
//! system's programs, the workspace and nothing else. Inside of them [`enter`] puts up the inner
//! ones, resource limits, Landlock and a filter of system calls, waits until the command is in its
//! control group, and becomes the command. What cannot be walled in does not run.

use std::{path::Path, time::Duration};

#[cfg(target_os = "linux")]
mod capture;
#[cfg(target_os = "linux")]
mod cgroup;
mod config;
#[cfg(target_os = "linux")]
mod door;
#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod enter;
#[cfg(target_os = "linux")]
mod fence;
#[cfg(target_os = "linux")]
mod filter;
#[cfg(target_os = "linux")]
mod guarded;
#[cfg(target_os = "linux")]
mod here;
#[cfg(target_os = "linux")]
mod launch;
#[cfg(target_os = "linux")]
mod person;
#[cfg(target_os = "linux")]
mod probe;
mod repository;
#[cfg(target_os = "linux")]
mod run;
#[cfg(target_os = "linux")]
mod running;
#[cfg(target_os = "linux")]
mod screen;
#[cfg(target_os = "linux")]
mod trial;
#[cfg(target_os = "linux")]
mod turn;
#[cfg(target_os = "linux")]
mod unlooked;
#[cfg(target_os = "linux")]
mod walls;
mod words;

#[cfg(not(target_os = "linux"))]
pub use self::elsewhere::{Sandbox, enter};
#[cfg(target_os = "linux")]
pub use self::{enter::enter, here::Sandbox};
pub(crate) use self::{repository::Repository, words::Words};

/// The first argument with which a program starts a command inside a sandbox.
pub const ENTER: &str = "__enter";

/// Why there is no sandbox, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct NoSandbox {
    /// Why.
    pub reason: String,
    /// What to do about it.
    pub advice: String,
}

impl NoSandbox {
    fn new(reason: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { reason: reason.into(), advice: advice.into() }
    }
}

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

/// How a command ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// By itself, with this code.
    Exited(i32),
    /// By itself, with this code, after one of its processes was stopped for using too much memory.
    OutOfMemory(i32),
    /// It was stopped: its time was over.
    TimedOut,
    /// It was stopped: the workspace's disk was getting full.
    DiskFull,
    /// It was stopped: it waited for keys at a screen that is not there.
    NoScreen,
    /// It was never started, for this reason.
    NotStarted(String),
}

/// The first and the last of what a command wrote.
#[derive(Debug, Default)]
pub(crate) struct Output {
    /// The first of it, or all of it.
    pub(crate) head: Vec<u8>,
    /// The last of it.
    pub(crate) tail: Vec<u8>,
    /// How many bytes between them were let go.
    pub(crate) skipped: u64,
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
