//! [`Clock`]: what time it is, and where.

use jiff::{Timestamp, Zoned, tz::TimeZone};

use crate::{WatchError, WatchErrorKind};

/// What time it is, and where: "yesterday" depends on both.
#[derive(Clone, Debug, Default)]
pub enum Clock {
    /// The system's.
    #[default]
    System,
    /// The system's, in this time zone.
    In(TimeZone),
    /// Always this moment. For tests.
    Fixed(Zoned),
}

impl Clock {
    /// This moment, in the person's time zone.
    pub fn now(&self) -> Zoned {
        match self {
            Self::System => Timestamp::now().to_zoned(TimeZone::system()),
            Self::In(zone) => Timestamp::now().to_zoned(zone.clone()),
            Self::Fixed(moment) => moment.clone(),
        }
    }
}

/// The time zone of this name, as in `Europe/Berlin`.
///
/// # Errors
/// When there is none.
pub fn time_zone(name: &str) -> Result<TimeZone, WatchError> {
    TimeZone::get(name.trim()).map_err(|_| {
        let message = "there is no such time zone; use a name such as Asia/Kolkata or UTC";
        WatchError::new(WatchErrorKind::Invalid, message)
    })
}
