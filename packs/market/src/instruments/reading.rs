//! Reading: from the master's text to a [`Table`] and a [`Lexicon`].

use std::io::Read;

use csv::{ByteRecord, ReaderBuilder};
use jiff::civil::Date;

use super::{
    arena::{Arena, Interned, Span},
    layout::{Entry, Layout},
    lexicon::{Lexicon, Source},
    table::{Place, Row, Table},
    words::Words,
};
use crate::{Key, Kind, MarketError, MarketErrorKind, Segment, Side};

/// Reads a list row by row, so that the file is never in memory.
pub(super) fn read(csv: impl Read) -> Result<(Table, Lexicon), MarketError> {
    let mut reader = ReaderBuilder::new().flexible(true).buffer_capacity(1 << 18).from_reader(csv);
    let layout = Layout::of(reader.byte_headers().map_err(|error| unreadable(&error))?)?;
    let mut drafts = Drafts::default();
    let mut row = ByteRecord::new();
    while reader.read_byte_record(&mut row).map_err(|error| unreadable(&error))? {
        if let Some(entry) = layout.entry(&row) {
            drafts.add(&entry);
        }
    }
    if drafts.rows.is_empty() {
        let message = "The list of instruments has no instrument in it.";
        return Err(MarketError::new(MarketErrorKind::Unreadable, message));
    }
    Ok(drafts.finish())
}

fn unreadable(error: &csv::Error) -> MarketError {
    let message = format!("The list of instruments cannot be read: {error}");
    MarketError::new(MarketErrorKind::Unreadable, message)
}

/// What was read so far.
#[derive(Default)]
struct Drafts {
    rows: Vec<Row>,
    table: Table,
    tickers: Interned,
    series: Interned,
    named: Vec<Named>,
    words: Arena,
}

/// A name that a row can be found by.
struct Named {
    ticker: u32,
    key: Key,
    place: Place,
    words: Span,
}

impl Drafts {
    fn add(&mut self, entry: &Entry<'_>) {
        let ticker = self.tickers.number(&entry.ticker.to_ascii_uppercase());
        let place = place(entry);
        let symbol = match place {
            Place::Future | Place::Option if entry.contract.is_empty() => contract(entry),
            Place::Future | Place::Option => entry.contract.to_owned(),
            _ => String::new(),
        };
        let name = if entry.display.is_empty() { entry.company } else { entry.display };
        if place < Place::Future {
            let key = Key { segment: entry.segment, id: entry.id };
            for name in [entry.display, entry.company] {
                let words = self.words.add(Words::of(name).as_str());
                self.named.push(Named { ticker, key, place, words });
            }
        }
        self.rows.push(Row {
            id: entry.id,
            strike: entry.strike,
            tick: entry.tick,
            symbol: self.table.texts.add(&symbol),
            name: self.table.texts.add(name),
            ticker,
            lot: entry.lot,
            series: self.series.number(entry.series),
            expiry: entry.expiry,
            segment: entry.segment,
            kind: entry.kind,
            side: entry.side,
            place,
        });
    }

    fn finish(self) -> (Table, Lexicon) {
        let Self { rows, mut table, tickers, series, mut named, words } = self;
        table.tickers = tickers.texts();
        table.series = series.texts();
        table.arrange(rows);
        let mut lexicon = Lexicon::writing();
        for (ticker, number) in table.tickers.iter().zip(0..) {
            lexicon.add(&Words::of(ticker), Source::Ticker, number, None);
        }
        // The rows of a ticker mostly share a name: once is enough, for the first of them.
        named.sort_by_key(|it| (it.ticker, it.place));
        for same in named.chunk_by(|a, b| a.ticker == b.ticker) {
            let mut seen: Vec<&str> = Vec::new();
            for it in same {
                let text = words.get(it.words);
                if text.is_empty() || seen.contains(&text) {
                    continue;
                }
                seen.push(text);
                // Under one ticker a share stands for all, and a debenture only for itself.
                let alone = (it.place == Place::Debt).then_some(it.key);
                lexicon.add(&Words::join([text]), Source::Name, it.ticker, alone);
            }
        }
        (table, lexicon.finish())
    }
}

/// What a row is among those of its ticker.
fn place(entry: &Entry<'_>) -> Place {
    let paper = matches!(entry.form, "ES" | "");
    match (entry.kind, entry.segment) {
        (Kind::Index, _) => Place::Index,
        (kind, _) if kind.is_option() => Place::Option,
        (kind, _) if kind.is_future() => Place::Future,
        (_, Segment::BseEq) if matches!(entry.series, "F" | "G") => Place::Debt,
        (_, Segment::BseEq) if paper || entry.form == "ETF" => Place::Second,
        (_, Segment::BseEq) => Place::Debt,
        _ if paper && matches!(entry.series, "EQ" | "") => Place::Share,
        _ if entry.form == "ETF" => Place::Restricted,
        // Trade to trade, and the exchanges for small companies.
        _ if paper && matches!(entry.series, "BE" | "BZ" | "SM" | "ST" | "SZ") => Place::Restricted,
        _ => Place::Debt,
    }
}

/// The name of a contract that the file does not name: MCX's in the detailed file.
fn contract(entry: &Entry<'_>) -> String {
    let mut name = entry.ticker.to_owned();
    if let Some(expiry) = entry.expiry {
        name.push_str(&format!("-{:02}{}{}", expiry.day(), month(expiry), expiry.year()));
    }
    if let Some(strike) = entry.strike {
        name.push_str(&format!("-{strike}"));
    }
    name.push_str(match entry.side {
        Some(Side::Call) => "-CE",
        Some(Side::Put) => "-PE",
        None => "-FUT",
    });
    name
}

fn month(date: Date) -> &'static str {
    const NAMES: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let at = usize::try_from(date.month() - 1).unwrap_or_default();
    NAMES.get(at).copied().unwrap_or_default()
}
