//! [`Clock`]: what time it is, and where.

use jiff::{Timestamp, Zoned, tz::TimeZone};

/// What time it is, and where: "yesterday" depends on both.
#[derive(Clone, Debug, Default)]
pub enum Clock {
    /// The system's.
    #[default]
    System,
    /// Always this moment. For tests.
    Fixed(Zoned),
}

impl Clock {
    /// This moment, in the person's time zone.
    pub fn now(&self) -> Zoned {
        match self {
            Self::System => Timestamp::now().to_zoned(TimeZone::system()),
            Self::Fixed(moment) => moment.clone(),
        }
    }
}
