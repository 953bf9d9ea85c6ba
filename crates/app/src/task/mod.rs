//! [`Task`]: which tools and instructions a job gets, as a file says it.
//!
//! A task is Markdown: the front matter says which packs and tools there are and how runs go, and the
//! text below it is the system prompt, a template. Those that come with packs are such files, too.

mod calendar;
mod catalog;
mod fields;
mod file;
mod pattern;
mod template;
mod template_syntax;

use std::{
    fmt,
    path::{Path, PathBuf},
};

use jiff::{Timestamp, tz::TimeZone};
use toolwright_core::ToolChoice;
use toolwright_runtime::Rule;

pub(crate) use self::{
    calendar::{Calendar, time_zone},
    catalog::GENERAL,
    fields::{TaskFields, TaskSettings},
    template::{PromptValues, is_dated},
};
pub use self::{
    catalog::{TaskCatalog, TaskEntry},
    pattern::ToolPattern,
};

/// A job with its tools and instructions.
#[derive(Clone, Debug)]
pub struct Task {
    /// The name, as typed.
    pub name: String,
    /// The name, for people.
    pub title: String,
    /// What it is for, in a line.
    pub description: String,
    /// The packs it has tools of.
    pub packs: PackChoice,
    /// The sources it has tools of.
    pub sources: PackChoice,
    /// Which of their tools; all of them where nothing is said.
    pub tools: Option<Vec<ToolPattern>>,
    /// Whether the first round must call a tool.
    pub first_tool_choice: ToolChoice,
    /// Questions to begin with.
    pub starters: Vec<String>,
    /// What may run without a question, or not at all.
    pub approvals: Vec<Rule>,
    /// The system prompt, a template.
    pub prompt: String,
    /// Its front matter, as it is written.
    pub(crate) front: file::FrontMatter,
    /// The config file, and the fields whose words are from there.
    pub(crate) said_in: Option<(PathBuf, Vec<&'static str>)>,
    /// What its file says of how its runs go.
    pub(crate) own: TaskSettings,
    /// What the config file says of that.
    pub(crate) said: TaskSettings,
    /// Who wrote it.
    pub source: TaskSource,
}

/// The packs, or the sources, that a task has tools of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PackChoice {
    /// All there are, as far as they are set up.
    All,
    /// These.
    Named(Vec<String>),
}

/// Who wrote a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskSource {
    /// It comes with the program.
    BuiltIn,
    /// The user, in a file.
    User(PathBuf),
    /// The project one stands in, which is trusted.
    Project(PathBuf),
    /// The user, in the config file.
    Config(PathBuf),
}

impl PackChoice {
    /// Whether it has this pack.
    pub fn has(&self, pack: &str) -> bool {
        match self {
            Self::All => true,
            Self::Named(names) => names.iter().any(|name| name == pack),
        }
    }

    /// Whether it names this pack.
    pub fn names(&self, pack: &str) -> bool {
        matches!(self, Self::Named(names) if names.iter().any(|name| name == pack))
    }
}

impl Task {
    /// Whether it has the tools of the source of this name.
    pub fn has_source(&self, name: &str) -> bool {
        self.sources.has(name)
    }

    /// The fields that the config file says in the place of the task's own, and where that file is.
    pub fn said(&self) -> Option<(&Path, &[&'static str])> {
        self.said_in.as_ref().map(|(path, fields)| (path.as_path(), fields.as_slice()))
    }

    /// What is probably not meant so, though it can be used: a sentence each.
    pub fn warnings(&self) -> Vec<String> {
        let now = Timestamp::now();
        let over = self.approvals.iter().filter_map(|rule| {
            let until = i64::try_from(rule.until?.0).ok()?;
            let until = Timestamp::from_millisecond(until).ok().filter(|until| *until <= now)?;
            let day = until.to_zoned(TimeZone::UTC).date();
            Some(format!("the rule about `{}` in `approvals` is over since {day}", rule.tool))
        });
        over.collect()
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl TaskSource {
    /// The file it is in, where it is in one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::BuiltIn => None,
            Self::User(path) | Self::Project(path) | Self::Config(path) => Some(path),
        }
    }
}

/// What the front matter of a task's file says, and its prompt.
pub(crate) fn front_matter(text: &str) -> Result<TaskFields, file::Mistake> {
    file::read(text).map(|(fields, _)| fields)
}

impl fmt::Display for TaskSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn => f.write_str("built in"),
            Self::User(path) | Self::Project(path) | Self::Config(path) => {
                write!(f, "{}", path.display())
            }
        }
    }
}
