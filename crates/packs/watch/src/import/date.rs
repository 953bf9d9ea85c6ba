//! Dates as HTML exports write them: in words of the account's language, in its time zone.

use jiff::{Timestamp, civil::DateTime, tz::TimeZone};

use super::zone::Zone;
use crate::library::fold;

/// The moment a text tells, if it tells one. Where it has no zone, or one of many meanings, it is a time
/// of `zone`.
pub(super) fn read(text: &str, zone: &TimeZone) -> Option<Timestamp> {
    if let Ok(moment) = text.trim().parse::<Timestamp>() {
        return Some(moment);
    }
    let (date, time, rest) = split(text)?;
    let mut half = None;
    let date = day(date, &mut half)?;
    let [hour, minute, second] = clock(time)?;
    let rest = after(rest, &mut half)?;
    let hour = match half {
        Some(half) => half.hour(hour)?,
        None => hour,
    };
    let [year, month, day] = date;
    let moment = DateTime::new(
        i16::try_from(year).ok()?,
        i8::try_from(month).ok()?,
        i8::try_from(day).ok()?,
        i8::try_from(hour).ok()?,
        i8::try_from(minute).ok()?,
        i8::try_from(second).ok()?,
        0,
    );
    let zone = match Zone::read(rest)? {
        Zone::Told(zone) => zone,
        Zone::Unclear => zone.clone(),
    };
    Some(moment.ok()?.to_zoned(zone).ok()?.timestamp())
}

/// Which half of the day.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    Morning,
    Afternoon,
}

impl Half {
    fn read(word: &str) -> Option<Self> {
        match word {
            "am" | "오전" | "午前" | "上午" => Some(Self::Morning),
            "pm" | "오후" | "午後" | "下午" => Some(Self::Afternoon),
            _ => None,
        }
    }

    fn hour(self, hour: u32) -> Option<u32> {
        (1..=12).contains(&hour).then_some(hour % 12 + if self == Self::Afternoon { 12 } else { 0 })
    }
}

/// What is before the time of day, the time, and what is after it.
fn split(text: &str) -> Option<(&str, &str, &str)> {
    let colon = text.find(':')?;
    let (before, after) = text.split_at_checked(colon)?;
    let digits = before.len() - before.trim_end_matches(|it: char| it.is_ascii_digit()).len();
    let begin = colon - digits;
    let length = after.find(|it: char| !it.is_ascii_digit() && it != ':').unwrap_or(after.len());
    Some((text.get(..begin)?, text.get(begin..colon + length)?, text.get(colon + length..)?))
}

/// Hours, minutes and seconds, where there are any.
fn clock(time: &str) -> Option<[u32; 3]> {
    let mut parts = time.split(':').map(|it| it.parse().ok());
    let (hour, minute) = (parts.next()??, parts.next()??);
    let second = parts.next().unwrap_or(Some(0))?;
    parts.next().is_none().then_some([hour, minute, second])
}

/// Year, month and day. Half of the day stands there too, in some languages.
fn day(text: &str, half: &mut Option<Half>) -> Option<[u32; 3]> {
    let (mut numbers, mut month) = (Vec::new(), None);
    for word in words(text) {
        if word.starts_with(|it: char| it.is_ascii_digit()) {
            numbers.push((word.len(), word.parse::<u32>().ok()?));
        } else if let Some(found) = Half::read(&word) {
            *half = Some(found);
        } else if let Some(found) = named_month(&word) {
            month.get_or_insert(found);
        } else if !is_filler(&word) {
            return None;
        }
    }
    match (numbers.as_slice(), month) {
        (&[(4, year), (_, day)] | &[(_, day), (4, year)], Some(month)) => Some([year, month, day]),
        (&[(4, year), (_, month), (_, day)], None) => Some([year, month, day]),
        // Where the month is a number, the day comes first: only English has it otherwise, and names it.
        (&[(_, day), (_, month), (4, year)], None) if month <= 12 => Some([year, month, day]),
        (&[(_, month), (_, day), (4, year)], None) => Some([year, month, day]),
        _ => None,
    }
}

/// What comes after the half of the day, if that stands after the time.
fn after<'a>(text: &'a str, half: &mut Option<Half>) -> Option<&'a str> {
    let text = text.trim_matches([' ', ',']);
    // "p. m.", "p.m.", "PM"
    let letters = |it: &str| -> String { it.chars().filter(|it| it.is_alphabetic()).collect() };
    for end in [5, 4, 2, 1] {
        let end = text.char_indices().nth(end).map_or(text.len(), |(at, _)| at);
        let (head, tail) = text.split_at_checked(end)?;
        let is_apart =
            !tail.starts_with(char::is_alphabetic) || !head.ends_with(char::is_alphabetic);
        if let Some(found) = Half::read(&letters(head).to_lowercase()).filter(|_| is_apart) {
            *half = Some(found);
            return Some(tail.trim_matches([' ', ',', '.']));
        }
    }
    Some(text)
}

/// Numbers and words, folded; signs are left out, and what stands between a number and a letter parts them.
fn words(text: &str) -> impl Iterator<Item = String> {
    let (mut all, mut word) = (Vec::new(), String::new());
    for letter in fold(text).chars() {
        let is_digit = letter.is_ascii_digit();
        if !letter.is_alphanumeric() || word.starts_with(|it: char| it.is_ascii_digit()) != is_digit
        {
            all.push(std::mem::take(&mut word));
        }
        if letter.is_alphanumeric() {
            word.push(letter);
        }
    }
    all.push(word);
    all.into_iter().filter(|it| !it.is_empty())
}

fn is_filler(word: &str) -> bool {
    matches!(
        word,
        "a" | "alle"
            | "as"
            | "at"
            | "de"
            | "del"
            | "den"
            | "g"
            | "kl"
            | "klo"
            | "las"
            | "le"
            | "ore"
            | "om"
            | "r"
            | "um"
            | "年"
            | "月"
            | "日"
            | "년"
            | "월"
            | "일"
            | "г"
    )
}

/// How months begin, folded: English, German, French, Spanish, Italian, Portuguese, Dutch, the
/// languages of the north, Polish, Turkish, Russian.
const MONTHS: [&[&str]; 12] = [
    &["jan", "ene", "gen", "sty", "oca", "янв"],
    &["feb", "fev", "lut", "sub", "фев"],
    &["mar", "mrt", "maart", "мар"],
    &["apr", "avr", "abr", "kwi", "nis", "апр"],
    &["may", "mai", "mag", "mei", "maj", "мая", "маи", "май"],
    &["jun", "juin", "giu", "cze", "haz", "июн"],
    &["jul", "juil", "lug", "lip", "tem", "июл"],
    &["aug", "aou", "ago", "sie", "agu", "авг"],
    &["sep", "set", "wrz", "eyl", "сен"],
    &["oct", "okt", "ott", "out", "paz", "eki", "окт"],
    &["nov", "lis", "kas", "ноя"],
    &["dec", "dez", "dic", "des", "gru", "ara", "дек"],
];

fn named_month(word: &str) -> Option<u32> {
    let at = MONTHS.iter().position(|names| names.iter().any(|it| word.starts_with(it)))?;
    u32::try_from(at + 1).ok()
}

#[cfg(test)]
#[path = "date_test.rs"]
mod tests;
