//! [`Settings`]: where the broker is, and how it may be asked.

use std::time::Duration;

/// Where the broker is, and how it may be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Where the API begins. The access token goes to this origin and to no other.
    pub base_url: String,
    /// The folder the instrument master lies in. No token goes there.
    pub master_url: String,
    /// How long one request may take. One that is repeated may take twice as long altogether.
    pub timeout: Duration,
    /// How often the broker may be asked.
    pub pace: Pace,
}

impl Settings {
    /// The broker itself.
    pub fn live() -> Self {
        Self {
            base_url: String::from("https://api.dhan.co/v2"),
            master_url: String::from("https://images.dhan.co/api-data"),
            timeout: Duration::from_secs(15),
            pace: Pace::default(),
        }
    }

    /// Something that speaks as the broker does: a simulator, or a proxy.
    pub fn at(base_url: impl Into<String>) -> Self {
        let base_url = base_url.into();
        let master_url = format!("{}/master", base_url.trim_end_matches('/'));
        Self { base_url, master_url, ..Self::live() }
    }
}

/// How long to leave between one request and the next, for each client id; zero leaves none.
///
/// By default more than is documented: requests that leave evenly may well arrive closer together,
/// and the broker blocks those who ask too often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Between the answer to a request for quotes and the next one. One a second is allowed.
    pub quotes: Duration,
    /// Between two requests for candles or option chains. Five a second are allowed.
    pub data: Duration,
    /// Between the answer to a request for an option chain and the next one for the same. One in
    /// three seconds is allowed.
    pub chain: Duration,
    /// Between two requests for anything else. Twenty a second are allowed.
    pub other: Duration,
    /// The first wait before a request is repeated; the second is four times as long.
    pub backoff: Duration,
    /// How long market data is not asked for after the broker has said that it was asked too
    /// often (805). Doubled each time it says so again.
    pub cool_down: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            quotes: Duration::from_millis(1_020),
            data: Duration::from_millis(250),
            chain: Duration::from_millis(3_050),
            other: Duration::from_millis(60),
            backoff: Duration::from_millis(250),
            cool_down: Duration::from_secs(60),
        }
    }
}

impl Pace {
    /// Without any wait: for tests.
    pub fn unlimited() -> Self {
        let none = Duration::ZERO;
        Self { quotes: none, data: none, chain: none, other: none, backoff: none, cool_down: none }
    }
}

/// How much a quote tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The last price.
    Ltp,
    /// The last price, and the day so far.
    Ohlc,
    /// All there is: volume, open interest, depth, limits.
    Full,
}

impl Detail {
    pub(super) fn path(self) -> &'static str {
        match self {
            Self::Ltp => "/marketfeed/ltp",
            Self::Ohlc => "/marketfeed/ohlc",
            Self::Full => "/marketfeed/quote",
        }
    }
}

/// Which of the two instrument masters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Columns {
    /// That of 16 columns.
    Compact,
    /// That of 39 columns.
    Detailed,
}

impl Columns {
    /// The name of the file.
    pub fn file(self) -> &'static str {
        match self {
            Self::Compact => "api-scrip-master.csv",
            Self::Detailed => "api-scrip-master-detailed.csv",
        }
    }
}
