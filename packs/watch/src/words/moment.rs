//! [`Style`]: how a time that is past is told.

use jiff::{SpanRelativeTo, Timestamp, Unit, Zoned};

use super::number::counted;

/// How a time that is past is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// How long ago it is.
    Ago,
    /// By its day, once it is more than a week ago: who asks for dates wants to see them.
    Dated,
}

/// A day without its year means the last one there was: in January, December is not a year ago.
const NEAR: i64 = 183;
/// So many seconds a clock may be behind; what is further in the future is told by its day.
const AHEAD: i64 = 600;

/// `2 hours ago`, `yesterday`, `2 weeks ago`; `Dec 5`.
pub(crate) fn when(at: Timestamp, now: &Zoned, style: Style) -> String {
    let then = at.to_zoned(now.time_zone().clone());
    let days = days_between(&then, now);
    let seconds = now.timestamp().as_second().saturating_sub(at.as_second());
    match style {
        // Whoever reads "just now" would take it for the past.
        _ if seconds < -AHEAD => then.strftime("%b %-d, %Y").to_string(),
        Style::Dated if days >= 7 && (days < NEAR || then.year() == now.year()) => {
            then.strftime("%b %-d").to_string()
        }
        Style::Dated if days >= 7 => then.strftime("%b %-d, %Y").to_string(),
        _ => ago(seconds, days),
    }
}

/// `March 5, 2024`.
pub(crate) fn day(at: Timestamp, now: &Zoned) -> String {
    at.to_zoned(now.time_zone().clone()).strftime("%B %-d, %Y").to_string()
}

fn ago(seconds: i64, days: i64) -> String {
    let some = |number: i64, unit| format!("{} ago", counted(number.unsigned_abs(), unit));
    match (seconds, days) {
        // A clock that is behind must not make the past the future.
        (..60, _) => "just now".to_owned(),
        (..3_600, _) => some(seconds / 60, "minute"),
        // A day that has 25 hours is still today at its end.
        (..86_400, _) | (_, ..=0) => some(seconds / 3_600, "hour"),
        (_, 1) => "yesterday".to_owned(),
        (_, ..7) => some(days, "day"),
        (_, ..30) => some(days / 7, "week"),
        _ => some(days / 30, "month"),
    }
}

/// How many midnights lie between.
fn days_between(then: &Zoned, now: &Zoned) -> i64 {
    let between = then.date().until(now.date()).ok();
    let days =
        between.and_then(|it| it.total((Unit::Day, SpanRelativeTo::days_are_24_hours())).ok());
    days.map_or(0, |it| it as i64)
}

#[cfg(test)]
mod tests {
    use jiff::{SignedDuration, Zoned};
    use proptest::prelude::*;

    use super::{Style, day, when};

    fn told(then: &str, now: &str, style: Style) -> String {
        let (then, now): (Zoned, Zoned) = (then.parse().unwrap(), now.parse().unwrap());
        when(then.timestamp(), &now, style)
    }

    fn seconds_ago(seconds: i64) -> String {
        let now: Zoned = "2025-01-15T18:00[UTC]".parse().unwrap();
        let then = now.timestamp() - SignedDuration::from_secs(seconds);
        when(then, &now, Style::Ago)
    }

    #[test]
    fn every_form_of_ago() {
        const H: i64 = 3_600;
        const D: i64 = 24 * H;
        for (seconds, words) in [
            (-500, "just now"),
            (0, "just now"),
            (59, "just now"),
            (60, "1 minute ago"),
            (3_599, "59 minutes ago"),
            (H, "1 hour ago"),
            (2 * H, "2 hours ago"),
            (D - 1, "23 hours ago"),
            (D, "yesterday"),
            (2 * D, "2 days ago"),
            (6 * D, "6 days ago"),
            (7 * D, "1 week ago"),
            (14 * D, "2 weeks ago"),
            (29 * D, "4 weeks ago"),
            (30 * D, "1 month ago"),
            (60 * D, "2 months ago"),
            (800 * D, "26 months ago"),
        ] {
            assert_eq!(seconds_ago(seconds), words, "{seconds}");
        }
    }

    #[test]
    fn what_is_in_the_future_is_told_by_its_day() {
        for style in [Style::Ago, Style::Dated] {
            let told = |then: &str| told(then, "2025-01-15T18:00[Europe/Berlin]", style);
            assert_eq!(told("2025-01-15T18:05[Europe/Berlin]"), "just now");
            assert_eq!(told("2025-01-15T19:00[Europe/Berlin]"), "Jan 15, 2025");
            assert_eq!(told("2025-01-15T23:30[UTC]"), "Jan 16, 2025");
            assert_eq!(told("2031-07-01T12:00[Europe/Berlin]"), "Jul 1, 2031");
        }
    }

    #[test]
    fn yesterday_is_the_day_before_in_the_zone() {
        let now = "2025-01-15T09:00[Europe/Berlin]";
        let ago = |then: &str| told(then, now, Style::Ago);
        assert_eq!(ago("2025-01-14T23:30[Europe/Berlin]"), "9 hours ago");
        assert_eq!(ago("2025-01-14T08:00[Europe/Berlin]"), "yesterday");
        assert_eq!(
            ago("2025-01-13T10:00[Europe/Berlin]"),
            "2 days ago",
            "47 hours are two midnights"
        );
        // The same moment is another day on the other side of the world.
        let then = "2025-01-13T16:00[UTC]";
        assert_eq!(told(then, "2025-01-14T23:00[UTC]", Style::Ago), "yesterday");
        assert_eq!(told(then, "2025-01-15T12:00[Pacific/Auckland]", Style::Ago), "yesterday");
        assert_eq!(told(then, "2025-01-16T00:30[Pacific/Auckland]", Style::Ago), "2 days ago");
    }

    #[test]
    fn days_of_23_and_25_hours_are_days() {
        // Clocks go forward on March 30 and back on October 26.
        let ago = |then: &str, now: &str| {
            told(&format!("{then}[Europe/Berlin]"), &format!("{now}[Europe/Berlin]"), Style::Ago)
        };
        assert_eq!(ago("2025-03-29T12:00", "2025-03-30T12:00"), "23 hours ago");
        assert_eq!(ago("2025-03-29T12:00", "2025-03-30T13:00"), "yesterday");
        assert_eq!(ago("2025-10-26T00:10", "2025-10-26T23:30"), "24 hours ago");
        assert_eq!(ago("2025-10-25T12:00", "2025-10-26T12:00"), "yesterday");
    }

    #[test]
    fn a_dated_time_is_a_day_when_it_is_old() {
        let now = "2025-01-15T12:00[America/New_York]";
        let dated = |then: &str| told(then, now, Style::Dated);
        assert_eq!(dated("2025-01-15T10:00[America/New_York]"), "2 hours ago");
        assert_eq!(dated("2025-01-09T12:00[America/New_York]"), "6 days ago");
        assert_eq!(dated("2025-01-08T12:00[America/New_York]"), "Jan 8");
        assert_eq!(dated("2024-12-05T12:00[America/New_York]"), "Dec 5");
        assert_eq!(dated("2024-06-05T12:00[America/New_York]"), "Jun 5, 2024");
        assert_eq!(dated("2025-01-01T03:00[UTC]"), "Dec 31", "the day it was there");
        let late = "2025-12-30T12:00[America/New_York]";
        assert_eq!(told("2025-01-08T12:00[America/New_York]", late, Style::Dated), "Jan 8");
        let now: Zoned = now.parse().unwrap();
        assert_eq!(day("2023-03-01T02:00Z".parse().unwrap(), &now), "February 28, 2023");
    }

    /// About how many seconds a form means.
    fn meant(words: &str) -> u64 {
        match words {
            "just now" => return 0,
            "yesterday" => return 86_400,
            _ => {}
        }
        let mut parts = words.split(' ');
        let number: u64 = parts.next().unwrap().replace(',', "").parse().unwrap();
        number
            * match parts.next().unwrap().trim_end_matches('s') {
                "minute" => 60,
                "hour" => 3_600,
                "day" => 86_400,
                "week" => 7 * 86_400,
                "month" => 30 * 86_400,
                other => panic!("{other}"),
            }
    }

    proptest! {
        #[test]
        fn what_is_longer_ago_never_reads_nearer(
            now in 1_400_000_000i64..1_900_000_000,
            near in 0i64..100_000_000,
            more in 0i64..100_000_000,
            zone in prop::sample::select(vec!["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"]),
        ) {
            let now = jiff::Timestamp::from_second(now).unwrap().in_tz(zone).unwrap();
            let at = |seconds| now.timestamp() - SignedDuration::from_secs(seconds);
            let one = when(at(near), &now, Style::Ago);
            let two = when(at(near + more), &now, Style::Ago);
            prop_assert!(meant(&one) <= meant(&two), "{} {}", one, two);
        }
    }
}
