//! [`Board`]: everything that is listed on one day.

use std::{collections::HashMap, sync::Arc};

use jiff::civil::Date;

use super::{
    calendar::Expiry,
    driver::Driver,
    papers::{self, BONDS, FUNDS, GAUGES, Paper, SHARES, Terms},
};
use crate::{Key, Kind, Segment, Side};

/// Everything that is listed on one day.
#[derive(Debug)]
pub(super) struct Board {
    /// The day.
    pub(super) day: Date,
    papers: Vec<Paper>,
    places: HashMap<Key, usize>,
    /// How much fear there is: what all volatilities follow.
    pub(super) fear: Option<Arc<Driver>>,
}

impl Board {
    /// What is listed on a day.
    pub(super) fn new(seed: u64, day: Date) -> Self {
        let mut papers: Vec<Paper> = GAUGES.iter().map(papers::index).collect();
        papers.extend(SHARES.iter().flat_map(papers::share));
        papers.extend(FUNDS.iter().map(papers::fund));
        papers.extend(BONDS.iter().map(papers::bond));
        papers.extend(
            [(36_686, "011NSETEST"), (36_688, "021NSETEST"), (36_690, "151NSETEST")]
                .map(|(id, symbol)| papers::test(id, symbol)),
        );
        let contracts = papers::contracts(seed, day, &papers);
        papers.extend(contracts);
        let places = papers.iter().enumerate().map(|(place, paper)| (paper.key, place)).collect();
        let fear = papers.iter().find(|paper| paper.symbol == "INDIA VIX");
        let fear = fear.map(|paper| Arc::clone(&paper.driver));
        Self { day, papers, places, fear }
    }

    /// All of it.
    pub(super) fn papers(&self) -> &[Paper] {
        &self.papers
    }

    /// One paper.
    pub(super) fn paper(&self, key: Key) -> Option<&Paper> {
        self.papers.get(*self.places.get(&key)?)
    }

    /// The share of a ticker, or the index.
    pub(super) fn spot(&self, segment: Segment, symbol: &str) -> Option<&Paper> {
        self.papers.iter().find(|paper| {
            paper.key.segment == segment && paper.symbol == symbol && paper.terms == Terms::Spot
        })
    }

    /// The future of a ticker that ends next.
    pub(super) fn next_future(&self, ticker: &str) -> Option<&Paper> {
        let ours = self.papers.iter().filter(|paper| paper.ticker == ticker);
        ours.filter(|paper| matches!(paper.terms, Terms::Future(_)))
            .min_by_key(|paper| paper.terms.expiry().map(|expiry| expiry.date))
    }

    /// The options on something, in the order of their strikes.
    pub(super) fn options(&self, on: &Paper) -> impl Iterator<Item = (Expiry, f64, Side, &Paper)> {
        let fits = match on.kind {
            Kind::Index => Some(Kind::OptIdx),
            Kind::Equity if on.key.segment == Segment::NseEq => Some(Kind::OptStk),
            _ => None,
        };
        let ours = self.papers.iter().filter(move |paper| Some(paper.kind) == fits);
        ours.filter(|paper| paper.ticker == on.ticker).filter_map(|paper| match paper.terms {
            Terms::Option { expiry, strike, side } => Some((expiry, strike, side, paper)),
            _ => None,
        })
    }
}
