//! [`runs`]: words of a line that stand beside each other.

use std::ops::Range;

use super::{
    line::{Kind, Token, tokens},
    named::is_path,
};

/// Behind these a figure says where something is.
const PLACES: [&str; 8] = ["line", "lines", "row", "rows", "item", "step", "column", "section"];
/// Words with which nothing ends that is to stand somewhere.
const FILLERS: [&str; 14] = [
    "in",
    "the",
    "of",
    "on",
    "at",
    "a",
    "an",
    "pls",
    "please",
    "plz",
    "only",
    "everywhere",
    "for",
    "thanks",
];
/// How many words are put somewhere, and go.
const WORDS: usize = 12;
pub(super) const GONE: usize = 8;

/// Runs of words in a line; a figure, a day or a flag stands alone.
pub(super) fn words(tokens: &[Token], with_keys: bool) -> Vec<Range<usize>> {
    let is_fine = |run: &Range<usize>| {
        let within =
            tokens.iter().filter(|it| run.start <= it.range.start && it.range.end <= run.end);
        let within: Vec<_> = within.collect();
        within.iter().all(|it| with_keys || !it.is_key)
            && (within.len() == 1 || within.iter().all(|it| it.kind == Kind::Words))
    };
    runs(tokens, GONE).filter(is_fine).collect()
}

/// All runs of some tokens, the longest first.
pub(super) fn runs(tokens: &[Token], most: usize) -> impl Iterator<Item = Range<usize>> {
    (1..=most.min(tokens.len())).rev().flat_map(|count| {
        tokens.windows(count).filter_map(|it| Some(it.first()?.range.start..it.last()?.range.end))
    })
}

/// Whether a line has this already, in whole words.
pub(super) fn is_run(line: &str, tokens: &[Token], text: &str) -> bool {
    runs(tokens, WORDS).any(|it| line.get(it) == Some(text))
}

/// What a text may begin with, in whole words, the longest first; and the same that it may end with.
pub(super) fn beginnings(text: &str) -> Vec<String> {
    let tokens = tokens(text);
    let Some(first) = tokens.first() else { return Vec::new() };
    let at = |range: Range<usize>| text.get(range).unwrap_or_default();
    // Behind a figure stands what is to be done with it.
    let most = match first.kind {
        // A name, and its value.
        Kind::Words if first.is_key => 2,
        Kind::Words => WORDS,
        _ => 1,
    };
    let is_end = |it: &&Token| {
        let word = at(it.range.clone());
        let is_filler = FILLERS.iter().any(|it| it.eq_ignore_ascii_case(word));
        match it.range == first.range {
            true => !first.is_key || tokens.len() == 1,
            false => !is_filler && !is_path(word),
        }
    };
    let ends = tokens.iter().take(most).rev().filter(is_end);
    ends.map(|it| at(first.range.start..it.range.end).to_owned()).collect()
}

pub(super) fn ends(text: &str) -> Vec<String> {
    let tokens = tokens(text);
    let Some(end) = tokens.last().map(|it| it.range.end) else { return Vec::new() };
    let starts = tokens.iter().rev().take(WORDS).rev().map(|it| it.range.start);
    starts.filter_map(|start| text.get(start..end)).map(str::to_owned).collect()
}

/// The figures and days of a part, but for those that say where something is.
pub(super) fn figures(part: &str) -> Vec<String> {
    let tokens = tokens(part);
    let before = |at: usize| at.checked_sub(1).and_then(|it| tokens.get(it));
    let is_place = |at: usize| {
        let word = before(at).and_then(|it| part.get(it.range.clone())).unwrap_or_default();
        PLACES.iter().any(|it| it.eq_ignore_ascii_case(word))
    };
    let figures = tokens
        .iter()
        .enumerate()
        .filter(|(at, it)| !matches!(it.kind, Kind::Words | Kind::Flag) && !is_place(*at));
    figures.filter_map(|(_, it)| part.get(it.range.clone())).map(str::to_owned).collect()
}
