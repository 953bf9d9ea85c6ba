//! [`Days`]: what `date:last_month_start` and its like mean today.

use jiff::{ToSpan, Zoned, civil::Date, tz::TimeZone};

/// What relative dates mean: here, and where the markets are. For a part of the day that is not the
/// same, and either will do.
pub(crate) struct Days(Vec<Date>);

impl Days {
    /// Those of this moment.
    pub(crate) fn now() -> Self {
        let here = Zoned::now();
        let mut days = vec![here.date()];
        if let Ok(offset) = jiff::tz::Offset::from_seconds(5 * 3600 + 1800) {
            days.push(here.with_time_zone(TimeZone::fixed(offset)).date());
        }
        days.dedup();
        Self(days)
    }

    /// Whether `text` is the day, or one of the days, that `symbol` stands for.
    pub(crate) fn matches(&self, symbol: &str, text: &str) -> bool {
        let meant = self.0.iter().filter_map(|today| day(symbol, *today));
        meant.into_iter().any(|it| it.to_string() == text)
    }
}

/// The day that a symbol (`yesterday`, `days_ago:30`, `month:8:start`) stands for.
pub(crate) fn day(symbol: &str, today: Date) -> Option<Date> {
    let mut parts = symbol.split(':');
    let (name, argument) = (parts.next()?, parts.next());
    let back = |from: Date, days: i64| from.checked_sub(days.days()).ok();
    let monday = back(today, i64::from(today.weekday().to_monday_zero_offset()))?;
    let last_month = back(today.first_of_month(), 1)?;
    let last_year = back(today.first_of_year(), 1)?;
    match name {
        "today" => Some(today),
        "yesterday" => back(today, 1),
        "days_ago" => back(today, argument?.parse().ok()?),
        "months_ago" => today.checked_sub(argument?.parse::<i64>().ok()?.months()).ok(),
        "this_week_start" => Some(monday),
        "last_week_start" => back(monday, 7),
        "last_week_friday" => back(monday, 3),
        "last_week_end" => back(monday, 1),
        "this_month_start" => Some(today.first_of_month()),
        "last_month_start" => Some(last_month.first_of_month()),
        "last_month_end" => Some(last_month),
        "this_year_start" => Some(today.first_of_year()),
        "last_year_start" => Some(last_year.first_of_year()),
        "last_year_end" => Some(last_year),
        "month" => {
            // The newest one that has begun.
            let month: i8 = argument?.parse().ok()?;
            let year = today.year() - i16::from(month > today.month());
            let first = Date::new(year, month, 1).ok()?;
            match parts.next()? {
                "start" => Some(first),
                "end" => Some(first.last_of_month()),
                _ => None,
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn words_for_days() {
        let today = "2026-11-15".parse().unwrap();
        let told = |symbol: &str| day(symbol, today).map(|it| it.to_string()).unwrap_or_default();
        for (symbol, wanted) in [
            ("today", "2026-11-15"),
            ("days_ago:30", "2026-10-16"),
            ("months_ago:3", "2026-08-15"),
            ("this_week_start", "2026-11-09"),
            ("last_week_friday", "2026-11-06"),
            ("last_month_start", "2026-10-01"),
            ("last_month_end", "2026-10-31"),
            ("last_year_end", "2025-12-31"),
            ("month:8:end", "2026-08-31"),
            ("month:12:start", "2025-12-01"),
            ("someday", ""),
        ] {
            assert_eq!(told(symbol), wanted, "{symbol}");
        }
    }
}
