//! [`Sandbox`], where there is none: on anything but Linux.

use std::{ffi::OsString, path::Path, process::ExitCode};

use super::{Finished, Job, NoSandbox};
use crate::Settings;

/// Walls around a command.
pub enum Sandbox {}

impl Sandbox {
    /// Builds a sandbox for the workspace at `root` and tries it out.
    ///
    /// # Errors
    /// Always: commands are walled in on Linux only.
    pub(crate) fn build(
        _root: &Path,
        _identity: (u64, u64),
        _settings: &Settings,
    ) -> Result<Self, NoSandbox> {
        Err(NoSandbox::new(
            "commands can only be walled in on Linux",
            "run Toolwright in a Linux machine or container",
        ))
    }

    /// What the walls are made of, for whoever checks them.
    pub fn describe(&self) -> Vec<(String, String)> {
        match *self {}
    }

    pub(crate) async fn run(&self, _job: Job<'_>) -> Finished {
        match *self {}
    }
}

/// Puts up the inner walls and becomes the command. For the beginning of `main`.
pub fn enter(_arguments: impl Iterator<Item = OsString>) -> ExitCode {
    ExitCode::FAILURE
}
