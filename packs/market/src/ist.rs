//! Time in India, and when its markets are open.

use jiff::{
    Timestamp,
    civil::{DateTime, Time, Weekday},
    tz::{Offset, TimeZone},
};

use crate::Segment;

/// India's time: five and a half hours ahead of Greenwich, all year.
pub fn ist() -> TimeZone {
    // In range, so it never falls back.
    TimeZone::fixed(Offset::from_seconds(19_800).unwrap_or(Offset::UTC))
}

/// The date and time in India at this moment.
pub fn in_india(moment: Timestamp) -> DateTime {
    ist().to_datetime(moment)
}

/// Whether a market trades.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Session {
    /// It trades.
    Open,
    /// It does not: night, or a weekend. Holidays are not known here.
    Closed,
}

impl Session {
    /// Whether a segment trades at this moment.
    pub fn of(segment: Segment, now: Timestamp) -> Self {
        let now = in_india(now);
        let close = match segment {
            Segment::McxComm | Segment::NseComm => Time::constant(23, 30, 0, 0),
            Segment::NseCurrency | Segment::BseCurrency => Time::constant(17, 0, 0, 0),
            _ => Time::constant(15, 30, 0, 0),
        };
        let open = match segment {
            Segment::McxComm | Segment::NseComm | Segment::NseCurrency | Segment::BseCurrency => {
                Time::constant(9, 0, 0, 0)
            }
            _ => Time::constant(9, 15, 0, 0),
        };
        let weekend = matches!(now.date().weekday(), Weekday::Saturday | Weekday::Sunday);
        if !weekend && now.time() >= open && now.time() < close { Self::Open } else { Self::Closed }
    }
}
