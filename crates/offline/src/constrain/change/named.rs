//! [`meant`]: the lines that a request names.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

use toolwright_core::asks;

use super::{
    line::{Kind, tokens},
    said::{put_as, quoted},
    shown::Line,
};
use crate::asked::wanted;

/// Behind these stands what something becomes.
pub(super) const BECOMES: [&str; 23] = [
    " to ",
    " should be ",
    " should say ",
    " should read ",
    " should have been ",
    " must be ",
    " becomes ",
    " into ",
    " with ",
    " by ",
    " -> ",
    " => ",
    " → ",
    " shall be ",
    " to be ",
    " as ",
    " make it ",
    " call it ",
    " set it ",
    " name it ",
    " is now ",
    " are now ",
    " be called ",
];
/// Before ` with ` only where something is swapped.
const SWAPS: [&str; 7] = ["replac", "swap", "substitut", "exchang", "chang", "updat", "overwrit"];
/// And behind this what it was.
pub(super) const WAS: [&str; 3] = [" instead of ", " in place of ", " rather than "];
/// Words that name no line by themselves.
const COMMON: [&str; 76] = [
    "the", "and", "for", "from", "this", "that", "one", "all", "any", "its", "out", "off", "line",
    "row", "entry", "item", "file", "word", "text", "please", "pls", "plz", "kindly", "now", "you",
    "can", "could", "would", "with", "has", "have", "again", "say", "change", "set", "make",
    "update", "edit", "replace", "rename", "fix", "correct", "mark", "done", "into", "value",
    "number", "only", "just", "last", "first", "second", "third", "next", "new", "old", "should",
    "must", "not", "but", "instead", "was", "need", "needful", "there", "where", "more", "put",
    "toml", "json", "csv", "yaml", "yml", "readme", "file", "code",
];
/// Words for a line that is one by the sign before it.
const TITLES: [&str; 4] = ["title", "heading", "headline", "header"];
/// And for the first line of a table.
const FIELDS: [&str; 7] =
    ["header", "heading", "column", "title", "rename", "first line", "first row"];
/// Of more lines none is told apart.
const LINES: usize = 400;
/// How much less than the best a line may be named to be meant, too.
const NEARLY: f64 = 0.5;
/// How much a word of what a line stands under names it.
const UNDER: f64 = 0.6;

/// The lines that a request names by words of theirs, those that are in few of them above all; all where it names none.
///
/// Words of what a line stands under name it, too, but less: of lines that are named alike the one in the section that is named is
/// meant. And one that is named by less than another is, is not.
pub(super) fn meant<'a>(request: &str, lines: &[Line<'a>]) -> Vec<Line<'a>> {
    let lines = of_fields(request, lines);
    let named = named(request, &lines);
    if named.is_empty() || lines.len() > LINES {
        return lines;
    }
    if let Some(titles) = titles(&named, &lines) {
        return titles;
    }
    let has = |words: &[String], name: &str| words.iter().any(|it| is_like(it, name));
    let words_of = |it: &Line<'_>| (own_names(it), under_names(it));
    let words: Vec<_> = lines.iter().map(words_of).collect();
    let weight = |name: &str| match words.iter().filter(|(own, _)| has(own, name)).count() {
        0 => 1.0 / (words.iter().filter(|(_, under)| has(under, name)).count().max(1)) as f64,
        count => 1.0 / count as f64,
    };
    let weights: HashMap<&str, f64> =
        named.iter().map(|name| (name.as_str(), weight(name))).collect();
    // What names a line, and how surely.
    let names = |(own, under): &(Vec<String>, Vec<String>)| -> (HashSet<&str>, f64) {
        let mut said = HashSet::new();
        let mut score = 0.0;
        for (name, weight) in &weights {
            let share = if has(own, name) {
                1.0
            } else if has(under, name) {
                UNDER
            } else {
                continue;
            };
            said.insert(*name);
            score += weight * share;
        }
        (said, score)
    };
    let all: Vec<_> = words.iter().map(names).collect();
    let best = all.iter().map(|(_, score)| *score).fold(0.0, f64::max);
    let is_outdone = |(said, score): &(HashSet<&str>, f64)| {
        all.iter().any(|(other, better)| {
            better > score && said.len() < other.len() && said.is_subset(other)
        })
    };
    let pairs = lines.iter().zip(&all);
    let near = pairs.filter(|(_, it)| it.1 >= best * NEARLY && !is_outdone(it));
    near.map(|(line, _)| *line).collect()
}

/// The lines of a table that have in a field what a request says of it (`invoice 2213`), where it says so of any; else all of them.
pub(super) fn of_fields<'a>(request: &str, lines: &[Line<'a>]) -> Vec<Line<'a>> {
    // Nothing but tables has fields.
    let heads: HashSet<&str> = lines.iter().filter_map(|it| it.columns).map(str::trim).collect();
    if heads.is_empty() {
        return lines.to_vec();
    }
    let words = bare_words(request);
    let told: Vec<_> = lines.iter().copied().filter(|it| is_told_by_field(&words, it)).collect();
    if !told.is_empty() {
        return told;
    }
    // `invoice 2213` where no invoice has this number is about no line.
    let is_figure = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    let is_elsewhere = |line: &Line<'_>| {
        let mut columns = line.columns.into_iter().flat_map(|it| it.split(','));
        columns.any(|column| said_of(&words, column).any(is_figure))
    };
    // Nor is what names the fields, unless that is to be another name.
    let is_of_names = asks(request, &FIELDS);
    let is_head = |line: &Line<'_>| !is_of_names && heads.contains(line.text);
    lines.iter().copied().filter(|it| !is_elsewhere(it) && !is_head(it)).collect()
}

/// Whether a request, by its words, says of a field of a line what it has.
fn is_told_by_field(words: &[String], line: &Line<'_>) -> bool {
    fields(line).any(|(column, value, _)| said_of(words, column).any(|it| it == bare(value)))
}

/// The words of a request that stand behind what a field is called.
fn said_of<'w>(words: &'w [String], column: &str) -> impl Iterator<Item = &'w str> + use<'w> {
    let column = bare(column);
    words.windows(2).filter_map(move |it| match it {
        [name, said] if *name == column && !said.is_empty() => Some(said.as_str()),
        _ => None,
    })
}

fn bare_words(request: &str) -> Vec<String> {
    request.split_whitespace().map(bare).collect()
}

/// A word in small letters, without signs around it.
fn bare(word: &str) -> String {
    word.trim_matches(|it: char| !it.is_alphanumeric()).to_lowercase()
}

/// The fields of a line of a table: what each is called, what it has, and where it stands in the line.
pub(super) fn fields<'a>(
    line: &Line<'a>,
) -> impl Iterator<Item = (&'a str, &'a str, Range<usize>)> + use<'a> {
    let columns = line.columns.into_iter().flat_map(|it| it.split(','));
    let mut at = 0;
    columns.zip(line.text.split(',')).map(move |(column, value)| {
        let start = at;
        at += value.len() + 1;
        (column.trim(), value, start..start + value.len())
    })
}

/// The words of a line, and of what it stands under.
fn own_names(line: &Line<'_>) -> Vec<String> {
    let words = names_of(line.text).map(|it| month(&it).unwrap_or(it));
    words.chain(months_of(line.text)).collect()
}

fn under_names(line: &Line<'_>) -> Vec<String> {
    line.under.into_iter().flat_map(names_of).collect()
}

/// Whether a request names any of these lines by words of theirs, or none at all: `make it 30`.
pub(super) fn is_named(request: &str, lines: &[Line<'_>]) -> bool {
    let named = named(request, lines);
    let is_title = |name: &String| TITLES.contains(&name.as_str());
    let says = |line: &Line<'_>| {
        let own = own_names(line);
        named.iter().any(|name| own.iter().any(|it| is_like(it, name)))
    };
    let words = bare_words(request);
    let is_told = || lines.iter().any(|it| says(it) || is_told_by_field(&words, it));
    named.is_empty() || named.iter().any(is_title) || is_told()
}

/// Whether a request names any of these lines by words of theirs.
pub(super) fn says_which(request: &str, lines: &[Line<'_>]) -> bool {
    !named(request, lines).is_empty() && is_named(request, lines)
}

/// The words of a request that may name a line. What stands between quotes does where it stands in one.
fn named(request: &str, lines: &[Line<'_>]) -> Vec<String> {
    let is_new = |it: &&str| !lines.iter().any(|line| line.text.contains(it));
    let new: Vec<&str> = quoted(request).map(|it| it.text).filter(is_new).collect();
    let request = new.iter().fold(request.to_owned(), |said, it| said.replace(it, ""));
    let wanted = wanted(&request).into_iter().map(|it| put_as(it).map_or(it, |(_, place)| place));
    let wanted: Vec<_> = wanted.collect();
    let named = wanted.iter().flat_map(|it| names(before(it)).chain(names(where_it_is(it))));
    named.collect()
}

/// The titles among some lines, where one is asked for: those that are named by words of theirs, or those of the whole.
fn titles<'a>(named: &[String], lines: &[Line<'a>]) -> Option<Vec<Line<'a>>> {
    let says = |line: &Line<'_>, name: &str| names_of(line.text).any(|it| is_like(&it, name));
    let is_title = |name: &String| TITLES.contains(&name.as_str());
    // Where a line says so itself, that is meant.
    let is_asked =
        named.iter().any(|name| is_title(name) && !lines.iter().any(|it| says(it, name)));
    let titles = lines.iter().copied().filter(|it| is_asked && it.text.starts_with('#'));
    let titles: Vec<_> = titles.collect();
    let others = || named.iter().filter(|it| !is_title(it));
    let told = titles.iter().copied().filter(|line| others().any(|it| says(line, it))).collect();
    let first = titles.iter().copied().filter(|it| it.text.starts_with("# ")).collect();
    [told, first, titles].into_iter().find(|it| !it.is_empty())
}

/// What a part says of what is there, and not of what it becomes.
fn before(part: &str) -> &str {
    let lower = lower(part);
    if let Some(at) = WAS.iter().find_map(|it| lower.find(it).map(|at| at + it.len())) {
        return part.get(at..).unwrap_or(part);
    }
    // A part may begin with it.
    if BECOMES.iter().any(|it| lower.starts_with(it.trim_start())) {
        return "";
    }
    becomes(&lower).and_then(|it| part.get(..it.start)).unwrap_or(part)
}

/// What a part says, in small letters, between what is there and what it becomes.
pub(super) fn becomes(lower: &str) -> Option<Range<usize>> {
    // `The Swift with number 8812` becomes nothing.
    let is_swapped = SWAPS.iter().any(|it| lower.contains(it));
    let is_said = |it: &&str| *it != " with " || is_swapped;
    let of = |it: &&str| {
        let at = lower.find(*it).filter(|_| is_said(it))?;
        Some((at, at + it.len()))
    };
    let first = BECOMES.iter().filter_map(of).min();
    // In `port = 80 to port = 90` it is a part of both.
    first.or_else(|| of(&" = ")).map(|(start, end)| start..end)
}

/// What a part says of where it is, behind what it becomes: `in the March rows`.
fn where_it_is(part: &str) -> &str {
    let becomes = before(part).len();
    let behind = part.get(becomes..).unwrap_or_default();
    let lower = lower(behind);
    let places = [" in ", " for ", " of "].into_iter().filter_map(|it| lower.find(it));
    places.min().and_then(|at| behind.get(at..)).unwrap_or_default()
}

/// A text in small letters, where that keeps the places of all of them.
pub(super) fn lower(text: &str) -> String {
    text.to_ascii_lowercase()
}

/// The words of a part that may name a line.
pub(super) fn names(part: &str) -> impl Iterator<Item = String> + use<'_> {
    let named = part.split_whitespace().filter(|it| !is_path(it));
    let named = named.flat_map(names_of).filter(|it| !COMMON.contains(&it.as_str()));
    named.map(|it| month(&it).unwrap_or(it))
}

/// A month by its name, as it is told of a line that has a day in it.
pub(super) fn month(name: &str) -> Option<String> {
    let month = (1..=12).find(|month| {
        let first = jiff::civil::date(2000, *month, 1);
        first.strftime("%B").to_string().eq_ignore_ascii_case(name)
    })?;
    Some(format!("{month:02}."))
}

/// The months of the days in a line.
fn months_of(line: &str) -> impl Iterator<Item = String> + use<'_> {
    let days = tokens(line).into_iter().filter(|it| it.kind == Kind::Date);
    days.filter_map(|it| Some(format!("{}.", line.get(it.range.start + 5..it.range.start + 7)?)))
}

/// A request without the files it names: what one is called asks for nothing, and names nothing in it (`todo/move.txt`).
pub(super) fn without_paths(request: &str) -> String {
    request.split(' ').filter(|it| !is_path(it)).collect::<Vec<_>>().join(" ")
}

pub(super) fn is_path(word: &str) -> bool {
    let word = word.trim_end_matches(['.', ',', '?', '!', ':', ';']);
    let ending = word.rsplit_once('.').map(|(_, ending)| ending);
    word.contains('/') || ending.is_some_and(|it| it.starts_with(|it: char| it.is_alphabetic()))
}

/// The words and figures of a text, each as if there were one of it.
pub(super) fn names_of(text: &str) -> impl Iterator<Item = String> + use<'_> {
    let parts = text.split(|it: char| !it.is_alphanumeric() && it != '.');
    let parts = parts.map(|it| it.trim_matches('.')).flat_map(|it| {
        let is_figure = it.bytes().all(|it| it.is_ascii_digit() || it == b'.');
        if is_figure { vec![it] } else { it.split('.').collect() }
    });
    let is_long = |it: &&str| {
        let is_figure = it.starts_with(|it: char| it.is_ascii_digit());
        it.chars().count() >= if is_figure { 2 } else { 3 }
    };
    let words = parts.filter(is_long).map(str::to_lowercase);
    words.map(|it| it.strip_suffix('s').map(str::to_owned).unwrap_or(it))
}

/// How long words are in which a letter may be wrong.
const LONG: usize = 6;

/// Whether two words are one, or nearly.
pub(super) fn is_like(word: &str, name: &str) -> bool {
    let is_long = word.len() >= LONG && name.len() >= LONG;
    let is_figure = name.starts_with(|it: char| it.is_ascii_digit());
    word == name
        || is_long && !is_figure && strsim::damerau_levenshtein(word, name) <= 1
        || is_long && (word.starts_with(name) || name.starts_with(word))
}
