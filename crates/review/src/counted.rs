//! [`Counts`]: whether a small number, or one in words, states something that a tool could have told.
//!
//! Where the results have values, an answer may count for itself: what it counts is checked only where
//! more is counted than there can be. Where no tool told anything, nothing can be counted, and how many
//! there are of what the tools are about is stated by nobody but the model.

use super::{
    figure::Figure,
    related::{Topics, stem},
    scan::{Mention, What},
    sources::Sources,
    unit::Unit,
};

/// Whether a count states something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    /// It enumerates, or the answer counted for itself.
    Idle,
    /// A source has to have it.
    Stated,
}

/// What counts are held against.
pub(super) struct Counts<'s> {
    pub(super) sources: &'s Sources,
    pub(super) topics: Topics,
}

/// So many words behind a number say what it counts: `3 open positions`.
const NOUN: usize = 2;
/// Larger numbers are not those that people count to by themselves.
const FEW: f64 = 12.0;

impl Counts<'_> {
    /// Whether a mention in a line is a count that states something.
    pub(super) fn of(&self, mention: &Mention<'_>, line: &str) -> Counted {
        let (What::Figure(figure) | What::Spelled(figure)) = &mention.what else {
            return Counted::Stated;
        };
        let after = line.get(mention.start + mention.text.len()..).unwrap_or_default();
        let next = || words(after).take(NOUN);
        let value = figure.readings.first().map_or(0.0, |it| it.value);
        let stated = if self.sources.told {
            let most = next().filter_map(|it| self.sources.countable.get(&stem(it))).next();
            let many = matches!(mention.what, What::Spelled(_)) && value > FEW;
            most.is_some_and(|most| *most < value) || (many && self.topics.has_any(next()))
        } else {
            // To have found nothing is an answer.
            value != 0.0 && self.claims(figure, line, mention.start, after)
        };
        if stated { Counted::Stated } else { Counted::Idle }
    }

    /// Whether a sentence says how many there are of what the tools are about, or tells the person
    /// something about themselves.
    fn claims(&self, figure: &Figure, line: &str, start: usize, after: &str) -> bool {
        let before = line.get(..start).unwrap_or_default();
        let ends = [". ", "! ", "? ", "; "].iter().filter_map(|it| before.rfind(it)).max();
        let begin = ends.map_or(0, |at| at + 2);
        let before = before.get(begin..).unwrap_or_default();
        if words(before).any(is_supposing) {
            return false;
        }
        let timed = matches!(figure.unit, Unit::Seconds(_));
        self.topics.has_any(words(after).take(NOUN))
            || words(before)
                .any(|it| matches!(it.to_lowercase().as_str(), "you" | "your" | "you've"))
            || (timed && self.topics.has_any(words(before)))
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphabetic() || matches!(c, '\'' | '’')))
        .filter(|it| !it.is_empty())
}

/// Words of what is not, of what is not yet, and of what the person said.
fn is_supposing(word: &str) -> bool {
    const WORDS: &str = "
        can could may might want would should need needs if will shall let please try asked question
        questions request message said say typed wrote mean";
    WORDS.split_ascii_whitespace().any(|it| it.eq_ignore_ascii_case(word))
}
