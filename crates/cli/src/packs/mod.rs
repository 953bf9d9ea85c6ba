//! [`Packs`]: the packs there are, and the commands that come with them. This is the only place that knows
//! one by name.

#[cfg(feature = "market")]
mod market;
#[cfg(feature = "watch")]
mod watch;

use std::process::ExitCode;

use clap::{ArgMatches, CommandFactory, FromArgMatches};
use futures_core::future::BoxFuture;
use toolwright_app::{Config, PackRegistry, config::is_own_key};
use toolwright_pack::Pack;

use crate::{
    args::Args,
    error::{CommandError, Result},
};

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
        #[cfg(feature = "web")]
        let packs = packs.with(toolwright_web::WebPack::default());
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

    /// Whether they fit together: each with a name of its own, beside what the program has.
    ///
    /// # Errors
    /// The first that does not fit.
    pub(crate) fn check(&self) -> Result<(), CommandError> {
        let own = Args::command();
        let unfit = |what: String| {
            let advice =
                "this is a mistake in the program, not in how it is used: choose another name";
            Err(CommandError::failed(what).with_advice(advice))
        };
        for info in self.registry.iter().map(Pack::info) {
            let is_plain =
                |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || "_-".contains(it);
            if info.name.is_empty() || !info.name.chars().all(is_plain) {
                return unfit(format!(
                    "`{}` is no name for a pack: use small letters, digits, `_`, `-`",
                    info.name
                ));
            }
            if is_own_key(info.name) {
                return unfit(format!("a pack is named `{}`, and so is a setting", info.name));
            }
            for key in info.settings {
                let flag = key.flag.map(|it| it.trim_start_matches("--"));
                if let Some(flag) = flag.filter(|it| is_flag(&own, it)) {
                    return unfit(format!(
                        "the pack `{}` has a flag `--{flag}`, and so has the program",
                        info.name
                    ));
                }
            }
        }
        let mut names: Vec<_> = own.get_subcommands().map(clap::Command::get_name).collect();
        for command in &self.commands {
            if names.contains(&command.name) {
                return unfit(format!("two commands are named `{}`", command.name));
            }
            names.push(command.name);
        }
        Ok(())
    }

    pub(crate) fn registry(&self) -> &PackRegistry {
        &self.registry
    }

    pub(crate) fn commands(&self) -> &[PackCommand] {
        &self.commands
    }
}

/// Whether a command, or one below it, has a flag of this name.
fn is_flag(command: &clap::Command, name: &str) -> bool {
    command.get_arguments().any(|it| it.get_long() == Some(name))
        || command.get_subcommands().any(|it| is_flag(it, name))
}

/// This program is started again by itself: inside a sandbox as the door to a command, or to read a document.
pub(crate) fn door() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    let first = arguments.next()?;
    #[cfg(feature = "sandbox")]
    if first == toolwright_sandbox::ENTER {
        let preparations: &[toolwright_sandbox::Preparation] = &[
            #[cfg(feature = "workspace")]
            toolwright_workspace::PREPARATION,
        ];
        return Some(toolwright_sandbox::enter(arguments, preparations));
    }
    #[cfg(feature = "web")]
    if first == toolwright_web::READ {
        return Some(toolwright_web::read(arguments));
    }
    // Without packs nobody does.
    drop((first, arguments));
    None
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use toolwright_pack::{OpenPack, PackError, PackInfo, PackSetup, SettingKey};

    use super::*;

    struct Named(PackInfo);

    impl Pack for Named {
        fn info(&self) -> &PackInfo {
            &self.0
        }

        fn open(&self, _setup: &PackSetup<'_>) -> Result<Option<Arc<dyn OpenPack>>, PackError> {
            Ok(None)
        }
    }

    fn told(packs: &Packs) -> String {
        packs.check().err().map(|it| it.to_string()).unwrap_or_default()
    }

    #[test]
    fn what_comes_with_the_program_fits_together() {
        assert_eq!(told(&Packs::built_in()), "");
    }

    /// Each would take the place of something that is there, and nobody would be told.
    #[test]
    fn a_pack_has_names_of_its_own() {
        const FLAGS: &[SettingKey] = &[SettingKey::text("x", "x").flag("--task", "x")];
        for (pack, says) in [
            (PackInfo::new("model", ""), "and so is a setting"),
            (PackInfo::new("limits", ""), "and so is a setting"),
            (PackInfo::new("tasks", ""), "and so is a setting"),
            (PackInfo::new("Dice", ""), "is no name for a pack"),
            (PackInfo::new("", ""), "is no name for a pack"),
            (PackInfo::new("dice", "").settings(FLAGS), "has a flag `--task`"),
        ] {
            let told = told(&Packs::new().with(Named(pack)));
            assert!(told.contains(says), "{told}");
        }
        let command = PackCommand {
            name: "ask",
            command: || clap::Command::new("ask"),
            run: |_| Box::pin(async { Ok(()) }),
        };
        assert!(told(&Packs::new().with_command(command)).contains("two commands are named `ask`"));
    }
}
