//! [`parse`]: lengths of time as people write them, and [`format()`]: as they read them.
//!
//! One grammar for `#[tool(timeout = "30s")]`, `toolwright.toml` and the command line: whole numbers, each
//! with a unit, the larger units first.
//!
//! ```
//! use std::time::Duration;
//!
//! let time = toolwright_duration::parse("1h 30m")?;
//! assert_eq!(time, Duration::from_secs(5_400));
//! assert_eq!(toolwright_duration::format(time), "1h 30m");
//! # Ok::<(), toolwright_duration::DurationError>(())
//! ```

mod words;

use std::{fmt::Write, time::Duration};

pub use self::words::{ago, ahead};

/// The units, the largest first: in nanoseconds, and as they may be written. The first is how they are
/// printed. A month is none: it has no length, and `M` is too like `m`.
const UNITS: [(u128, &[&str]); 7] = [
    (86_400_000_000_000, &["d", "day", "days"]),
    (3_600_000_000_000, &["h", "hr", "hour", "hours"]),
    (60_000_000_000, &["m", "min", "mins", "minute", "minutes"]),
    (1_000_000_000, &["s", "sec", "secs", "second", "seconds"]),
    (1_000_000, &["ms", "msec", "millis"]),
    (1_000, &["us", "µs", "usec"]),
    (1, &["ns", "nsec"]),
];

/// Why a text is no length of time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DurationError {
    /// It is not written like one.
    #[error(
        "`{0}` is no time: write whole numbers with units, such as `250ms`, `30s`, `5m` or `1h 30m`"
    )]
    Malformed(String),
    /// It is more than can be counted.
    #[error("`{0}` is too long a time: write a shorter one, such as `365d`")]
    TooLong(String),
    /// It is none, where there has to be some.
    #[error("`{0}` is no time at all: write one in which something can be done, such as `30s`")]
    Zero(String),
}

/// Reads a length of time, which may be none: `0s`.
///
/// # Errors
/// When the text is not one.
pub fn parse(text: &str) -> Result<Duration, DurationError> {
    let malformed = || DurationError::Malformed(text.to_owned());
    let mut rest = text.trim();
    let mut units = UNITS.iter();
    let mut nanos: u128 = 0;
    loop {
        let number = split(&mut rest, |char| char.is_ascii_digit());
        rest = rest.trim_start();
        let name = split(&mut rest, char::is_alphabetic);
        rest = rest.trim_start();
        // Each unit once, and the larger before the smaller: what is left of the iterator is smaller.
        let (unit, _) = units.find(|(_, names)| names.contains(&name)).ok_or_else(malformed)?;
        if number.is_empty() {
            return Err(malformed());
        }
        let counted = number.parse().ok().and_then(|number: u128| number.checked_mul(*unit));
        let sum = counted.and_then(|counted| nanos.checked_add(counted));
        nanos = sum.ok_or_else(|| DurationError::TooLong(text.to_owned()))?;
        if rest.is_empty() {
            break;
        }
    }
    // What does not fit is some 500 years.
    let nanos = u64::try_from(nanos).map_err(|_| DurationError::TooLong(text.to_owned()))?;
    Ok(Duration::from_nanos(nanos))
}

/// Reads a length of time in which something can be done.
///
/// # Errors
/// When the text is not one, or is none at all.
pub fn parse_nonzero(text: &str) -> Result<Duration, DurationError> {
    match parse(text)? {
        Duration::ZERO => Err(DurationError::Zero(text.to_owned())),
        time => Ok(time),
    }
}

/// Writes a length of time exactly, so that [`parse`] reads it: `1h 30m`, `1s 500ms`, `0s`. What is longer
/// than can be read is written as the longest that can.
pub fn format(time: Duration) -> String {
    let mut nanos = time.as_nanos().min(u128::from(u64::MAX));
    let mut text = String::new();
    for (unit, names) in UNITS {
        let count = nanos / unit;
        nanos %= unit;
        if let Some(name) = names.first().filter(|_| count > 0) {
            let space = if text.is_empty() { "" } else { " " };
            // A string takes everything.
            let _ = write!(text, "{space}{count}{name}");
        }
    }
    if text.is_empty() { "0s".to_owned() } else { text }
}

/// What `text` begins with, which is taken off it.
fn split<'a>(text: &mut &'a str, belongs: impl Fn(char) -> bool) -> &'a str {
    let end = text.find(|char| !belongs(char)).unwrap_or(text.len());
    let (begin, rest) = text.split_at(end);
    *text = rest;
    begin
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What every place that reads a time must make of these: milliseconds, or what is said of it.
    const SPELLINGS: &str = include_str!("../spellings.txt");

    #[test]
    fn what_people_write_is_read_and_what_is_no_time_is_told() {
        for (text, wanted) in SPELLINGS.lines().filter_map(|line| line.split_once('\t')) {
            match (parse_nonzero(text), wanted.parse()) {
                (Ok(time), Ok(millis)) => assert_eq!(time, Duration::from_millis(millis), "{text}"),
                (Err(error), Err(_)) => {
                    let error = error.to_string();
                    assert!(error.starts_with(&format!("`{text}` {wanted}")), "{error}");
                }
                (read, _) => panic!("{text}: {read:?}, not {wanted}"),
            }
        }
        for text in ["", " ", "٥s", "1m s"] {
            assert_eq!(parse(text), Err(DurationError::Malformed(text.to_owned())), "{text}");
        }
        assert_eq!(parse("0s"), Ok(Duration::ZERO));
        assert_eq!(parse_nonzero("1ns"), Ok(Duration::from_nanos(1)));
        assert_eq!(
            parse("5").unwrap_err().to_string(),
            "`5` is no time: write whole numbers with units, such as `250ms`, `30s`, `5m` or `1h 30m`"
        );
    }

    #[test]
    fn the_longest_is_written_as_what_can_be_read() {
        assert_eq!(parse(&format(Duration::MAX)), Ok(Duration::from_nanos(u64::MAX)));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_as_it_was(nanos in prop_oneof![any::<u64>(), 0..10_000_000_000_u64]) {
            let time = Duration::from_nanos(nanos);
            prop_assert_eq!(parse(&format(time)), Ok(time));
        }

        #[test]
        fn any_text_can_be_read(text in "[0-9 a-zµ.-]{0,12}") {
            if let Ok(time) = parse(&text) {
                prop_assert_eq!(parse(&format(time)), Ok(time));
            }
        }
    }
}
