//! [`Process`]: a program that stays, with pipes to it.

use std::{
    ffi::OsString,
    os::{fd::OwnedFd, unix::process::ExitStatusExt},
    process::ExitStatus,
};

use tokio::net::unix::pipe::{Receiver, Sender};
use toolwright_timeout::timeout;

use crate::{
    NoSandbox, Sandbox, SandboxProfile,
    launch::Start,
    run::Begun,
    running::{PATIENCE, Running},
};

/// A program that stays, with pipes to it. It is killed, with all that it started, when this is
/// dropped, and when this process ends, however it does.
pub struct Process {
    /// Its input. To drop it is to close it.
    pub stdin: Option<Sender>,
    /// What it writes.
    pub stdout: Option<Receiver>,
    /// What it writes as errors. Who does not read it lets it wait, once the pipe is full.
    pub stderr: Option<Receiver>,
    running: Running<()>,
}

impl Sandbox {
    /// Starts a program that stays, and returns when its walls are up.
    ///
    /// # Errors
    /// When it cannot be found inside, or the walls cannot be put up.
    pub async fn start(
        &self,
        program: &[OsString],
        profile: &SandboxProfile,
    ) -> Result<Process, NoSandbox> {
        let first = program.first().cloned().unwrap_or_default();
        self.check(&first, profile)?;
        let begun = self.begin(program, profile, Start::Separate, ()).await?;
        let Begun { running, input, output, errors } = begun;
        let stdin = input.map(|input| Sender::from_owned_fd(OwnedFd::from(input))).transpose();
        let stdin = stdin.map_err(|error| {
            NoSandbox::new(format!("its input cannot be opened: {error}"), "start it again")
        })?;
        Ok(Process { stdin, stdout: Some(output), stderr: Some(errors), running })
    }
}

impl Process {
    /// Waits until it has ended. Its pipes stay: what it wrote can still be read.
    ///
    /// # Errors
    /// When the system does not tell.
    pub async fn wait(&mut self) -> std::io::Result<ExitStatus> {
        self.running.child.wait().await
    }

    /// How it ended, if it has.
    ///
    /// # Errors
    /// When the system does not tell.
    pub fn try_wait(&mut self) -> std::io::Result<Option<ExitStatus>> {
        self.running.child.try_wait()
    }

    /// Its number in this system: that of bubblewrap around it.
    pub fn id(&self) -> Option<u32> {
        self.running.child.id()
    }

    /// Kills it with all that it started, and waits until it is gone. What it wrote before can still be
    /// read.
    pub async fn kill(&mut self) -> ExitStatus {
        self.running.kill();
        let ended = timeout(PATIENCE, self.running.child.wait()).await;
        let killed = ExitStatus::from_raw(9);
        ended.ok().and_then(Result::ok).unwrap_or(killed)
    }
}
