//! [`Account`]: which words of a text an instrument accounts for.
//!
//! A search always comes up with something near. Whether that is what was asked for is not for the search
//! to say: here every word of the text is held against what is known of the instrument, however it was
//! found. What nothing accounts for is left out, and told.

use super::{
    Instruments,
    lexicon::Source,
    parts::{self, Part},
    table::{Place, Row},
    words::{LONGEST, Words},
};
use crate::Kind;

/// Which words of a text an instrument accounts for.
pub(super) struct Account {
    /// The words that nothing about it accounts for, as they were typed.
    pub(super) left_out: Vec<String>,
    /// How it is called so, if it is.
    pub(super) named: Option<Source>,
}

/// What is known of one instrument.
struct Facts<'i> {
    row: &'i Row,
    /// What it is called, and what else stands in its names.
    names: Vec<(Source, String)>,
    others: Vec<String>,
}

/// Shorter words must begin a word of a name: any letters are somewhere in some name.
const INSIDE: usize = 4;

impl Account {
    /// How an instrument accounts for a text.
    pub(super) fn of(text: &str, row: &Row, instruments: &Instruments) -> Self {
        let facts = Facts::of(row, instruments);
        let words = Words::of(text);
        let whole = words.squeezed();
        let begun = facts.all().any(|name| begins(&squeezed(name), &whole));
        let left_out = if begun { Vec::new() } else { facts.left_out(text) };
        let named = if left_out.is_empty() { facts.named(text) } else { None };
        Self { left_out, named }
    }
}

impl<'i> Facts<'i> {
    fn of(row: &'i Row, instruments: &'i Instruments) -> Self {
        let Instruments { table, lexicon } = instruments;
        let own =
            [table.symbol(row), table.name(row)].map(|name| Words::of(name).as_str().to_owned());
        let key = row.key();
        let (mut names, mut others) = (Vec::new(), Vec::new());
        for (text, words) in lexicon.names(row.ticker) {
            // What a debenture or a contract is listed under is the name of something else.
            let stands =
                if row.place < Place::Debt { text.row.is_none() } else { text.row == Some(key) };
            match stands {
                true => names.push((text.source, words.to_owned())),
                false if text.row.is_none() => others.push(words.to_owned()),
                false => {}
            }
        }
        if row.place > Place::Debt {
            names.extend(own.map(|name| (Source::Ticker, name)));
        } else {
            others.extend(own);
        }
        Self { row, names, others }
    }

    fn all(&self) -> impl Iterator<Item = &str> {
        self.names
            .iter()
            .map(|(_, name)| name.as_str())
            .chain(self.others.iter().map(String::as_str))
    }

    /// By what name the text calls it, if by any: as a whole, or without what it says about it.
    fn named(&self, text: &str) -> Option<Source> {
        let pieces = parts::pieces(text);
        let only = |fits: fn(&Part) -> bool| {
            let named = pieces.iter().filter(|it| it.parts.iter().all(fits));
            Words::join(named.map(|it| it.typed.as_str())).as_str().to_owned()
        };
        let readings = [
            text.to_owned(),
            only(|it| matches!(it, Part::Word(_) | Part::Number(..))),
            only(|it| matches!(it, Part::Word(_))),
        ];
        // Without its strike and the like, a contract would be any other.
        let readings =
            if self.row.place > Place::Debt { readings.get(..1) } else { readings.get(..) };
        let readings = readings.unwrap_or_default().iter().map(|it| Words::of(it).squeezed());
        let readings: Vec<_> = readings.filter(|it| !it.is_empty()).collect();
        let fitting = self.names.iter().filter(|(_, name)| readings.contains(&squeezed(name)));
        fitting.map(|(source, _)| *source).min()
    }

    fn left_out(&self, text: &str) -> Vec<String> {
        let pieces = parts::pieces(text);
        let flat: Vec<_> =
            pieces.iter().flat_map(|it| it.parts.iter().map(move |part| (it, part))).collect();
        let is_month = |at: Option<usize>| {
            let part = at.and_then(|at| flat.get(at)).map(|(_, part)| *part);
            matches!(part, Some(Part::Month(_)))
        };
        let mut left_out: Vec<String> = Vec::new();
        for (at, (piece, part)) in flat.iter().enumerate() {
            let beside = is_month(at.checked_sub(1)) || is_month(Some(at + 1));
            let fits = self.fits(part, &piece.typed)
                || (beside && self.is_dated(part))
                || self.says(&piece.typed);
            if !fits && left_out.last() != Some(&piece.typed) {
                left_out.push(piece.typed.clone());
            }
        }
        let rest: String = text.chars().skip(LONGEST).collect();
        left_out.extend((!rest.trim().is_empty()).then(|| rest.trim().to_owned()));
        left_out
    }

    fn fits(&self, part: &Part, typed: &str) -> bool {
        let Row { kind, expiry, .. } = *self.row;
        match part {
            // The first word is taken for a name, whatever else it may be.
            Part::Word(text) => {
                let other = || match parts::word(text) {
                    Some(part) => self.fits(&part, text),
                    None => Words::of(text).is_idle(),
                };
                self.says(text) || other()
            }
            Part::Number(number, text) => {
                let is_id = number.fract() == 0.0 && *number == self.row.id as f64;
                let is_year = expiry.is_some_and(|it| f64::from(it.year()) == *number);
                is_id || is_year || self.row.strike == Some(*number) || self.says(text)
            }
            Part::Month(month) => expiry.is_some_and(|it| it.month() == *month),
            Part::Year(year) => expiry.is_some_and(|it| it.year() == *year),
            Part::Date(date) => expiry == Some(*date),
            Part::Side(side) => self.row.side == Some(*side),
            Part::Future => kind.is_future(),
            Part::Option => kind.is_option(),
            Part::Exchange(exchange, _) => exchange.segments() & 1 << self.row.segment as u16 != 0,
            Part::Filler => is_of_sort(typed, kind),
        }
    }

    /// Whether a number beside a month is the day or the year of the expiry.
    fn is_dated(&self, part: &Part) -> bool {
        let Part::Number(number, _) = part else { return false };
        self.row.expiry.is_some_and(|it| {
            f64::from(it.day()) == *number || f64::from(it.year() % 100) == *number
        })
    }

    /// Whether a word stands in one of its names: numbers whole, others at least begun.
    fn says(&self, word: &str) -> bool {
        let word = Words::of(word).squeezed();
        let is_number = word.bytes().all(|it| it.is_ascii_digit());
        !word.is_empty()
            && self.all().any(|name| {
                let mut words = name.split(' ');
                words.any(|it| begins(it, &word) || (is_number && holds(it, &word)))
                    || (word.len() >= INSIDE && !is_number && holds(&squeezed(name), &word))
            })
    }
}

fn squeezed(name: &str) -> String {
    name.chars().filter(|c| *c != ' ').collect()
}

/// Whether a name begins with this, and no number in it is cut in two.
fn begins(name: &str, with: &str) -> bool {
    !with.is_empty() && name.strip_prefix(with).is_some_and(|rest| !is_cut(with, rest))
}

/// Whether this is somewhere in a name, and no number is cut in two.
fn holds(name: &str, part: &str) -> bool {
    name.match_indices(part).any(|(at, _)| {
        let (before, rest) = (name.get(..at), name.get(at + part.len()..));
        !is_cut(before.unwrap_or_default(), part) && !is_cut(part, rest.unwrap_or_default())
    })
}

fn is_cut(before: &str, after: &str) -> bool {
    before.ends_with(|c: char| c.is_ascii_digit())
        && after.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether a word that says nothing but what sort of thing it is, if that, is right.
fn is_of_sort(word: &str, kind: Kind) -> bool {
    match word {
        "share" | "shares" | "stock" | "stocks" | "scrip" | "equity" => {
            matches!(kind, Kind::Equity | Kind::FutStk | Kind::OptStk)
        }
        "index" => matches!(kind, Kind::Index | Kind::FutIdx | Kind::OptIdx),
        "commodity" => matches!(kind, Kind::FutCom | Kind::OptFut),
        "currency" => matches!(kind, Kind::FutCur | Kind::OptCur),
        _ => true,
    }
}
