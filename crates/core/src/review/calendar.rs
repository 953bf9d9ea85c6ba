//! [`Calendar`]: the days and times that the sources mention.
//!
//! An instant (a number of seconds since 1970, a time in UTC) is another day and another hour for
//! every reader. Such a source supports the days it can be somewhere, and every time that differs by
//! whole half hours. A time in another zone is one that somebody already chose to be read so.

use std::collections::HashSet;

use super::moment::{Clock, Date, MINUTES_A_DAY, Moment};

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

    /// Whether one of the days it may be, and its time, are mentioned.
    pub(super) fn supports(&self, moment: &Moment) -> bool {
        let day = moment.dates.is_empty() || moment.dates.iter().any(|it| self.has_date(*it));
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
