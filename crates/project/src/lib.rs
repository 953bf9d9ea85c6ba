//! What a folder says to a model: [`ProjectFiles`] reads it, once and within bounds; [`ProjectContext`] is
//! what counts of it: instructions (`AGENTS.md`), [skills](Skill) and [slash commands](SlashCommand).
//!
//! All of it was written by whoever made the folder. It is told to a model as the project's words, and never
//! counts as something the user said. Nothing here decides whether it is used at all: that is trust, and the
//! caller's.

mod commands;
mod context;
mod files;
mod front_matter;
mod instructions;
mod listing;
mod nested;
mod reading;
mod root;
mod skills;
mod wording;

pub use self::{
    commands::{
        ArgumentsError, CommandParameter, Expansion, ExpansionError, SlashCommand, called,
        prompt_arguments, prompt_usage,
    },
    context::{ContextBudget, ContextText, ProjectContext},
    files::{ProjectFile, ProjectFiles, UserFolders},
    instructions::{FILE_LIMIT, InstructionPart, Instructions, TOTAL_LIMIT},
    listing::{ContextKind, ContextSource, ContextState},
    nested::NestedInstructions,
    reading::RefusedFile,
    root::{chain, project_root},
    skills::{LOAD_SKILL, Skill, SkillTool},
};

/// Whose files they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// They lie where the user's own settings lie, and count without being asked about.
    User,
    /// They lie in the project.
    Project,
    /// They are no files: a server that tools come from has them.
    Server,
}

impl Level {
    /// Whose words they are.
    pub(crate) fn author(self) -> toolwright_core::Author {
        match self {
            Self::User => toolwright_core::Author::Person,
            Self::Project => toolwright_core::Author::Project,
            Self::Server => toolwright_core::Author::Server,
        }
    }
}
