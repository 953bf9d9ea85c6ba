//! [`Sandbox`], on anything but Linux.

use std::path::Path;

use toolwright_sandbox::{NoSandbox, SandboxProfile};

use super::{Finished, Job};
use crate::Settings;

/// SandboxProfile around a command.
pub struct Sandbox(toolwright_sandbox::Sandbox);

impl Sandbox {
    /// Builds a sandbox for the workspace at `root` and tries it out.
    ///
    /// # Errors
    /// Always: commands are walled in on Linux only.
    pub(crate) fn build(
        root: &Path,
        _identity: (u64, u64),
        settings: &Settings,
    ) -> Result<Self, NoSandbox> {
        toolwright_sandbox::Sandbox::build(&settings.sandbox(), &SandboxProfile::new(root))
            .map(Self)
    }

    /// What the walls are made of, for whoever checks them.
    pub fn describe(&self) -> Vec<(String, String)> {
        self.0.describe()
    }

    pub(crate) async fn run(&self, _job: Job<'_>) -> Finished {
        match self.0 {}
    }
}
