//! [`ContextSource`]: one thing that is told to a model, for the people who want to know what it is told.

use serde::Serialize;
use toolwright_core::tokens;

use crate::Level;

/// What kind of thing it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ContextKind {
    /// A file `AGENTS.md`.
    Instructions,
    /// A skill.
    Skill,
    /// A slash command.
    Command,
}

impl ContextKind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Instructions => "instructions",
            Self::Skill => "skill",
            Self::Command => "command",
        }
    }
}

/// Whether something is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ContextState {
    /// It is.
    Used,
    /// The user has not approved it as it is now.
    NotApproved,
    /// It cannot be used as it is.
    Invalid,
    /// Another of the same name is used in its place.
    Shadowed,
}

impl ContextState {
    /// For people.
    pub fn says(self) -> &'static str {
        match self {
            Self::Used => "used",
            Self::NotApproved => "not approved",
            Self::Invalid => "cannot be used",
            Self::Shadowed => "another of this name is used",
        }
    }
}

/// One thing that is told to a model, or would be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ContextSource {
    /// What it is.
    pub kind: ContextKind,
    /// What it is called: the path of a file, the name of a skill or a command.
    pub name: String,
    /// Where it is.
    pub path: String,
    /// Whose it is.
    pub level: Level,
    /// How many bytes it has: a skill with what is read when it is loaded.
    pub bytes: usize,
    /// How many of them there was no room for.
    pub cut: usize,
    /// About how many tokens every request has of it: of a skill its line in the catalogue, of a command none.
    pub tokens: u64,
    /// Whether it is used.
    pub state: ContextState,
    /// What it is for, or why it is not used.
    pub about: String,
}

/// About how many tokens a text has.
pub(crate) fn tokens_of(text: &str) -> u64 {
    tokens(text.chars().count())
}
