//! [`Instruments`]: everything that can be traded, found by what people call it.
//!
//! The list has 200,000 rows and more, but only some ten thousand names: nearly all rows are
//! contracts on a few hundred things. So names are searched, and contracts are found from the thing
//! they are on.

mod account;
mod aliases;
mod arena;
mod contract;
mod filter;
mod layout;
mod lexicon;
mod master;
mod matches;
mod parts;
mod pick;
mod reading;
mod search;
mod set;
mod shelf;
mod table;
mod vocabulary;
mod words;

use std::{fmt, io::Read};

use jiff::civil::Date;

use self::{
    lexicon::Lexicon,
    search::Search,
    table::{Part, Table},
    words::Words,
};
pub use self::{lexicon::Source, master::Master, matches::Match, search::Query};
use crate::{Instrument, Key, MarketError};

/// Everything that can be traded. Does not change: a new day has a new list.
pub struct Instruments {
    table: Table,
    lexicon: Lexicon,
}

impl Instruments {
    /// Reads a list, compact or detailed: its header tells. Rows that are not understood, tests of
    /// the exchange and repeated keys are left out.
    pub fn read(csv: impl Read) -> Result<Self, MarketError> {
        let (table, lexicon) = reading::read(csv)?;
        Ok(Self { table, lexicon })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.table.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.table.rows.is_empty()
    }

    /// The one with this key.
    pub fn get(&self, key: Key) -> Option<Instrument> {
        self.table.find(key).map(|row| self.table.instrument(row))
    }

    /// What a query comes near to, the best first. Whether it is what was asked for, this does not
    /// say: [`Self::matches`] does.
    pub fn search(&self, query: &Query) -> Vec<Instrument> {
        Search::new(self, query).find(&query.text)
    }

    /// What a query finds, the best first, each with what it leaves out of the text. Where something
    /// accounts for all of it, only what does.
    pub fn matches(&self, query: &Query) -> Vec<Match> {
        Search::new(self, query).matches(&query.text)
    }

    /// The days on which contracts on this end, the first one first. Nothing if the name is not
    /// exactly known.
    pub fn expiries(&self, underlying: &str) -> Vec<Date> {
        let squeezed = Words::of(underlying).squeezed();
        let mut found: Vec<_> = self.lexicon.exact(&squeezed).collect();
        found.sort_by_key(|it| it.fit);
        for it in found {
            let Some(group) = self.table.groups.get(it.text.ticker as usize) else { continue };
            let rows = [Part::Futures, Part::Options].map(|part| self.table.part(group, part));
            let days = rows.into_iter().flatten().filter_map(|row| row.expiry);
            let mut days: Vec<Date> = days.collect();
            days.sort_unstable();
            days.dedup();
            if !days.is_empty() {
                return days;
            }
        }
        Vec::new()
    }
}

impl fmt::Debug for Instruments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Instruments").field("len", &self.len()).finish_non_exhaustive()
    }
}
