//! [`misplaced`]: figures that are told of one thing and stand with another.
//!
//! Where results list several things, a sentence that names one of them and no other tells what stands there. A
//! figure in it that stands with another thing, and nowhere else, is told of the wrong one. Sentences that compare,
//! add up or go on from others are left alone: to send a good answer back is worse than to let a mistake pass.

use std::sync::Arc;

use toolwright_core::{
    Conversation, Message, Outcome,
    review::{Finding, FindingKind, ReviewCheck},
};

use super::{
    Vocabulary,
    figure::{Figure, Form},
    prose::Prose,
    regret::sentences,
    repeated::RepeatedLines,
    rows::{Row, Rows, words},
    scan::{Mention, What, scan},
    setting::Setting,
    sources::Sources,
    unit::Unit,
};

/// Sentences beyond this many are not looked at: each takes time.
const MOST: usize = 64;

/// What is told of one thing and stands with another, in the order it is said.
pub(super) fn misplaced(
    prose: &Prose<'_>,
    repeated: &RepeatedLines<'_>,
    conversation: &Conversation,
    vocabulary: &Arc<Vocabulary>,
) -> Vec<Finding> {
    let rows = Rows::of(conversation);
    if rows.rows.len() < 2 {
        return Vec::new();
    }
    let own = prose.lines.iter().filter(|line| !repeated.has(line.written));
    let telling = own.flat_map(|line| sentences(&line.text));
    let telling = telling.filter_map(|it| Some((it, Named::of(it, &rows)?))).take(MOST);
    let mut index = Index { rows: &rows, conversation, vocabulary, rest: None };
    let mut findings = Vec::new();
    for (sentence, named) in telling {
        scan(sentence, &mut |mention| {
            let wrong = index.holder(sentence, &named, &mention).map(|holder| {
                let (told, name) = (mention.text, &named.row.name);
                let text = format!("`{told}` is told of {name}, but stands with {}", holder.name);
                Finding::new(ReviewCheck::Supported, FindingKind::Claim, text)
            });
            findings.extend(wrong.filter(|it| !findings.contains(it)));
        });
    }
    findings
}

/// The one thing that a sentence names.
struct Named<'r> {
    row: &'r Row,
    /// The words of the sentence.
    words: Vec<String>,
}

impl<'r> Named<'r> {
    fn of(sentence: &str, rows: &'r Rows) -> Option<Self> {
        let words = words(sentence);
        if words.iter().any(|it| RELATING.contains(&it.as_str())) || starts_elsewhere(&words) {
            return None;
        }
        let mut left: Vec<Option<&str>> = words.iter().map(|it| Some(it.as_str())).collect();
        let mut names: Vec<(&Vec<String>, &Row)> =
            rows.rows.iter().flat_map(|row| row.names.iter().map(move |it| (it, row))).collect();
        // "Nifty Bank" is named where that stands, and not "Nifty".
        names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        let mut named: Option<&Row> = None;
        for (name, row) in names {
            while let Some(at) = place(&left, name) {
                left.iter_mut().skip(at).take(name.len()).for_each(|it| *it = None);
                if named.is_some_and(|it| !std::ptr::eq(it, row)) {
                    return None;
                }
                named = Some(row);
            }
        }
        named.map(|row| Self { row, words })
    }

    /// Whether the sentence may be about another row, by a word that is its own.
    fn may_mean(&self, other: &Row) -> bool {
        let own: Vec<&String> = self.row.names.iter().flatten().collect();
        let others = other.names.iter().flatten().filter(|it| !own.contains(it) && it.len() > 1);
        let said: Vec<&String> = self.words.iter().filter(|it| !own.contains(it)).collect();
        let begins = |one: &str, two: &str| one.len() > 2 && two.starts_with(one);
        let mut others = others.peekable();
        others.peek().is_none()
            || others.any(|it| said.iter().any(|word| begins(word, it) || begins(it, word)))
    }
}

fn place(words: &[Option<&str>], name: &[String]) -> Option<usize> {
    if name.is_empty() {
        return None;
    }
    let is_it = |at: &[Option<&str>]| at.iter().zip(name).all(|(word, it)| *word == Some(it));
    words.windows(name.len()).position(is_it)
}

/// Whether a sentence goes on about something that was named before.
fn starts_elsewhere(words: &[String]) -> bool {
    const ELSEWHERE: &[&str] =
        &["it", "its", "they", "their", "he", "she", "this", "that", "these", "those", "there"];
    words.first().is_some_and(|it| ELSEWHERE.contains(&it.as_str()))
}

/// Words by which a sentence tells more than what one thing is.
const RELATING: &[&str] = &[
    "than",
    "versus",
    "vs",
    "compared",
    "compare",
    "comparison",
    "unlike",
    "like",
    "while",
    "whereas",
    "but",
    "against",
    "other",
    "others",
    "another",
    "both",
    "all",
    "each",
    "every",
    "total",
    "totals",
    "sum",
    "average",
    "mean",
    "together",
    "combined",
    "difference",
    "gap",
    "between",
    "ahead",
    "behind",
    "beat",
    "beats",
    "follow",
    "followed",
    "follows",
    "following",
    "next",
    "after",
    "before",
    "besides",
    "except",
    "apart",
    "rest",
    "instead",
    "not",
    "no",
    "without",
    "respectively",
    "remaining",
    "more",
    "less",
    "higher",
    "lower",
    "above",
    "below",
    "either",
    "neither",
    "nor",
    "or",
    "only",
    "same",
    "similar",
    "rather",
    "across",
    "among",
];

/// What figures are held against.
struct Index<'a> {
    rows: &'a Rows,
    conversation: &'a Conversation,
    vocabulary: &'a Arc<Vocabulary>,
    /// What is said besides the rows: read once, where it is needed.
    rest: Option<Sources>,
}

impl<'a> Index<'a> {
    /// The row that a figure stands with, where that is not the one that is named.
    fn holder(
        &mut self,
        sentence: &str,
        named: &Named<'a>,
        mention: &Mention<'_>,
    ) -> Option<&'a Row> {
        let What::Figure(figure) = &mention.what else { return None };
        let setting = Setting::of(sentence, mention, self.vocabulary);
        let is_of_name =
            |row: &Row| words(&row.names.concat().join(" ")).contains(&mention.text.to_lowercase());
        if !is_telling(figure) || setting.offers() || is_of_name(named.row) {
            return None;
        }
        let own = self.read(&named.row.text);
        let has = |sources: &Sources| {
            sources.supports(mention, &setting) || sources.works_out(figure, &setting)
        };
        if setting.is_idle(figure, &own.calendar) || has(&own) || has(self.rest()) {
            return None;
        }
        let others = self.rows.rows.iter().filter(|it| !std::ptr::eq(*it, named.row));
        let mut holders =
            others.filter(|it| self.alone(&it.text).states(figure, &setting)).peekable();
        let first = *holders.peek()?;
        (!holders.any(|it| named.may_mean(it))).then_some(first)
    }

    /// A text as if it were the only result, and what the user said beside it.
    fn read(&self, text: &str) -> Sources {
        let result = Message::tool("row", "row", Outcome::ok(text));
        let said = self.conversation.messages().iter().map(|it| &**it);
        let said = said.filter(|it| matches!(it, Message::User(_)));
        Sources::read(std::iter::once(&result).chain(said.rev()), self.vocabulary)
    }

    fn alone(&self, text: &str) -> Sources {
        let result = Message::tool("row", "row", Outcome::ok(text));
        Sources::read(std::iter::once(&result), self.vocabulary)
    }

    fn rest(&mut self) -> &Sources {
        let rest = match self.rest.take() {
            Some(rest) => rest,
            None => self.read(&self.rows.rest),
        };
        self.rest.insert(rest)
    }
}

/// Whether a figure is one that would not be met anywhere: not a count, a year or a round number.
fn is_telling(figure: &Figure) -> bool {
    if figure.year().is_some() || figure.is_small_count() {
        return false;
    }
    match figure.form {
        Form::Written => true,
        Form::Digits(length) => length >= 3 || figure.unit != Unit::Bare,
        Form::Padded => false,
    }
}
