//! [`read`]: dates as HTML exports write them, in words of the account's language, in its time zone.

use jiff::{Timestamp, civil::DateTime, tz::Offset};

use super::{
    dating::{Local, Moment},
    tokens::{Kind, Token, clean, tokens},
    words::{Half, Languages, Locales, Words},
    zone::Zone,
};

/// A month's name, or half of the day, has so many words at most.
const LONGEST: usize = 3;
/// Years of the Buddhist calendar, which Thai may count in, are ahead by so many.
const BUDDHIST: u32 = 543;
const LAST_YEAR: u32 = 2400;

/// The moment a text tells, if it tells one; without its zone, where that is only named. What a word means may
/// depend on the language.
pub(super) fn read(text: &str, languages: &mut Languages) -> Option<Moment> {
    if let Ok(moment) = text.trim().parse::<Timestamp>() {
        return Some(Moment::Exact(moment));
    }
    let text = &clean(text);
    let tokens = tokens(text)?;
    let time = Time::find(&tokens)?;
    let (before, after) = (tokens.get(..time.begin)?, tokens.get(time.end..)?);
    let mut half = None;
    let (date, told) = if before.iter().any(is_number) {
        (before, text.get(zone_start(after, &mut half).unwrap_or(text.len())..)?)
    } else {
        // Vietnamese writes the time first.
        let from = date_start(after)?;
        let (zone, date) = after.split_at_checked(from)?;
        let start = zone_start(zone, &mut half);
        let end = date.first()?.start;
        (date, start.and_then(|start| text.get(start..end)).unwrap_or_default())
    };
    let Date { year, month, day, locales } = Date::read(date, before, &mut half, languages)?;
    let hour = match half {
        Some(half) => hour_of(half, time.hour)?,
        None => time.hour,
    };
    let moment = DateTime::new(
        i16::try_from(year).ok()?,
        i8::try_from(month).ok()?,
        i8::try_from(day).ok()?,
        i8::try_from(hour).ok()?,
        i8::try_from(time.minute).ok()?,
        i8::try_from(time.second).ok()?,
        0,
    );
    let at = moment.ok()?;
    let moment = match Zone::read(told)? {
        Zone::Offset(minutes) => {
            Moment::Exact(Offset::from_seconds(minutes * 60).ok()?.to_timestamp(at).ok()?)
        }
        Zone::Name(zone) => Moment::Local(Local { at, zone }),
    };
    languages.note(locales);
    for token in &tokens {
        if let Kind::Word(word) = &token.kind {
            languages.note_word(word);
        }
    }
    Some(moment)
}

fn hour_of(half: Half, hour: u32) -> Option<u32> {
    let later = if half == Half::Afternoon { 12 } else { 0 };
    (1..=12).contains(&hour).then_some(hour % 12 + later)
}

fn is_number(token: &Token) -> bool {
    matches!(token.kind, Kind::Number(..))
}

/// A time of day, and where it stands.
struct Time {
    begin: usize,
    end: usize,
    hour: u32,
    minute: u32,
    second: u32,
}

impl Time {
    fn find(tokens: &[Token]) -> Option<Self> {
        let at = |sign: char| (0..tokens.len()).find_map(|begin| Self::signed(tokens, begin, sign));
        // A date may have dots, too: with colons a time is one for sure.
        at(':')
            .or_else(|| at('.'))
            .or_else(|| (0..tokens.len()).find_map(|it| Self::worded(tokens, it)))
    }

    /// `7:15:30`, `07.15.30`, and `7:15`.
    fn signed(tokens: &[Token], begin: usize, sign: char) -> Option<Self> {
        let token = |at: usize| tokens.get(begin + at);
        let is_sign =
            |at: usize| token(at).is_some_and(|it| it.is_glued && it.kind == Kind::Sign(sign));
        let figures = |at: usize| match token(at)?.kind {
            Kind::Number(number, figures) if at == 0 && figures <= 2 => Some(number),
            Kind::Number(number, 2) if token(at)?.is_glued => Some(number),
            _ => None,
        };
        // What comes after a sign is an offset from Greenwich.
        let is_offset = begin.checked_sub(1).and_then(|it| tokens.get(it)).is_some_and(|it| {
            token(0).is_some_and(|it| it.is_glued)
                && matches!(it.kind, Kind::Sign('+' | '-' | '\u{2212}'))
        });
        let (hour, minute) = (figures(0)?, figures(2).filter(|_| is_sign(1))?);
        let second = figures(4).filter(|_| is_sign(3));
        let length = if second.is_some() { 5 } else { 3 };
        let goes_on = is_sign(length) && token(length + 1).is_some_and(is_number);
        if is_offset || goes_on || (sign == '.' && second.is_none()) {
            return None;
        }
        Some(Self { begin, end: begin + length, hour, minute, second: second.unwrap_or(0) })
    }

    /// `07 h 15 min 30 s`, as in Canada.
    fn worded(tokens: &[Token], begin: usize) -> Option<Self> {
        let number =
            |at: usize, unit: &str| match (tokens.get(begin + at), tokens.get(begin + at + 1)) {
                (
                    Some(Token { kind: Kind::Number(number, 1..=2), .. }),
                    Some(Token { kind: Kind::Word(word), .. }),
                ) if word == unit => Some(*number),
                _ => None,
            };
        let (hour, minute) = (number(0, "h")?, number(2, "min")?);
        let second = number(4, "s");
        let end = begin + if second.is_some() { 6 } else { 4 };
        Some(Self { begin, end, hour, minute, second: second.unwrap_or(0) })
    }
}

/// Where what is said of the zone begins, behind the half of the day and what only fills.
fn zone_start(tokens: &[Token], half: &mut Option<Half>) -> Option<usize> {
    let mut at = 0;
    loop {
        let token = tokens.get(at)?;
        match &token.kind {
            Kind::Sign('+' | '-' | '\u{2212}' | '[') | Kind::Number(..) => {
                return Some(token.start);
            }
            Kind::Sign(_) => at += 1,
            Kind::Word(_) => {
                let found = phrases(tokens.get(at..)?).find_map(|(words, length)| {
                    let meanings = Words::get().meanings(&words)?;
                    (meanings.half.is_some() || meanings.is_filling)
                        .then_some((meanings.half, length))
                });
                let Some((found, length)) = found else { return Some(token.start) };
                *half = half.or(found);
                at += length;
            }
        }
    }
}

/// Where a date begins that stands behind its time: at the first number that is no offset.
fn date_start(tokens: &[Token]) -> Option<usize> {
    (0..tokens.len()).find(|at| {
        let before = at.checked_sub(1).and_then(|it| tokens.get(it)).map(|it| &it.kind);
        tokens.get(*at).is_some_and(is_number)
            && !matches!(before, Some(Kind::Sign('+' | '-' | '\u{2212}' | ':')))
    })
}

/// The words that a text begins with, the most first, each with how many tokens they are.
fn phrases(tokens: &[Token]) -> impl Iterator<Item = (String, usize)> {
    let (mut phrase, mut found) = (String::new(), Vec::new());
    for (token, length) in tokens.iter().zip(1..) {
        match &token.kind {
            Kind::Word(word) => {
                if !phrase.is_empty() {
                    phrase.push(' ');
                }
                phrase.push_str(word);
                found.push((phrase.clone(), length));
            }
            // "p. m.", "ก.พ."
            Kind::Sign('.' | '\u{970}') if !phrase.is_empty() => {}
            _ => break,
        }
        if found.len() == LONGEST {
            break;
        }
    }
    found.into_iter().rev()
}

/// A day.
struct Date {
    year: u32,
    month: u32,
    day: u32,
    /// Who writes it like this; none where anybody may.
    locales: Locales,
}

type Months = Vec<(u32, Locales)>;

impl Date {
    /// The half of the day stands there too, in some languages.
    fn read(
        tokens: &[Token],
        before: &[Token],
        half: &mut Option<Half>,
        languages: &Languages,
    ) -> Option<Self> {
        let (mut numbers, mut months, mut is_ordinal) = (Vec::new(), None, false);
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            match &token.kind {
                Kind::Sign(_) => at += 1,
                Kind::Number(number, figures) => {
                    let next = tokens.get(at + 1);
                    let is_dotted =
                        next.is_some_and(|it| it.is_glued && it.kind == Kind::Sign('.'));
                    is_ordinal |= is_dotted && *figures <= 2;
                    numbers.push((*figures, *number));
                    at += 1;
                }
                Kind::Word(_) => at += word(tokens.get(at..)?, half, &mut months)?,
            }
        }
        // The half of the day may stand before a time that comes first.
        if !before.iter().any(is_number) {
            zone_start(before, half);
        }
        let ordinal = Words::get().ordinal;
        let fitting = if is_ordinal { ordinal } else { !ordinal };
        let month = months.map(|it| likeliest(&it, fitting, languages));
        let (year, month, day) = match (numbers.as_slice(), month) {
            (&[(4, year), (_, day)] | &[(_, day), (4, year)], Some(month)) => (year, month, day),
            (&[(4, year), (_, month), (_, day)], None) => (year, (month, 0), day),
            // Where the month is a number, the day comes first: only English has it otherwise, and names it.
            (&[(_, day), (_, month), (4, year)], None) if month <= 12 => (year, (month, 0), day),
            (&[(_, month), (_, day), (4, year)], None) => (year, (month, 0), day),
            _ => return None,
        };
        let year = if year > LAST_YEAR { year - BUDDHIST } else { year };
        Some(Self { year, month: month.0, day, locales: month.1 })
    }
}

/// Reads the words that tokens begin with, and says how many tokens they are.
fn word(tokens: &[Token], half: &mut Option<Half>, months: &mut Option<Months>) -> Option<usize> {
    for (words, length) in phrases(tokens) {
        let Some(meanings) = Words::get().meanings(&words) else { continue };
        let named = [&meanings.months, &meanings.names].into_iter().find(|it| !it.is_empty());
        if let Some(named) = named.filter(|_| months.is_none()) {
            *months = Some(named.clone());
            return Some(length);
        }
        if meanings.half.is_some() {
            *half = meanings.half;
            return Some(length);
        }
        if meanings.is_filling {
            return Some(length);
        }
    }
    let (first, length) = phrases(tokens).last()?;
    let like = Words::get().like(&first);
    if like.is_empty() || months.is_some() {
        return None;
    }
    *months = Some(like);
    Some(length)
}

/// Which month a word means that names one here and another there, and where it does. `fitting` are those who
/// write the day as it is written.
fn likeliest(months: &Months, fitting: Locales, languages: &Languages) -> (u32, Locales) {
    let best = months
        .iter()
        .rev()
        .max_by_key(|(_, locales)| (languages.likelihood(*locales), locales & fitting != 0));
    let (month, locales) = best.copied().unwrap_or_default();
    // What is written everywhere says nothing of where.
    (month, if months.len() == 1 { locales } else { 0 })
}

#[cfg(test)]
#[path = "date_test.rs"]
mod tests;
