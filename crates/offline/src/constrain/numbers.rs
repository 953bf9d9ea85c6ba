//! [`Number`]: the numbers a text gives, in figures and in words.

use std::collections::BTreeSet;

/// A number that a text gives, as a decimal without needless zeros.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Number {
    /// Digits, with a `.` among them where it is no whole number, and a `-` before them.
    pub(super) decimal: String,
    /// Whether it was said just so. `20%` also gives 0.2, `5 million` also gives 5000000.
    pub(super) is_said: bool,
}

impl Number {
    pub(super) fn is_whole(&self) -> bool {
        !self.decimal.contains('.')
    }

    pub(super) fn value(&self) -> f64 {
        self.decimal.parse().unwrap_or(f64::NAN)
    }

    /// As JSON numbers. A whole one may be written as `20` or `20.0`.
    pub(super) fn json(&self) -> impl Iterator<Item = String> {
        let fraction = self.is_whole().then(|| format!("{}.0", self.decimal));
        [self.decimal.clone()].into_iter().chain(fraction)
    }
}

/// What texts say in numbers.
#[derive(Default)]
pub(super) struct Numbers {
    pub(super) numbers: BTreeSet<Number>,
    /// How the numbers may be written in prose.
    pub(super) figures: BTreeSet<String>,
}

impl Numbers {
    /// Adds what a text gives.
    pub(super) fn add(&mut self, text: &str) {
        let mut rest = text;
        let mut before = None;
        while let Some(char) = rest.chars().next() {
            let length = if char.is_ascii_digit() {
                let length = figure(rest);
                self.figure(rest.split_at(length), before);
                length
            } else {
                char.len_utf8()
            };
            let (read, after) = rest.split_at(length);
            // The two characters before tell a sign from a dash.
            before = Some((before.map(|(_, last)| last), read.chars().next_back().unwrap_or(char)));
            rest = after;
        }
        self.words(text);
    }

    /// Adds how many there are of something: an answer may say so, though no text does.
    pub(super) fn count(&mut self, count: usize) {
        self.figures.insert(count.to_string());
    }

    fn figure(&mut self, (written, after): (&str, &str), before: Option<(Option<char>, char)>) {
        let plain = written.replace(',', "");
        self.figures.extend([written.to_owned(), plain.clone()]);
        let number = decimal(&plain);
        if let Some((sign, '-' | '−')) = before
            && !sign.is_some_and(char::is_alphanumeric)
        {
            self.numbers.insert(Number { decimal: format!("-{number}"), is_said: true });
        }
        let after = after.trim_start_matches(' ');
        let word = after.split(|char: char| !char.is_alphabetic()).next().unwrap_or_default();
        let shift = SCALES.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
        let shift = if after.starts_with('%') { Some(-2) } else { shift.map(|(_, shift)| *shift) };
        if let Some(shift) = shift {
            self.numbers.insert(Number { decimal: shifted(&number, shift), is_said: false });
        }
        self.say(number);
    }

    fn say(&mut self, decimal: String) {
        self.figures.insert(decimal.clone());
        self.figures.insert(grouped(&decimal));
        self.numbers.insert(Number { decimal, is_said: true });
    }

    fn words(&mut self, text: &str) {
        let mut tens = None::<u32>;
        for word in text.split(|char: char| !char.is_alphabetic()) {
            let Some(value) = named(WORDS, word).or_else(|| named(ORDINALS, word)) else {
                tens = None;
                continue;
            };
            self.say(value.to_string());
            if let Some(tens) = tens.filter(|_| value < 10) {
                self.say((tens + value).to_string());
            }
            tens = (20..100).contains(&value).then_some(value);
        }
    }
}

/// How many a word says there are.
pub(super) fn cardinal(word: &str) -> Option<u32> {
    named(WORDS, word)
}

fn named(names: &[(&str, u32)], word: &str) -> Option<u32> {
    let known = names.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
    known.map(|(_, value)| *value)
}

/// What a word behind a number makes of it: how far the point moves.
const SCALES: &[(&str, i32)] = &[
    ("percent", -2),
    ("hundred", 2),
    ("k", 3),
    ("thousand", 3),
    ("lakh", 5),
    ("lakhs", 5),
    ("m", 6),
    ("mn", 6),
    ("million", 6),
    ("crore", 7),
    ("crores", 7),
    ("bn", 9),
    ("billion", 9),
    ("trillion", 12),
];

const WORDS: &[(&str, u32)] = &[
    ("zero", 0),
    ("one", 1),
    ("once", 1),
    ("two", 2),
    ("twice", 2),
    ("couple", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("dozen", 12),
    ("thirteen", 13),
    ("fourteen", 14),
    ("fifteen", 15),
    ("sixteen", 16),
    ("seventeen", 17),
    ("eighteen", 18),
    ("nineteen", 19),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fifty", 50),
    ("sixty", 60),
    ("seventy", 70),
    ("eighty", 80),
    ("ninety", 90),
    ("hundred", 100),
    ("thousand", 1000),
];

const ORDINALS: &[(&str, u32)] = &[
    ("first", 1),
    ("second", 2),
    ("third", 3),
    ("fourth", 4),
    ("fifth", 5),
    ("sixth", 6),
    ("seventh", 7),
    ("eighth", 8),
    ("ninth", 9),
    ("tenth", 10),
];

/// How long the figure is that a text begins with: `24,850.30` of `24,850.30, then`.
fn figure(text: &str) -> usize {
    let digits = |from: usize| {
        let rest = text.bytes().skip(from);
        rest.take_while(u8::is_ascii_digit).count()
    };
    let mut length = digits(0);
    // Groups of three; in India all but the last have two.
    while text.as_bytes().get(length) == Some(&b',') && matches!(digits(length + 1), 2 | 3) {
        length += 1 + digits(length + 1);
    }
    if text.as_bytes().get(length) == Some(&b'.') && digits(length + 1) > 0 {
        length += 1 + digits(length + 1);
    }
    length
}

/// A number without needless zeros.
fn decimal(written: &str) -> String {
    let (whole, fraction) = written.split_once('.').unwrap_or((written, ""));
    let whole = whole.trim_start_matches('0');
    let fraction = fraction.trim_end_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") }
}

/// A number with its point moved to the right, or to the left.
fn shifted(number: &str, by: i32) -> String {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let by_digits = by.unsigned_abs() as usize;
    if by >= 0 {
        let fraction = format!("{fraction:0<by_digits$}");
        let (moved, rest) = fraction.split_at(by_digits);
        return decimal(&format!("{whole}{moved}.{rest}"));
    }
    let whole = format!("{whole:0>width$}", width = by_digits + 1);
    let (rest, moved) = whole.split_at(whole.len() - by_digits);
    decimal(&format!("{rest}.{moved}{fraction}"))
}

/// A number with commas between its thousands.
fn grouped(number: &str) -> String {
    let (whole, fraction) = number.split_at(number.find('.').unwrap_or(number.len()));
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + fraction
}

#[cfg(test)]
mod tests {
    use super::{Numbers, shifted};

    fn given(text: &str) -> (Vec<String>, Vec<String>) {
        let mut numbers = Numbers::default();
        numbers.add(text);
        let decimals = numbers.numbers.into_iter().map(|number| number.decimal);
        (decimals.collect(), numbers.figures.into_iter().collect())
    }

    #[test]
    fn numbers_are_read_in_figures_and_in_words() {
        for (text, numbers) in [
            ("a 20% tip on $45.60", &["0.2", "20", "45.6"][..]),
            ("at 24,850.30, up", &["24850.3"]),
            ("1,00,000 rupees", &["100000"]),
            ("from -5 to 3-4", &["-5", "3", "4", "5"]),
            ("2026-03-01", &["1", "2026", "3"]),
            ("5 million, 2.5k", &["2.5", "2500", "5", "5000000"]),
            ("twenty-five of the first", &["1", "20", "25", "5"]),
            ("none", &[]),
        ] {
            assert_eq!(given(text).0, numbers, "{text}");
        }
    }

    #[test]
    fn figures_are_those_of_the_text_and_the_same_written_otherwise() {
        assert_eq!(given("24850.30").1, ["24,850.3", "24850.3", "24850.30"]);
        assert_eq!(given("on 09").1, ["09", "9"]);
    }

    #[test]
    fn points_move() {
        for (number, by, moved) in [("5", -2, "0.05"), ("12.5", -2, "0.125"), ("0.5", 3, "500")] {
            assert_eq!(shifted(number, by), moved);
        }
    }
}
