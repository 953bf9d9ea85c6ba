//! [`Finding`]: something wrong with an answer, found by holding it against the results.
//!
//! [`review`] asks two things, without a model and always with the same outcome. Is the answer
//! *supported*: does every figure, date, id and name in it stand in a result or in what the person
//! typed, however it is written there? And did it *answer*, or is it
//! empty, or an apology although the tools answered? [`correction`] says to the model what was
//! found, so that one more round can put it right.
//!
//! A block that claims to be what a command printed or what a file says is held against the results line
//! by line.
//!
//! Figures may be rounded, scaled, converted, counted or worked out from two numbers of a result.
//! Names are judged with the greatest care: to send a good answer back is worse than to let a made
//! up name pass. What cannot be checked (a relation put into words, a sign put into words as in
//! "fell") is not.

mod answered;
mod arithmetic;
mod calendar;
mod claimed;
mod correction;
mod counted;
mod duration;
mod echoes;
mod figure;
mod lexicon;
mod links;
mod moment;
mod month;
mod names;
mod numbers;
mod prose;
mod quoted;
mod reckoned;
mod regret;
mod related;
mod scan;
mod setting;
mod sources;
mod spelled;
mod stated;
mod support;
mod supported;
mod time;
mod today;
mod unit;
mod words;

use serde::{Deserialize, Serialize};

pub use self::correction::correction;
use crate::{Conversation, ToolCatalog};

/// One thing a review found wrong with an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
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
    /// Something a model that judges the answer objects to.
    Claim,
}

/// What came of holding an answer against the results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Review {
    /// Everything that is wrong with it, in the order it is said.
    pub findings: Vec<Finding>,
    /// How many figures, dates, ids, names and quoted lines in it a source has.
    pub checked: usize,
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
    fn catalog(self) -> &'c dyn ToolCatalog {
        match self {
            Self::Related(catalog) | Self::Required(catalog) => catalog,
        }
    }
}

/// More findings than this do not help the model.
pub(crate) const MOST_FINDINGS: usize = 32;
/// A longer piece of the answer is not quoted whole.
const QUOTE: usize = 200;

/// Holds `answer` against what was said before it. `conversation` may end with the answer itself.
///
/// Where no tool answered, figures, dates and ids have nothing to rest on but what the user said; that
/// is held against the answer where one of `tools` could have told them.
pub fn review(answer: &str, conversation: &Conversation, tools: ReviewTools<'_>) -> Review {
    let says_something = |c: char| !c.is_whitespace() && !c.is_ascii_punctuation();
    if !answer.contains(says_something) {
        let findings = vec![Finding::new(ReviewCheck::Answered, FindingKind::Empty, "")];
        return Review { findings, checked: 0 };
    }
    let apology = answered::apology(answer, conversation);
    let Review { findings, checked } = supported::supported(answer, conversation, tools);
    let findings = apology.into_iter().chain(findings).take(MOST_FINDINGS).collect();
    Review { findings, checked }
}

impl Finding {
    fn new(check: ReviewCheck, kind: FindingKind, text: &str) -> Self {
        let text = match text.char_indices().nth(QUOTE) {
            Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
            None => text.to_owned(),
        };
        Self { check, kind, text }
    }
}
