//! [`SlashCommand`]: a prompt in a file, which the user calls by its name.

mod expansion;
mod parameters;
mod prompt;
mod template;

use serde::Deserialize;
use toolwright_core::truncate_line;

use self::template::Template;
pub use self::{
    expansion::{Expansion, ExpansionError},
    parameters::CommandParameter,
    prompt::{ArgumentsError, prompt_arguments, prompt_usage},
};
use crate::{Level, Skill, files::ProjectFile, front_matter};

/// Names that are, or may become, commands of Toolwright's own. A file is never called by one of them.
const BUILT_IN: [&str; 20] = [
    "agents", "attach", "clear", "compact", "context", "exit", "fork", "help", "model", "models",
    "new", "quit", "resume", "sources", "steer", "stop", "task", "tools", "trust", "undo",
];

/// A prompt in a file, which the user calls by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlashCommand {
    /// What it is called, without the `/`.
    pub name: String,
    /// What it does.
    pub description: String,
    /// What stands behind its name.
    pub argument_hint: Option<String>,
    /// The model it would be asked of.
    pub model: Option<String>,
    /// Whose it is.
    pub level: Level,
    /// Where it is: its path from the project's root.
    pub place: String,
    pub(crate) is_skill: bool,
    pub(crate) size: usize,
    template: Template,
}

/// What the front matter of a command says. Other keys are other programs'.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
struct Fields {
    description: Option<String>,
    argument_hint: Option<serde_json::Value>,
    model: Option<String>,
}

impl SlashCommand {
    /// What a file says.
    ///
    /// # Errors
    /// Where it is no command, with the reason.
    pub(crate) fn read(name: &str, file: &ProjectFile) -> Result<Self, String> {
        if !is_name(name) {
            return Err("its name has other than letters, digits, `-`, `_` and `.`".to_owned());
        }
        if BUILT_IN.contains(&name) {
            return Err(format!("/{name} is a command of Toolwright's own: rename the file"));
        }
        let text = std::str::from_utf8(&file.bytes).map_err(|_| "it is no text in UTF-8")?;
        let (front, body) = front_matter::split(text);
        let fields: Fields = front.map(front_matter::read).transpose()?.unwrap_or_default();
        let body = body.replace("\r\n", "\n");
        if body.trim().is_empty() {
            return Err("there is nothing in it".to_owned());
        }
        let first = body.lines().find(|it| !it.trim().is_empty()).unwrap_or_default();
        let description = fields.description.unwrap_or_else(|| first.to_owned());
        let hint = fields.argument_hint.map(|it| match it {
            serde_json::Value::String(text) => text,
            // `argument-hint: [file]` is a list to YAML, and a hint to whoever wrote it.
            other => other.to_string().replace('"', ""),
        });
        Ok(Self {
            name: name.to_owned(),
            description: truncate_line(&description, 200),
            argument_hint: hint.map(|it| truncate_line(&it, 100)),
            model: fields.model,
            level: file.level,
            place: file.name.clone(),
            is_skill: false,
            size: file.bytes.len(),
            template: Template::parse(body.trim()),
        })
    }

    /// A skill that the user calls by its name: what it says is taken as it is.
    pub(crate) fn of_skill(skill: &Skill) -> Self {
        Self {
            name: skill.name.clone(),
            description: truncate_line(&skill.description, 200),
            argument_hint: None,
            model: None,
            level: skill.level,
            place: format!("{}/SKILL.md", skill.place),
            is_skill: true,
            size: skill.size(),
            template: Template::literal(&skill.body),
        }
    }

    /// Whether Toolwright has a command of this name itself.
    pub(crate) fn is_built_in(name: &str) -> bool {
        BUILT_IN.contains(&name)
    }
}

/// The name and the arguments of a line that begins with `/`.
pub fn called(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim_start().strip_prefix('/')?;
    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    let (name, arguments) = rest.split_at(end);
    is_name(name).then(|| (name, arguments.trim()))
}

/// Whether a command can be called so.
fn is_name(name: &str) -> bool {
    (1..=120).contains(&name.len())
        && name.chars().all(|it| it.is_alphanumeric() || "-_:.".contains(it))
        && name.starts_with(char::is_alphanumeric)
}
