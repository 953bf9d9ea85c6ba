//! [`Days`]: the days that somebody means who says `last month`.
//!
//! Which period is meant is for the model to tell, and when it begins and ends is arithmetic, at which small models are bad. So
//! the words for periods are looked for in what was said, and a day in a call is one on which one of them begins or
//! ends. Where none is found, any day may be written.

use std::{collections::BTreeSet, ops::Range};

use jiff::{
    Span, ToSpan,
    civil::{Date, Weekday},
};

use super::numbers::cardinal;

/// The days that somebody means.
#[derive(Default)]
pub(super) struct Days {
    periods: BTreeSet<Period>,
}

/// Which end of a period a parameter asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    First,
    Last,
    Either,
}

/// The first day and the last one.
type Period = (Date, Date);

impl Days {
    /// Those that a text speaks of, seen from this day.
    pub(super) fn of(text: &str, today: Date) -> Self {
        let text = text.to_lowercase();
        let split = |it: char| !(it.is_alphanumeric() || "-/".contains(it));
        let words: Vec<_> = text.split(split).filter(|it| !it.is_empty() && *it != "of").collect();
        // A part of a month begins on a day that no calendar has.
        let is_part = |pair: &[&str]| match pair {
            [ordinal, unit] => ORDINALS.contains(ordinal) && Unit::of(unit).is_some(),
            _ => false,
        };
        if words.iter().any(|it| VAGUE.contains(it)) || words.windows(2).any(is_part) {
            return Self::default();
        }
        let reader = Reader { today, words: &words };
        let mut periods = BTreeSet::new();
        let mut at = 0;
        while at < words.len() {
            let read = reader.read(at);
            at += read.as_ref().map_or(1, |(length, _)| *length);
            periods.extend(read.into_iter().flat_map(|(_, periods)| periods));
        }
        // What begins there may go on until now.
        if words.iter().any(|it| OPEN.contains(it)) {
            let open = periods.iter().filter(|(first, _)| *first <= today);
            periods.extend(open.map(|(first, _)| (*first, today)).collect::<Vec<_>>());
        }
        Self { periods }
    }

    /// Those that a parameter may be, as JSON; none where nothing was said of days.
    pub(super) fn on(&self, side: Side) -> BTreeSet<String> {
        let ends = self.periods.iter().flat_map(|(first, last)| match side {
            Side::First => vec![first],
            Side::Last => vec![last],
            Side::Either => vec![first, last],
        });
        ends.map(|day| format!("\"{day}\"")).collect()
    }
}

impl Side {
    /// What a parameter's name says: `date_from`, `endDate`.
    pub(super) fn of(name: &str) -> Self {
        let mut spaced = String::new();
        for char in name.chars() {
            if !char.is_lowercase() {
                spaced.push(' ');
            }
            spaced.extend(char.to_lowercase().filter(|it| it.is_alphanumeric()));
        }
        let has = |words: &[&str]| spaced.split(' ').any(|it| words.contains(&it));
        match (has(&["from", "start", "since", "after", "begin", "first"]), has(LAST)) {
            (true, false) => Self::First,
            (false, true) => Self::Last,
            _ => Self::Either,
        }
    }
}

const LAST: &[&str] = &["to", "end", "until", "till", "before", "last"];
/// Words after which a period goes on.
const OPEN: &[&str] = &["since", "from", "after", "ago"];
/// Words for parts of a period.
const VAGUE: &[&str] = &["half", "mid", "early", "late", "few"];
const ORDINALS: &[&str] = &["first", "second", "third", "fourth"];
/// Words before a name that means other things, too: `in may`.
const BEFORE: &[&str] =
    &["in", "since", "from", "to", "until", "till", "during", "last", "this", "on", "and", "for"];
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

/// The years that people speak of.
const YEARS: Range<i16> = 1970..2100;

/// A part of the calendar.
#[derive(Clone, Copy)]
enum Unit {
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

impl Unit {
    fn of(word: &str) -> Option<Self> {
        Some(match word.strip_suffix('s').unwrap_or(word) {
            "day" => Self::Day,
            "week" | "wk" => Self::Week,
            "month" => Self::Month,
            "quarter" => Self::Quarter,
            "year" | "yr" => Self::Year,
            _ => return None,
        })
    }

    fn times(self, count: i32) -> Span {
        match self {
            Self::Day => count.days(),
            Self::Week => count.weeks(),
            Self::Month => count.months(),
            Self::Quarter => count.saturating_mul(3).months(),
            Self::Year => count.years(),
        }
    }

    /// The first day of the one that a day is in.
    fn first(self, day: Date) -> Option<Date> {
        match self {
            Self::Day => Some(day),
            Self::Week => day.checked_sub(day.weekday().to_monday_zero_offset().days()).ok(),
            Self::Month => Some(day.first_of_month()),
            Self::Quarter => Date::new(day.year(), (day.month() - 1) / 3 * 3 + 1, 1).ok(),
            Self::Year => Some(day.first_of_year()),
        }
    }

    /// The one that is this many after the one that a day is in.
    fn after(self, day: Date, count: i32) -> Option<Period> {
        let first = self.first(day)?.checked_add(self.times(count)).ok()?;
        Some((first, first.checked_add(self.times(1)).ok()?.yesterday().ok()?))
    }
}

/// Reads words for periods.
struct Reader<'a> {
    today: Date,
    words: &'a [&'a str],
}

/// How many words were read, and what they mean.
type Read = (usize, Vec<Period>);

impl Reader<'_> {
    fn read(&self, at: usize) -> Option<Read> {
        let words = self.words.get(at..)?;
        let before = at.checked_sub(1).and_then(|it| self.words.get(it)).copied();
        let relative = match before {
            Some("next" | "coming") => None,
            _ => self.relative(words, before),
        };
        relative
            .or_else(|| self.weekday(words, before))
            .or_else(|| self.calendar(words, before))
            .or_else(|| digits(words, self.today, before))
    }

    /// `yesterday`, `last month`, `past 30 days`, `two weeks ago`.
    fn relative(&self, words: &[&str], before: Option<&str>) -> Option<Read> {
        let today = self.today;
        let back = |unit: Unit, count: i32| today.checked_sub(unit.times(count)).ok();
        let day = |length: usize, ago: i32| Some((length, vec![both(back(Unit::Day, ago)?)]));
        match words {
            ["day", "before", "yesterday", ..] => day(3, 2),
            ["today" | "tonight", ..] => day(1, 0),
            ["yesterday", ..] => day(1, 1),
            ["tomorrow", ..] => day(1, -1),
            ["ytd", ..] => Some((1, vec![(today.first_of_year(), today)])),
            ["mtd", ..] => Some((1, vec![(today.first_of_month(), today)])),
            ["last" | "this" | "past", "weekend", ..] => {
                let saturday = Unit::Week.first(today)?.checked_sub(2.days()).ok()?;
                let coming = saturday.checked_add(7.days()).ok()?;
                let all = [saturday, coming].map(|it| it.tomorrow().map(|next| (it, next)));
                let is_last = words.first() != Some(&"this");
                Some((2, all.into_iter().flatten().take(if is_last { 1 } else { 2 }).collect()))
            }
            ["next" | "coming", unit, ..] => Some((2, vec![Unit::of(unit)?.after(today, 1)?])),
            ["this" | "current", unit, ..] => {
                Some((2, vec![(Unit::of(unit)?.first(today)?, today)]))
            }
            ["start" | "beginning", "the" | "this", unit, ..] => {
                Some((3, vec![(Unit::of(unit)?.first(today)?, today)]))
            }
            ["past", unit, ..] if Unit::of(unit).is_some() => {
                Some((2, vec![(back(Unit::of(unit)?, 1)?, today)]))
            }
            ["last" | "previous", unit, ..] if Unit::of(unit).is_some() => {
                let unit = Unit::of(unit)?;
                // `in the last month` may be either.
                let until_now = (before == Some("the")).then(|| Some((back(unit, 1)?, today)));
                Some((2, until_now.flatten().into_iter().chain(unit.after(today, -1)).collect()))
            }
            [count, unit, rest @ ..] => {
                let (unit, count) = (Unit::of(unit)?, counted(count)?);
                let first = back(unit, count)?;
                let ago = rest.first().filter(|it| **it == "ago").map(|_| both(first));
                Some((2, ago.into_iter().chain([(first, today)]).collect()))
            }
            _ => None,
        }
    }

    /// `monday`, `last fri`.
    fn weekday(&self, words: &[&str], before: Option<&str>) -> Option<Read> {
        const ALL: [(Weekday, &str); 7] = [
            (Weekday::Monday, "monday"),
            (Weekday::Tuesday, "tuesday"),
            (Weekday::Wednesday, "wednesday"),
            (Weekday::Thursday, "thursday"),
            (Weekday::Friday, "friday"),
            (Weekday::Saturday, "saturday"),
            (Weekday::Sunday, "sunday"),
        ];
        let word = *words.first()?;
        let (weekday, _) = ALL.into_iter().find(|(_, name)| is_named(word, name, before))?;
        let newest = self.today.nth_weekday(-1, weekday).ok()?;
        let coming = self.today.nth_weekday(1, weekday).ok()?;
        let days = match before {
            Some("next" | "coming") => vec![coming],
            Some("this") => vec![newest, coming],
            Some("last") => vec![newest, newest.checked_sub(7.days()).ok()?],
            _ if self.today.weekday() == weekday => vec![newest, self.today],
            _ => vec![newest],
        };
        Some((1, days.into_iter().map(both).collect()))
    }

    /// `march`, `in may`, `june 2024`, `3rd march`, `nov 5`.
    fn calendar(&self, words: &[&str], before: Option<&str>) -> Option<Read> {
        let month = |word: &str, before: Option<&str>| {
            let at = MONTHS.iter().position(|name| is_named(word, name, before))?;
            i8::try_from(at + 1).ok()
        };
        let in_year = |month: i8, word: Option<&&str>| match word.and_then(|it| year(it)) {
            Some(year) => (year, 1),
            // The newest one that has begun.
            None => (self.today.year() - i16::from(month > self.today.month()), 0),
        };
        let beside_figure = Some("in");
        match words {
            [number, name, rest @ ..] if ordinal(number).is_some() => {
                let month = month(name, beside_figure)?;
                let (year, read) = in_year(month, rest.first());
                Some((2 + read, vec![both(Date::new(year, month, ordinal(number)?).ok()?)]))
            }
            [name, number, rest @ ..] if ordinal(number).is_some() => {
                let month = month(name, beside_figure)?;
                let (year, read) = in_year(month, rest.first());
                Some((2 + read, vec![both(Date::new(year, month, ordinal(number)?).ok()?)]))
            }
            [name, rest @ ..] => {
                let is_dated = rest.first().is_some_and(|it| year(it).is_some());
                let month = month(name, if is_dated { beside_figure } else { before })?;
                let (year, read) = in_year(month, rest.first());
                let first = Date::new(year, month, 1).ok()?;
                Some((1 + read, vec![(first, first.last_of_month())]))
            }
            [] => None,
        }
    }
}

/// `2026-10-01`, `01/10/2026`, `2026-10`, `in 2025`.
fn digits(words: &[&str], today: Date, before: Option<&str>) -> Option<Read> {
    let word = *words.first()?;
    if word.len() == 10
        && let Ok(day) = word.replace('/', "-").parse::<Date>()
    {
        return Some((1, vec![both(day)]));
    }
    let parts: Option<Vec<i16>> = word.split(['-', '/']).map(|it| it.parse().ok()).collect();
    let day = |year: i16, month: i16, day: i16| {
        let year = Some(year).filter(|it| YEARS.contains(it))?;
        Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
    };
    let periods: Vec<_> = match *parts?.as_slice() {
        // Either may be the month.
        [one, other, year] => {
            let days = [day(year, other, one), day(year, one, other)];
            days.into_iter().flatten().map(both).collect()
        }
        [year, month] => {
            day(year, month, 1).map(|it| (it, it.last_of_month())).into_iter().collect()
        }
        [_] if before.is_some_and(|it| BEFORE.contains(&it) || it == "year") => {
            let first = day(year(word)?, 1, 1)?;
            vec![(first, first.last_of_year().min(today.max(first)))]
        }
        _ => Vec::new(),
    };
    (!periods.is_empty()).then_some((1, periods))
}

fn both(day: Date) -> Period {
    (day, day)
}

/// Whether a word is a name of the calendar, whole or its beginning. What may be another word needs one before it that
/// speaks of time.
fn is_named(word: &str, name: &str, before: Option<&str>) -> bool {
    let is_short = word.len() >= 3 && name.starts_with(word) && (word.len() <= 4 || word == name);
    let is_plain = word == name && !matches!(word, "march" | "may");
    is_plain || (is_short && before.is_some_and(|it| BEFORE.contains(&it)))
}

/// `3`, `3rd`.
fn ordinal(word: &str) -> Option<i8> {
    let endings = ["st", "nd", "rd", "th"].into_iter();
    let figures = endings.filter_map(|it| word.strip_suffix(it)).next().unwrap_or(word);
    figures.parse().ok().filter(|it| (1..=31).contains(it))
}

fn year(word: &str) -> Option<i16> {
    word.parse().ok().filter(|it| YEARS.contains(it))
}

/// How many: `30`, `two`, `a`.
fn counted(word: &str) -> Option<i32> {
    let count = match word {
        "a" | "an" => Some(1),
        _ => word.parse().ok().or_else(|| cardinal(word)),
    };
    count.and_then(|it: u32| i32::try_from(it).ok()).filter(|it| (1..=3_660).contains(it))
}

#[cfg(test)]
mod tests {
    use super::{Days, Side};

    #[test]
    fn words_for_periods() {
        // A Wednesday.
        let today = "2026-11-18".parse().unwrap();
        let said = |text: &str| {
            let days = Days::of(text, today);
            let told = |side| days.on(side).into_iter().collect::<Vec<_>>().join(" ");
            format!("{} | {}", told(Side::First), told(Side::Last)).replace('"', "")
        };
        for (text, wanted) in [
            ("Python tutorials from last week?", "2026-11-09 | 2026-11-15 2026-11-18"),
            ("what did I watch last week", "2026-11-09 | 2026-11-15"),
            ("this week", "2026-11-16 | 2026-11-18"),
            ("TCS for last month", "2026-10-01 | 2026-10-31"),
            ("over the last month", "2026-10-01 2026-10-18 | 2026-10-31 2026-11-18"),
            ("the past 30 days", "2026-10-19 | 2026-11-18"),
            ("last two weeks", "2026-11-04 | 2026-11-18"),
            ("3 days ago", "2026-11-15 | 2026-11-15 2026-11-18"),
            ("a month ago", "2026-10-18 | 2026-10-18 2026-11-18"),
            ("last quarter", "2026-07-01 | 2026-09-30"),
            ("since the start of the year", "2026-01-01 | 2026-11-18"),
            (
                "yesterday and the day before yesterday",
                "2026-11-16 2026-11-17 | 2026-11-16 2026-11-17",
            ),
            ("on Monday", "2026-11-16 | 2026-11-16"),
            ("last fri", "2026-11-06 2026-11-13 | 2026-11-06 2026-11-13"),
            ("next friday", "2026-11-20 | 2026-11-20"),
            ("last weekend", "2026-11-14 | 2026-11-15"),
            ("in August", "2026-08-01 | 2026-08-31"),
            ("in December", "2025-12-01 | 2025-12-31"),
            ("in may", "2026-05-01 | 2026-05-31"),
            ("since June 2024", "2024-06-01 | 2024-06-30 2026-11-18"),
            ("3rd of March", "2026-03-03 | 2026-03-03"),
            ("Nov 5 to nov 9", "2026-11-05 2026-11-09 | 2026-11-05 2026-11-09"),
            ("in 2024", "2024-01-01 | 2024-12-31"),
            ("in 2026", "2026-01-01 | 2026-11-18"),
            ("2026-10-03", "2026-10-03 | 2026-10-03"),
            ("03/04/2026", "2026-03-04 2026-04-03 | 2026-03-04 2026-04-03"),
            // What speaks of no period, or of a part of one.
            ("May I see the first two videos?", " | "),
            ("march on", " | "),
            ("NIFTY 24000 CE", " | "),
            ("the first half of March", " | "),
            ("in the sun", " | "),
            ("the second week of March", " | "),
            ("10-12 videos, 20261001", " | "),
        ] {
            assert_eq!(said(text), wanted, "{text}");
        }
    }

    #[test]
    fn names_of_parameters_tell_the_side() {
        for (name, side) in [
            ("date_from", Side::First),
            ("startDate", Side::First),
            ("since", Side::First),
            ("to_date", Side::Last),
            ("endDate", Side::Last),
            ("expiry", Side::Either),
            ("total", Side::Either),
        ] {
            assert_eq!(Side::of(name), side, "{name}");
        }
    }
}
