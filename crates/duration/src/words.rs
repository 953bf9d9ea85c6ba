//! [`ahead`] and [`ago`]: about how long, for people.

use std::time::Duration;

const SECOND: u128 = 1_000;
const MINUTE: u128 = 60 * SECOND;
const HOUR: u128 = 60 * MINUTE;
const DAY: u128 = 24 * HOUR;

/// A time that is still to come, never said shorter than it is: `250 ms`, `24 s`, `3 min`.
pub fn ahead(time: Duration) -> String {
    match time.as_nanos().div_ceil(1_000_000) {
        0 => "no time".to_owned(),
        millis @ 1..SECOND => format!("{millis} ms"),
        millis => counted(millis, u128::div_ceil),
    }
}

/// A time that is over, never said longer than it is.
pub fn ago(time: Duration) -> String {
    match time.as_millis() {
        0..SECOND => "less than a second".to_owned(),
        millis => counted(millis, |millis, unit| millis / unit),
    }
}

/// At least two of the unit above a second, so that not much is rounded away.
fn counted(millis: u128, in_units: impl Fn(u128, u128) -> u128) -> String {
    let (unit, name) = match millis {
        0..120_000 => (SECOND, "s"),
        120_000..7_200_000 => (MINUTE, "min"),
        7_200_000..172_800_000 => (HOUR, "h"),
        _ => (DAY, "days"),
    };
    format!("{} {name}", in_units(millis, unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_to_come_is_never_said_shorter_and_what_is_over_never_longer() {
        for (millis, to_come, over) in [
            (0, "no time", "less than a second"),
            (250, "250 ms", "less than a second"),
            (1_001, "2 s", "1 s"),
            (119_999, "120 s", "119 s"),
            (120_001, "3 min", "2 min"),
            (7_200_000, "2 h", "2 h"),
            (7_200_001, "3 h", "2 h"),
            (172_800_001, "3 days", "2 days"),
        ] {
            let time = Duration::from_millis(millis);
            assert_eq!((ahead(time).as_str(), ago(time).as_str()), (to_come, over));
        }
        assert_eq!(ahead(Duration::from_nanos(1)), "1 ms");
    }
}
