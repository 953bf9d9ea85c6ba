//! [`Reviewer`]: holds an answer against the results it rests on, before the run ends.
//!
//! Here is what a run needs of a review: who does it, what came of it ([`Review`], [`Finding`]), and
//! what the model is told ([`correction`]). How an answer is judged is a reviewer's own business. What
//! came of it is an event, so a run that is replayed asks no reviewer again.

mod correction;
mod registration;

use serde::{Deserialize, Serialize};

pub use self::{correction::correction, registration::ReviewerRegistration};
use crate::{Conversation, ToolCatalog};

/// Holds answers against the results they rest on. The same answer to the same conversation gets the
/// same review: it does no IO and reads no clock.
pub trait Reviewer: Send + Sync {
    /// Holds `answer` against what was said before it. `conversation` may end with the answer itself.
    ///
    /// Where no tool answered, an answer has nothing to rest on but what the user said; that is held
    /// against it where one of `tools` could have told what it says.
    fn review(&self, answer: &str, conversation: &Conversation, tools: ReviewTools<'_>) -> Review;
}

/// What came of holding an answer against the results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Review {
    /// Everything that is wrong with it, in the order it is said.
    pub findings: Vec<Finding>,
    /// How many figures, dates, ids, names and quoted lines in it a source has.
    pub checked: usize,
}

/// One thing a review found wrong with an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct Finding {
    /// Which question the answer failed.
    pub check: ReviewCheck,
    /// What the text is.
    pub kind: FindingKind,
    /// The piece of the answer it is about; empty when it is about the whole.
    pub text: String,
}

/// A question an answer is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ReviewCheck {
    /// Does it rest on the results?
    Supported,
    /// Does it answer?
    Answered,
    /// Does a model that judges it agree?
    Judged,
}

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FindingKind {
    /// A number no source has.
    Figure,
    /// A day or a time no source has.
    Date,
    /// A name no source has.
    Name,
    /// An id, a version or an address no source has.
    Id,
    /// A line that is quoted as what a command printed or a file says, and that no source has.
    Quote,
    /// An answer that says nothing.
    Empty,
    /// An apology in the place of an answer.
    Apology,
    /// A sentence that says that something was done, where no call did it.
    Undone,
    /// Something else that is objected to, in words.
    Claim,
}

/// The tools that could have told what an answer says, where none of them answered.
#[derive(Clone, Copy)]
pub enum ReviewTools<'c> {
    /// Those that are about the same as the question or the answer.
    Related(&'c dyn ToolCatalog),
    /// Any: whatever is said has to come from them.
    Required(&'c dyn ToolCatalog),
}

impl<'c> ReviewTools<'c> {
    /// All the tools there are.
    pub fn catalog(self) -> &'c dyn ToolCatalog {
        match self {
            Self::Related(catalog) | Self::Required(catalog) => catalog,
        }
    }
}

/// More findings than this do not help the model.
pub const MOST_FINDINGS: usize = 32;

impl Review {
    /// A review that found this, of an answer in which a source has this many things.
    pub fn new(findings: Vec<Finding>, checked: usize) -> Self {
        Self { findings, checked }
    }
}

impl Finding {
    /// Something wrong with this piece of an answer.
    pub fn new(check: ReviewCheck, kind: FindingKind, text: impl Into<String>) -> Self {
        Self { check, kind, text: text.into() }
    }
}

/// The reviewer of a run that has none. Where an answer is to be held against something and nobody can,
/// it is not taken for supported.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoReviewer;

impl Reviewer for NoReviewer {
    fn review(&self, _: &str, _: &Conversation, _: ReviewTools<'_>) -> Review {
        const WHY: &str = "nothing in it was checked, as the agent has no reviewer";
        Review::new(vec![Finding::new(ReviewCheck::Supported, FindingKind::Claim, WHY)], 0)
    }
}
