//! [`Hours`]: when a market trades, and when contracts end.

use jiff::{
    SignedDuration, Timestamp, ToSpan,
    civil::{Date, Time, Weekday, date},
};

use crate::{Segment, in_india, ist};

/// When a market trades.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Hours {
    /// Shares, indices and what derives from them: 09:15 to 15:30.
    Stock,
    /// Commodities: 09:00 to 23:30.
    Commodity,
}

/// Days NSE and BSE were closed on, besides weekends and [`EVERY_YEAR`]: from their circulars.
const HOLIDAYS: &[Date] = &[
    date(2024, 1, 22),
    date(2024, 3, 8),
    date(2024, 3, 25),
    date(2024, 3, 29),
    date(2024, 4, 11),
    date(2024, 4, 17),
    date(2024, 5, 20),
    date(2024, 6, 17),
    date(2024, 7, 17),
    date(2024, 11, 1),
    date(2024, 11, 15),
    date(2025, 2, 26),
    date(2025, 3, 14),
    date(2025, 3, 31),
    date(2025, 4, 10),
    date(2025, 4, 14),
    date(2025, 4, 18),
    date(2025, 8, 27),
    date(2025, 10, 21),
    date(2025, 10, 22),
    date(2025, 11, 5),
    date(2026, 1, 15),
    date(2026, 3, 3),
    date(2026, 3, 26),
    date(2026, 3, 31),
    date(2026, 4, 3),
    date(2026, 4, 14),
    date(2026, 5, 28),
    date(2026, 6, 26),
    date(2026, 9, 14),
    date(2026, 10, 20),
    date(2026, 11, 10),
    date(2026, 11, 24),
];

/// Month and day of what is celebrated each year: Republic Day, Maharashtra Day, Independence Day,
/// Gandhi Jayanti, Christmas.
const EVERY_YEAR: &[(i8, i8)] = &[(1, 26), (5, 1), (8, 15), (10, 2), (12, 25)];

/// The few days on which commodities do not trade in the evening either.
const COMMODITIES_CLOSED: &[(i8, i8)] = &[(1, 26), (10, 2), (12, 25)];

/// Prices change this many times a minute.
pub(super) const STEPS_A_MINUTE: u32 = 4;

/// Seconds from one price to the next.
pub(super) const STEP_SECONDS: u32 = 60 / STEPS_A_MINUTE;

impl Hours {
    /// When a segment trades.
    pub(super) fn of(segment: Segment) -> Self {
        match segment {
            Segment::McxComm | Segment::NseComm => Self::Commodity,
            _ => Self::Stock,
        }
    }

    /// When it opens.
    pub(super) fn open(self) -> Time {
        match self {
            Self::Stock => Time::constant(9, 15, 0, 0),
            Self::Commodity => Time::constant(9, 0, 0, 0),
        }
    }

    /// For how many minutes it is open.
    pub(super) fn minutes(self) -> u32 {
        match self {
            Self::Stock => 375,
            Self::Commodity => 870,
        }
    }

    /// How many prices follow the first.
    pub(super) fn steps(self) -> u32 {
        self.minutes() * STEPS_A_MINUTE
    }

    /// When it opens on a day.
    pub(super) fn opening(self, day: Date) -> Timestamp {
        moment(day, self.open())
    }

    /// When it closes on a day.
    pub(super) fn closing(self, day: Date) -> Timestamp {
        let open = SignedDuration::from_mins(self.minutes().into());
        let opening = self.opening(day);
        opening.saturating_add(open).unwrap_or(opening)
    }

    /// Whether it trades on a day.
    pub(super) fn trades_on(self, day: Date) -> bool {
        let date = (day.month(), day.day());
        let closed = match self {
            Self::Stock => EVERY_YEAR.contains(&date) || HOLIDAYS.contains(&day),
            Self::Commodity => COMMODITIES_CLOSED.contains(&date),
        };
        !closed && !matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday)
    }

    /// The last day before this one on which it traded.
    pub(super) fn day_before(self, day: Date) -> Date {
        let mut day = yesterday(day);
        // A market closed for a fortnight does not exist; the limit is against a wrong table.
        for _ in 0..14 {
            if self.trades_on(day) {
                break;
            }
            day = yesterday(day);
        }
        day
    }

    /// The last day on which it has opened.
    pub(super) fn session(self, now: Timestamp) -> Date {
        let today = in_india(now).date();
        if self.trades_on(today) && now >= self.opening(today) {
            today
        } else {
            self.day_before(today)
        }
    }

    /// How many steps of a day have been made.
    pub(super) fn steps_made(self, day: Date, now: Timestamp) -> u32 {
        let seconds = now.as_second().saturating_sub(self.opening(day).as_second()).max(0);
        u32::try_from(seconds / i64::from(STEP_SECONDS)).unwrap_or(u32::MAX).min(self.steps())
    }

    /// Whether it trades now.
    pub(super) fn is_open(self, now: Timestamp) -> bool {
        let today = in_india(now).date();
        self.trades_on(today) && (self.opening(today)..self.closing(today)).contains(&now)
    }
}

/// The moment a clock in India shows this.
pub(super) fn moment(day: Date, time: Time) -> Timestamp {
    ist().to_timestamp(day.to_datetime(time)).unwrap_or_default()
}

/// Midnight in India, at the beginning of a day.
pub(super) fn midnight(day: Date) -> Timestamp {
    moment(day, Time::midnight())
}

/// Days since 1970.
pub(super) fn count(day: Date) -> i64 {
    (day - date(1970, 1, 1)).get_days().into()
}

/// The day before.
pub(super) fn yesterday(day: Date) -> Date {
    day.yesterday().unwrap_or(day)
}

/// The day after.
pub(super) fn tomorrow(day: Date) -> Date {
    day.tomorrow().unwrap_or(day)
}

/// How often contracts end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cycle {
    /// Each week, and so also each month.
    Weekly,
    /// Each month.
    Monthly,
}

/// The day a contract ends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Expiry {
    /// The day.
    pub(super) date: Date,
    /// Whether it is a month's last.
    pub(super) cycle: Cycle,
}

/// The weekday NSE's contracts end on: Thursday until the end of August 2025, Tuesday since.
pub(super) fn nse_weekday(day: Date) -> Weekday {
    if day < date(2025, 9, 1) { Weekday::Thursday } else { Weekday::Tuesday }
}

/// The next days on which contracts end, from today on: so many of the coming weeks, so many months'
/// last. A holiday moves one to the day before.
pub(super) fn expiries(today: Date, weekday: Weekday, weeks: usize, months: usize) -> Vec<Expiry> {
    let mut found: Vec<Expiry> = Vec::new();
    let mut day = today.checked_sub(7.days()).unwrap_or(today);
    let (mut weeks, mut months) = (weeks, months);
    // A year and a half: no more is ever asked for.
    for _ in 0..550 {
        if weeks == 0 && months == 0 {
            break;
        }
        day = tomorrow(day);
        if day.weekday() != weekday {
            continue;
        }
        let held = if Hours::Stock.trades_on(day) { day } else { Hours::Stock.day_before(day) };
        if held < today {
            continue;
        }
        let last = day.checked_add(7.days()).is_ok_and(|next| next.month() != day.month());
        let cycle = if last { Cycle::Monthly } else { Cycle::Weekly };
        let room = if last { &mut months } else { &mut weeks };
        if *room > 0 {
            *room -= 1;
            found.push(Expiry { date: held, cycle });
        }
    }
    found
}
