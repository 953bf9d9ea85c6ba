//! [`Mention`]: something in a text that can be checked, and how texts are read for them.
//!
//! Answers and sources are read by the same rules, so that what is spelled alike is understood
//! alike. A number inside a time, a version or an id is part of that and no figure.

use super::{
    duration, figure,
    figure::{Figure, Form},
    moment::{self, Moment},
    month, spelled,
    unit::{Unit, is_space},
};

/// Something in a text that can be checked.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mention<'t> {
    /// As it is written.
    pub(super) text: &'t str,
    /// Where it begins in its line.
    pub(super) start: usize,
    pub(super) what: What,
}

/// What is mentioned.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    Figure(Figure),
    Moment(Moment),
    Id,
    /// `52-week`, `24-hour`: it describes more than it states, so it counts in a source only.
    Described(Figure),
    /// `twenty-seven`: it states something where it counts what the tools are about.
    Spelled(Figure),
}

/// Hands every mention in a line to `each`, in order.
pub(super) fn scan<'t>(line: &'t str, each: &mut dyn FnMut(Mention<'t>)) {
    let mut reader = Reader { line, each };
    let mut at = 0;
    let mut inside = false;
    while let Some(first) = line.get(at..).and_then(|rest| rest.chars().next()) {
        let starts = is_letter(first) && !inside;
        let length = if starts { reader.word(at) } else { None };
        at += length.unwrap_or_else(|| first.len_utf8());
        inside = if length.is_some() { false } else { is_letter(first) };
    }
}

/// Whether a word may consist of it. Scripts that do not separate words from numbers by a space
/// are not read as parts of an id.
fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || (('\u{c0}'..'\u{590}').contains(&c) && c.is_alphanumeric())
}

struct Reader<'t, 'e> {
    line: &'t str,
    each: &'e mut dyn FnMut(Mention<'t>),
}

impl<'t> Reader<'t, '_> {
    /// Reads the word at `at`; says how much of the line that took.
    fn word(&mut self, at: usize) -> Option<usize> {
        let rest = self.line.get(at..)?;
        if let Some(length) = url(rest) {
            self.tell(at, at + length, What::Id);
            return Some(length);
        }
        if let Some((dates, length)) = month::in_words(rest) {
            for date in dates {
                let moment = Moment { dates: vec![date], ..Moment::default() };
                self.tell(at, at + length, What::Moment(moment));
            }
            return Some(length);
        }
        if rest.starts_with(|c: char| c.is_ascii_digit()) {
            if let Some((moment, length)) = moment::in_figures(rest) {
                self.tell(at, at + length, What::Moment(moment));
                return Some(length);
            }
            if let Some((figure, length)) = duration::at(rest) {
                self.tell(at, at + length, What::Figure(figure));
                return Some(length);
            }
        }
        if let Some((figure, length)) = spelled::at(rest) {
            self.tell(at, at + length, What::Spelled(figure));
            return Some(length);
        }
        let length = chunk(rest);
        if rest.get(..length)?.contains(|c: char| c.is_ascii_digit()) {
            self.classify(at, at + length);
        }
        Some(length)
    }

    fn tell(&mut self, start: usize, end: usize, what: What) {
        let Some(text) = self.line.get(start..end) else { return };
        (self.each)(Mention { text, start, what });
    }

    /// Tells what the word from `start` to `end`, which has a digit in it, is.
    fn classify(&mut self, start: usize, end: usize) {
        let Some(word) = self.line.get(start..end) else { return };
        if !word.contains(|c: char| c.is_ascii_digit()) || is_common(word) {
            return;
        }
        if let Some(found) = figure::parse(self.line, start, end) {
            let label = found.figure.unit == Unit::Bare
                && matches!(found.figure.form, Form::Padded | Form::Digits(LONG..));
            let what = if label { What::Id } else { What::Figure(found.figure) };
            return self.tell(found.start, found.end, what);
        }
        if let Some(length) = currency(word) {
            return self.classify(start + length, end);
        }
        match pieces(word) {
            Pieces::Each(separator) => {
                let mut from = start;
                for piece in word.split(separator) {
                    self.classify(from, from + piece.len());
                    from += piece.len() + separator.len_utf8();
                }
            }
            Pieces::First(length) => self.classify(start, start + length),
            Pieces::Described(length) => {
                if let Some(found) = figure::parse(self.line, start, start + length) {
                    self.tell(start, end, What::Described(found.figure));
                }
            }
            Pieces::None => self.tell(start, end, What::Id),
        }
    }
}

/// How a word is to be taken apart.
enum Pieces {
    Each(char),
    First(usize),
    Described(usize),
    None,
}

/// How a word that is no number as a whole is put together from such as are.
fn pieces(word: &str) -> Pieces {
    let has_digit = |it: &str| it.contains(|c: char| c.is_ascii_digit());
    if let Some((first, second)) = word.split_once('-')
        && is_number(first)
        && is_number(second)
        && !is_season(first, second)
    {
        return Pieces::Each('-');
    }
    if word.contains(',') {
        return Pieces::Each(',');
    }
    // `price:24`, `3:1`; but an address of a machine is one thing.
    let label = word.split(':').any(|it| !has_digit(it));
    if word.contains(':') && (label || word.split(':').all(is_number)) {
        return Pieces::Each(':');
    }
    for separator in ['/', '-'] {
        let parts: Vec<&str> = word.split(separator).collect();
        let lower = |it: &&str| it.len() > 1 && it.chars().all(char::is_lowercase);
        match parts.as_slice() {
            [first, second] if is_season(first, second) => return Pieces::First(first.len()),
            [first, second] if is_number(first) && is_number(second) => {
                return Pieces::Each(separator);
            }
            [first, second] if is_prefix(first) && is_number(second) => {
                return Pieces::Each(separator);
            }
            [first, others @ ..]
                if separator == '-'
                    && !others.is_empty()
                    && is_number(first)
                    && others.iter().all(lower) =>
            {
                return Pieces::Described(first.len());
            }
            _ => {}
        }
    }
    Pieces::None
}

/// This many digits without a separator are a label; nobody writes an amount so.
const LONG: usize = 9;

/// Whether a piece of a word is a number of its own and not a part of an id: not `0134`, not more
/// digits than people write without a separator.
fn is_number(piece: &str) -> bool {
    const MOST: usize = 6;
    let found = figure::parse(piece, 0, piece.len());
    found.is_some_and(|it| match it.figure.form {
        Form::Digits(length) => length <= MOST,
        Form::Written => true,
        Form::Padded => false,
    })
}

/// How long the currency is that a number is written together with: `Rs500`, `USD1,200`.
fn currency(word: &str) -> Option<usize> {
    let known = ["Rs.", "Rs", "INR", "USD", "EUR", "GBP"].into_iter();
    let is = |it: &&str| {
        word.strip_prefix(it).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    known.filter(is).map(str::len).next()
}

/// `2023-24`.
fn is_season(first: &str, second: &str) -> bool {
    let years = (first.parse::<u32>(), second.parse::<u32>());
    matches!(years, (Ok(a @ 1900..2200), Ok(b)) if first.len() == 4 && second.len() == 2 && (a + 1) % 100 == b)
}

/// Words that qualify a number they are joined to: `mid-2024`.
fn is_prefix(word: &str) -> bool {
    let lower = word.to_lowercase();
    matches!(
        lower.as_str(),
        "mid" | "pre" | "post" | "sub" | "top" | "under" | "over" | "early" | "late" | "near"
    )
}

/// Words with a digit that everybody knows and that identify nothing.
fn is_common(word: &str) -> bool {
    const COMMON: &[&str] = &[
        "24/7", "50/50", "q1", "q2", "q3", "q4", "h1", "h2", "co2", "no2", "so2", "o3", "pm10",
        "pm2.5", "mp3", "mp4", "4k", "8k", "2d", "3d", "3g", "4g", "5g", "b2b", "b2c", "p2p",
        "covid-19", "utf-8", "utf8", "utf-16", "utf-32", "latin1", "ascii85", "ipv4", "ipv6",
        "sha1", "sha-1", "sha256", "sha-256", "sha512", "sha-512", "md5", "base32", "base64",
        "aes-128", "aes-256", "ed25519", "x86", "x64", "x86_64", "x86-64", "arm64", "amd64",
        "aarch64", "web3", "a4", "i18n", "l10n", "a11y", "k8s", "s3", "ec2", "oauth2", "http2",
        "http3", "http/1.0", "http/1.1", "http/2", "http/3", "h264", "h.264", "h265", "h.265",
        "vp9", "av1", "log4j", "neo4j", "es6", "python2", "python3", "wpa2", "wpa3", "rj45",
        "gpt-3", "gpt-4", "gpt-4o", "gpt-5", "e2e", "p0", "p1", "p2",
    ];
    COMMON.iter().any(|it| it.eq_ignore_ascii_case(word)) || is_percentile(word) || is_type(word)
}

/// `p99`, `P99.9`: which measurement, and not what was measured.
fn is_percentile(word: &str) -> bool {
    let rest = word.strip_prefix(['p', 'P']).unwrap_or_default();
    let (whole, fraction) = rest.split_once('.').unwrap_or((rest, "0"));
    let digits = |it: &str, most| (1..=most).contains(&it.len()) && it.parse::<u16>().is_ok();
    digits(whole, 2) && digits(fraction, 3)
}

/// `u8`, `float64`: how a program keeps a number.
fn is_type(word: &str) -> bool {
    let lower = word.to_lowercase();
    let digits = lower.find(|c: char| c.is_ascii_digit()).unwrap_or(lower.len());
    let (name, size) = lower.split_at_checked(digits).unwrap_or_default();
    matches!(size, "8" | "16" | "32" | "64" | "128")
        && matches!(name, "i" | "u" | "f" | "int" | "uint" | "float" | "bf")
}

/// How long the word at the start of `text` is: letters and digits, and what joins them.
fn chunk(text: &str) -> usize {
    let mut end = 0;
    // As long as there are only digits, spaces may separate thousands.
    let mut digits = 0;
    let mut grouped = text.starts_with(|c: char| c.is_ascii_digit());
    for (at, c) in text.char_indices() {
        let after = text.get(at + c.len_utf8()..).unwrap_or_default();
        let next = after.chars().next().is_some_and(is_letter);
        let joins = match c {
            _ if is_letter(c) => true,
            '_' | '-' | '.' | ':' | '/' | '@' | '\'' | '’' | '\u{2011}' => next,
            ',' => after.starts_with(|c: char| c.is_ascii_digit()) || (next && grouped),
            _ if is_space(c) => grouped && digits <= 3 && is_thousand(after),
            _ => false,
        };
        if !joins {
            break;
        }
        digits = if c.is_ascii_digit() { digits + 1 } else { 0 };
        grouped &= c.is_ascii_digit() || is_space(c);
        end = at + c.len_utf8();
    }
    end
}

/// Whether exactly three digits follow.
fn is_thousand(text: &str) -> bool {
    text.chars().take_while(char::is_ascii_digit).count() == 3
        && !text.chars().nth(3).is_some_and(|c| c.is_alphabetic() || c == '-' || c == '/')
}

/// How long the address at the start of `text` is.
fn url(text: &str) -> Option<usize> {
    let starts = ["http://", "https://", "www."].iter().any(|it| text.starts_with(it));
    if !starts {
        return None;
    }
    let closes =
        |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '`' | '|' | ')' | ']');
    let end = text.find(closes).unwrap_or(text.len());
    let trailing = ['.', ',', ';', ':', '!', '?', '*', '_', '\'', '’', '/'];
    Some(text.get(..end)?.trim_end_matches(trailing).len())
}
