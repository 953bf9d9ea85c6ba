//! [`Said`]: what a request says of what is to stand somewhere.

use std::ops::Range;

use toolwright_core::asks;

use super::{
    Changed,
    line::{Kind, Token, kind},
    named::{BECOMES, WAS, becomes, lower},
    parts::keeps,
    reckon::reckoned,
    runs::{GONE, beginnings, ends, figures, runs, words},
    shown::Line,
};
use crate::{
    asked::{parts, wanted},
    constrain::numbers::{Number, Numbers},
};

/// Words by which something becomes true, or false, without being said.
const SWITCHES: [&str; 11] = [
    "enable",
    "disable",
    "turn",
    "switch",
    "activate",
    "deactivate",
    "true",
    "false",
    "flip",
    "toggle",
    "invert",
];
const FLAGS: [&str; 8] = ["true", "false", "on", "off", "yes", "no", "True", "False"];

/// What a request says of what is to stand somewhere.
#[derive(Default)]
pub(super) struct Said {
    pub(super) puts: Vec<String>,
    /// What it says of what stands there now, as far as it says so.
    was: Vec<String>,
    /// The same, where it may also be what the place is called.
    named: Vec<String>,
    /// All figures and days that it says.
    figures: Vec<String>,
    pub(super) renames: bool,
    /// Whether it says of what stands there what takes its place, and no figure alone.
    is_placed: bool,
    /// Whether what is to stand there was worked out.
    pub(super) is_reckoned: bool,
    pub(super) is_everywhere: bool,
}

impl Said {
    pub(super) fn of(request: &str, lines: &[Line<'_>]) -> Self {
        let mut said = Self {
            renames: asks(request, &["rename", "call", "relabel"]),
            is_everywhere: asks(request, &["everywhere", "all", "every", "each"]),
            ..Self::default()
        };
        let quotes: Vec<Quoted<'_>> = quoted(request).collect();
        said.is_placed = said.quotes(&quotes);
        let mut wanted = if said.is_placed { Vec::new() } else { wanted(request) };
        wanted.retain(|it| !keeps(it));
        let mut is_put = false;
        for part in wanted {
            // A part may begin with what makes it one.
            let part = format!(" {part}");
            let lower = lower(&part);
            let was = WAS.iter().find_map(|it| lower.find(it).map(|at| (at, at + it.len())));
            let at = |range: Range<usize>| part.get(range).unwrap_or_default();
            let becomes = becomes(&lower);
            said.is_placed |= was.is_some() || becomes.is_some();
            if let Some((put, _)) = put_as(&part) {
                said.puts.push(put.to_owned());
                (said.is_placed, is_put) = (true, true);
            } else if let Some((end, begin)) = was {
                said.was.extend(beginnings(without_article(at(begin..part.len()))));
                said.puts.extend(ends(at(0..end)).into_iter().filter(|it| !is_led(it)));
            } else if let Some(Range { start: end, end: begin }) = becomes {
                said.named.extend(ends(at(0..end)));
                let new = at(begin..part.len()).trim_start();
                said.puts.extend(beginnings(new));
                // `In May`, and `May`.
                let led = new.split_once(' ').filter(|_| is_led(new));
                said.puts.extend(led.into_iter().flat_map(|(_, it)| beginnings(it)));
            } else {
                said.puts.extend(figures(&part));
            }
        }
        said.figures = figures(request);
        if asks(request, &SWITCHES) {
            said.puts.extend(FLAGS.map(str::to_owned));
        }
        let mut numbers = Numbers::default();
        numbers.add(request);
        let figures: Vec<f64> = numbers.numbers.iter().map(Number::value).collect();
        let reckoned = reckoned(request, lines, &figures);
        let reckoned = if is_put { Vec::new() } else { reckoned };
        if !reckoned.is_empty() {
            // `Raise it by 5` says no figure that is to stand there.
            said.puts.clear();
            said.is_reckoned = true;
        }
        said.puts.extend(reckoned);
        // What stands in the place of a day is a day.
        if let Some(was) = said.was.first().map(|it| kind(it)).filter(|it| *it != Kind::Words) {
            said.puts.retain(|it| kind(it) == was);
        }
        let in_other_letters: Vec<_> = said.puts.iter().flat_map(|it| other_letters(it)).collect();
        said.puts.extend(in_other_letters);
        said.puts.retain(|it| !it.is_empty());
        said.puts.sort();
        said.puts.dedup();
        said.denies(request, lines);
        said.alike();
        said
    }

    /// Whether what it says of what stands there now stands in a line.
    pub(super) fn was_in(&self, line: &str) -> bool {
        self.was.iter().any(|it| line.contains(it.as_str()))
    }

    /// Takes what somebody says that it is not (`May, not April`), where that stands somewhere.
    fn denies(&mut self, request: &str, lines: &[Line<'_>]) {
        if !self.was.is_empty() || self.puts.is_empty() {
            return;
        }
        let denied = parts(request).filter_map(|it| it.trim().strip_prefix("not "));
        let denied = denied.flat_map(|it| beginnings(without_article(it)));
        let is_there = |it: &String| lines.iter().any(|line| line.text.contains(it.as_str()));
        self.was.extend(denied.filter(is_there));
    }

    /// Of what may be meant only what is worded as what it takes the place of, where anything is: `the Mehta family instead of
    /// the Iyer family`.
    fn alike(&mut self) {
        let words = |it: &str| it.split_whitespace().map(lower).collect::<Vec<_>>();
        let is_alike = |one: &String, other: &String| {
            let (one, other) = (words(one), words(other));
            one.len() > 1 && one.len() == other.len() && one.iter().any(|it| other.contains(it))
        };
        let is_put = |put: &String| self.was.iter().any(|was| is_alike(put, was));
        let puts: Vec<_> = self.puts.iter().filter(|it| is_put(it)).cloned().collect();
        if !puts.is_empty() {
            self.was.retain(|was| puts.iter().any(|put| is_alike(put, was)));
            self.puts = puts;
        }
    }

    /// Whether it says of what stands there, by what it was or what it is called, what takes its place.
    pub(super) fn says_where(&self) -> bool {
        !self.puts.is_empty() && self.is_placed || self.is_reckoned
    }

    /// Whether something becomes true or false without that being said.
    pub(super) fn is_switched(&self, request: &str) -> bool {
        asks(request, &SWITCHES)
    }

    /// Whether days are all that is to stand there.
    pub(super) fn is_of_days(&self) -> bool {
        !self.puts.is_empty() && self.puts.iter().all(|it| kind(it) == Kind::Date)
    }

    /// Whether it says nothing of what is to stand there.
    pub(super) fn is_silent(&self) -> bool {
        self.puts.is_empty()
    }

    /// Takes what stands between quotes, where that is what is to stand there; what else does may be what was.
    fn quotes(&mut self, quotes: &[Quoted<'_>]) -> bool {
        let says = |before: &str, phrases: &[&str]| {
            let before = format!(" {} ", lower(before.trim_end()));
            phrases.iter().any(|it| before.ends_with(it))
        };
        let text = |it: &Quoted<'_>| it.text.to_owned();
        if let [new, old] = quotes
            && says(old.before, &WAS)
        {
            (self.puts, self.was) = (vec![text(new)], vec![text(old)]);
            return true;
        }
        match quotes {
            [.., new] if says(new.before, &BECOMES) || says(new.before, &[" say ", " read "]) => {
                self.puts.push(text(new));
                self.was.extend(quotes.iter().rev().skip(1).map(text));
                true
            }
            _ => false,
        }
    }

    /// What takes the place of what where nobody looked, and both were said.
    pub(super) fn unseen(&self) -> Vec<Changed> {
        let old = if self.was.is_empty() { &self.named } else { &self.was };
        let of = |old: &String| {
            let alike = self.puts.iter().filter(|it| kind(it) == kind(old) && *it != old);
            let alike = alike.map(|new| Changed { new: new.clone(), old: old.clone() });
            alike.collect::<Vec<_>>()
        };
        old.iter().flat_map(of).collect()
    }

    /// Where in a line something may be put.
    pub(super) fn places(&self, line: &str, tokens: &[Token], put: &str) -> Vec<Range<usize>> {
        let find = |texts: &[String]| -> Vec<Range<usize>> {
            let found = texts.iter().find_map(|text| {
                let runs = runs(tokens, GONE).filter(|it| line.get(it.clone()) == Some(text));
                let runs: Vec<_> = runs.collect();
                (!runs.is_empty()).then_some(runs)
            });
            found.unwrap_or_default()
        };
        if !self.was.is_empty() {
            let was = find(&self.was);
            // In the middle of a word, or nowhere in this line.
            return if was.is_empty() { within(line, &self.was) } else { was };
        }
        // A whole line is said with the sign that it begins with.
        let sign = put
            .chars()
            .next()
            .filter(|it| !it.is_alphanumeric() && *it != '-' || put.starts_with("- "));
        if sign.is_some() && line.chars().next() == sign {
            return std::iter::once(0..line.len()).collect();
        }
        let new = kind(put);
        let is_alike = |it: &Range<usize>| line.get(it.clone()).is_some_and(|it| kind(it) == new);
        // `25 to 30`, and `30, not 25`: a figure that stands there is said, too.
        let said: Vec<_> =
            find(&self.named).into_iter().chain(find(&self.figures)).filter(is_alike).collect();
        if new != Kind::Words && !said.is_empty() {
            return said;
        }
        let of = |wanted: Kind| -> Vec<Range<usize>> {
            // Behind a name stands its value, and behind that whatever is said of it.
            let value = tokens.iter().rposition(|it| it.is_key).and_then(|key| tokens.get(key + 1));
            if let Some(value) = value.filter(|it| it.kind == wanted) {
                return vec![value.range.clone()];
            }
            tokens.iter().filter(|it| it.kind == wanted).map(|it| it.range.clone()).collect()
        };
        let has_key = tokens.iter().any(|it| it.is_key);
        let last = tokens.last().filter(|it| has_key && !it.is_key);
        // What is of another kind gives way only where the line is called so.
        let is_called = |key: &Token| {
            let name = line.get(key.range.clone()).unwrap_or_default();
            self.named.iter().any(|it| it.eq_ignore_ascii_case(name))
        };
        let last = last.filter(|_| tokens.iter().any(|it| it.is_key && is_called(it)));
        let value = || last.map(|it| vec![it.range.clone()]);
        let first = |kinds: &[Kind]| {
            let found = kinds.iter().map(|it| of(*it)).find(|it| !it.is_empty());
            found.or_else(value).unwrap_or_default()
        };
        match new {
            Kind::Address | Kind::Date | Kind::Day | Kind::Phone | Kind::Time => of(new),
            Kind::Number => first(&[Kind::Number, Kind::Version, Kind::Flag]),
            Kind::Version => first(&[Kind::Version, Kind::Number]),
            Kind::Flag => first(&[Kind::Flag]),
            Kind::Words => {
                let is_key = |it: &Range<usize>| {
                    tokens.iter().any(|token| token.is_key && token.range == *it)
                };
                let named: Vec<_> = find(&self.named);
                let named: Vec<_> =
                    named.into_iter().filter(|it| self.renames || !is_key(it)).collect();
                let value = tokens.iter().rposition(|it| it.is_key && !self.renames);
                let behind = tokens.get(value.map_or(0, |key| key + 1)..).unwrap_or_default();
                if named.is_empty() { words(behind, self.renames) } else { named }
            }
        }
    }
}
/// Words with which nothing begins that is to stand somewhere.
const LEADS: [&str; 10] = ["the", "a", "an", "by", "to", "of", "on", "in", "at", "is"];

fn is_led(text: &str) -> bool {
    text.split_whitespace().next().is_some_and(|it| LEADS.contains(&lower(it).as_str()))
}

fn without_article(text: &str) -> &str {
    let text = text.trim_start();
    ["the ", "a ", "an "].into_iter().find_map(|it| text.strip_prefix(it)).unwrap_or(text)
}

/// What is to be put as something, and as what: `put returned as the status`.
pub(super) fn put_as(part: &str) -> Option<(&str, &str)> {
    let part = part.trim_start();
    let rest = part.strip_prefix("put ").or_else(|| part.strip_prefix("Put "))?;
    let (put, place) = rest.split_once(" as the ").or_else(|| rest.split_once(" as their "))?;
    (!put.is_empty() && !put.contains(" to ")).then_some((put.trim(), place))
}

/// Where a text stands in a line between signs, the longest that does.
fn within(line: &str, texts: &[String]) -> Vec<Range<usize>> {
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    let places = |text: &String| {
        let ends = line.match_indices(text.as_str()).map(|(at, _)| at..at + text.len());
        let is_free = |it: &Range<usize>| {
            !line.get(..it.start).is_some_and(|it| it.ends_with(is_word))
                && !line.get(it.end..).is_some_and(|it| it.starts_with(is_word))
        };
        let found: Vec<_> = ends.filter(is_free).collect();
        (!found.is_empty()).then_some(found)
    };
    texts.iter().find_map(places).unwrap_or_default()
}

/// What stands between quotes, and what stands before it.
pub(super) struct Quoted<'a> {
    before: &'a str,
    pub(super) text: &'a str,
}

/// What stands between quotes. An apostrophe is none.
pub(super) fn quoted(text: &str) -> impl Iterator<Item = Quoted<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = text.get(at..)?;
            let open = rest.find(['"', '\'', '`'])?;
            let sign = rest.get(open..)?.chars().next()?;
            let before = text.get(..at + open)?;
            let inside = rest.get(open + 1..)?;
            at += open + 1;
            let is_open = !before.ends_with(char::is_alphanumeric);
            let close = inside.match_indices(sign).map(|(at, _)| at).find(|at| {
                let behind = inside.get(at + 1..).unwrap_or_default();
                !behind.starts_with(char::is_alphanumeric)
            });
            if let Some(close) = close.filter(|close| is_open && *close > 0) {
                at += close + 1;
                return Some(Quoted { before, text: inside.get(..close)? });
            }
        }
    })
}

/// A word in large letters, and with a large one at its beginning.
fn other_letters(word: &str) -> Vec<String> {
    if !word.chars().all(char::is_lowercase) {
        return Vec::new();
    }
    let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
    vec![word.to_uppercase(), format!("{}{rest}", first.to_uppercase())]
}
