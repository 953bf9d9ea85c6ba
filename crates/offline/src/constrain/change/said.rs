//! [`Said`]: what a request says of what is to stand somewhere.

use std::ops::Range;

use toolwright_core::asks;

use super::{
    Changed,
    line::{Kind, Token, kind},
    named::{BECOMES, WAS, lower},
    reckon::reckoned,
    runs::{GONE, beginnings, ends, figures, runs, words},
};
use crate::{
    asked::wanted,
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
    renames: bool,
    pub(super) is_everywhere: bool,
}

impl Said {
    pub(super) fn of(request: &str, lines: &[&str]) -> Self {
        let mut said = Self {
            renames: asks(request, &["rename", "call", "relabel"]),
            is_everywhere: asks(request, &["everywhere", "all", "every", "each"]),
            ..Self::default()
        };
        for part in wanted(request) {
            // A part may begin with what makes it one.
            let part = format!(" {part}");
            let lower = lower(&part);
            let was = WAS.iter().find_map(|it| lower.find(it).map(|at| (at, at + it.len())));
            let target =
                BECOMES.iter().filter_map(|it| lower.find(it).map(|at| (at, at + it.len())));
            let at = |range: Range<usize>| part.get(range).unwrap_or_default();
            if let Some((end, begin)) = was {
                said.was.extend(beginnings(at(begin..part.len())));
                said.puts.extend(ends(at(0..end)));
            } else if let Some((end, begin)) = target.min() {
                said.named.extend(ends(at(0..end)));
                said.puts.extend(beginnings(at(begin..part.len())));
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
        if !reckoned.is_empty() {
            // `Raise it by 5` says no figure that is to stand there.
            said.puts.clear();
        }
        said.puts.extend(reckoned);
        let in_other_letters: Vec<_> = said.puts.iter().flat_map(|it| other_letters(it)).collect();
        said.puts.extend(in_other_letters);
        said.puts.retain(|it| !it.is_empty());
        said.puts.sort();
        said.puts.dedup();
        said
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
        let was = find(&self.was);
        if !was.is_empty() {
            return was;
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
        let value = || tokens.last().filter(|it| !it.is_key).map(|it| vec![it.range.clone()]);
        let first = |kinds: &[Kind]| {
            let found = kinds.iter().map(|it| of(*it)).find(|it| !it.is_empty());
            found.or_else(value).unwrap_or_default()
        };
        match new {
            Kind::Date => of(Kind::Date),
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
/// A word in large letters, and with a large one at its beginning.
fn other_letters(word: &str) -> Vec<String> {
    if !word.chars().all(char::is_lowercase) {
        return Vec::new();
    }
    let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
    vec![word.to_uppercase(), format!("{}{rest}", first.to_uppercase())]
}
