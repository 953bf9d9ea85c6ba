//! [`Sandbox`], on anything but Linux.

use std::{
    ffi::{OsStr, OsString},
    path::PathBuf,
    process::ExitCode,
};

use crate::{AtEnd, Finished, Job, NoSandbox, Preparation, SandboxProfile, SandboxSettings};

/// Builds walls around programs.
pub enum Sandbox {}

/// A program that stays, with pipes to it.
pub enum Process {}

impl Sandbox {
    /// Builds these walls and tries them out.
    ///
    /// # Errors
    /// Always: programs are walled in on Linux only.
    pub fn build(_settings: &SandboxSettings, _walls: &SandboxProfile) -> Result<Self, NoSandbox> {
        Err(NoSandbox::new(
            "commands can only be walled in on Linux",
            "run Toolwright in a Linux machine or container",
        ))
    }

    /// What the walls are made of, for whoever checks them.
    pub fn describe(&self) -> Vec<(String, String)> {
        match *self {}
    }

    /// Whether these walls can be put up, and where in them this program is.
    ///
    /// # Errors
    /// Never: there is none.
    pub fn check(&self, _program: &OsStr, _walls: &SandboxProfile) -> Result<PathBuf, NoSandbox> {
        match *self {}
    }

    /// Runs a program to its end.
    pub async fn run<E: AtEnd>(&self, _job: Job<'_>, _end: E) -> Finished<E::Found> {
        match *self {}
    }

    /// Starts a program that stays.
    ///
    /// # Errors
    /// Never: there is none.
    pub async fn start(
        &self,
        _program: &[OsString],
        _walls: &SandboxProfile,
    ) -> Result<Process, NoSandbox> {
        match *self {}
    }
}

/// Puts up the inner walls and becomes the program. For the beginning of `main`.
pub fn enter(
    _arguments: impl Iterator<Item = OsString>,
    _preparations: &[Preparation],
) -> ExitCode {
    ExitCode::FAILURE
}
