//! [`Paper`]: something the simulated market lists.

mod contracts;
mod others;
mod shares;

use std::sync::Arc;

use jiff::{
    ToSpan,
    civil::{Date, date},
};

use super::{
    calendar::{Cycle, Expiry, Hours},
    driver::Driver,
    noise::Noise,
};
use crate::{Key, Kind, Segment, Side};

pub(super) use self::{
    contracts::contracts,
    others::{BONDS, Bond, COMMODITIES, FUNDS, Fund, GAUGES, Gauge},
    shares::{SHARES, Share},
};

/// Something the simulated market lists.
#[derive(Clone, Debug)]
pub(super) struct Paper {
    /// What tells it from all others.
    pub(super) key: Key,
    /// Which exchange lists it.
    pub(super) exchange: &'static str,
    /// What it is.
    pub(super) kind: Kind,
    /// What the exchange calls its type.
    pub(super) category: &'static str,
    /// The ticker, or the contract.
    pub(super) symbol: String,
    /// The ticker of what it derives from, or its own.
    pub(super) ticker: String,
    /// The name for people.
    pub(super) name: String,
    /// The name in the register.
    pub(super) title: String,
    /// The number of the security.
    pub(super) isin: &'static str,
    /// The series; empty where there is none.
    pub(super) series: &'static str,
    /// How many make a lot.
    pub(super) lot: u32,
    /// The smallest step of its price, in rupees.
    pub(super) tick: f64,
    /// What it gives the right to.
    pub(super) terms: Terms,
    /// The exchange's number of what it derives from.
    pub(super) underlying: Option<u64>,
    /// What makes its price, or that of its underlying, move.
    pub(super) driver: Arc<Driver>,
}

/// What a paper gives the right to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Terms {
    /// The thing itself.
    Spot,
    /// The thing, on a day.
    Future(Expiry),
    /// To buy or sell it at a price, until a day.
    Option {
        /// The day.
        expiry: Expiry,
        /// The price.
        strike: f64,
        /// Whether to buy or to sell.
        side: Side,
    },
    /// Nothing: a test of the exchange, which nobody trades.
    Test(Option<Expiry>),
}

impl Terms {
    /// When it ends.
    pub(super) fn expiry(self) -> Option<Expiry> {
        match self {
            Self::Spot => None,
            Self::Future(expiry) | Self::Option { expiry, .. } => Some(expiry),
            Self::Test(expiry) => expiry,
        }
    }
}

impl Paper {
    /// When it trades.
    pub(super) fn hours(&self) -> Hours {
        Hours::of(self.key.segment)
    }

    /// The first day it was traded on.
    pub(super) fn listed_since(&self) -> Date {
        let Some(expiry) = self.terms.expiry() else {
            // Older than most questions. Real ones go back to a listing, which is not known here.
            return date(2005, 1, 3);
        };
        let ahead = match expiry.cycle {
            Cycle::Weekly => 35.days(),
            Cycle::Monthly => 125.days(),
        };
        expiry.date.checked_sub(ahead).unwrap_or(expiry.date)
    }

    /// Its price, in whole steps.
    pub(super) fn rounded(&self, price: f64) -> f64 {
        let steps = (price / self.tick).round().max(1.0);
        // Back to paise, or 0.05 × 28,001 would show where halves of a tenth have no exact form.
        (steps * self.tick * 100.0).round() / 100.0
    }
}

/// How a ticker's price moves, where no table says so: drawn from its name, the same for each seed.
fn character(symbol: &str, level: f64) -> Driver {
    let noise = Noise::new(0, symbol);
    Driver {
        name: symbol.to_owned(),
        level,
        beta: 0.6 + 0.7 * noise.of(1).unit(),
        own: 0.008 + 0.008 * noise.of(2).unit(),
        growth: 0.05 + 0.12 * noise.of(3).unit(),
        hours: Hours::Stock,
    }
}

/// An index.
pub(super) fn index(gauge: &Gauge) -> Paper {
    let (beta, own) = gauge.moves;
    let driver = Driver {
        name: gauge.symbol.to_owned(),
        level: gauge.level,
        beta,
        own,
        // The fear of losses does not grow with what can be lost.
        growth: if beta < 0.0 { 0.0 } else { 0.1 },
        hours: Hours::Stock,
    };
    Paper {
        key: Key { segment: Segment::Index, id: gauge.id },
        exchange: gauge.exchange,
        kind: Kind::Index,
        category: "INDEX",
        symbol: gauge.symbol.to_owned(),
        ticker: gauge.symbol.to_owned(),
        name: gauge.name.to_owned(),
        title: gauge.symbol.to_owned(),
        isin: "NA",
        series: "X",
        lot: 1,
        tick: if gauge.exchange == "BSE" { 0.01 } else { 0.05 },
        terms: Terms::Spot,
        underlying: Some(gauge.id),
        driver: Arc::new(driver),
    }
}

/// A share, on each exchange that lists it.
pub(super) fn share(share: &Share) -> Vec<Paper> {
    let driver = Arc::new(character(share.symbol, share.price));
    let title =
        share.title.map_or_else(|| format!("{} LTD", share.name.to_uppercase()), Into::into);
    let nse = Paper {
        key: Key { segment: Segment::NseEq, id: share.nse },
        exchange: "NSE",
        kind: Kind::Equity,
        category: "ES",
        symbol: share.symbol.to_owned(),
        ticker: share.symbol.to_owned(),
        name: share.name.to_owned(),
        title,
        isin: share.isin.unwrap_or("NA"),
        series: "EQ",
        lot: 1,
        tick: tick_on_nse(share.price),
        terms: Terms::Spot,
        underlying: None,
        driver,
    };
    let bse = share.bse.map(|id| Paper {
        key: Key { segment: Segment::BseEq, id },
        exchange: "BSE",
        series: "A",
        tick: 0.05,
        ..nse.clone()
    });
    [Some(nse), bse].into_iter().flatten().collect()
}

/// NSE's steps by price, as they have been since April 2025.
fn tick_on_nse(price: f64) -> f64 {
    match price {
        ..250.0 => 0.01,
        ..1_000.0 => 0.05,
        ..5_000.0 => 0.1,
        ..10_000.0 => 0.5,
        ..20_000.0 => 1.0,
        _ => 5.0,
    }
}

/// A fund that is traded like a share.
pub(super) fn fund(fund: &Fund) -> Paper {
    let (beta, own) = fund.moves;
    let driver = Driver { beta, own, ..character(fund.symbol, fund.price) };
    Paper {
        category: "ETF",
        tick: 0.01,
        ..listed(fund.id, fund.symbol, fund.name.to_uppercase(), driver)
    }
}

/// A debenture.
pub(super) fn bond(bond: &Bond) -> Paper {
    let name = format!("{}-{}", bond.symbol, bond.series);
    let driver = Driver { beta: 0.0, own: 0.002, growth: 0.0, ..character(&name, 1_040.0) };
    Paper {
        category: "DBT",
        series: bond.series,
        tick: 0.01,
        name: bond.name.to_owned(),
        ..listed(bond.id, bond.symbol, bond.name.to_owned(), driver)
    }
}

/// A paper of the exchange's own tests.
pub(super) fn test(id: u64, symbol: &str) -> Paper {
    let driver = character(symbol, 10.0);
    Paper { terms: Terms::Test(None), ..listed(id, symbol, symbol.to_owned(), driver) }
}

fn listed(id: u64, symbol: &str, title: String, driver: Driver) -> Paper {
    Paper {
        key: Key { segment: Segment::NseEq, id },
        exchange: "NSE",
        kind: Kind::Equity,
        category: "ES",
        symbol: symbol.to_owned(),
        ticker: symbol.to_owned(),
        name: title.clone(),
        title,
        isin: "NA",
        series: "EQ",
        lot: 1,
        tick: 0.05,
        terms: Terms::Spot,
        underlying: None,
        driver: Arc::new(driver),
    }
}
