//! [`SharedSandbox`]: one sandbox for many programs, built when the first needs it.

use std::sync::Arc;

use tokio::sync::OnceCell;

use crate::{NoSandbox, Sandbox, SandboxProfile, SandboxSettings};

/// One sandbox for many programs: built and tried when the first needs it, or known to be missing.
pub struct SharedSandbox {
    settings: SandboxSettings,
    built: OnceCell<Result<Arc<Sandbox>, NoSandbox>>,
}

impl SharedSandbox {
    /// One that is built from these settings.
    pub fn new(settings: SandboxSettings) -> Self {
        Self { settings, built: OnceCell::new() }
    }

    /// The sandbox.
    ///
    /// # Errors
    /// When none can be built here.
    pub async fn get(&self) -> Result<Arc<Sandbox>, NoSandbox> {
        let build = || async {
            let settings = self.settings.clone();
            let build =
                move || Sandbox::build(&settings, &SandboxProfile::new("/tmp")).map(Arc::new);
            let built = tokio::task::spawn_blocking(build).await;
            built.unwrap_or_else(|error| {
                let reason = format!("the sandbox could not be tried: {error}");
                Err(NoSandbox::new(reason, "start Toolwright again"))
            })
        };
        self.built.get_or_init(build).await.clone()
    }
}
