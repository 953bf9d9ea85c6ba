//! [`Walled`]: a program that is a server, inside walls.

use std::{ffi::OsString, path::Path, process::ExitStatus, sync::Arc};

use tokio::{io::AsyncRead, sync::OnceCell};
use toolwright_files::private_folder;
use toolwright_sandbox::{Network, NoSandbox, Process, Sandbox, SandboxProfile, SandboxSettings};

use super::{McpError, SandboxConfig, StdioCommand, process::Pipes};

/// A program inside walls.
pub(super) struct Walled(Process);

impl Walled {
    /// Starts it; what it writes to standard error, and its pipes.
    pub(super) async fn start(
        name: &str,
        command: &StdioCommand,
        config: &SandboxConfig,
    ) -> Result<(Self, impl AsyncRead + Send + Unpin + use<>, Pipes), McpError> {
        // Where we are root the program is nobody, who gets into no folder of ours: its home goes with it then.
        let home = config.home.clone().filter(|_| !rustix::process::geteuid().is_root());
        if let Some(home) = &home {
            private_folder(home).map_err(|error| {
                McpError::Sandbox(format!("its home {} cannot be made: {error}", home.display()))
            })?;
        }
        let sandbox = sandbox(config).await.map_err(|NoSandbox { reason, advice }| {
            McpError::Sandbox(format!(
                "there is no sandbox to start it in: {reason} ({advice}); with `sandbox = false` it starts without"
            ))
        })?;
        let folder = command.cwd.clone().or_else(|| home.clone());
        let mut profile = SandboxProfile::new(folder.unwrap_or_else(|| "/tmp".into()));
        profile.home = home;
        profile.env.clone_from(&command.env);
        profile.network = if config.network { Network::Host } else { Network::None };
        let profile = profile.showing(config.read.clone(), config.write.clone(), []);
        let line = [&command.program].into_iter().chain(&command.args);
        let line: Vec<OsString> = line.map(OsString::from).collect();
        let started = sandbox.start(&line, &profile).await;
        let mut process = started.map_err(|NoSandbox { reason, advice }| {
            let how = match advice.contains("readable") {
                true => format!(" (`sandbox = {{ read = [\"…\"] }}` of `[mcp.{name}]`)"),
                false => String::new(),
            };
            McpError::Sandbox(format!("{reason}: {advice}{how}"))
        })?;
        let pipes = (process.stdout.take(), process.stdin.take(), process.stderr.take());
        let (Some(stdout), Some(stdin), Some(stderr)) = pipes else {
            return Err(McpError::Sandbox("it has no pipes".to_owned()));
        };
        Ok((Self(process), stderr, (Box::new(stdout), Box::new(stdin))))
    }

    pub(super) async fn wait(&mut self) -> std::io::Result<ExitStatus> {
        self.0.wait().await
    }
}

/// What builds walls, tried out once.
async fn sandbox(config: &SandboxConfig) -> Result<Arc<Sandbox>, NoSandbox> {
    static BUILT: OnceCell<Arc<Sandbox>> = OnceCell::const_new();
    let home = config.home.as_deref().and_then(Path::parent).map(Path::to_owned);
    let scratch = home.unwrap_or_else(std::env::temp_dir);
    let build = || async {
        let build = move || {
            private_folder(&scratch).map_err(|error| {
                NoSandbox::new(format!("{} cannot be made: {error}", scratch.display()), "check it")
            })?;
            Sandbox::build(&SandboxSettings::new(scratch), &SandboxProfile::new("/tmp"))
        };
        let built = tokio::task::spawn_blocking(build).await;
        let lost = |_| NoSandbox::new("it could not be tried out", "start it again");
        built.map_err(lost)?.map(Arc::new)
    };
    BUILT.get_or_try_init(build).await.cloned()
}
