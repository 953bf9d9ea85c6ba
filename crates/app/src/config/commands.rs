//! [`CommandEntry`]: a program that was configured as a tool.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer};
use serde_json::Value;
use toolwright_command::{Author, CheckedCommand, CommandDefinition};
use toolwright_files::SETTINGS;

use super::{file::explained, layers::Layers};
use crate::AppError;

/// A program that was configured as a tool.
#[derive(Clone, Debug)]
pub struct CommandEntry {
    /// The tool's name.
    pub name: String,
    /// Who defined it.
    pub origin: CommandOrigin,
    /// The command and what it may do, in a line; nothing where it cannot be used.
    pub summary: Option<String>,
    /// What it is, or why it cannot be used.
    pub command: Result<CheckedCommand, String>,
}

/// Who defined a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandOrigin {
    /// The config file.
    Config,
    /// A file of the user's.
    User(PathBuf),
    /// A file of the project that one stands in, which is trusted.
    Project(PathBuf),
}

/// A command in the config file, as it stands there.
#[derive(Clone, Debug)]
pub(super) struct CommandSection(Value);

impl<'de> Deserialize<'de> for CommandSection {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Value::deserialize(from).map(Self)
    }
}

/// The files of a folder of the user's that define commands: where each is, and what stands in it.
pub(super) fn of_user(user: Option<&Path>) -> Vec<(PathBuf, Result<String, String>)> {
    let Some(folder) = user.map(|it| it.join("tools")) else { return Vec::new() };
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|it| it.path());
    let mut files: Vec<_> =
        files.filter(|it| it.extension().is_some_and(|it| it == "toml")).collect();
    files.sort();
    let read = |path: PathBuf| {
        let text = toolwright_files::read_text(&path, SETTINGS).map_err(|it| it.to_string());
        (path, text)
    };
    files.into_iter().map(read).collect()
}

/// The commands that were configured: in the config file, and in files of the user's and of the trusted
/// project's. A mistake in the config file is an error, as everywhere in it; a file with one is told where
/// its tool would be.
///
/// # Errors
/// When one in the config file cannot be used.
pub(super) fn entries(layers: &Layers) -> Result<Vec<CommandEntry>, AppError> {
    let mut all = Vec::new();
    let path = layers.path.clone().unwrap_or_default();
    let author = Author::User(path.parent().map(Path::to_owned).unwrap_or_default());
    for (name, CommandSection(said)) in &layers.file.commands {
        let section = format!("commands.{name}");
        let read = CommandDefinition::deserialize(said);
        let read = read.map_err(|error| crate::words::in_words(&error.to_string()));
        let entry = entry(name.clone(), CommandOrigin::Config, read, &author);
        if let Err(reason) = entry.command {
            return Err(AppError::BadSource { section, reason });
        }
        all.push(entry);
    }
    all.extend(layers.tools.iter().map(|(path, text)| {
        let author = Author::User(path.parent().map(Path::to_owned).unwrap_or_default());
        in_file(path, text, CommandOrigin::User(path.clone()), &author)
    }));
    if let Some(folder) = &layers.folder {
        let author = Author::Project(layers.here.clone());
        all.extend(folder.tools.iter().map(|(path, text)| project(path, text, &author)));
    }
    Ok(all)
}

/// A command in a file of a project's.
pub(super) fn project(path: &Path, text: &Result<String, String>, author: &Author) -> CommandEntry {
    in_file(path, text, CommandOrigin::Project(path.to_owned()), author)
}

fn in_file(
    path: &Path,
    text: &Result<String, String>,
    origin: CommandOrigin,
    author: &Author,
) -> CommandEntry {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let read = text.clone().and_then(|text| {
        toml::from_str::<CommandDefinition>(&text).map_err(|error| explained(&text, &error))
    });
    let read = read.map_err(|reason| format!("{}: {reason}", path.display()));
    entry(name, origin, read, author)
}

fn entry(
    name: String,
    origin: CommandOrigin,
    read: Result<CommandDefinition, String>,
    author: &Author,
) -> CommandEntry {
    let checked = read.and_then(|definition| {
        let command = CheckedCommand::new(&name, &definition, author)?;
        let summary = command.summary(&definition);
        Ok((command, summary))
    });
    match checked {
        Ok((command, summary)) => {
            CommandEntry { name, origin, summary: Some(summary), command: Ok(command) }
        }
        Err(reason) => CommandEntry { name, origin, summary: None, command: Err(reason) },
    }
}
