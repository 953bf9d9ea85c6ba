//! How long ago something was, in a word.

use std::time::{SystemTime, UNIX_EPOCH};

use toolwright_core::Timestamp;

/// `now`, `5 min`, `3 h`, `12 d` ago.
pub(crate) fn ago(at: Timestamp) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_millis() as u64);
    let seconds = Timestamp(now).since(at) / 1000;
    match seconds {
        0..60 => "now".to_owned(),
        60..3_600 => format!("{} min", seconds / 60),
        3_600..86_400 => format!("{} h", seconds / 3_600),
        _ => format!("{} d", seconds / 86_400),
    }
}
