//! [`Instrument`]: something that can be traded, or looked at.

use std::fmt;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::{Kind, Segment};

/// What tells an instrument from all others: its number is unique only within its segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Key {
    /// Where it is traded.
    pub segment: Segment,
    /// Its number there.
    pub id: u64,
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.segment, self.id)
    }
}

/// Which right an option gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Side {
    /// To buy.
    #[serde(rename = "CE")]
    Call,
    /// To sell.
    #[serde(rename = "PE")]
    Put,
}

/// Something that can be traded, or looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Instrument {
    /// What tells it from all others.
    pub key: Key,
    /// The ticker, or the contract.
    pub symbol: String,
    /// The name for people.
    pub name: String,
    /// The ticker of what it derives from; its own, if it derives from nothing.
    pub underlying: String,
    /// What it is.
    pub kind: Kind,
    /// The series, such as `EQ`; empty where there is none.
    pub series: String,
    /// How many make a lot.
    pub lot_size: u32,
    /// The smallest step of its price, in rupees.
    pub tick: f64,
    /// The last day it is traded.
    pub expiry: Option<Date>,
    /// The price an option is about.
    pub strike: Option<f64>,
    /// Which right an option gives.
    pub side: Option<Side>,
}
