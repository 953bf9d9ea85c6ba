//! [`Token`]: a word or a figure in a line.

use std::ops::Range;

/// A word or a figure in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) range: Range<usize>,
    pub(super) kind: Kind,
    /// Whether its value stands behind it: `port` in `port = 8080`.
    pub(super) is_key: bool,
}

/// What something is by its letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `2026-03-04`
    Date,
    /// `30`, `-14.60`
    Number,
    /// `0.4.1`
    Version,
    /// `true`, `off`
    Flag,
    Words,
}

/// What stands between words.
const BETWEEN: &[char] =
    &[',', ';', '=', '(', ')', '[', ']', '{', '}', '"', '\'', '`', '|', '<', '>', '~', '^'];

/// The words and figures of a line.
pub(super) fn tokens(line: &str) -> Vec<Token> {
    let is_between = |it: char| it.is_whitespace() || BETWEEN.contains(&it);
    let mut all = Vec::new();
    let mut rest = 0;
    while let Some(text) = line.get(rest..).filter(|it| !it.is_empty()) {
        let end = text.find(is_between).unwrap_or(text.len());
        let run = text.get(..end).unwrap_or_default();
        all.extend(token(line, rest, run));
        let sign = text.get(end..).and_then(|it| it.chars().next()).map_or(0, char::len_utf8);
        rest += end + sign;
    }
    all
}

/// The token of a run, without signs around it: but for the one of a figure below zero.
fn token(line: &str, at: usize, run: &str) -> Option<Token> {
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    let first = run.find(is_word)?;
    let is_amount = run.get(first..)?.starts_with(|it: char| it.is_ascii_digit());
    let is_below = is_amount && run.get(..first)?.ends_with('-');
    let start = first - usize::from(is_below);
    let end = run
        .rfind(is_word)
        .map(|it| it + run.get(it..).and_then(|it| it.chars().next()).map_or(0, char::len_utf8))?;
    let range = at + start..at + end;
    let behind = line.get(range.end..)?.trim_start_matches(['"', '\'', ' ']);
    let is_key =
        behind.starts_with([':', '=']) && !behind.starts_with("==") && !behind.starts_with("::");
    Some(Token { kind: kind(run.get(start..end)?), range, is_key })
}

/// What a text is by its letters.
pub(super) fn kind(text: &str) -> Kind {
    let is_digits = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    let parts: Vec<_> = text.strip_prefix('-').unwrap_or(text).split('.').collect();
    if text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok() {
        Kind::Date
    } else if parts.iter().all(|it| is_digits(it)) {
        if parts.len() <= 2 { Kind::Number } else { Kind::Version }
    } else if matches!(
        text.to_ascii_lowercase().as_str(),
        "true" | "false" | "on" | "off" | "yes" | "no" | "null" | "none"
    ) {
        Kind::Flag
    } else {
        Kind::Words
    }
}

/// Whether two texts look alike, where nothing else says that they have to do with each other: there is the same sign in them,
/// or as many large letters (`EUR`, `USD`). Other words and figures never do.
pub(super) fn is_like(one: &str, other: &str) -> bool {
    let signs = |it: &str| ["@", "://", "/"].iter().position(|sign| it.contains(sign));
    let is_code = |it: &str| it.chars().all(|it| it.is_ascii_uppercase());
    let is_same_code = one.len() == other.len() && is_code(one) && is_code(other);
    is_same_code || signs(one).is_some() && signs(one) == signs(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_words_and_figures() {
        let of = |line: &str| {
            let told = |it: &Token| {
                (line.get(it.range.clone()).unwrap_or_default().to_owned(), it.kind, it.is_key)
            };
            tokens(line).iter().map(told).collect::<Vec<_>>()
        };
        let told = |text: &str, kind, is_key| (text.to_owned(), kind, is_key);
        assert_eq!(
            of("2026-02-03,club,-14.60"),
            [
                told("2026-02-03", Kind::Date, false),
                told("club", Kind::Words, false),
                told("-14.60", Kind::Number, false)
            ]
        );
        assert_eq!(
            of("requires-python = \">=3.9\""),
            [told("requires-python", Kind::Words, true), told("3.9", Kind::Number, false)]
        );
        assert_eq!(
            of("  - \"debug\": Off, # v0.4.1!"),
            [
                told("debug", Kind::Words, true),
                told("Off", Kind::Flag, false),
                told("v0.4.1", Kind::Words, false)
            ]
        );
        assert_eq!(of("- [ ] über 10% — (é)").len(), 3);
    }
}
