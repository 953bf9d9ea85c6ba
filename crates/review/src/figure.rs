//! [`Figure`]: a number as it stands in a text, with everything it may mean.
//!
//! `1,234` is a thousand and some, or a little more than one, depending on who wrote it; `24 350`
//! is one number or two. A figure keeps every reading: it is supported when one of them is.

use super::unit::{Tail, Unit, is_currency, is_space, tail};

/// A number as it stands in a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Figure {
    /// What it may mean; the likeliest first. Magnitudes: the sign is apart.
    pub(super) readings: Vec<Reading>,
    /// The numbers it consists of, where the spaces in it may also separate a list.
    pub(super) parts: Vec<f64>,
    pub(super) sign: Sign,
    pub(super) unit: Unit,
    pub(super) form: Form,
}

/// One thing a figure may mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reading {
    pub(super) value: f64,
    /// What one more in its last digit would add.
    pub(super) step: f64,
}

/// Which sign a number has; open where none is written, as "fell by 5" may mean -5.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sign {
    Open,
    Plus,
    Minus,
}

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Nothing but digits, this many, the first of them not a zero.
    Digits(usize),
    /// Nothing but digits, three or more, the first a zero: `007` is a label.
    Padded,
    /// With separators, a point or an exponent.
    Written,
}

/// A figure and where it stands, sign and unit included.
pub(super) struct Found {
    pub(super) figure: Figure,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The figure that the word from `start` to `end` is, whole. None where it is something else:
/// `3abc`, `1.2.3`.
pub(super) fn parse(line: &str, start: usize, end: usize) -> Option<Found> {
    let numeral = numeral(line.get(start..end)?)?;
    let digits_end = start + numeral.length;
    let mut tail = tail(line.get(digits_end..)?);
    if let Some(shared) = shared_tail(line.get(digits_end..)?).filter(|_| tail.is_empty()) {
        tail = Tail { length: 0, ..shared };
    }
    let reached = digits_end + tail.length;
    let rest = line.get(reached..end.max(reached))?;
    if !is_loose(rest) {
        return None;
    }
    let before = Before::of(line.get(..start)?);
    let mut unit = match before {
        Before { currency: true, .. } => Unit::Currency,
        Before { percent: true, .. } => Unit::Percent,
        _ => tail.unit,
    };
    let whole = numeral.readings.first()?.value;
    let decade = numeral.form == Form::Digits(4) && whole % 10.0 == 0.0;
    if decade && line.get(digits_end..).is_some_and(|it| it.starts_with('s')) {
        unit = Unit::Ordinal;
    }
    // "37 times" is how often, "2.5 times" how much more.
    if unit == Unit::Times && tail.length == 0 && numeral.form != Form::Written {
        unit = Unit::Bare;
    }
    let scaled = |reading: &Reading| {
        let Reading { value, step } = *reading;
        tail.scales.iter().map(move |by| Reading { value: value * by, step: step * by })
    };
    let readings = numeral.readings.iter().flat_map(scaled).collect();
    let plain = tail.scales == [1.0] && numeral.form != Form::Written;
    // `[100,200]` is a list, whatever its comma could mean elsewhere.
    let listed = line.get(..start).is_some_and(|it| it.ends_with('['));
    let commas = line.get(start..digits_end).is_some_and(|it| it.contains(','));
    let figure = Figure {
        readings,
        parts: if commas && !listed { Vec::new() } else { numeral.parts },
        sign: before.sign,
        unit,
        form: if plain { numeral.form } else { Form::Written },
    };
    Some(Found { figure, start: before.start, end: reached })
}

/// What stands behind the second number of a range and belongs to the first as well: `59–68 °F`.
fn shared_tail(text: &str) -> Option<Tail> {
    let second = text.strip_prefix(['-', '–', '—'])?;
    let numeral = numeral(second)?;
    Some(tail(second.get(numeral.length..)?))
}

/// An ending behind a number is not longer, its apostrophe included.
const ENDING: usize = 6;

/// What may be left of a word behind a number: `24/share`, `2024's`, `24.Next`, nothing.
fn is_loose(rest: &str) -> bool {
    let mut chars = rest.chars();
    match (chars.next(), chars.next()) {
        (None, _) => true,
        (Some('/'), Some(_)) => rest.chars().skip(1).all(char::is_alphabetic),
        // `2024's`, and the endings that Turkish puts behind a number: `2024'te`.
        (Some('\'' | '’'), Some(_)) => {
            rest.chars().count() <= ENDING && rest.chars().skip(1).all(char::is_lowercase)
        }
        (Some('.' | ':'), Some(next)) => {
            next.is_uppercase() && chars.all(|c| !c.is_ascii_digit() && c != '.')
        }
        _ => false,
    }
}

/// What stands before a number and belongs to it: `-$`, `+`, `Rs. `.
struct Before {
    start: usize,
    sign: Sign,
    currency: bool,
    /// `%43`, as it is written in Turkish.
    percent: bool,
}

/// What stands before a number and makes it percent.
const PERCENTS: &[&str] = &["%", "yüzde ", "Yüzde ", "百分之"];

impl Before {
    fn of(text: &str) -> Self {
        let (text_before, inner) = strip_sign(text);
        let bare = text_before.trim_end_matches(is_space);
        let percent = PERCENTS.iter().find_map(|it| text.strip_suffix(it));
        let percent = percent.is_some_and(|it| !it.ends_with(|c: char| c.is_ascii_digit()));
        let mut before = Self { start: text.len(), sign: Sign::Open, currency: false, percent };
        if inner != Sign::Open {
            before = Self { start: text_before.len(), sign: inner, ..before };
        }
        let symbol = bare.chars().next_back().filter(|c| is_currency(*c));
        let word = ["Rs.", "Rs", "INR", "USD", "EUR", "GBP"].iter().find(|it| {
            bare.strip_suffix(**it).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric))
        });
        let length = match (symbol, word) {
            (Some(symbol), _) => symbol.len_utf8(),
            (None, Some(word)) => word.len(),
            _ => return before,
        };
        let outside = bare.get(..bare.len() - length).unwrap_or_default();
        let (rest, outer) = strip_sign(outside);
        Self {
            start: if outer == Sign::Open { outside.len() } else { rest.len() },
            sign: if outer == Sign::Open { inner } else { outer },
            currency: true,
            percent: false,
        }
    }
}

/// Takes a sign off the end, where it is one: a dash behind a word or a number joins.
fn strip_sign(text: &str) -> (&str, Sign) {
    let (rest, sign) = match text.chars().next_back() {
        Some('+') => (text.strip_suffix('+'), Sign::Plus),
        Some('-') => (text.strip_suffix('-'), Sign::Minus),
        Some('−') => (text.strip_suffix('−'), Sign::Minus),
        _ => return (text, Sign::Open),
    };
    let joins = |c: char| c.is_alphanumeric() || matches!(c, ')' | '+' | '-' | '%' | '.');
    match rest {
        Some(rest) if !rest.ends_with(joins) => (rest, sign),
        _ => (text, Sign::Open),
    }
}

struct Numeral {
    readings: Vec<Reading>,
    parts: Vec<f64>,
    form: Form,
    length: usize,
}

/// The number at the start of `text`.
fn numeral(text: &str) -> Option<Numeral> {
    let (groups, separators, mut length) = groups(text)?;
    let exponent = exponent(text.get(length..)?);
    length += exponent.map_or(0, |(_, length)| length);
    let power = exponent.map_or(0, |(power, _)| power);
    let readings = readings(&groups, &separators, power)?;
    let parts = match separators.first() {
        Some(c) if is_space(*c) || *c == ',' => {
            groups.iter().filter_map(|group| group.parse().ok()).collect()
        }
        _ => Vec::new(),
    };
    let form = match groups.as_slice() {
        [digits] if exponent.is_none() => {
            let padded = digits.len() > 2 && digits.starts_with('0');
            if padded { Form::Padded } else { Form::Digits(digits.len()) }
        }
        _ => Form::Written,
    };
    Some(Numeral { readings, parts, form, length })
}

/// The runs of digits at the start of `text`, what separates them, and how long that all is.
fn groups(text: &str) -> Option<(Vec<&str>, Vec<char>, usize)> {
    let run = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default()
    };
    let first = run(0);
    let (mut groups, mut separators, mut end) = (vec![first], Vec::new(), first.len());
    while let Some(separator) = text.get(end..).and_then(|rest| rest.chars().next()) {
        let next = run(end + separator.len_utf8());
        let thousands = is_space(separator) || matches!(separator, '\'' | '’');
        let joins = match separator {
            '.' | ',' => !next.is_empty(),
            _ => thousands && next.len() == 3,
        };
        if !joins {
            break;
        }
        groups.push(next);
        separators.push(separator);
        end += separator.len_utf8() + next.len();
    }
    (!first.is_empty()).then_some((groups, separators, end))
}

/// `e6`, `E-3`: the power and how long it is written.
fn exponent(text: &str) -> Option<(i32, usize)> {
    let rest = text.strip_prefix(['e', 'E'])?;
    let digits = rest.strip_prefix(['+', '-']).unwrap_or(rest);
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let signed = rest.get(..rest.len() - digits.len() + end)?;
    let power = signed.parse().ok().filter(|power: &i32| power.abs() < 300)?;
    Some((power, 1 + signed.len()))
}

/// What the groups may mean; none where they are no number, as in `1.2.3` or `1,2,3`.
fn readings(groups: &[&str], separators: &[char], power: i32) -> Option<Vec<Reading>> {
    let whole = |groups: &[&str]| reading(groups, "", power);
    let (last, front) = groups.split_last()?;
    let decimal = || reading(front, last, power);
    let (point, others) = match separators.split_last() {
        None => return Some(vec![whole(groups)?]),
        Some((point, others)) => (*point, others),
    };
    let uniform = others.iter().all(|c| *c == point);
    if uniform {
        let grouped = is_grouped(groups);
        return match (point, grouped, separators.len()) {
            ('.', true, 1) => Some(vec![decimal()?, whole(groups)?]),
            (',', true, 1) => Some(vec![whole(groups)?, decimal()?]),
            ('.' | ',', false, 1) => Some(vec![decimal()?]),
            (_, true, _) => Some(vec![whole(groups)?]),
            _ => None,
        };
    }
    let same = others.windows(2).all(|pair| pair.first() == pair.last());
    (matches!(point, '.' | ',') && same && is_grouped(front)).then(decimal)?.map(|it| vec![it])
}

/// Whether these are thousands: `1,234,567`, or `12,34,567` as in India.
fn is_grouped(groups: &[&str]) -> bool {
    let Some(([first, middle @ ..], last)) = groups.split_last().map(|(l, f)| (f, l)) else {
        return false;
    };
    let of = |length: usize| middle.iter().all(|group| group.len() == length);
    let western = first.len() <= 3 && of(3);
    let indian = first.len() <= 2 && !middle.is_empty() && of(2);
    last.len() == 3 && !first.starts_with('0') && (western || indian)
}

fn reading(whole: &[&str], fraction: &str, power: i32) -> Option<Reading> {
    let digits = whole.concat();
    let value: f64 = format!("{digits}.{fraction}0e{power}").parse().ok()?;
    let places = i32::try_from(fraction.len()).ok()?;
    Some(Reading { value, step: 10_f64.powi(power - places) }).filter(|it| it.value.is_finite())
}

impl Figure {
    /// Whether it is written like a year.
    pub(super) fn year(&self) -> Option<i32> {
        let value = self.readings.first()?.value;
        let is = self.form == Form::Digits(4)
            && matches!(self.unit, Unit::Bare | Unit::Ordinal)
            && (1900.0..2200.0).contains(&value);
        is.then_some(value as i32)
    }

    /// Whether it only counts or enumerates: a small whole number of things.
    pub(super) fn is_small_count(&self) -> bool {
        const MOST: f64 = 12.0;
        matches!(self.form, Form::Digits(_))
            && self.sign == Sign::Open
            && matches!(self.unit, Unit::Bare | Unit::Seconds(_))
            && self.readings.first().is_some_and(|it| it.value <= MOST)
    }
}
