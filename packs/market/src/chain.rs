//! [`OptionChain`]: all options on one thing that end on one day.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

/// All options on one thing that end on one day.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OptionChain {
    /// The day.
    pub expiry: Date,
    /// What the underlying costs.
    pub last_price: f64,
    /// By price, the lowest first.
    pub strikes: Vec<Strike>,
}

/// The two options at one price.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Strike {
    /// The price.
    pub strike: f64,
    /// The right to buy.
    pub call: Option<Leg>,
    /// The right to sell.
    pub put: Option<Leg>,
}

/// One option of a chain.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Leg {
    /// Its number in its segment.
    pub security_id: Option<u64>,
    /// What it costs.
    pub last_price: f64,
    /// What it cost at the close before.
    pub previous_close: Option<f64>,
    /// Implied volatility, in percent.
    pub implied_volatility: Option<f64>,
    /// Delta.
    pub delta: Option<f64>,
    /// Theta.
    pub theta: Option<f64>,
    /// Gamma.
    pub gamma: Option<f64>,
    /// Vega.
    pub vega: Option<f64>,
    /// Open interest.
    pub oi: Option<u64>,
    /// Open interest at the close before.
    pub previous_oi: Option<u64>,
    /// How many were traded today.
    pub volume: Option<u64>,
    /// The best price somebody buys at.
    pub bid: Option<f64>,
    /// The best price somebody sells at.
    pub ask: Option<f64>,
}
