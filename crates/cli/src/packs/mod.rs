//! [`Packs`]: the packs there are, and the commands that come with them. This is the only place that knows
//! one by name.

#[cfg(feature = "market")]
mod market;
#[cfg(feature = "watch")]
mod watch;

use std::process::ExitCode;

use clap::{ArgMatches, FromArgMatches};
use futures_core::future::BoxFuture;
use toolwright_app::{Config, PackRegistry};
use toolwright_pack::Pack;

use crate::error::{CommandError, Result};

/// The packs there are, and the commands that come with them.
#[derive(Clone, Default)]
pub struct Packs {
    registry: PackRegistry,
    commands: Vec<PackCommand>,
}

/// A command that comes with a pack: `toolwright NAME …`.
#[derive(Clone, Copy)]
pub struct PackCommand {
    /// What is typed.
    pub name: &'static str,
    /// What can be typed behind it.
    pub command: fn() -> clap::Command,
    /// Does it.
    pub run: for<'a> fn(CommandContext<'a>) -> BoxFuture<'a, Result>,
}

/// What a command of a pack is given.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct CommandContext<'a> {
    /// What was configured.
    pub config: &'a Config,
    /// What was typed behind its name.
    pub matches: &'a ArgMatches,
    /// Whether a program reads what it writes.
    pub json: bool,
}

impl<'a> CommandContext<'a> {
    pub(crate) fn new(config: &'a Config, matches: &'a ArgMatches, json: bool) -> Self {
        Self { config, matches, json }
    }

    /// What was typed behind its name, as what it was declared as.
    pub fn args<T: FromArgMatches>(&self) -> Result<T> {
        T::from_arg_matches(self.matches).map_err(|error| CommandError::unusable(error).into())
    }
}

impl Packs {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// Those that come with Toolwright, as far as they are compiled in.
    pub fn built_in() -> Self {
        let packs = Self::new();
        #[cfg(feature = "demo")]
        let packs = packs.with(toolwright_demo::DemoPack);
        #[cfg(feature = "market")]
        let packs = packs.with(toolwright_market::MarketPack).with_command(market::COMMAND);
        #[cfg(feature = "watch")]
        let packs = packs.with(toolwright_watch::WatchPack).with_command(watch::COMMAND);
        #[cfg(feature = "workspace")]
        let packs = packs.with(toolwright_workspace::WorkspacePack);
        packs
    }

    /// The same with one more.
    #[must_use]
    pub fn with(mut self, pack: impl Pack + 'static) -> Self {
        self.registry = self.registry.with(pack);
        self
    }

    /// The same with one more command.
    #[must_use]
    pub fn with_command(mut self, command: PackCommand) -> Self {
        self.commands.push(command);
        self
    }

    pub(crate) fn registry(&self) -> &PackRegistry {
        &self.registry
    }

    pub(crate) fn commands(&self) -> &[PackCommand] {
        &self.commands
    }
}

/// Inside a sandbox this program is only the door to a command.
#[cfg(feature = "workspace")]
pub(crate) fn door() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    let is_door = arguments.next().is_some_and(|first| first == toolwright_workspace::ENTER);
    is_door.then(|| toolwright_workspace::enter(arguments))
}

#[cfg(not(feature = "workspace"))]
pub(crate) fn door() -> Option<ExitCode> {
    None
}
