//! Lengths of time.

use super::number::{count, counted};

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;

/// As a player shows it: `0:45`, `15:30`, `1:00:00`.
pub(crate) fn clock(seconds: u32) -> String {
    let seconds = u64::from(seconds);
    let (hours, minutes, rest) = (seconds / HOUR, seconds / MINUTE % 60, seconds % MINUTE);
    match hours {
        0 => format!("{minutes}:{rest:02}"),
        _ => format!("{hours}:{minutes:02}:{rest:02}"),
    }
}

/// How long a video is: `45 seconds`, `15 minutes`, `1 hour and 5 minutes`. What is left over is dropped.
pub(crate) fn length(seconds: u64) -> String {
    let (hours, minutes) = (seconds / HOUR, seconds / MINUTE % 60);
    match (hours, minutes) {
        (0, 0) => counted(seconds, "second"),
        (0, _) => counted(minutes, "minute"),
        (_, 0) => counted(hours, "hour"),
        _ => format!("{} and {}", counted(hours, "hour"), counted(minutes, "minute")),
    }
}

/// An average: `45 seconds`, `13 minutes`, `1.5 hours`.
pub(crate) fn average(seconds: f64) -> String {
    let seconds = seconds.max(0.0).round() as u64;
    match seconds {
        ..MINUTE => counted(seconds, "second"),
        MINUTE..HOUR => counted((seconds + MINUTE / 2) / MINUTE, "minute"),
        _ => tenths(seconds),
    }
}

/// A sum: `40 minutes`, `2.5 hours`, `245 hours`.
pub(crate) fn total(seconds: u64) -> String {
    match seconds {
        ..HOUR => average(seconds as f64),
        _ if seconds < 10 * HOUR => tenths(seconds),
        _ => format!("{} hours", count(seconds.saturating_add(HOUR / 2) / HOUR)),
    }
}

/// `1 hour`, `2.5 hours`.
fn tenths(seconds: u64) -> String {
    let tenths = (seconds + HOUR / 20) / (HOUR / 10);
    match (tenths / 10, tenths % 10) {
        (hours, 0) => counted(hours, "hour"),
        (hours, tenth) => format!("{hours}.{tenth} hours"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{average, clock, length, total};

    #[test]
    fn a_length_reads_as_on_a_player() {
        let lengths = [0, 9, 45, 60, 525, 930, 3_599, 3_600, 36_610, 360_000];
        assert_eq!(
            lengths.map(clock).join(" "),
            "0:00 0:09 0:45 1:00 8:45 15:30 59:59 1:00:00 10:10:10 100:00:00"
        );
    }

    #[test]
    fn a_length_is_spoken() {
        let lengths = [0, 1, 45, 60, 119, 930, 3_600, 3_660, 7_200, 7_500];
        assert_eq!(
            lengths.map(length).join("; "),
            "0 seconds; 1 second; 45 seconds; 1 minute; 1 minute; 15 minutes; 1 hour; \
             1 hour and 1 minute; 2 hours; 2 hours and 5 minutes"
        );
    }

    #[test]
    fn sums_and_averages_are_rounded() {
        assert_eq!(
            [0.4, 59.0, 90.0, 754.0, 3_600.0, 5_430.0].map(average).join("; "),
            "0 seconds; 59 seconds; 2 minutes; 13 minutes; 1 hour; 1.5 hours"
        );
        assert_eq!(
            [59, 2_400, 3_600, 9_000, 43_199, 882_000, 4_442_400].map(total).join("; "),
            "59 seconds; 40 minutes; 1 hour; 2.5 hours; 12 hours; 245 hours; 1,234 hours"
        );
    }

    /// The seconds of `1:02:03`.
    fn back(clock: &str) -> u32 {
        clock.split(':').fold(0, |sum, part| sum * 60 + part.parse::<u32>().unwrap())
    }

    proptest! {
        #[test]
        fn a_longer_video_reads_longer(seconds in 0..u32::MAX / 2) {
            prop_assert_eq!(back(&clock(seconds)), seconds, "and nothing is lost");
        }

        #[test]
        fn a_longer_sum_never_reads_shorter(one in 0..50_000_000u64, more in 0..50_000_000u64) {
            let read = |seconds: u64| {
                let text = total(seconds).replace(',', "");
                let (figure, unit) = text.split_once(' ').unwrap();
                let unit = match unit.trim_end_matches('s') {
                    "hour" => 3_600.0,
                    "minute" => 60.0,
                    _ => 1.0,
                };
                figure.parse::<f64>().unwrap() * unit
            };
            prop_assert!(read(one) <= read(one + more), "{} {}", total(one), total(one + more));
        }
    }
}
