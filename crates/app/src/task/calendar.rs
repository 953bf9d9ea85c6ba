//! [`Calendar`]: what day it is, and what is meant by the words people use for times.

use std::fmt::Write;

use jiff::{Timestamp, ToSpan, Zoned, civil::Date, tz::TimeZone};

/// What day it is where the user is.
#[derive(Clone, Debug)]
pub(crate) struct Calendar {
    now: Zoned,
}

impl Calendar {
    /// Today, in this time zone, or in the machine's.
    pub(crate) fn now(zone: Option<&TimeZone>) -> Self {
        let zone = zone.cloned().unwrap_or_else(TimeZone::system);
        Self { now: Timestamp::now().to_zoned(zone) }
    }

    /// The day of this moment, in milliseconds since 1970, in this time zone, or in the machine's.
    pub(crate) fn at(moment: u64, zone: Option<&TimeZone>) -> Self {
        let moment = i64::try_from(moment).ok().and_then(|it| Timestamp::from_millisecond(it).ok());
        let zone = zone.cloned().unwrap_or_else(TimeZone::system);
        Self { now: moment.unwrap_or_else(Timestamp::now).to_zoned(zone) }
    }

    /// `2025-01-15`.
    pub(crate) fn date(&self) -> String {
        self.now.date().to_string()
    }

    /// `Europe/Berlin, UTC+01:00`.
    pub(crate) fn time_zone(&self) -> String {
        match self.now.time_zone().iana_name() {
            Some(name) => format!("{name}, UTC{}", self.now.strftime("%:z")),
            None => self.now.strftime("UTC%:z").to_string(),
        }
    }

    /// What day it is, in a sentence.
    pub(crate) fn today(&self) -> String {
        // No time of day: what changes every minute is read anew every minute.
        let day = self.now.strftime("%A, %B %-d, %Y");
        format!("Today is {day} ({}); the time zone is {}.", self.date(), self.time_zone())
    }

    /// What day it is, and what is meant by the words people use for times.
    pub(crate) fn spans(&self) -> String {
        let mut text = self.today();
        text.push_str(" As dates, both ends included:");
        for (words, from, to) in spans(self.now.date()) {
            // Writing to a `String` cannot fail.
            let _ = write!(text, "\n- {words}: {from} to {to}");
        }
        text
    }
}

/// The time zone of this name, as in `Europe/Berlin`.
pub(crate) fn time_zone(name: &str) -> Result<TimeZone, &'static str> {
    TimeZone::get(name.trim())
        .map_err(|_| "there is no such time zone; use a name such as Asia/Kolkata or UTC")
}

fn spans(today: Date) -> [(&'static str, Date, Date); 7] {
    let back = |from: Date, days: i64| from.checked_sub(days.days()).unwrap_or(Date::MIN);
    let monday = back(today, i64::from(today.weekday().to_monday_zero_offset()));
    let first = today.first_of_month();
    let before_first = back(first, 1);
    let new_year = today.first_of_year();
    let last_year = back(new_year, 1);
    [
        ("yesterday", back(today, 1), back(today, 1)),
        ("this week", monday, today),
        ("last week", back(monday, 7), back(monday, 1)),
        ("this month", first, today),
        ("last month", before_first.first_of_month(), before_first),
        ("this year", new_year, today),
        ("last year", last_year.first_of_year(), last_year),
    ]
}

#[cfg(test)]
mod tests {
    use super::{Calendar, spans};

    fn told(today: &str) -> String {
        let spans = spans(today.parse().unwrap());
        spans.map(|(words, from, to)| format!("{words} {from}..{to}")).join("; ")
    }

    #[test]
    fn words_for_times_are_dates() {
        assert_eq!(
            told("2025-01-15"),
            "yesterday 2025-01-14..2025-01-14; this week 2025-01-13..2025-01-15; \
             last week 2025-01-06..2025-01-12; this month 2025-01-01..2025-01-15; \
             last month 2024-12-01..2024-12-31; this year 2025-01-01..2025-01-15; \
             last year 2024-01-01..2024-12-31"
        );
        assert_eq!(
            told("2024-03-31"),
            "yesterday 2024-03-30..2024-03-30; this week 2024-03-25..2024-03-31; \
             last week 2024-03-18..2024-03-24; this month 2024-03-01..2024-03-31; \
             last month 2024-02-01..2024-02-29; this year 2024-01-01..2024-03-31; \
             last year 2023-01-01..2023-12-31"
        );
    }

    #[test]
    fn the_day_is_that_of_the_zone() {
        let text = Calendar { now: "2025-01-01T00:30[Europe/Berlin]".parse().unwrap() }.spans();
        let head = "Today is Wednesday, January 1, 2025 (2025-01-01); the time zone is Europe/Berlin, \
                    UTC+01:00. As dates, both ends included:\n- yesterday: 2024-12-31 to 2024-12-31\n";
        assert!(text.starts_with(head), "{text}");
        let text = Calendar { now: "2025-01-01T00:30-03:30[-03:30]".parse().unwrap() }.spans();
        assert!(text.contains("the time zone is UTC-03:30. As"), "{text}");
    }
}
