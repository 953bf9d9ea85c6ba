//! [`Paper`]: an instrument in a result, as data and in words.

use serde::Serialize;
use toolwright_core::ToolError;

use crate::{Instrument, Instruments, Key, Segment, Side, words};

/// An instrument in a result.
#[derive(Clone, Serialize)]
pub(super) struct Paper {
    pub(super) security_id: u64,
    pub(super) exchange_segment: &'static str,
    pub(super) symbol_name: String,
    pub(super) display_name: String,
    pub(super) instrument_type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) underlying: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) series: String,
    pub(super) lot_size: u32,
    pub(super) tick_size: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) expiry: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) strike: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) option_type: Option<Side>,
}

impl From<&Instrument> for Paper {
    fn from(it: &Instrument) -> Self {
        Self {
            security_id: it.key.id,
            exchange_segment: it.key.segment.as_str(),
            symbol_name: it.symbol.clone(),
            display_name: it.name.clone(),
            instrument_type: it.kind.as_str(),
            underlying: (it.underlying != it.symbol).then(|| it.underlying.clone()),
            series: it.series.clone(),
            lot_size: it.lot_size,
            tick_size: it.tick,
            expiry: it.expiry.map(|it| it.to_string()),
            strike: it.strike,
            option_type: it.side,
        }
    }
}

/// `Nifty 50 (NIFTY)`, or the symbol where that is the name.
pub(super) fn title(it: &Instrument) -> String {
    let same = it.name.is_empty() || it.name.eq_ignore_ascii_case(&it.symbol);
    if same { it.symbol.clone() } else { format!("{} ({})", it.name, it.symbol) }
}

/// `Nifty 50 (NIFTY), IDX_I 13`.
pub(super) fn full_title(it: &Instrument) -> String {
    format!("{}, {} {}", title(it), it.key.segment, it.key.id)
}

/// What is known about an instrument, in lines.
pub(super) fn lines(it: &Instrument) -> String {
    let mut text = String::new();
    words::item(&mut text, format!("Security ID: {}", it.key.id));
    words::item(&mut text, format!("Exchange: {}", it.key.segment));
    words::item(&mut text, format!("Symbol: {}", it.symbol));
    words::item(&mut text, format!("Type: {}", it.kind));
    if let Some(strike) = it.strike.filter(|_| it.kind.is_option()) {
        let side = if it.side == Some(Side::Put) { "put" } else { "call" };
        words::item(&mut text, format!("Strike: {} {side}", words::rupees(strike)));
    }
    if let Some(expiry) = it.expiry {
        words::item(&mut text, format!("Expiry: {}", words::day(expiry)));
    }
    if it.lot_size > 1 {
        words::item(&mut text, format!("Lot size: {}", it.lot_size));
    }
    text
}

/// The same in one line.
pub(super) fn line(it: &Instrument) -> String {
    let lot = if it.lot_size > 1 { format!(", lot {}", it.lot_size) } else { String::new() };
    let expiry = it.expiry.map(|it| format!(", expires {}", words::day(it))).unwrap_or_default();
    let Key { segment, id } = it.key;
    format!("{}: security ID {id}, {segment}, {}{expiry}{lot}", title(it), it.kind)
}

/// The instrument with this key, or an error that says where its number is one.
pub(super) fn known(instruments: &Instruments, key: Key) -> Result<Instrument, ToolError> {
    instruments.get(key).ok_or_else(|| ToolError::new(unknown(instruments, key)))
}

/// The segment in which this number is the share of this symbol.
pub(super) fn share(instruments: &Instruments, id: u64, symbol: &str) -> Option<Segment> {
    let is_it = |segment: &Segment| {
        let found = instruments.get(Key { segment: *segment, id });
        found.is_some_and(|it| it.symbol.eq_ignore_ascii_case(symbol))
    };
    [Segment::NseEq, Segment::BseEq].into_iter().find(is_it)
}

/// That nothing has this key, and what has its number elsewhere.
pub(super) fn unknown(instruments: &Instruments, key: Key) -> String {
    let Key { segment, id } = key;
    let elsewhere: Vec<_> = Segment::ALL
        .iter()
        .filter_map(|segment| instruments.get(Key { segment: *segment, id }))
        .map(|it| full_title(&it))
        .collect();
    let instead = if elsewhere.is_empty() {
        "look the instrument up with search_instruments".to_owned()
    } else {
        format!("this id is {}", elsewhere.join("; "))
    };
    format!("there is no security {id} in {segment}: {instead}")
}
