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

use std::{fmt, path::PathBuf};

use toolwright_core::{ReviewMode, ToolChoice};
use toolwright_runtime::Rule;

pub(crate) use self::{
    calendar::{Calendar, time_zone},
    catalog::{GENERAL, name_of},
    fields::TaskFields,
    template::{PromptValues, is_dated},
};
pub use self::{
    catalog::{TaskCatalog, TaskEntry},
    pattern::ToolPattern,
};
use crate::config::LimitsSection;

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
    /// Which of their tools; all of them where nothing is said.
    pub tools: Vec<ToolPattern>,
    /// The model, where the task wants one of its own.
    pub model: Option<String>,
    /// Whether the first round must call a tool.
    pub first_tool_choice: ToolChoice,
    /// What bounds its runs.
    pub(crate) limits: LimitsSection,
    /// How strictly its answers are held against the results.
    pub review: Option<ReviewMode>,
    /// Whether only the first call of a reply runs.
    pub one_at_a_time: Option<bool>,
    /// Questions to begin with.
    pub starters: Vec<String>,
    /// What may run without a question, or not at all.
    pub approvals: Vec<Rule>,
    /// The system prompt, a template.
    pub prompt: String,
    /// Who wrote it.
    pub source: TaskSource,
}

/// The packs that a task has tools of.
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

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
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
