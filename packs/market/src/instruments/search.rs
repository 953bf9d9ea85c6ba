//! [`Query`]: what is looked for, and how it is found.

use jiff::civil::Date;

use super::{
    Instruments,
    contract::{Ask, Contract},
    filter::Filter,
    lexicon::{Fit, Found, STEPS, Source},
    pick,
    set::Set,
    table::{Group, Part, Row},
    words::Words,
};
use crate::{Instrument, Key, Kind, Segment};

/// How many instruments are found, if a query does not say.
const LIMIT: usize = 10;

/// How many are found at most.
const MOST: usize = 1000;

/// What is looked for. The text may be a ticker, a name, what traders call it, a misspelling of
/// these, or a contract: `nifty 25000 ce`, `reliance aug fut`.
#[derive(Default, Clone, Debug)]
pub struct Query {
    /// What was typed. Without a text everything that passes is found, the most traded first.
    pub text: String,
    /// Only what is traded here.
    pub segment: Option<Segment>,
    /// Only these; all, if there are none.
    pub kinds: Vec<Kind>,
    /// Only what ends on this day.
    pub expiry: Option<Date>,
    /// How many at most, up to 1000; 0 means 10.
    pub limit: usize,
    /// The day, in India: what ended before it is left out.
    pub today: Option<Date>,
}

impl Query {
    /// A query for a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

/// A ticker that was found, and how good that is. The order is the order of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Hit {
    fit: Fit,
    lack: u16,
    standing: u8,
    source: Source,
    rest: u16,
    ticker: u32,
    /// The only row that is meant.
    row: Option<Key>,
}

/// One search in progress.
pub(super) struct Search<'i> {
    pub(super) instruments: &'i Instruments,
    pub(super) filter: Filter,
    pub(super) limit: usize,
}

impl<'i> Search<'i> {
    pub(super) fn new(instruments: &'i Instruments, query: &Query) -> Self {
        let limit = if query.limit == 0 { LIMIT } else { query.limit.min(MOST) };
        Self { instruments, filter: Filter::of(query), limit }
    }

    /// What this text finds, the best first.
    pub(super) fn find(&self, text: &str) -> Vec<Instrument> {
        let table = &self.instruments.table;
        self.rows(text).into_iter().map(|row| table.instrument(row)).collect()
    }

    /// The rows that a text comes near to, the best first.
    pub(super) fn rows(&self, text: &str) -> Vec<&'i Row> {
        let words = Words::of(text);
        if words.is_empty() {
            return self.everything(text);
        }
        let exact = self.exact(&words, text);
        if !exact.is_empty() {
            return self.named(&words, exact);
        }
        let ask = Ask::of(text, |name| {
            self.instruments.lexicon.exact(&Words::of(name).squeezed()).next().is_some()
        });
        if let Some(exchange) = ask.exchange {
            let here = Self { filter: self.filter.on(exchange), ..*self };
            let found = here.asked(&ask, &words);
            if !found.is_empty() {
                return found;
            }
        }
        self.asked(&ask, &words)
    }

    /// What a text finds that is nobody's name.
    fn asked(&self, ask: &Ask, words: &Words) -> Vec<&'i Row> {
        let name = Words::of(&ask.name);
        if let Some(contract) = &ask.contract {
            let found = self.contracts(&name, contract, &words.squeezed());
            if !found.is_empty() {
                return found;
            }
        }
        let exact = self.exact(&name, &ask.name);
        if !exact.is_empty() {
            return self.named(&name, exact);
        }
        // Words that seemed to say nothing may be part of a name after all.
        let readings = [Some(words), Some(&name).filter(|it| *it != words)];
        for words in readings.into_iter().flatten() {
            let found = self.named(words, Vec::new());
            if !found.is_empty() {
                return found;
            }
        }
        for words in readings.into_iter().flatten() {
            let found = self.emit(&self.ranked(words, Fit::Fuzzy));
            if !found.is_empty() {
                return found;
            }
        }
        self.emit(&self.singly(words))
    }

    /// What one of the words alone is the symbol of, or is called by traders: `niftybees etf`, `hal abhi`. Whoever typed it
    /// said more than a name.
    fn singly(&self, words: &Words) -> Vec<Hit> {
        let is_sure = |hit: &Hit| matches!(hit.source, Source::Ticker | Source::Alias);
        let names = words.iter().filter(|it| it.chars().any(char::is_alphabetic));
        let hits = names.flat_map(|word| self.exact(&Words::join([word]), word));
        self.distinct(hits.filter(is_sure).collect())
    }

    fn everything(&self, text: &str) -> Vec<&'i Row> {
        if !text.trim().is_empty() || self.filter.is_open() {
            return Vec::new();
        }
        let groups = self.instruments.table.groups.iter().zip(0..);
        let hits =
            groups.filter(|(group, _)| self.filter.may_pass(group)).map(|(group, ticker)| {
                let (fit, source) = (Fit::Prefix, Source::Ticker);
                Hit { fit, lack: 0, standing: group.standing, source, rest: 0, ticker, row: None }
            });
        let mut hits: Vec<Hit> = hits.collect();
        hits.sort_unstable();
        self.emit(&hits)
    }

    /// The tickers with exactly this name; also the share with this number on BSE, where numbers are
    /// used as names.
    fn exact(&self, words: &Words, typed: &str) -> Vec<Hit> {
        let Instruments { table, lexicon } = self.instruments;
        let squeezed = words.squeezed();
        let mut hits = self.hits(lexicon.exact(&squeezed).map(|mut found| {
            // `M&M` and `MM` are squeezed alike: then the letter decides.
            let same = table.ticker(found.text.ticker).eq_ignore_ascii_case(typed.trim());
            found.lack = u16::from(found.text.source == Source::Ticker && !same);
            found
        }));
        let coded = squeezed.parse().ok().filter(|_| squeezed.len() == 6);
        let key = coded.map(|id| Key { segment: Segment::BseEq, id });
        if let Some(row) = key.and_then(|key| table.find(key)).filter(|it| self.filter.passes(it)) {
            let fit = Fit::Exact(Source::Alias);
            let (source, ticker) = (Source::Alias, row.ticker);
            hits.push(Hit { fit, lack: 0, standing: 0, source, rest: 0, ticker, row: key });
        }
        hits
    }

    /// Goes on from exact hits to worse ones until there are enough.
    fn named(&self, words: &Words, mut hits: Vec<Hit>) -> Vec<&'i Row> {
        let mut found = Vec::new();
        for fit in STEPS {
            if hits.len() < self.limit {
                hits.extend(self.hits(self.instruments.lexicon.fitting(words, fit).into_iter()));
                hits = self.distinct(hits);
            }
            // Hits may have no row that passes, so what counts is what comes out.
            if hits.len() >= self.limit || fit == Fit::Contains {
                found = self.emit(&hits);
            }
            if found.len() >= self.limit {
                break;
            }
        }
        found
    }

    /// The best hit for each ticker and those for single rows, the best first.
    fn distinct(&self, mut hits: Vec<Hit>) -> Vec<Hit> {
        hits.sort_unstable();
        let mut seen = Set::of(self.instruments.table.groups.len());
        hits.retain(|it| it.row.is_some() || seen.insert(it.ticker));
        hits
    }

    fn ranked(&self, words: &Words, fit: Fit) -> Vec<Hit> {
        self.distinct(self.hits(self.instruments.lexicon.fitting(words, fit).into_iter()))
    }

    /// The contracts on what is called so; `typed` is the whole text.
    fn contracts(&self, name: &Words, contract: &Contract, typed: &str) -> Vec<&'i Row> {
        if name.is_empty() {
            return Vec::new();
        }
        let table = &self.instruments.table;
        let filter = self.filter.only(contract.shape.kinds());
        let derived = Self { filter, ..*self };
        let exact = [Fit::Exact(Source::Ticker)];
        for fit in exact.into_iter().chain(STEPS).chain([Fit::Fuzzy]) {
            let mut found: Vec<&Row> = Vec::new();
            for hit in derived.ranked(name, fit) {
                let Some(group) = self.group(&hit) else { continue };
                let limit = self.limit.saturating_sub(found.len());
                found.extend(pick::contracts(table, group, contract, &filter, limit));
                if found.len() >= self.limit {
                    break;
                }
            }
            if !found.is_empty() {
                let other = |row: &&Row| Words::of(table.symbol(row)).squeezed() != typed;
                found.sort_by_cached_key(other);
                found.truncate(self.limit);
                return found;
            }
        }
        Vec::new()
    }

    fn group(&self, hit: &Hit) -> Option<&'i Group> {
        self.instruments.table.groups.get(hit.ticker as usize)
    }

    /// The hits of names, if their groups may pass.
    fn hits<'f>(&self, found: impl Iterator<Item = Found<'f>>) -> Vec<Hit> {
        let groups = &self.instruments.table.groups;
        let hits = found.filter_map(|it| {
            let group = groups.get(it.text.ticker as usize)?;
            self.filter.may_pass(group).then_some(Hit {
                fit: it.fit,
                lack: it.lack,
                standing: group.standing,
                source: it.text.source,
                rest: it.rest,
                ticker: it.text.ticker,
                row: it.text.row,
            })
        });
        hits.collect()
    }

    /// The rows of hits: what is named itself, then debentures, futures and options. Only who names
    /// something exactly is shown its futures before other names.
    fn emit(&self, hits: &[Hit]) -> Vec<&'i Row> {
        let mut rows = Rows { found: Vec::new(), limit: self.limit };
        for hit in hits {
            if let Some(key) = hit.row {
                let row = self.instruments.table.find(key);
                rows.add(row.filter(|it| self.filter.passes(it)));
                continue;
            }
            rows.add(self.part(hit, Part::Cash, &rows));
            if matches!(hit.fit, Fit::Exact(_)) {
                rows.add(self.part(hit, Part::Futures, &rows));
            }
        }
        for part in [Part::Debts, Part::Futures, Part::Options] {
            for hit in hits.iter().filter(|it| it.row.is_none()) {
                if part != Part::Futures || !matches!(hit.fit, Fit::Exact(_)) {
                    rows.add(self.part(hit, part, &rows));
                }
            }
        }
        rows.found
    }

    fn part(&self, hit: &Hit, part: Part, rows: &Rows<'_>) -> Vec<&'i Row> {
        let left = rows.limit.saturating_sub(rows.found.len());
        match self.group(hit).filter(|_| left > 0) {
            Some(group) => {
                pick::browse(&self.instruments.table, group, part, &self.filter, rows.limit)
            }
            None => Vec::new(),
        }
    }
}

/// Rows, each once, up to a limit.
struct Rows<'i> {
    found: Vec<&'i Row>,
    limit: usize,
}

impl<'i> Rows<'i> {
    fn add(&mut self, rows: impl IntoIterator<Item = &'i Row>) {
        for row in rows {
            if self.found.len() >= self.limit {
                return;
            }
            if !self.found.iter().any(|it| std::ptr::eq(*it, row)) {
                self.found.push(row);
            }
        }
    }
}
