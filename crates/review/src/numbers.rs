//! [`Numbers`]: every number the sources mention, found by its magnitude.

use std::borrow::Cow;

use super::figure::{Figure, Sign};

/// The first digits of the scripts that people write numbers in, each followed by its nine others.
const ZEROS: &[char] = &[
    '\u{660}', '\u{6f0}', '\u{966}', '\u{9e6}', '\u{a66}', '\u{ae6}', '\u{b66}', '\u{be6}',
    '\u{c66}', '\u{ce6}', '\u{d66}', '\u{e50}', '\u{ed0}', '\u{f20}', '\u{1040}', '\u{17e0}',
    '\u{1810}', '\u{ff10}',
];

/// A text with the digits of every script written as `0` to `9`.
pub(super) fn digits(text: &str) -> Cow<'_, str> {
    let value = |c: char| {
        let of = |zero: &char| u32::from(c).checked_sub(u32::from(*zero)).filter(|it| *it < 10);
        ZEROS.iter().find_map(of).and_then(|it| char::from_digit(it, 10))
    };
    if text.is_ascii() || !text.contains(|c: char| value(c).is_some()) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| value(c).unwrap_or(c)).collect())
}

/// Every number the sources mention.
#[derive(Default)]
pub(super) struct Numbers {
    positive: Vec<f64>,
    negative: Vec<f64>,
    /// Those whose sign is not written: "fell by 5".
    open: Vec<f64>,
}

impl Numbers {
    /// Adds a number that is what it is, as in data.
    pub(super) fn add(&mut self, value: f64) {
        let sign = if value < 0.0 { Sign::Minus } else { Sign::Plus };
        self.of(if value == 0.0 { Sign::Open } else { sign }).push(value.abs());
    }

    /// Adds a number that only counts: its sign is no matter.
    pub(super) fn add_open(&mut self, value: f64) {
        self.open.push(value.abs());
    }

    /// Adds everything a figure in a text may mean.
    pub(super) fn add_figure(&mut self, figure: &Figure) {
        let values = figure.readings.iter().map(|it| it.value).chain(figure.parts.iter().copied());
        self.of(figure.sign).extend(values);
    }

    fn of(&mut self, sign: Sign) -> &mut Vec<f64> {
        match sign {
            Sign::Open => &mut self.open,
            Sign::Plus => &mut self.positive,
            Sign::Minus => &mut self.negative,
        }
    }

    /// Makes it ready to be asked.
    pub(super) fn sort(&mut self) {
        for numbers in [&mut self.positive, &mut self.negative, &mut self.open] {
            numbers.sort_unstable_by(f64::total_cmp);
            numbers.dedup();
        }
    }

    /// Whether a number of this sign has a magnitude within the bounds. An open sign is any.
    pub(super) fn within(&self, least: f64, most: f64, sign: Sign) -> bool {
        let has = |numbers: &[f64]| {
            let at = numbers.partition_point(|number| *number < least);
            numbers.get(at).is_some_and(|number| *number <= most)
        };
        has(&self.open)
            || (sign != Sign::Minus && has(&self.positive))
            || (sign != Sign::Plus && has(&self.negative))
    }
}
