//! [`Op`]: what is to become of lines.

use toolwright_core::asks;

use super::{
    named::without_paths,
    removal::{may_take_out, takes_out},
    said::{Said, quoted},
};
use crate::asked::wanted;

/// What is to become of lines, by the words of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    /// Something stands behind all there is.
    Append,
    Comment,
    /// What is to stand there nobody says: it is to be found.
    Derive,
    /// Something stands beside something else.
    Insert,
    Mark,
    /// Something stands in the place of something else.
    Put,
    Remove,
    Uncomment,
}

impl Op {
    /// What a request asks for first of all; `None` where it is silent.
    pub(super) fn of(request: &str) -> Option<Self> {
        let whole = request;
        let quotes = quoted(request).map(|it| it.text);
        let words =
            without_paths(&quotes.fold(request.to_owned(), |said, it| said.replace(it, "")));
        let request = words.as_str();
        let is_added = only_adds(request);
        let has_place =
            || asks(request, &BEHIND) || asks(request, &BEFORE) || asks(request, &SECTIONS);
        let is_derived = asks(request, &DERIVED)
            || asks(request, &["move"]) && !Said::of(whole, &[]).is_of_days();
        Some(match () {
            () if is_derived => Self::Derive,
            () if is_added && has_place() => Self::Insert,
            () if is_added => Self::Append,
            () if asks(request, &["uncomment"]) => Self::Uncomment,
            () if comments_out(request) => Self::Comment,
            () if is_marking(request) => Self::Mark,
            () if may_take_out(request) && !asks(request, &CHANGES) => Self::Remove,
            () if !Said::of(whole, &[]).is_silent() => Self::Put,
            () => return None,
        })
    }

    /// Whether nothing is said of what is to stand there: a line goes, or is marked, or becomes a comment.
    pub(super) fn is_of_whole_lines(self) -> bool {
        matches!(self, Self::Comment | Self::Mark | Self::Remove | Self::Uncomment)
    }

    /// Whether a part of a request is one of two that together ask for something to be marked: `mark the milk`, `the eggs as done`.
    pub(super) fn is_marking(part: &str) -> bool {
        asks(part, &MARKS) || asks(part, &DONE)
    }
}

/// Words by which people ask for words that they do not say.
const DERIVED: [&str; 40] = [
    "typo",
    "spell",
    "spelling",
    "spelled",
    "spelt",
    "misspelled",
    "misspelt",
    "misspelling",
    "grammar",
    "translate",
    "translation",
    "rewrite",
    "reword",
    "rephrase",
    "shorten",
    "shorter",
    "uppercase",
    "lowercase",
    "upper case",
    "lower case",
    "capital",
    "capitalize",
    "capitalise",
    "title case",
    "plural",
    "singular",
    "sort",
    "reorder",
    "convert",
    "format",
    "improve",
    "describe",
    "refactor",
    "document",
    "summarize",
    "summarise",
    "abbreviate",
    "swap",
    "implement",
    "indent",
];
/// Words by which they ask for something beside what is there, and by which they ask for something else.
const ADDING: [&str; 6] = ["add", "insert", "append", "prepend", "include", "enter"];
pub(super) const ADDS: [&str; 8] =
    ["add", "insert", "append", "prepend", "include", "enter", "put in", "put"];
pub(super) const BEHIND: [&str; 5] = ["behind", "after", "under", "below", "next to"];
pub(super) const BEFORE: [&str; 2] = ["before", "above"];
/// Words for what stands under a heading, and what stands before them.
pub(super) const SECTIONS: [&str; 4] = ["section", "heading", "block", "list of"];
pub(super) const WITHIN: [&str; 6] = ["to", "in", "into", "under", "at the end of", "within"];
const CHANGES: [&str; 21] = [
    "change",
    "replace",
    "set",
    "make",
    "rename",
    "update",
    "instead",
    "switch",
    "edit",
    "fix",
    "correct",
    "raise",
    "lower",
    "increase",
    "decrease",
    "should be",
    "turn",
    "bump",
    "modify",
    "reduce",
    "adjust",
];
/// Words by which something is done with, and by which that is asked for.
const MARKS: [&str; 3] = ["mark", "tick", "check"];
const DONE: [&str; 6] = ["done", "complete", "completed", "finished", "checked", "ticked"];

/// Whether something is to be marked as done: `mark the milk as done`, `tick it off`.
fn is_marking(request: &str) -> bool {
    asks(request, &["tick"]) || asks(request, &MARKS) && asks(request, &DONE)
}

/// Whether something is to be added beside something else, and not at an end.
pub(in crate::constrain) fn has_place(request: &str) -> bool {
    let is_placed = asks(request, &BEHIND)
        || asks(request, &BEFORE)
        || asks(request, &["to the top", "at the top"]);
    asks(request, &SECTIONS)
        || asks(request, &["under", "below"])
        || is_placed && !asks(request, &["the end", "at end", "bottom", "last"])
}

/// Whether a request asks for something beside what is there, which stays.
pub(crate) fn only_adds(request: &str) -> bool {
    let goes = || asks(request, &["can go", "may go", "must go", "goes", "can leave"]);
    let is_other = asks(request, &CHANGES) || takes_out(request) || goes() || is_marking(request);
    // `Put it up by 5`, `put returned as the status`, `put that right`.
    let moves = ["up", "down", "as the", "at", "that right", "it right", "this right"];
    let is_put = asks(request, &ADDS) && (asks(request, &ADDING) || !asks(request, &moves));
    is_put && !is_other
}

/// Whether a line is to become a comment: `comment out the port`, `please comment that line`.
fn comments_out(request: &str) -> bool {
    let begins = |part: &str| part.split_whitespace().take(2).any(|it| asks(it, &["comment"]));
    asks(request, &["comment out", "commented out"]) || wanted(request).into_iter().any(begins)
}
