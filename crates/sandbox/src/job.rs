//! [`Job`]: a program that runs to its end, and [`Finished`]: what came of it.

use std::{ffi::OsString, path::Path, time::Duration};

use crate::SandboxProfile;

/// A program that runs to its end.
pub struct Job<'a> {
    /// The program and its arguments.
    pub program: &'a [OsString],
    /// What it sees and may do.
    pub profile: &'a SandboxProfile,
    /// What it reads, and where what it writes goes.
    pub streams: Streams<'a>,
    /// How long it may run.
    pub time: Duration,
    /// How many bytes are kept of the beginning of what it writes, and as many of the end.
    pub kept: usize,
    /// The disk that it may not fill.
    pub disk: Option<DiskReserve<'a>>,
    /// Told the last line of the output now and then.
    pub progress: &'a (dyn Fn(String) + Send + Sync),
    /// Told what it wrote, both outputs, where the future is dropped before it has ended.
    pub cut_off: &'a (dyn Fn(Output, Output) + Send + Sync),
}

/// A disk, and how much of it must stay free: a program that leaves less is stopped.
#[derive(Clone, Copy)]
pub struct DiskReserve<'a> {
    /// A folder on it.
    pub folder: &'a Path,
    /// How many bytes; on a small disk, a twentieth of it.
    pub free: u64,
}

/// What a program reads, and where what it writes goes.
#[derive(Clone, Copy)]
pub enum Streams<'a> {
    /// It reads nothing, and both of its outputs are one, in their order.
    Joined,
    /// It reads this, and its outputs are kept apart.
    Separate(&'a [u8]),
}

/// What is to be done when no process of a program is left, also where its future was dropped.
pub trait AtEnd: Send + 'static {
    /// What is found then.
    type Found: Send;

    /// Does it. May block.
    fn at_end(self) -> Self::Found;
}

impl AtEnd for () {
    type Found = ();

    fn at_end(self) {}
}

/// What came of a program. No process of it is left.
#[derive(Debug)]
pub struct Finished<F = ()> {
    /// How it ended.
    pub ending: Ending,
    /// What it wrote; both outputs, where they are one.
    pub output: Output,
    /// What it wrote to its standard error output, where that is kept apart.
    pub errors: Output,
    /// How long it ran.
    pub took: Duration,
    /// What was found at its end, where it was started.
    pub found: Option<F>,
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By itself, with this code; 128 and its number for a signal.
    Exited(i32),
    /// By itself, with this code, after one of its processes was stopped for using too much memory.
    OutOfMemory(i32),
    /// It was stopped: its time was over.
    TimedOut,
    /// It was stopped: the disk was getting full.
    DiskFull,
    /// It was stopped: it waited for keys at a screen that is not there.
    NoScreen,
    /// It was never started, for this reason.
    NotStarted(String),
}

/// The first and the last of what a program wrote.
#[derive(Debug, Default)]
pub struct Output {
    /// The first of it, or all of it.
    pub head: Vec<u8>,
    /// The last of it.
    pub tail: Vec<u8>,
    /// How many bytes between them were let go.
    pub skipped: u64,
}
