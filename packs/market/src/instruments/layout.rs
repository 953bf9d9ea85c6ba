//! [`Layout`]: which column of the master is which, and what its text means.

use csv::ByteRecord;
use jiff::civil::Date;

use crate::{Kind, MarketError, MarketErrorKind, Segment, Side};

/// Which column of the master is which. Known by the header's names, since columns come and go.
#[derive(Debug)]
pub(super) struct Layout {
    exchange: usize,
    segment: usize,
    id: usize,
    kind: usize,
    /// The short ticker (detailed), or the ticker and the contract (compact).
    ticker: usize,
    /// The company, or the contract (detailed only).
    company: Option<usize>,
    display: Option<usize>,
    form: Option<usize>,
    series: Option<usize>,
    lot: Option<usize>,
    expiry: Option<usize>,
    strike: Option<usize>,
    side: Option<usize>,
    tick: Option<usize>,
    style: Style,
}

#[derive(Clone, Copy, Debug)]
enum Style {
    Compact,
    Detailed,
}

/// One row as the file has it.
#[derive(Debug)]
pub(super) struct Entry<'r> {
    pub(super) segment: Segment,
    pub(super) id: u64,
    pub(super) kind: Kind,
    /// The ticker of the underlying, or its own.
    pub(super) ticker: &'r str,
    /// The contract; empty if the file does not name it, or it is none.
    pub(super) contract: &'r str,
    pub(super) display: &'r str,
    pub(super) company: &'r str,
    /// `ES`, `ETF`, …
    pub(super) form: &'r str,
    pub(super) series: &'r str,
    pub(super) lot: u32,
    pub(super) expiry: Option<Date>,
    pub(super) strike: Option<f64>,
    pub(super) side: Option<Side>,
    pub(super) tick: f64,
}

impl Layout {
    /// The layout that a header tells.
    pub(super) fn of(header: &ByteRecord) -> Result<Self, MarketError> {
        let at = |name: &str| header.iter().position(|it| text(it) == name);
        let need = |name: &str| {
            at(name).ok_or_else(|| {
                let shown: Vec<_> = header.iter().take(4).map(text).collect();
                let shown: String = shown.join(",").chars().take(80).collect();
                let message =
                    format!("This is no list of instruments: no column {name} in `{shown}…`.");
                MarketError::new(MarketErrorKind::Unreadable, message)
            })
        };
        if at("SEM_SMST_SECURITY_ID").is_some() {
            return Ok(Self {
                exchange: need("SEM_EXM_EXCH_ID")?,
                segment: need("SEM_SEGMENT")?,
                id: need("SEM_SMST_SECURITY_ID")?,
                kind: need("SEM_INSTRUMENT_NAME")?,
                ticker: need("SEM_TRADING_SYMBOL")?,
                company: at("SM_SYMBOL_NAME"),
                display: at("SEM_CUSTOM_SYMBOL"),
                form: at("SEM_EXCH_INSTRUMENT_TYPE"),
                series: at("SEM_SERIES"),
                lot: at("SEM_LOT_UNITS"),
                expiry: at("SEM_EXPIRY_DATE"),
                strike: at("SEM_STRIKE_PRICE"),
                side: at("SEM_OPTION_TYPE"),
                tick: at("SEM_TICK_SIZE"),
                style: Style::Compact,
            });
        }
        Ok(Self {
            exchange: need("EXCH_ID")?,
            segment: need("SEGMENT")?,
            id: need("SECURITY_ID")?,
            kind: need("INSTRUMENT")?,
            ticker: need("UNDERLYING_SYMBOL")?,
            company: at("SYMBOL_NAME"),
            display: at("DISPLAY_NAME"),
            form: at("INSTRUMENT_TYPE"),
            series: at("SERIES"),
            lot: at("LOT_SIZE"),
            expiry: at("SM_EXPIRY_DATE"),
            strike: at("STRIKE_PRICE"),
            side: at("OPTION_TYPE"),
            tick: at("TICK_SIZE"),
            style: Style::Detailed,
        })
    }

    /// What a row says; nothing for rows that are not for trading, or of a kind the API has no word
    /// for.
    pub(super) fn entry<'r>(&self, row: &'r ByteRecord) -> Option<Entry<'r>> {
        let cell = |at: Option<usize>| at.and_then(|at| row.get(at)).map(text).unwrap_or_default();
        let segment = Segment::of_master(cell(Some(self.exchange)), cell(Some(self.segment)))?;
        let word = cell(Some(self.kind));
        let kind = Kind::ALL.iter().copied().find(|it| it.as_str() == word)?;
        let id = cell(Some(self.id)).parse().ok()?;

        let first = cell(Some(self.ticker));
        let company = cell(self.company);
        let display = cell(self.display);
        let derived = kind.is_future() || kind.is_option();
        let (ticker, contract) = match self.style {
            Style::Compact if derived => (underlying(first).unwrap_or(company), first),
            Style::Detailed if derived => (first, company),
            _ => (first, ""),
        };
        let ticker = [ticker, company, display].into_iter().find(|it| !it.is_empty())?;
        if ticker.ends_with("NSETEST") {
            return None;
        }
        Some(Entry {
            segment,
            id,
            kind,
            ticker,
            contract: if contract == ticker { "" } else { contract },
            display,
            company: if derived { "" } else { company },
            form: cell(self.form),
            series: Some(cell(self.series)).filter(|it| *it != "NA").unwrap_or_default(),
            lot: lot(cell(self.lot)),
            expiry: Some(cell(self.expiry)).filter(|_| derived).and_then(date),
            // Other rows carry junk here, such as -0.01 and 7.
            strike: Some(cell(self.strike)).filter(|_| kind.is_option()).and_then(price),
            side: Some(cell(self.side)).filter(|_| kind.is_option()).and_then(side),
            tick: tick(kind, cell(self.tick)),
        })
    }
}

/// A cell without the spaces around it, and without the mark some files begin with. A name that is
/// not UTF-8 is cut where it stops being so.
fn text(cell: &[u8]) -> &str {
    let cell = cell.strip_prefix(b"\xef\xbb\xbf").unwrap_or(cell);
    let text = match std::str::from_utf8(cell) {
        Ok(text) => text,
        Err(error) => cell
            .get(..error.valid_up_to())
            .and_then(|valid| std::str::from_utf8(valid).ok())
            .unwrap_or_default(),
    };
    text.trim()
}

/// `BAJAJ-AUTO` of `BAJAJ-AUTO-Aug2026-FUT` and `CRUDEOIL` of `CRUDEOIL-19Oct2026-FUT`.
fn underlying(contract: &str) -> Option<&str> {
    contract.match_indices('-').find_map(|(at, _)| {
        let (before, after) = (contract.get(..at)?, contract.get(at + 1..)?);
        let part = after.split('-').next()?.trim_start_matches(|c: char| c.is_ascii_digit());
        let (month, year) = part.split_at_checked(3)?;
        let dated = month.bytes().all(|b| b.is_ascii_alphabetic())
            && year.len() == 4
            && year.bytes().all(|b| b.is_ascii_digit());
        (dated && !before.is_empty()).then_some(before)
    })
}

/// `YYYY-MM-DD`, with or without a time of day. The year 1 stands for none.
fn date(cell: &str) -> Option<Date> {
    let mut parts = cell.get(..10)?.split('-');
    let year: i16 = parts.next()?.parse().ok()?;
    let month = parts.next()?.parse().ok()?;
    let day = parts.next()?.parse().ok()?;
    if year < 1900 { None } else { Date::new(year, month, day).ok() }
}

fn price(cell: &str) -> Option<f64> {
    cell.parse().ok().filter(|it: &f64| it.is_finite() && *it > 0.0)
}

fn side(cell: &str) -> Option<Side> {
    match cell {
        "CE" => Some(Side::Call),
        "PE" => Some(Side::Put),
        _ => None,
    }
}

/// Lots are written as `75.0`.
fn lot(cell: &str) -> u32 {
    let whole = cell.split('.').next().unwrap_or_default();
    whole.parse().unwrap_or(1).max(1)
}

/// The file counts in paise. Only for an index does the detailed file count in rupees, and there
/// it is below 1.
fn tick(kind: Kind, cell: &str) -> f64 {
    let Some(tick) = price(cell) else { return 0.0 };
    if kind == Kind::Index && tick < 1.0 { tick } else { tick / 100.0 }
}
