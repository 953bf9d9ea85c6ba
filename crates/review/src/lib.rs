//! [`AnswerReviewer`]: finds what is wrong with an answer by holding it against the results.
//!
//! It asks two things, without a model and always with the same outcome. Is the answer
//! *supported*: does every figure, date, id and name in it stand in a result or in what the person
//! typed, however it is written there? And did it *answer*, or is it
//! empty, or an apology although the tools answered?
//!
//! An answer that says that something was done stands only where a call did it, or may have.
//!
//! Where results list several things, a figure stands with the thing that it is told of.
//!
//! A block that claims to be what a command printed or what a file says is held against the results line
//! by line. A line that a result has letter by letter is supported, whatever stands in it.
//!
//! Figures may be rounded, scaled, converted, counted or worked out from two numbers of a result.
//! Names are judged with the greatest care: to send a good answer back is worse than to let a made
//! up name pass. What cannot be checked (a relation put into words, a sign put into words as in
//! "fell") is not. Which words are no names is known of everyday English; those of a field are given,
//! as a [`Vocabulary`].

mod answered;
mod arithmetic;
mod asked;
mod calendar;
mod claimed;
mod counted;
mod deeds;
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
mod repeated;
mod rows;
mod scan;
mod setting;
mod sources;
mod spelled;
mod stated;
mod support;
mod supported;
mod time;
mod today;
mod told_of;
mod undone;
mod unit;
mod vocabulary;
mod words;

use std::sync::Arc;

use toolwright_core::{
    Conversation,
    review::{
        Finding, FindingKind, MOST_FINDINGS, Review, ReviewCheck, ReviewTools, Reviewer,
        ReviewerRegistration,
    },
};

use self::repeated::RepeatedLines;
pub use self::vocabulary::Vocabulary;

/// Holds answers against the results, by rules.
///
/// ```
/// use toolwright_review::AnswerReviewer;
///
/// // The words of the field: common ones, those that tell something by themselves, names with a number.
/// let reviewer = AnswerReviewer::new().vocabulary("bloom petal wilted* shade50");
/// ```
#[derive(Clone, Debug, Default)]
pub struct AnswerReviewer {
    vocabulary: Arc<Vocabulary>,
}

inventory::submit! {
    ReviewerRegistration { make: || Arc::new(AnswerReviewer::new()) }
}

/// A longer piece of the answer is not quoted whole, in characters.
const QUOTE: usize = 200;

impl AnswerReviewer {
    /// A reviewer that knows everyday English.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the words of a field to those it knows, see [`Vocabulary`].
    #[must_use]
    pub fn vocabulary(mut self, words: &str) -> Self {
        Arc::make_mut(&mut self.vocabulary).add(words);
        self
    }
}

impl Reviewer for AnswerReviewer {
    fn review(&self, answer: &str, conversation: &Conversation, tools: ReviewTools<'_>) -> Review {
        let says_something = |c: char| !c.is_whitespace() && !c.is_ascii_punctuation();
        if !answer.contains(says_something) {
            return Review::new(vec![finding(ReviewCheck::Answered, FindingKind::Empty, "")], 0);
        }
        let repeated = RepeatedLines::of(answer, conversation, tools.catalog());
        // What a result regrets is no regret of whoever tells it.
        let apology = match repeated.tell() {
            true => None,
            false => answered::apology(answer, conversation, &self.vocabulary),
        };
        let mut review =
            supported::supported(answer, conversation, tools, &repeated, &self.vocabulary);
        let undone = undone::undone(answer, conversation, tools.catalog(), &repeated);
        review.findings.splice(..0, undone.into_iter().chain(apology));
        review.findings.truncate(MOST_FINDINGS);
        review
    }
}

fn finding(check: ReviewCheck, kind: FindingKind, text: &str) -> Finding {
    match text.char_indices().nth(QUOTE) {
        Some((at, _)) => {
            Finding::new(check, kind, format!("{}…", text.get(..at).unwrap_or_default()))
        }
        None => Finding::new(check, kind, text),
    }
}
