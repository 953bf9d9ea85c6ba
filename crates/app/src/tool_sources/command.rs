//! [`open`]: programs as sources of tools.

use std::{path::PathBuf, sync::Arc};

use toolwright_command::{CommandPlaces, CommandSource};
use toolwright_sandbox::{NoSandbox, RootCommands, SandboxSettings, SharedSandbox};

use super::ConfiguredSource;
use crate::{AppError, Config, config::CommandEntry};

/// The sandbox that programs start in.
pub(super) fn sandbox(config: &Config) -> Arc<SharedSandbox> {
    let scratch = config.data.value.join("sandbox");
    let mut settings = SandboxSettings::new(scratch, config.private());
    if config.allow_root {
        settings.root_commands = RootCommands::Allowed;
    }
    Arc::new(SharedSandbox::new(settings))
}

/// A program as a source of tools.
pub(super) fn open(
    config: &Config,
    sandbox: Arc<SharedSandbox>,
    entry: &ConfiguredSource,
) -> Result<Arc<CommandSource>, AppError> {
    let found = config.commands().iter().find(|it| it.name == entry.name);
    let found = found
        .ok_or_else(|| AppError::NoSource { name: entry.name.clone(), kind: entry.kind.name() })?;
    Ok(Arc::new(source(config, sandbox, found)))
}

fn source(config: &Config, sandbox: Arc<SharedSandbox>, entry: &CommandEntry) -> CommandSource {
    let places = CommandPlaces { folder: folder(config) };
    CommandSource::new(&entry.name, entry.command.clone(), &places, sandbox)
}

/// The folder that one stands in, unless that holds a whole home, or the machine.
fn folder(config: &Config) -> Option<PathBuf> {
    let here = config.here().canonicalize().ok()?;
    let home = std::env::home_dir().and_then(|it| it.canonicalize().ok());
    let is_wide = here.parent().is_none() || home.is_some_and(|home| home.starts_with(&here));
    (!is_wide).then_some(here)
}

/// Whether each program that was configured could run now; why not, and what to do about it.
pub async fn check_commands(config: &Config) -> Vec<(CommandEntry, Result<(), NoSandbox>)> {
    let sandbox = sandbox(config);
    let mut checked = Vec::new();
    for entry in config.commands() {
        let found = source(config, sandbox.clone(), entry).check().await;
        checked.push((entry.clone(), found));
    }
    checked
}
