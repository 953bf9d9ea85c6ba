//! [`Walled`]: a program that is a server, inside walls.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    process::ExitStatus,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::io::AsyncRead;
use toolwright_files::private_folder;
use toolwright_sandbox::{
    Network, NoSandbox, Process, RootCommands, Sandbox, SandboxProfile, SandboxSettings,
    SharedSandbox,
};

use super::{McpError, SandboxConfig, StdioCommand, process::Pipes};

/// A program inside walls.
pub(super) struct Walled(Process);

impl Walled {
    /// Starts it; what it writes to standard error, and its pipes.
    pub(super) async fn start(
        command: &StdioCommand,
        config: &SandboxConfig,
    ) -> Result<(Self, impl AsyncRead + Send + Unpin + use<>, Pipes), McpError> {
        let home = config.home.clone().filter(|_| is_kept(config));
        if let Some(home) = &home {
            private_folder(home).map_err(|error| {
                McpError::Sandbox(format!("its home {} cannot be made: {error}", home.display()))
            })?;
        }
        let sandbox = sandbox(config).await.map_err(|NoSandbox { reason, advice, .. }| {
            McpError::Sandbox(format!(
                "there is no sandbox to start it in: {reason} ({advice}); with `sandbox = false` it starts without"
            ))
        })?;
        let folder = command.cwd.clone().or_else(|| home.clone());
        let mut profile = SandboxProfile::new(folder.unwrap_or_else(|| "/tmp".into()));
        profile.home = home;
        profile.env.clone_from(&command.env);
        profile.network = if config.network { Network::Host } else { Network::None };
        profile.resolved.clone_from(&config.resolved);
        let profile = profile.showing(config.read.clone(), config.write.clone(), []);
        let line = [&command.program].into_iter().chain(&command.args);
        let line: Vec<OsString> = line.map(OsString::from).collect();
        let started = sandbox.start(&line, &profile).await;
        let mut process = started.map_err(|NoSandbox { reason, advice, unread }| match unread {
            Some(folder) => McpError::Unread { reason, folder },
            None => McpError::Sandbox(format!("{reason}: {advice}")),
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

/// Whether its home can be kept. Where we are root it is somebody else, who gets into no folder of ours, unless
/// it may be root, too.
fn is_kept(config: &SandboxConfig) -> bool {
    let is_root = |it: &PathBuf| it.metadata().is_ok_and(|it| it.uid() == 0);
    !rustix::process::geteuid().is_root()
        || (config.allow_root && config.write.first().is_none_or(is_root))
}

/// What a sandbox is built for: whether programs may be root in it, what none of them sees, and where it is tried.
type Kind = (bool, Vec<PathBuf>, PathBuf);

/// What builds walls, tried out once for all that are alike.
async fn sandbox(config: &SandboxConfig) -> Result<Arc<Sandbox>, NoSandbox> {
    static BUILT: Mutex<BTreeMap<Kind, Arc<SharedSandbox>>> = Mutex::new(BTreeMap::new());
    let built = || BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    let scratch = config.home.as_deref().and_then(Path::parent).map(Path::to_owned);
    let scratch = scratch.unwrap_or_else(std::env::temp_dir);
    let kind = (config.allow_root, config.hidden.clone(), scratch.clone());
    let shared = built().get(&kind).cloned();
    let shared = shared.unwrap_or_else(|| {
        let mut settings = SandboxSettings::new(scratch, config.hidden.clone());
        if config.allow_root {
            settings.root_commands = RootCommands::Allowed;
        }
        let new = Arc::new(SharedSandbox::new(settings));
        built().entry(kind.clone()).or_insert(new).clone()
    });
    let sandbox = shared.get().await;
    if sandbox.is_err() {
        // What is missing may be there when it is started again.
        built().remove(&kind);
    }
    sandbox
}
