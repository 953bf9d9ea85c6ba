//! [`Quote`]: what an instrument costs now.

use jiff::civil::DateTime;
use serde::{Deserialize, Serialize};

/// What an instrument costs now. For an index, most of it is not there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Quote {
    /// The last price.
    pub last_price: f64,
    /// The day so far; `close` is that of the day before while the market is open.
    pub ohlc: Option<Ohlc>,
    /// When it was last traded, in India.
    pub last_trade: Option<DateTime>,
    /// The change since the close before.
    pub net_change: Option<f64>,
    /// How many were traded today.
    pub volume: Option<u64>,
    /// The average price of the day.
    pub average_price: Option<f64>,
    /// Open interest.
    pub oi: Option<u64>,
    /// The lowest price that is allowed today.
    pub lower_circuit: Option<f64>,
    /// The highest price that is allowed today.
    pub upper_circuit: Option<f64>,
    /// Who wants to buy and to sell.
    pub depth: Option<Depth>,
}

/// Open, high, low, close.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ohlc {
    /// The first price.
    pub open: f64,
    /// The highest.
    pub high: f64,
    /// The lowest.
    pub low: f64,
    /// The last.
    pub close: f64,
}

/// Who wants to buy and to sell, the best first; levels without anybody are left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Depth {
    /// Those who buy.
    pub buy: Vec<Level>,
    /// Those who sell.
    pub sell: Vec<Level>,
}

/// How many are wanted at a price.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Level {
    /// The price.
    pub price: f64,
    /// How many.
    pub quantity: u64,
    /// In how many orders.
    pub orders: u64,
}
