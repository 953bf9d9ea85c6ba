//! [`Candle`]: what an instrument cost over a while.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// What an instrument cost over a while.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candle {
    /// When the while began; for a day, midnight in India.
    pub at: Timestamp,
    /// The first price.
    pub open: f64,
    /// The highest.
    pub high: f64,
    /// The lowest.
    pub low: f64,
    /// The last.
    pub close: f64,
    /// How many were traded.
    pub volume: u64,
    /// Open interest.
    pub oi: Option<u64>,
}

/// How long a candle within a day is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "u32", try_from = "u32")]
pub enum Interval {
    /// One minute.
    One,
    /// Five minutes.
    Five,
    /// A quarter of an hour.
    Fifteen,
    /// 25 minutes.
    TwentyFive,
    /// An hour.
    Sixty,
}

impl Interval {
    /// Each of them.
    pub const ALL: [Self; 5] =
        [Self::One, Self::Five, Self::Fifteen, Self::TwentyFive, Self::Sixty];

    /// In minutes.
    pub fn minutes(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Five => 5,
            Self::Fifteen => 15,
            Self::TwentyFive => 25,
            Self::Sixty => 60,
        }
    }
}

impl From<Interval> for u32 {
    fn from(interval: Interval) -> Self {
        interval.minutes()
    }
}

impl TryFrom<u32> for Interval {
    type Error = String;

    fn try_from(minutes: u32) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|it| it.minutes() == minutes);
        found.ok_or_else(|| {
            format!("candles of {minutes} minutes do not exist: use 1, 5, 15, 25 or 60")
        })
    }
}
