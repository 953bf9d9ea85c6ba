//! [`Pricing`]: what a paper costs, when its underlying costs so much.

use jiff::civil::Date;

use super::{
    black::{Inputs, Worth, worth},
    calendar::Hours,
    market::Market,
    papers::{Paper, Terms},
};

/// What money earns in a year, less dividends.
const CARRY: f64 = 0.055;

/// The fear that goes with the volatilities of the tables.
const USUAL_FEAR: f64 = 13.0;

/// The seconds of a year.
const YEAR: f64 = 365.0 * 86_400.0;

/// How a paper is priced on a day.
pub(super) struct Pricing<'a> {
    paper: &'a Paper,
    /// When it ends, in seconds since 1970.
    end: f64,
    /// Volatility of a year, at the money.
    volatility: f64,
}

/// What an option is worth, and what the market fears.
#[derive(Clone, Copy, Debug)]
pub(super) struct Valued {
    /// What it is worth.
    pub(super) worth: Worth,
    /// Implied volatility, in percent.
    pub(super) volatility: f64,
}

impl Market {
    /// How a paper is priced on a day.
    pub(super) fn pricing<'a>(&self, paper: &'a Paper, day: Date) -> Pricing<'a> {
        let hours = paper.hours();
        let end = paper.terms.expiry().map_or(0, |it| hours.closing(it.date).as_second());
        let volatility = match paper.terms {
            Terms::Option { .. } => paper.driver.volatility() * self.fear(day),
            _ => 0.0,
        };
        Pricing { paper, end: end as f64, volatility }
    }

    /// How much more is feared than usual: what was feared at the close before.
    fn fear(&self, day: Date) -> f64 {
        let before = Hours::Stock.day_before(day);
        let fear = self.board.fear.as_ref().map(|driver| driver.close(self.seed, before));
        // No seed makes a market in which options cost nothing, or everything.
        fear.map_or(1.0, |fear| (fear / USUAL_FEAR).clamp(0.6, 2.5))
    }
}

impl Pricing<'_> {
    /// What it costs at a moment, in seconds since 1970.
    pub(super) fn price(&self, spot: f64, at: i64) -> f64 {
        let price = match self.paper.terms {
            Terms::Spot | Terms::Test(_) => spot,
            Terms::Future(_) => spot * (CARRY * self.years(at)).exp(),
            Terms::Option { .. } => self.value(spot, at).map_or(0.0, |it| it.worth.price),
        };
        self.paper.rounded(price)
    }

    /// What an option is worth at a moment.
    pub(super) fn value(&self, spot: f64, at: i64) -> Option<Valued> {
        let Terms::Option { strike, side, .. } = self.paper.terms else { return None };
        let years = self.years(at);
        // A smile that leans to the left: protection against a fall costs more.
        let forward = spot * (CARRY * years).exp();
        let off = (strike / forward).ln() / (self.volatility * years.max(1.0 / 365.0).sqrt());
        let off = off.clamp(-4.0, 4.0);
        let volatility = self.volatility * (1.0 - 0.03 * off + 0.012 * off * off);
        let inputs = Inputs { spot, carry: CARRY, strike, years, volatility };
        Some(Valued { worth: worth(side, inputs), volatility: volatility * 100.0 })
    }

    /// What is left of its time.
    fn years(&self, at: i64) -> f64 {
        ((self.end - at as f64) / YEAR).max(0.0)
    }
}
