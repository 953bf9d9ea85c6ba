//! [`entries`]: the sources of tools that the config file names.

use super::{
    commands::{CommandEntry, CommandOrigin},
    file::File,
};
use crate::{AppError, ConfiguredSource, PackRegistry, SourceKind};

/// The longest name of a source: what is behind it in a tool's name needs room, too.
const LONGEST: usize = 32;

/// What the sources are, the commands among them, and why some commands are not among them.
type Entries = (Vec<ConfiguredSource>, Vec<CommandEntry>, Vec<String>);

/// The sources of tools that the file names, and those commands that have files of their own. One of those
/// that cannot have its name is left out, and told: it hurts no other.
///
/// # Errors
/// When a name in the file cannot be the beginning of a tool's, or two have the same.
pub(super) fn entries(
    packs: &PackRegistry,
    file: &File,
    commands: Vec<CommandEntry>,
) -> Result<Entries, AppError> {
    let (in_file, in_files): (Vec<_>, Vec<_>) =
        commands.into_iter().partition(|it| it.origin == CommandOrigin::Config);
    let mut all: Vec<ConfiguredSource> = Vec::new();
    for entry in named(file).chain(in_file.iter().map(of_command)) {
        if let Some(reason) = problem(packs, &all, &entry) {
            let section = format!("{}.{}", entry.kind.name(), entry.name);
            return Err(AppError::BadSource { section, reason });
        }
        all.push(entry);
    }
    let (mut commands, mut unused) = (in_file, Vec::new());
    for command in in_files {
        let entry = of_command(&command);
        match problem(packs, &all, &entry) {
            None => {
                all.push(entry);
                commands.push(command);
            }
            Some(reason) => {
                let path = match &command.origin {
                    CommandOrigin::User(path) | CommandOrigin::Project(path) => path.display(),
                    CommandOrigin::Config => continue,
                };
                unused.push(format!("{path} is no tool: {reason}"));
            }
        }
    }
    file.mcp.iter().try_for_each(|(name, section)| section.check(name))?;
    Ok((all, commands, unused))
}

/// Why a source cannot be called so, beside these.
fn problem(
    packs: &PackRegistry,
    all: &[ConfiguredSource],
    entry: &ConfiguredSource,
) -> Option<String> {
    if !is_name(&entry.name) {
        return Some(format!(
            "a name has 1 to {LONGEST} letters, digits, `-` and `_`, and begins with a letter"
        ));
    }
    if let Some(other) = all.iter().find(|it| it.name.eq_ignore_ascii_case(&entry.name)) {
        return Some(format!("`[{}.{}]` has that name, too", other.kind.name(), other.name));
    }
    // Also where the pack is not set up: what is said of its tool must not be about another.
    let is_alone = matches!(entry.kind, SourceKind::Command | SourceKind::Agent);
    let mut built_in = packs.iter().filter(|pack| pack.info().tools.contains(&entry.name.as_str()));
    let other = built_in.next().filter(|_| is_alone)?;
    Some(format!("`{}` is a tool of the pack `{}`", entry.name, other.info().name))
}

fn of_command(command: &CommandEntry) -> ConfiguredSource {
    ConfiguredSource { name: command.name.clone(), kind: SourceKind::Command }
}

fn named(file: &File) -> impl Iterator<Item = ConfiguredSource> {
    let kinds = [
        (SourceKind::Mcp, file.mcp.keys().collect::<Vec<_>>()),
        (SourceKind::OpenApi, file.openapi.keys().collect()),
        (SourceKind::Agent, file.agents.keys().collect()),
    ];
    kinds.into_iter().flat_map(|(kind, names)| {
        names.into_iter().map(move |name| ConfiguredSource { name: name.clone(), kind })
    })
}

fn is_name(name: &str) -> bool {
    let is_letter = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-');
    (1..=LONGEST).contains(&name.len())
        && name.starts_with(|it: char| it.is_ascii_alphabetic())
        && name.bytes().all(is_letter)
        // What parts it from the names of its tools is not in it.
        && !name.contains("__")
        && !name.ends_with('_')
}
