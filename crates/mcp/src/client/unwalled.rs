//! [`Walled`], on anything but Linux: there are no walls.

use std::process::ExitStatus;

use tokio::io::Empty;

use super::{McpError, SandboxConfig, StdioCommand, process::Pipes};

/// A program inside walls, of which there is none here.
pub(super) enum Walled {}

impl Walled {
    #[expect(clippy::unused_async, reason = "the one that is there waits")]
    pub(super) async fn start(
        _command: &StdioCommand,
        _config: &SandboxConfig,
    ) -> Result<(Self, Empty, Pipes), McpError> {
        let told = "there is no sandbox to start it in but on Linux; with `sandbox = false` it starts without";
        Err(McpError::Sandbox(told.to_owned()))
    }

    pub(super) async fn wait(&mut self) -> std::io::Result<ExitStatus> {
        match *self {}
    }
}
