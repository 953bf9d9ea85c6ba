//! Days and times of day, in India.

use jiff::civil::{Date, DateTime};

/// As data: `2026-11-13T15:29:59+05:30`.
pub(crate) fn stamp(at: DateTime) -> String {
    format!("{}+05:30", at.strftime("%FT%T"))
}

/// `Fri 13 Nov 2026`.
pub(crate) fn day(date: Date) -> String {
    date.strftime("%a %-d %b %Y").to_string()
}

/// `Fri 13 Nov 2026, 15:29 IST`.
pub(crate) fn minute(at: DateTime) -> String {
    format!("{}, {} IST", day(at.date()), at.strftime("%H:%M"))
}

/// `Fri 13 Nov 2026, 15:29:59 IST`.
pub(crate) fn moment(at: DateTime) -> String {
    format!("{}, {} IST", day(at.date()), at.strftime("%H:%M:%S"))
}
