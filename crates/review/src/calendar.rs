//! [`Calendar`]: the days and times that the sources mention.
//!
//! An instant (a number of seconds since 1970, a time in UTC) is another day and another hour for
//! every reader. Such a source supports the days it can be somewhere, and every time that differs by
//! whole half hours. A time in another zone is one that somebody already chose to be read so.

use std::collections::HashSet;

use super::{
    moment::{Clock, Date, MINUTES_A_DAY, Moment},
    reckoned::Shift,
};

/// The days and times that the sources mention.
#[derive(Default)]
pub(super) struct Calendar {
    /// Whole dates, and months and days of no year.
    dates: HashSet<Date>,
    years: HashSet<i32>,
    minutes: HashSet<u32>,
    /// The minutes past the half hour of instants.
    drifting: HashSet<u32>,
    /// What `1:45:00` is in seconds, and lengths written in words.
    pub(super) lengths: Vec<f64>,
}

/// Between more days, or more times of day, than this many nearly any length lies.
const FEW: usize = 12;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

impl Calendar {
    /// Whether anything in the sources has a place in time.
    pub(super) fn knows_days(&self) -> bool {
        !self.dates.is_empty()
    }

    pub(super) fn add(&mut self, moment: &Moment) {
        for date in &moment.dates {
            self.add_date(*date);
        }
        let Some(clock) = moment.clock else { return };
        self.lengths.extend(clock.lengths());
        let Some(minute) = clock.minute() else { return };
        self.minutes.insert(minute);
        if may_be_either_half(clock) {
            self.minutes.insert((minute + MINUTES_A_DAY / 2) % MINUTES_A_DAY);
        }
        let days = moment.dates.first().and_then(|it| it.days());
        if let (Some(0), Some(days)) = (moment.zone, days) {
            self.add_instant(days * DAY + i64::from(minute) * MINUTE);
        }
    }

    fn add_date(&mut self, date: Date) {
        self.years.extend(date.year);
        // Every form in which an answer may name it.
        self.dates.insert(date);
        self.dates.insert(Date { day: None, ..date });
    }

    /// Adds a number that may be a moment: seconds or milliseconds since 1970, or `20240105`.
    pub(super) fn add_number(&mut self, value: f64) {
        const SECONDS: std::ops::Range<f64> = 1e9..4.2e9;
        const DIGITS: std::ops::Range<f64> = 19_000_101.0..22_000_101.0;
        let value = value.trunc();
        if DIGITS.contains(&value) {
            let digits = value as i64;
            let (year, month, day) = (digits / 10_000, digits / 100 % 100, digits % 100);
            let date = (u8::try_from(month).ok(), u8::try_from(day).ok());
            if let (Some(month @ 1..=12), Some(day @ 1..=31)) = date {
                self.add_date(Date { year: i32::try_from(year).ok(), month, day: Some(day) });
            }
        }
        if SECONDS.contains(&value) {
            self.add_instant(value as i64);
        } else if SECONDS.contains(&(value / 1e3)) {
            self.add_instant((value / 1e3) as i64);
        }
    }

    fn add_instant(&mut self, seconds: i64) {
        // The westernmost and the easternmost reader, and the one in between.
        for shift in [-12 * HOUR, 0, 14 * HOUR] {
            self.add_date(Date::from_days((seconds + shift).div_euclid(DAY)));
        }
        let minute = seconds.div_euclid(MINUTE).rem_euclid(30);
        self.drifting.extend(u32::try_from(minute));
    }

    pub(super) fn has_year(&self, year: i32) -> bool {
        self.years.contains(&year)
    }

    /// Whether one of the days it may be, or one that is so far from it, and its time are mentioned.
    pub(super) fn supports(&self, moment: &Moment, shifts: &[Shift]) -> bool {
        let has = |it: &Date| self.has_date(*it) || self.reckons(*it, shifts);
        let day = moment.dates.is_empty() || moment.dates.iter().any(has);
        day && moment.clock.is_none_or(|clock| self.has_time(clock))
    }

    fn has_date(&self, date: Date) -> bool {
        let yearless = Date { year: None, ..date };
        match date.year {
            // A source without a year may mean this one.
            Some(_) => {
                self.dates.contains(&date) || (date.day.is_some() && self.dates.contains(&yearless))
            }
            None => {
                let in_year = |year: &i32| Date { year: Some(*year), ..date };
                self.dates.contains(&yearless)
                    || self.years.iter().any(|year| self.dates.contains(&in_year(year)))
            }
        }
    }

    fn reckons(&self, date: Date, shifts: &[Shift]) -> bool {
        let years = || self.years.iter().copied().map(Some);
        let dated = |year: Option<i32>| Date { year, ..date };
        let all: Vec<Date> = match date.year {
            Some(_) => vec![date],
            None => years().take(FEW).map(dated).collect(),
        };
        let mut moved =
            all.iter().flat_map(|it| shifts.iter().flat_map(move |shift| shift.of(*it)));
        moved.any(|it| self.has_date(it))
    }

    /// Whether two of the days, or two of the times of day, that are mentioned are so far apart.
    pub(super) fn spans(&self, seconds: f64) -> bool {
        let apart = |all: &[i64], by: i64| all.iter().any(|it| all.contains(&(it + by)));
        let seconds = seconds.round() as i64;
        let whole = |each: i64| (seconds > 0 && seconds % each == 0).then(|| seconds / each);
        let days: Vec<i64> = self.dates.iter().filter_map(|it| it.days()).take(FEW + 1).collect();
        let minutes = self.minutes.iter().copied().map(i64::from);
        let minutes: Vec<i64> = minutes.take(2 * FEW + 1).collect();
        // From the first day to the last, that one counted or not.
        whole(DAY).is_some_and(|by| {
            days.len() <= FEW && (apart(&days, by) || (by > 1 && apart(&days, by - 1)))
        }) || whole(MINUTE).is_some_and(|by| minutes.len() <= 2 * FEW && apart(&minutes, by))
    }

    /// Whether this minute of the day is mentioned.
    pub(super) fn has_minute(&self, minute: u32) -> bool {
        self.minutes.contains(&minute)
    }

    fn has_time(&self, clock: Clock) -> bool {
        let Some(minute) = clock.minute() else { return false };
        let other = (minute + MINUTES_A_DAY / 2) % MINUTES_A_DAY;
        self.minutes.contains(&minute)
            || (may_be_either_half(clock) && self.minutes.contains(&other))
            || self.drifting.contains(&(minute % 30))
    }
}

/// Whether nothing says which half of the day is meant.
fn may_be_either_half(clock: Clock) -> bool {
    clock.half.is_none() && (1..=12).contains(&clock.first)
}
