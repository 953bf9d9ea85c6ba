//! [`Range`]: which candles are wanted.

use jiff::{
    ToSpan,
    civil::{Date, DateTime, Time},
};
use toolwright_core::ToolError;

use super::arguments;
use crate::Interval;

/// How long each candle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Span {
    Day,
    Minutes(Interval),
}

/// Which candles are wanted: from and to, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) span: Span,
    pub(super) from: DateTime,
    pub(super) to: DateTime,
    /// What to do where nobody said from when.
    pub(super) keep: Keep,
}

/// Which of the candles that were found are given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    All,
    /// Those of the newest day there is: what is meant by today, also on a Sunday.
    NewestDay,
}

/// More candles than this are more than anybody reads or draws.
const MOST: i64 = 10_000;
/// Candles of a day are wanted for a month where nothing is said.
const MONTH: i64 = 30;
/// The newest trading day is at most this long ago: a long weekend.
const WEEKEND: i64 = 5;

impl Span {
    /// `daily`, or minutes.
    pub(super) fn parse(word: &str) -> Result<Self, ToolError> {
        let word = word.trim().to_ascii_lowercase();
        let digits = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
        let (many, unit) = word.split_at_checked(digits).unwrap_or_default();
        let unit = unit.trim_start_matches([' ', '-', '_']);
        // How many of a unit: one where no number stands before it, and minutes where no unit stands behind.
        let many: Option<u32> = if many.is_empty() { Some(1) } else { many.parse().ok() };
        let minutes = match unit.chars().next() {
            Some('d') if many == Some(1) => return Ok(Self::Day),
            None if word.is_empty() => return Ok(Self::Day),
            Some('h') => many.and_then(|it| it.checked_mul(60)),
            None | Some('m') if !unit.starts_with("mo") => many,
            _ => None,
        };
        let minutes = minutes.ok_or_else(|| {
            ToolError::new(format!("`{word}` is no interval: use daily, 1, 5, 15, 25 or 60"))
        })?;
        Interval::try_from(minutes).map(Self::Minutes).map_err(ToolError::new)
    }

    /// As data: `1d`, `5m`.
    pub(super) fn word(self) -> String {
        match self {
            Self::Day => "1d".to_owned(),
            Self::Minutes(interval) => format!("{}m", interval.minutes()),
        }
    }

    /// For people: `daily`, `5-minute`.
    pub(super) fn name(self) -> String {
        match self {
            Self::Day => "daily".to_owned(),
            Self::Minutes(interval) => format!("{}-minute", interval.minutes()),
        }
    }

    /// About how many there are in this many days.
    fn candles(self, days: i64) -> i64 {
        match self {
            Self::Day => days,
            // Five days of a week, six and a quarter hours of each.
            Self::Minutes(it) => days * 5 / 7 * 375 / i64::from(it.minutes()),
        }
    }
}

impl Range {
    /// What was asked for, made whole and checked.
    pub(super) fn new(
        span: Span,
        from: Option<&str>,
        to: Option<&str>,
        now: DateTime,
    ) -> Result<Self, ToolError> {
        let to = match to {
            Some(to) => arguments::moment("to_date", to, END)?,
            None => now.date().to_datetime(END),
        };
        let usual = match span {
            Span::Day => MONTH,
            Span::Minutes(_) => WEEKEND,
        };
        let keep = match (span, from) {
            (Span::Minutes(_), None) => Keep::NewestDay,
            _ => Keep::All,
        };
        let from = match from {
            Some(from) => arguments::moment("from_date", from, Time::midnight())?,
            None => before(to.date(), usual).to_datetime(Time::midnight()),
        };
        let (first, today) = (from.date(), now.date());
        if from > to {
            let (from, to) = (first, to.date());
            return Err(format!("`from_date` {from} is after `to_date` {to}").into());
        }
        if first > today {
            return Err(format!("`from_date` {first} is in the future: it is {today} today").into());
        }
        let range = Self { span, from, to: to.min(today.to_datetime(END)), keep };
        let days = i64::from(range.to.date().since(first).map_or(0, |it| it.get_days())) + 1;
        match span.candles(days) {
            many if many > MOST => Err(format!(
                "these would be about {many} candles: ask for a shorter time or longer candles, at \
                 most {MOST} of them"
            )
            .into()),
            _ => Ok(range),
        }
    }
}

/// The end of a day.
const END: Time = Time::constant(23, 59, 59, 0);

fn before(date: Date, days: i64) -> Date {
    date.checked_sub(days.days()).unwrap_or(Date::MIN)
}

#[cfg(test)]
mod tests {
    use super::{Keep, Range, Span};
    use crate::Interval;

    fn range(span: Span, from: Option<&str>, to: Option<&str>) -> Result<String, String> {
        let now = "2026-11-15 15:00".parse().unwrap();
        match Range::new(span, from, to, now) {
            Ok(Range { from, to, keep, .. }) => Ok(format!("{from} {to} {keep:?}")),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn what_is_left_out_is_filled_in() {
        let five = Span::Minutes(Interval::Five);
        assert_eq!(
            range(Span::Day, None, None).unwrap(),
            "2026-10-16T00:00:00 2026-11-15T23:59:59 All"
        );
        assert_eq!(
            range(five, None, Some("2026-11-10")).unwrap(),
            "2026-11-05T00:00:00 2026-11-10T23:59:59 NewestDay"
        );
        assert_eq!(
            range(five, Some("2026-11-13 09:15"), Some("2030-01-01")).unwrap(),
            "2026-11-13T09:15:00 2026-11-15T23:59:59 All"
        );
        assert_eq!(Keep::All, Keep::All);
    }

    #[test]
    fn what_cannot_be_is_said_to_be_so() {
        let wrong = |from, to| range(Span::Day, from, to).unwrap_err();
        assert_eq!(
            wrong(Some("13/11/2026"), None),
            "`13/11/2026` for `from_date` is no date: write it as YYYY-MM-DD, such as 2026-11-13"
        );
        assert_eq!(
            wrong(Some("2026-11-13"), Some("2026-11-01")),
            "`from_date` 2026-11-13 is after `to_date` 2026-11-01"
        );
        assert_eq!(
            wrong(Some("2027-01-01"), Some("2027-02-01")),
            "`from_date` 2027-01-01 is in the future: it is 2026-11-15 today"
        );
        let many = range(Span::Minutes(Interval::One), Some("2025-11-15"), None).unwrap_err();
        assert!(many.starts_with("these would be about 97875 candles"), "{many}");
    }

    #[test]
    fn intervals_are_words_or_minutes() {
        for (name, words) in [
            ("1d", &["", "daily", "D", "1d", "day", "1 day"][..]),
            ("1m", &["1", "1m", "minute"]),
            ("5m", &["5", "5 min", "5-minute"]),
            ("15m", &["15min", "15 minutes"]),
            ("60m", &["60", "1h", "hour", "Hourly", "1 hour", "1-hour", "60m", "60 minutes"]),
        ] {
            for word in words {
                assert_eq!(Span::parse(word).unwrap().word(), name, "{word}");
            }
        }
        for word in ["30", "weekly", "monthly", "2h", "2 days", "month", "99999999999"] {
            assert!(Span::parse(word).is_err(), "{word}");
        }
    }
}
