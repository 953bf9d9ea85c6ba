//! [`Table`]: the rows of the master, small and in order.

use std::{cmp::Ordering, ops::Range};

use jiff::civil::Date;

use super::arena::{Arena, Span};
use crate::{Instrument, Key, Kind, Segment, Side};

/// The rows of the master, those of one ticker side by side: first the thing itself, then what else
/// is listed under its ticker, then its futures, then its options.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) rows: Vec<Row>,
    pub(super) groups: Vec<Group>,
    /// Rows by key.
    keys: Vec<u32>,
    pub(super) tickers: Vec<Box<str>>,
    pub(super) series: Vec<Box<str>>,
    pub(super) texts: Arena,
}

/// One instrument.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) id: u64,
    pub(super) strike: Option<f64>,
    pub(super) tick: f64,
    pub(super) symbol: Span,
    pub(super) name: Span,
    /// Its ticker, or that of what it derives from.
    pub(super) ticker: u32,
    pub(super) lot: u32,
    pub(super) series: u32,
    pub(super) expiry: Option<Date>,
    pub(super) segment: Segment,
    pub(super) kind: Kind,
    pub(super) side: Option<Side>,
    pub(super) place: Place,
}

/// What a row is among those of its ticker; the order is the order of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// An index.
    Index,
    /// A share on NSE in its normal series.
    Share,
    /// A share on NSE in another series, or a fund.
    Restricted,
    /// A share on BSE.
    Second,
    /// A debenture or the like.
    Debt,
    Future,
    Option,
}

impl Row {
    pub(super) fn key(&self) -> Key {
        Key { segment: self.segment, id: self.id }
    }

    fn order(&self, other: &Self) -> Ordering {
        (self.ticker, self.place, venue(self.segment), self.expiry)
            .cmp(&(other.ticker, other.place, venue(other.segment), other.expiry))
            .then_with(|| {
                let strikes = (self.strike.unwrap_or(0.0), other.strike.unwrap_or(0.0));
                strikes.0.total_cmp(&strikes.1)
            })
            .then_with(|| (self.side, self.id).cmp(&(other.side, other.id)))
    }
}

/// Where most is traded comes first.
fn venue(segment: Segment) -> u8 {
    match segment {
        Segment::Index | Segment::NseEq | Segment::NseFno => 0,
        Segment::McxComm | Segment::NseCurrency => 1,
        Segment::BseEq | Segment::BseFno => 2,
        Segment::NseComm => 3,
        Segment::BseCurrency => 4,
    }
}

/// The rows of one ticker.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    start: u32,
    debts: u32,
    futures: u32,
    options: u32,
    end: u32,
    /// The segments and the kinds there are, a bit each.
    pub(super) segments: u16,
    pub(super) kinds: u16,
    /// How much it is traded, the most first; guessed from what is traded on it.
    pub(super) standing: u8,
}

/// A part of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The thing itself.
    Cash,
    /// What else is listed under the ticker.
    Debts,
    Futures,
    Options,
}

impl Group {
    fn range(&self, part: Part) -> Range<usize> {
        let (start, end) = match part {
            Part::Cash => (self.start, self.debts),
            Part::Debts => (self.debts, self.futures),
            Part::Futures => (self.futures, self.options),
            Part::Options => (self.options, self.end),
        };
        start as usize..end as usize
    }

    fn of(start: usize, rows: &[Row]) -> Self {
        let at = |place: Place| {
            let before = rows.partition_point(|row| row.place < place);
            u32::try_from(start + before).unwrap_or(u32::MAX)
        };
        let mut group = Self {
            start: at(Place::Index),
            debts: at(Place::Debt),
            futures: at(Place::Future),
            options: at(Place::Option),
            end: u32::try_from(start + rows.len()).unwrap_or(u32::MAX),
            ..Self::default()
        };
        for row in rows {
            group.segments |= 1 << row.segment as u16;
            group.kinds |= 1 << row.kind as u16;
        }
        let derived = group.futures < group.end;
        let has = |segment: Segment| group.segments & (1 << segment as u16) != 0;
        group.standing = match rows.first().map(|row| row.place) {
            Some(Place::Index) if has(Segment::NseFno) => 0,
            Some(Place::Index) if derived => 1,
            Some(Place::Share) if derived => 2,
            _ if derived => 3,
            Some(Place::Index) => 4,
            Some(Place::Share) => 5,
            Some(Place::Restricted) => 6,
            Some(Place::Second) => 7,
            _ => 8,
        };
        group
    }
}

impl Table {
    /// Puts rows in order. Of two rows with one key the first stays.
    pub(super) fn arrange(&mut self, mut rows: Vec<Row>) {
        // Stable, so that the first of two equals stays the first.
        rows.sort_by_key(Row::key);
        rows.dedup_by_key(|row| row.key());
        rows.sort_unstable_by(Row::order);
        rows.shrink_to_fit();
        self.keys = (0..u32::try_from(rows.len()).unwrap_or(u32::MAX)).collect();
        self.keys.sort_unstable_by_key(|at| rows.get(*at as usize).map(Row::key));
        self.groups = vec![Group::default(); self.tickers.len()];
        let mut start = 0;
        for chunk in rows.chunk_by(|a, b| a.ticker == b.ticker) {
            let ticker = chunk.first().map_or(0, |row| row.ticker);
            if let Some(group) = self.groups.get_mut(ticker as usize) {
                *group = Group::of(start, chunk);
            }
            start += chunk.len();
        }
        self.rows = rows;
        self.texts.shrink();
    }

    /// The rows of a part of a group.
    pub(super) fn part(&self, group: &Group, part: Part) -> &[Row] {
        self.rows.get(group.range(part)).unwrap_or_default()
    }

    /// The row with this key.
    pub(super) fn find(&self, key: Key) -> Option<&Row> {
        let row = |at: &u32| self.rows.get(*at as usize);
        let at = self.keys.binary_search_by_key(&Some(key), |at| row(at).map(Row::key)).ok()?;
        self.keys.get(at).and_then(row)
    }

    /// A ticker by number.
    pub(super) fn ticker(&self, number: u32) -> &str {
        self.tickers.get(number as usize).map(AsRef::as_ref).unwrap_or_default()
    }

    /// A row's own symbol.
    pub(super) fn symbol(&self, row: &Row) -> &str {
        match self.texts.get(row.symbol) {
            "" => self.ticker(row.ticker),
            symbol => symbol,
        }
    }

    /// A row's own name for people.
    pub(super) fn name(&self, row: &Row) -> &str {
        self.texts.get(row.name)
    }

    /// A row as the rest of the world knows it.
    pub(super) fn instrument(&self, row: &Row) -> Instrument {
        let symbol = self.symbol(row).to_owned();
        let name = match self.texts.get(row.name) {
            "" => symbol.clone(),
            name => name.to_owned(),
        };
        let series = self.series.get(row.series as usize).map(AsRef::as_ref).unwrap_or_default();
        Instrument {
            key: row.key(),
            symbol,
            name,
            underlying: self.ticker(row.ticker).to_owned(),
            kind: row.kind,
            series: str::to_owned(series),
            lot_size: row.lot,
            tick: row.tick,
            expiry: row.expiry,
            strike: row.strike,
            side: row.side,
        }
    }
}
