//! Times in words.

use std::time::Duration;

/// A time that is still to come, never said shorter than it is: `250 ms`, `24 s`, `3 min`.
pub(super) fn ahead(time: Duration) -> String {
    match time.as_millis() {
        0 => "no time".to_owned(),
        millis @ 1..1_000 => format!("{millis} ms"),
        millis @ 1_000..120_000 => format!("{} s", millis.div_ceil(1_000)),
        millis => format!("{} min", millis.div_ceil(60_000)),
    }
}

/// A time that is over, never said longer than it is.
pub(super) fn ago(time: Duration) -> String {
    match time.as_secs() {
        0 => "less than a second".to_owned(),
        seconds @ 1..120 => format!("{seconds} s"),
        seconds => format!("{} min", seconds / 60),
    }
}

/// `once`, `3 times`.
pub(super) fn times(count: u32) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        more => format!("{more} times"),
    }
}
