//! [`Part`]: a piece of a text, and what it says about a contract.

use jiff::civil::Date;

use super::{contract::Exchange, words::LONGEST};
use crate::{Segment, Side};

/// A piece of a text as it was typed, in small letters, and what it says: more than one thing where
/// several are written without a space.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Piece {
    pub(super) typed: String,
    pub(super) parts: Vec<Part>,
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
    /// Of a name, as it was typed.
    Word(String),
    /// A number, as it was typed.
    Number(f64, String),
    Month(i8),
    Year(i16),
    Date(Date),
    Side(Side),
    Future,
    Option,
    Exchange(Exchange, String),
    /// Says nothing.
    Filler,
}

impl Part {
    /// What was typed, where that may be a name.
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Word(text) | Self::Number(_, text) | Self::Exchange(_, text) => text,
            _ => "",
        }
    }
}

/// What the pieces of a text say.
pub(super) fn parts(text: &str) -> Vec<Part> {
    pieces(text).into_iter().flat_map(|it| it.parts).collect()
}

/// The pieces of a text.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let text: String = text.chars().take(LONGEST).collect();
    let text = ungrouped(&text.to_lowercase());
    let mut all = Vec::new();
    for piece in text.split(|c: char| c.is_whitespace() || ",;:()".contains(c)) {
        let whole = date(piece).map(Part::Date).or_else(|| segment(piece));
        if let Some(part) = whole {
            all.push(Piece { typed: piece.to_owned(), parts: vec![part] });
            continue;
        }
        for piece in piece.split(['-', '/', '_', '@']).filter(|it| !it.is_empty()) {
            let one = word(piece).or_else(|| number(piece)).map(|part| vec![part]);
            let parts = one.or_else(|| glued(piece));
            let parts = parts.unwrap_or_else(|| vec![Part::Word(piece.to_owned())]);
            all.push(Piece { typed: piece.to_owned(), parts });
        }
    }
    // What comes first is what it is about, whatever else the word may mean.
    if let Some(Piece { typed, parts }) = all.first_mut()
        && let Some(first @ (Part::Month(_) | Part::Filler)) = parts.first_mut()
    {
        *first = Part::Word(typed.clone());
    }
    all
}

/// A segment, spelt as it is: `nse_eq`.
fn segment(piece: &str) -> Option<Part> {
    let is_it = |it: &&Segment| it.as_str().eq_ignore_ascii_case(piece);
    let segment = Segment::ALL.iter().find(is_it)?;
    Some(Part::Exchange(Exchange::Only(*segment), piece.to_owned()))
}

/// Without the commas that group digits.
fn ungrouped(text: &str) -> String {
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let mut all = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c != ',' || !digit(all.chars().next_back()) || !digit(rest.peek().copied()) {
            all.push(c);
        }
    }
    all
}

/// A word that is about contracts.
pub(super) fn word(word: &str) -> Option<Part> {
    if let Some(month) = month(word) {
        return Some(Part::Month(month));
    }
    Some(match word {
        "ce" | "call" | "calls" => Part::Side(Side::Call),
        "pe" | "put" | "puts" => Part::Side(Side::Put),
        "fut" | "futs" | "future" | "futures" => Part::Future,
        "opt" | "option" | "options" => Part::Option,
        "nse" | "nfo" => Part::Exchange(Exchange::Nse, word.to_owned()),
        "bse" | "bfo" => Part::Exchange(Exchange::Bse, word.to_owned()),
        "mcx" => Part::Exchange(Exchange::Mcx, word.to_owned()),
        "share" | "shares" | "stock" | "stocks" | "scrip" | "price" | "quote" | "ltp" | "spot"
        | "equity" | "index" | "commodity" | "currency" | "contract" | "contracts" | "expiry"
        | "expiring" | "dated" | "strike" | "weekly" | "monthly" | "on" | "for" | "at"
        | "current" | "live" | "cmp" | "rate" | "bhav" | "today" | "now" => Part::Filler,
        _ => return None,
    })
}

fn month(word: &str) -> Option<i8> {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    if word.len() < 3 || word == "sept" {
        return (word == "sept").then_some(9);
    }
    let short = |name: &str| word.len() == 3 && name.starts_with(word);
    let at = MONTHS.iter().position(|name| *name == word || short(name))?;
    i8::try_from(at + 1).ok()
}

/// `25000`, `83.25`, `25k`, `24th`.
fn number(piece: &str) -> Option<Part> {
    if !piece.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let endings = ["th", "st", "nd", "rd"];
    let bare = endings.iter().find_map(|it| piece.strip_suffix(it)).unwrap_or(piece);
    let (digits, times) = match bare.strip_suffix('k') {
        Some(digits) => (digits, 1000.0),
        None => (bare, 1.0),
    };
    let plain = digits.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let value: f64 = digits.parse().ok().filter(|_| plain)?;
    Some(Part::Number(value * times, piece.to_owned()))
}

/// `2026-08-25` and `25-08-2026`, also with slashes.
fn date(piece: &str) -> Option<Date> {
    let mut numbers = piece.split(['-', '/']).map(str::parse::<i16>);
    let (first, month, last) =
        (numbers.next()?.ok()?, numbers.next()?.ok()?, numbers.next()?.ok()?);
    let (year, day) = if first > 31 { (first, last) } else { (last, first) };
    let year = if year < 100 { year + 2000 } else { year };
    let small = |it: i16| i8::try_from(it).ok();
    numbers.next().is_none().then(|| Date::new(year, small(month)?, small(day)?).ok())?
}

/// What is written without spaces: `25000ce`, `aug2026`, `19oct2026`, `nifty26aug25000ce`.
/// A name in front counts only if a side or `fut` is at the end.
fn glued(piece: &str) -> Option<Vec<Part>> {
    let mut all = Vec::new();
    let mut rest = piece;
    let mut first = true;
    while !rest.is_empty() {
        let numeric = rest.starts_with(|c: char| c.is_ascii_digit());
        let same = |c: char| (c.is_ascii_digit() || c == '.') == numeric;
        let end = rest.find(|c: char| !same(c)).unwrap_or(rest.len());
        let (chunk, after) = rest.split_at_checked(end)?;
        rest = after;
        match (chunk.strip_suffix("fut").and_then(month), number(chunk), word(chunk)) {
            (Some(month), ..) => all.extend([Part::Month(month), Part::Future]),
            (_, Some(Part::Number(value, text)), _) => all.push(year(&all, value, text)),
            (.., Some(part @ (Part::Month(_) | Part::Side(_) | Part::Future))) => all.push(part),
            _ if first => all.push(Part::Word(chunk.to_owned())),
            _ => return None,
        }
        first = false;
    }
    // In `infy26aug2030ce` the year came first, and there is a strike before the side.
    if let [.., Part::Number(..), Part::Month(_), year, Part::Side(_)] = all.as_mut_slice()
        && let Part::Year(value) = *year
    {
        *year = Part::Number(value.into(), value.to_string());
    }
    let ended = matches!(all.last(), Some(Part::Side(_) | Part::Future));
    let named = matches!(all.first(), Some(Part::Word(_)));
    let told = all.iter().any(|it| matches!(it, Part::Month(_) | Part::Side(_) | Part::Future));
    (told && (ended || !named)).then_some(all)
}

/// A number that is stuck to the month before it is a year, if it can be one.
fn year(before: &[Part], value: f64, text: String) -> Part {
    if !matches!(before.last(), Some(Part::Month(_))) {
        return Part::Number(value, text);
    }
    match text.parse::<i16>() {
        Ok(year @ 20..50) if text.len() == 2 => Part::Year(2000 + year),
        Ok(year @ 2020..2050) if text.len() == 4 => Part::Year(year),
        _ => Part::Number(value, text),
    }
}
