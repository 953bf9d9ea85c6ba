//! [`Typed`]: what was typed, with what packs add to it: flags that set something of theirs, and
//! commands of their own.

use std::{collections::BTreeMap, ffi::OsString, io::IsTerminal};

use clap::{Arg, ArgAction, ArgMatches, Command, CommandFactory, FromArgMatches, error::ErrorKind};
use toolwright_app::Flags;
use toolwright_pack::{SettingKey, SettingKind};

use crate::{
    args::Args,
    packs::{PackCommand, Packs},
};

/// What was typed.
pub(crate) struct Typed {
    pub(crate) args: Args,
    /// The command, where it is one of a pack's.
    pub(crate) of_pack: Option<(PackCommand, ArgMatches)>,
    flags: BTreeMap<(&'static str, &'static str), String>,
}

/// The commands that run tools of packs, and so take flags that set something of theirs.
const RUNNING: [&[&str]; 11] = [
    &["ask"],
    &["chat"],
    &["acp"],
    &["serve"],
    &["doctor"],
    &["tools", "list"],
    &["tools", "call"],
    &["tools", "prompt"],
    &["conversations", "resume"],
    &["replay"],
    &["mcp", "serve"],
];

impl Typed {
    /// Reads what was typed. Where nothing was, at a terminal, somebody wants to talk.
    pub(crate) fn parse(packs: &Packs) -> Result<Self, clap::Error> {
        let words: Vec<OsString> = std::env::args_os().collect();
        let told = command(packs);
        let matches = told.clone().try_get_matches_from(&words);
        let is_bare = |error: &clap::Error| {
            let kind = error.kind();
            // With options before it, nothing else was named either.
            kind == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
                || kind == ErrorKind::MissingSubcommand
        };
        let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        let matches = match matches {
            Err(error) if is_bare(&error) && is_terminal => {
                // Where it is a part of another command that is missing, that is told.
                let chat = words.into_iter().chain(["chat".into()]);
                told.try_get_matches_from(chat).map_err(|_| error)
            }
            matches => matches,
        }?;
        let args = Args::from_arg_matches(&matches)?;
        let mut deepest = &matches;
        while let Some((_, inner)) = deepest.subcommand() {
            deepest = inner;
        }
        let flags = keys(packs).filter_map(|(pack, key)| {
            let flag = key.flag?;
            let text = match key.kind {
                SettingKind::Switch => {
                    let is_given = deepest.try_get_one::<bool>(flag).ok()??;
                    is_given.then(|| true.to_string())?
                }
                _ => deepest.try_get_one::<OsString>(flag).ok()??.to_string_lossy().into_owned(),
            };
            Some(((pack, key.name), text))
        });
        let flags = flags.collect();
        let of_pack = matches.subcommand().and_then(|(name, inner)| {
            Some((*packs.commands().iter().find(|it| it.name == name)?, inner.clone()))
        });
        Ok(Self { args, of_pack, flags })
    }

    /// What was given that overrides other settings.
    pub(crate) fn flags(&self) -> Flags {
        Flags { packs: self.flags.clone(), ..self.args.flags() }
    }
}

/// All that can be typed.
pub(crate) fn command(packs: &Packs) -> Command {
    let mut told = Args::command().subcommand_required(true).arg_required_else_help(true);
    for path in RUNNING {
        told = with_flags(told, path, packs);
    }
    packs.commands().iter().fold(told, |told, it| told.subcommand((it.command)()))
}

/// The same with the flags of packs at the command of this path.
fn with_flags(told: Command, path: &[&str], packs: &Packs) -> Command {
    match path {
        [] => keys(packs).fold(told, |told, (_, key)| told.arg(flag(&key))),
        [name, rest @ ..] => told.mut_subcommand(name, |inner| with_flags(inner, rest, packs)),
    }
}

/// The settings of packs that have a flag.
fn keys(packs: &Packs) -> impl Iterator<Item = (&'static str, SettingKey)> {
    let infos = packs.registry().iter().map(|pack| pack.info().clone());
    infos.flat_map(|info| {
        let keys = info.settings.iter().filter(|key| key.flag.is_some());
        keys.map(move |key| (info.name, *key))
    })
}

/// The argument of a setting, which is known by its flag.
fn flag(key: &SettingKey) -> Arg {
    let flag = key.flag.unwrap_or_default();
    let arg = Arg::new(flag).long(flag.trim_start_matches("--")).help(key.help);
    match key.kind {
        SettingKind::Switch => arg.action(ArgAction::SetTrue),
        SettingKind::Path => arg.value_name("DIR").value_parser(clap::value_parser!(OsString)),
        _ => arg.value_name("VALUE").value_parser(clap::value_parser!(OsString)),
    }
}
