//! [`Token`]: a word or a figure in a line.

use std::{ops::Range, sync::LazyLock};

use regex::Regex;

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
    /// `10.2.0.14`
    Address,
    /// `2026-03-04`
    Date,
    /// `1 March`, `Tuesday 14 April`
    Day,
    /// `true`, `off`
    Flag,
    /// `30`, `-14.60`, `£1,100`
    Number,
    /// `98450 11223`
    Phone,
    /// `09:10`, `7 pm`
    Time,
    /// `0.4.1`
    Version,
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
        if let Some((range, kind)) = figure(line, rest) {
            rest = range.end;
            all.push(Token { is_key: is_key(line, &range), kind, range });
            continue;
        }
        let end = text.find(is_between).unwrap_or(text.len());
        let run = text.get(..end).unwrap_or_default();
        all.extend(token(line, rest, run));
        let sign = text.get(end..).and_then(|it| it.chars().next()).map_or(0, char::len_utf8);
        rest += end + sign;
    }
    all
}

/// Days in words, times, sums and numbers to call: what has blanks or signs in it and is one all the same.
static FIGURES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let month = "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
    let weekday = "(?:(?:mon|tue|tues|wed|wednes|thu|thurs|fri|sat|satur|sun)(?:day)?,?\\s+)?";
    let number = r"\d{1,2}(?:st|nd|rd|th)?";
    let day = format!(r"{weekday}(?:{number}\s+{month}\b|{month}\s+{number}\b)(?:,?\s+\d{{4}}\b)?");
    let time = r"\d{1,2}(?:[:.]\d{2})?\s?(?:am|pm)\b|\d{1,2}:\d{2}(?::\d{2})?\b";
    let address = r"\d{1,3}(?:\.\d{1,3}){3}\b";
    let phone = r"\d{4,6} \d{4,6}\b";
    let sum = r"\d{1,3}(?:,\d{2,3})+(?:\.\d+)?\b";
    let all = format!(
        "^(?i:(?<day>{day})|(?<time>{time})|(?<address>{address})|(?<phone>{phone})|(?<sum>{sum}))"
    );
    Regex::new(&all).ok()
});
/// What stands before a sum.
const CURRENCIES: [char; 4] = ['£', '$', '€', '₹'];

/// The figure of several parts that begins here, behind the sign of a currency where there is one.
fn figure(line: &str, at: usize) -> Option<(Range<usize>, Kind)> {
    let sign = line.get(at..)?.chars().next().filter(|it| CURRENCIES.contains(it));
    let at = at + sign.map_or(0, char::len_utf8);
    let found = FIGURES.as_ref()?.captures(line.get(at..)?)?;
    let kinds = [
        ("day", Kind::Day),
        ("time", Kind::Time),
        ("address", Kind::Address),
        ("phone", Kind::Phone),
        ("sum", Kind::Number),
    ];
    let (name, kind) = kinds.into_iter().find(|(name, _)| found.name(name).is_some())?;
    let range = at..at + found.get(0)?.end();
    let is_apart =
        !line.get(range.end..)?.starts_with(|it: char| it.is_alphanumeric() || it == '_');
    // In a table a comma stands between fields, and in a text a blank behind it.
    let is_sum = name != "sum" || sign.is_some() || !is_table(line);
    (is_apart && is_sum).then_some((range, kind))
}

/// Whether commas stand between the fields of a line, and not in its sentences and sums.
pub(super) fn is_table(line: &str) -> bool {
    let parts: Vec<_> = line.split(',').collect();
    let joins = parts.windows(2).filter(|pair| match pair {
        [one, other] => {
            let is_digit = |it: Option<char>| it.is_some_and(|it| it.is_ascii_digit());
            let is_sum = is_digit(one.chars().next_back()) && is_digit(other.chars().next());
            !is_sum && !other.is_empty() && !other.starts_with(char::is_whitespace)
        }
        _ => false,
    });
    joins.count() > 0
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
    Some(Token { kind: plain(run.get(start..end)?), is_key: is_key(line, &range), range })
}

/// Whether a value stands behind this.
fn is_key(line: &str, range: &Range<usize>) -> bool {
    let behind = line.get(range.end..).unwrap_or_default().trim_start_matches(['"', '\'', ' ']);
    behind.starts_with([':', '=']) && !behind.starts_with("==") && !behind.starts_with("::")
}

/// What a text is by its letters.
pub(super) fn kind(text: &str) -> Kind {
    let whole = figure(text, 0).filter(|(range, _)| range.end == text.len());
    whole.map_or_else(|| plain(text), |(_, kind)| kind)
}

/// The same of what has no blanks in it.
fn plain(text: &str) -> Kind {
    let is_digits = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    let parts: Vec<_> = text.strip_prefix('-').unwrap_or(text).split('.').collect();
    if text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok() {
        Kind::Date
    } else if parts.iter().all(|it| is_digits(it)) {
        match parts.len() {
            ..=2 => Kind::Number,
            4 => Kind::Address,
            _ => Kind::Version,
        }
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
        for (line, figure, kind) in [
            ("We meet on Tuesday 14 April, 18:00", "Tuesday 14 April", Kind::Day),
            ("from 1 March on", "1 March", Kind::Day),
            ("Fri 5 June   06:40  BLR", "06:40", Kind::Time),
            ("- Aarti: 7:00 pm", "7:00 pm", Kind::Time),
            ("| 10 am | Sports |", "10 am", Kind::Time),
            ("host = \"10.2.0.14\"", "10.2.0.14", Kind::Address),
            ("Aditi,Priya Nair,98860 55012", "98860 55012", Kind::Phone),
            ("the rent of £1,100 a month, that is", "1,100", Kind::Number),
            ("It was 1,250 in all", "1,250", Kind::Number),
            ("SKU-104,Blue mug,25,450", "450", Kind::Number),
            ("may be 3 of them", "3", Kind::Number),
        ] {
            let found = of(line);
            assert!(found.contains(&told(figure, kind, false)), "{line}: {found:?}");
        }
    }
}
