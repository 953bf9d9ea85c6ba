//! [`Date`] and [`Clock`]: the days and the times of day that texts mention, in the forms people
//! and programs write them.

/// A day, as far as it is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Date {
    pub(super) year: Option<i32>,
    pub(super) month: u8,
    pub(super) day: Option<u8>,
}

/// A time of day, or a length in the same form: `9:15 PM`, `1:45:00`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clock {
    pub(super) first: u32,
    pub(super) second: u32,
    pub(super) third: Option<u32>,
    pub(super) half: Option<Half>,
}

/// Which half of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Half {
    Am,
    Pm,
}

/// A day, a time, or both, as one mention.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Moment {
    /// Every day it may be: `05/01/2024` is one of two.
    pub(super) dates: Vec<Date>,
    pub(super) clock: Option<Clock>,
    /// Minutes east of UTC, where that is said.
    pub(super) zone: Option<i32>,
}

pub(super) const MINUTES_A_DAY: u32 = 24 * 60;

impl Date {
    fn new(year: Option<u32>, month: u32, day: u32) -> Option<Self> {
        let exists = (1..=12).contains(&month) && (1..=31).contains(&day);
        let year = year.map(|year| if year < 100 { 2000 + year } else { year });
        exists.then_some(Self {
            year: year.map(u32::cast_signed),
            month: u8::try_from(month).ok()?,
            day: Some(u8::try_from(day).ok()?),
        })
    }

    /// The day that began this many days after the first of 1970.
    pub(super) fn from_days(days: i64) -> Self {
        // Counted from the first of March 0000, so that a leap day is the last of its year.
        let days = days + 719_468;
        let era = days.div_euclid(146_097);
        let of_era = days.rem_euclid(146_097);
        let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = year + era * 400 + i64::from(month <= 2);
        Self {
            year: i32::try_from(year).ok(),
            month: u8::try_from(month).unwrap_or(1),
            day: u8::try_from(day).ok(),
        }
    }

    /// How many days it is after the first of 1970, where it is a whole date.
    pub(super) fn days(self) -> Option<i64> {
        let (month, day) = (i64::from(self.month), i64::from(self.day?));
        let year = i64::from(self.year?) - i64::from(month <= 2);
        let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
        let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        Some(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
    }
}

impl Clock {
    /// The minute of the day, where it can be a time of day.
    pub(super) fn minute(self) -> Option<u32> {
        let hour = match (self.half, self.first) {
            (None, hour @ 0..=23) => hour,
            (Some(Half::Am), hour @ 1..=12) => hour % 12,
            (Some(Half::Pm), hour @ 1..=12) => hour % 12 + 12,
            _ => return None,
        };
        (self.second < 60).then_some(hour * 60 + self.second)
    }

    /// The seconds it may be as a length: `3:25` is minutes and seconds, or hours and minutes.
    pub(super) fn lengths(self) -> Vec<f64> {
        let (a, b) = (f64::from(self.first), f64::from(self.second));
        match self.third {
            Some(c) => vec![a * 3_600.0 + b * 60.0 + f64::from(c)],
            None => vec![a * 60.0 + b, a * 3_600.0 + b * 60.0],
        }
    }
}

/// The moment written in figures at the start of `text`, and how long it is written:
/// `2024-01-05T09:15:00+05:30`, `05/01/2024`, `9:15 AM`, `9am`.
pub(super) fn in_figures(text: &str) -> Option<(Moment, usize)> {
    let Some((dates, length)) = numeric_date(text).or_else(|| marked_date(text)) else {
        let (clock, length) = clock(text)?;
        return Some((Moment { clock: Some(clock), ..Moment::default() }, length));
    };
    let rest = text.get(length..)?;
    let gap = if rest.starts_with(['T', 't', ' ']) { 1 } else { 0 };
    // A day and an hour stand together in one mention only where a colon tells the hour.
    let time = rest.get(gap..).filter(|_| gap > 0).and_then(clock);
    let Some((clock, time_length)) = time.filter(|(_, length)| *length >= "9:15".len()) else {
        return ends(rest).then_some((Moment { dates, ..Moment::default() }, length));
    };
    let length = length + gap + time_length;
    let (zone, zone_length) = zone(text.get(length..)?).unzip();
    let moment = Moment { dates, clock: Some(clock), zone };
    Some((moment, length + zone_length.unwrap_or(0)))
}

/// Whether no letter or digit follows.
fn ends(rest: &str) -> bool {
    let mut chars = rest.chars();
    match chars.next() {
        Some('-' | '/' | '.' | ':' | '_') => !chars.next().is_some_and(|c| c.is_ascii_digit()),
        Some(c) => !c.is_ascii_alphanumeric(),
        None => true,
    }
}

/// Takes one to `most` digits off the start.
fn digits(text: &str, most: usize) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    if end > most {
        return None;
    }
    Some((text.get(..end)?.parse().ok()?, text.get(end..)?))
}

/// `2024-01-05`, `2024/1/5`, `05/01/2024`, `5.1.24`, `2024-01`: the days it may be.
fn numeric_date(text: &str) -> Option<(Vec<Date>, usize)> {
    let (a, rest) = digits(text, 4)?;
    let year_first = text.len() - rest.len() == 4;
    let separator = rest.chars().next().filter(|c| matches!(c, '-' | '/' | '.'))?;
    let (b, rest) = digits(rest.strip_prefix(separator)?, 2)?;
    let third = rest.strip_prefix(separator).and_then(|rest| digits(rest, 4));
    let Some((c, rest)) = third else {
        let month = Date::new(Some(a), b, 1).map(|date| Date { day: None, ..date })?;
        let is_month = year_first && (1900..2200).contains(&a) && separator == '-' && ends(rest);
        // `2023-24` is a season, not a month.
        let padded = rest.len() + "2024-01".len() == text.len();
        return (is_month && padded).then_some((vec![month], text.len() - rest.len()));
    };
    let length = text.len() - rest.len();
    let last = text.get(..length)?.rsplit(separator).next()?.len();
    let dates: Vec<Date> = match (year_first, last) {
        (true, 1 | 2) => Date::new(Some(a), b, c).into_iter().collect(),
        (false, 4) | (false, 2) if a < 100 => {
            // Either order: nobody can tell which the writer meant.
            let (day_first, month_first) = (Date::new(Some(c), b, a), Date::new(Some(c), a, b));
            let other = month_first.filter(|it| Some(*it) != day_first);
            day_first.into_iter().chain(other).collect()
        }
        _ => Vec::new(),
    };
    (!dates.is_empty()).then_some((dates, length))
}

/// `2026年10月31日`, `10月31日`, `2026年10月`: the days it may be.
fn marked_date(text: &str) -> Option<(Vec<Date>, usize)> {
    let marked = |text: &'_ str, marks: &[char], most: usize| -> Option<(u32, usize)> {
        let solid = text.trim_start_matches(' ');
        let (value, rest) = digits(solid, most)?;
        let rest = rest.trim_start_matches(' ').strip_prefix(marks)?;
        Some((value, text.len() - rest.len()))
    };
    let (year, from) = marked(text, &['年'], 4).unzip();
    let from = from.unwrap_or(0);
    let (month, length) = marked(text.get(from..)?, &['月'], 2)?;
    let end = from + length;
    let day = marked(text.get(end..)?, &['日', '号', '號'], 2);
    let date = Date::new(year, month, day.map_or(1, |(day, _)| day))?;
    match (year, day) {
        (_, Some((_, length))) => Some((vec![date], end + length)),
        (Some(_), None) => Some((vec![Date { day: None, ..date }], end)),
        // A number of months, perhaps.
        (None, None) => None,
    }
}

/// What follows an hour that is marked by a word: `15 Uhr 30`, `15h30`, `15時30分`. The minutes, and how
/// long that is written.
fn marked_minutes(rest: &str) -> Option<(u32, usize)> {
    let solid = rest.trim_start_matches(super::unit::is_space);
    let clock = [" Uhr", " uur"].iter().find_map(|it| rest.strip_prefix(it));
    let ideograph = ["時", "时", "點", "点"].iter().find_map(|it| solid.strip_prefix(it));
    // Hours may be a length, which has a name of its own.
    let ideograph = ideograph.filter(|it| !it.starts_with(['間', '间']));
    let letter = solid.strip_prefix(['h', 'H']);
    let after = clock.or(ideograph).or(letter)?;
    let minutes = after.trim_start_matches(super::unit::is_space);
    let told = digits(minutes, 2).filter(|(it, end)| {
        *it < 60 && minutes.len() - end.len() == 2 && !end.starts_with(char::is_alphabetic)
    });
    let told = told.filter(|(_, end)| !end.trim_start_matches(' ').starts_with("min"));
    let of_mark = digits(minutes, 2).and_then(|(it, end)| Some((it, end.strip_prefix('分')?)));
    match of_mark.or(told) {
        Some((minute, end)) => Some((minute, rest.len() - end.len())),
        None if letter.is_none() && !after.starts_with(char::is_alphanumeric)
            || ideograph.is_some() =>
        {
            Some((0, rest.len() - after.len()))
        }
        None => None,
    }
}

/// `9:15`, `09:15:30.250`, `9:15 PM`, `9am`, `9 a.m.`.
fn clock(text: &str) -> Option<(Clock, usize)> {
    let (first, rest) = digits(text, 3)?;
    let two = |rest: &'_ str| -> Option<(u32, usize)> {
        let rest = rest.strip_prefix(':')?;
        let (value, after) = digits(rest, 2)?;
        (rest.len() - after.len() == 2 && value < 60).then_some((value, 3))
    };
    let marked = || marked_minutes(rest).filter(|_| first < 24);
    if let Some((second, length)) = marked() {
        let clock = Clock { first, second, third: None, half: None };
        return Some((clock, text.len() - rest.len() + length));
    }
    let Some((second, taken)) = two(rest) else {
        let (half, length) = half(rest)?;
        let clock = Clock { first, second: 0, third: None, half: Some(half) };
        return Some((clock, text.len() - rest.len() + length)).filter(|_| first <= 12);
    };
    let rest = rest.get(taken..)?;
    let third = two(rest);
    let rest = rest.get(third.map_or(0, |(_, taken)| taken)..)?;
    let fraction = rest.strip_prefix('.').filter(|_| third.is_some()).map_or(0, |it| {
        let end = it.find(|c: char| !c.is_ascii_digit()).unwrap_or(it.len());
        if end == 0 { 0 } else { end + 1 }
    });
    let rest = rest.get(fraction..)?;
    if rest.starts_with(':') && rest.chars().nth(1).is_some_and(|c| c.is_ascii_digit()) {
        return None;
    }
    let (half, taken) = half(rest).unzip();
    let clock = Clock { first, second, third: third.map(|(it, _)| it), half };
    Some((clock, text.len() - rest.len() + taken.unwrap_or(0)))
}

/// ` AM`, `pm`, ` p.m.`
fn half(text: &str) -> Option<(Half, usize)> {
    let solid = text.trim_start_matches(super::unit::is_space);
    let gap = text.len() - solid.len();
    let lower = solid.get(..solid.len().min(4)).map(str::to_ascii_lowercase).or_else(|| {
        // The fourth byte may lie inside a letter; a short form ends before it.
        solid.get(..2).map(str::to_ascii_lowercase)
    })?;
    let forms = [("a.m.", Half::Am), ("p.m.", Half::Pm), ("am", Half::Am), ("pm", Half::Pm)];
    let (form, half) = forms.into_iter().find(|(form, _)| lower.starts_with(form))?;
    let after = solid.get(form.len()..)?;
    let whole = !after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '\'' | '’'));
    (whole && gap <= 3).then_some((half, gap + form.len()))
}

/// `Z`, `+05:30`, `-0800`: minutes east of UTC.
fn zone(text: &str) -> Option<(i32, usize)> {
    if text.starts_with(['Z', 'z']) {
        return Some((0, 1));
    }
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let rest = text.strip_prefix(['+', '-'])?;
    let hours: i32 = rest.get(..2)?.parse().ok()?;
    let colon = usize::from(rest.get(2..)?.starts_with(':'));
    let minutes: i32 = rest.get(2 + colon..4 + colon)?.parse().ok()?;
    (hours <= 14).then_some((sign * (hours * 60 + minutes), 1 + 4 + colon))
}
