//! [`Quotes`]: what instruments cost now.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use jiff::civil::DateTime;
use serde_json::{Value, json};
use toolwright_core::{Output, RunContext, ToolError};
use toolwright_macros::toolset;

use super::{answer::Answer, arguments::Id, paper};
use crate::{
    Desk, Detail, Instrument, Key, Quote, Segment, Session,
    desk::Market,
    words::{self, Change, Unit, decimal},
};

/// What instruments cost now.
pub(super) struct Quotes(pub(super) Arc<Desk>);

/// How many quotes are put into words with all their details, and how many at all.
const DETAILED: usize = 5;
const TOLD: usize = 50;
/// How many may be asked for at once.
const MOST: usize = 1_000;
/// A price this old is stale while the market trades.
const STALE: Duration = Duration::from_secs(15 * 60);

#[toolset]
impl Quotes {
    /// Get current prices of instruments: last price, change, the day's open, high and low, volume,
    /// open interest and the best bid and ask. Ask for several at once rather than one by one.
    #[tool(
        read_only,
        render = readable,
        timeout = "60s",
        examples = [
            "rate of Wipro",
            "how many shares of ONGC were traded today",
            "bid and ask of a share",
            "is SBIN still below 800",
            "current price of NIFTY",
            "how much is Reliance now",
            "quote for TCS and Infosys",
            "what is the day's high of Bank Nifty",
            "bid and ask of HDFC Bank",
            "is SENSEX up or down today",
            "look up the share price of Infosys",
            "the latest on Bank Nifty",
            "level of an index now",
            "circuit limits of a share",
        ]
    )]
    async fn get_market_quote(
        &self,
        /// Security ids by exchange segment, as a search returned them: {"IDX_I": [13]}, or
        /// {"NSE_EQ": [2885, 1333], "NSE_FNO": [49081]}.
        #[tool(grounded)]
        securities: BTreeMap<String, Vec<Id>>,
        context: &RunContext,
    ) -> Result<Output, ToolError> {
        let keys = keys(&securities)?;
        let market = self.0.market(context).await?;
        let instruments = market.instruments().await?;
        let mut missing = Vec::new();
        let mut known = BTreeMap::new();
        for key in keys {
            match instruments.get(key) {
                Some(found) => drop(known.insert(key, found)),
                None => missing.push(paper::unknown(&instruments, key)),
            }
        }
        if known.is_empty() {
            return Err(missing.join("\n").into());
        }
        let keys: Vec<_> = known.keys().copied().collect();
        let quotes = market.client.quotes(&market.access, &keys, Detail::Full).await?;
        let quoted: Vec<_> = quotes
            .iter()
            .filter_map(|(key, quote)| Some(Quoted::new(known.get(key)?, quote, &market)))
            .collect();
        let silent = known.values().filter(|it| !quoted.iter().any(|quoted| quoted.it == *it));
        missing.extend(silent.map(|it| format!("no quote for {}", paper::full_title(it))));
        let data = json!({
            "quotes": quoted.iter().map(Quoted::data).collect::<Vec<_>>(),
            "missing": missing,
            "as_of": words::stamp(market.clock()),
        });
        Ok(Answer { text: text(&quoted, &missing), data }.of(&market))
    }
}

/// The instruments that were asked for, each once.
fn keys(securities: &BTreeMap<String, Vec<Id>>) -> Result<BTreeSet<Key>, ToolError> {
    let mut keys = BTreeSet::new();
    for (segment, ids) in securities {
        let segment: Segment = segment.parse()?;
        keys.extend(ids.iter().map(|id| Key { segment, id: id.0 }));
    }
    match keys.len() {
        0 => Err("`securities` names no instrument: write it as {\"IDX_I\": [13]}".into()),
        more if more > MOST => {
            Err(format!("{more} instruments are too many: ask for at most {MOST}").into())
        }
        _ => Ok(keys),
    }
}

/// How fresh a price is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Freshness {
    Current,
    Stale,
    Closed,
}

/// An instrument and what it costs.
struct Quoted<'a> {
    it: &'a Instrument,
    quote: &'a Quote,
    unit: Unit,
    change: Option<Change>,
    previous_close: Option<f64>,
    freshness: Freshness,
    now: DateTime,
}

impl<'a> Quoted<'a> {
    fn new(it: &'a Instrument, quote: &'a Quote, market: &Market) -> Self {
        let now = market.clock();
        // After the close `ohlc.close` may be that of today, so the change has the first word.
        let by_change = quote.net_change.map(|change| quote.last_price - change);
        let by_close = quote.ohlc.map(|it| it.close);
        let previous_close = by_change.or(by_close).filter(|it| *it > 0.0);
        let is_old = |at: DateTime| now.duration_since(at).unsigned_abs() > STALE;
        let freshness = match Session::of(it.key.segment, market.now) {
            Session::Closed => Freshness::Closed,
            Session::Open if quote.last_trade.is_some_and(is_old) => Freshness::Stale,
            Session::Open => Freshness::Current,
        };
        Self {
            it,
            quote,
            unit: Unit::of(it.kind),
            change: previous_close.and_then(|it| Change::between(it, quote.last_price)),
            previous_close,
            freshness,
            now,
        }
    }

    /// `Nifty 50 (NIFTY), IDX_I 13: 24,500.25 ▲ +152.30 (+0.63%)`.
    fn line(&self) -> String {
        let change = self.change.map(|it| format!(" {it}")).unwrap_or_default();
        let price = self.unit.price(self.quote.last_price);
        format!("{}: {price}{change}", paper::full_title(self.it))
    }

    fn text(&self) -> String {
        let (quote, unit) = (self.quote, self.unit);
        let mut text = self.line();
        if let Some(day) = quote.ohlc.filter(|it| it.open > 0.0) {
            let [open, high, low] = [day.open, day.high, day.low].map(|it| unit.price(it));
            words::item(&mut text, format!("Open {open}, high {high}, low {low}"));
        }
        if let Some(close) = self.previous_close {
            words::item(&mut text, format!("Previous close {}", unit.price(close)));
        }
        if let Some(volume) = quote.volume.filter(|it| *it > 0) {
            let average = quote.average_price.filter(|it| *it > 0.0);
            let average = average.map(|it| format!(", average price {}", unit.price(it)));
            let average = average.unwrap_or_default();
            words::item(&mut text, format!("Volume {}{average}", words::count(volume)));
        }
        if let Some(oi) = quote.oi.filter(|it| *it > 0) {
            words::item(&mut text, format!("Open interest {}", words::count(oi)));
        }
        words::item(&mut text, self.depth());
        if let (Some(low), Some(high)) = (quote.lower_circuit, quote.upper_circuit)
            && high > 0.0
        {
            let (low, high) = (unit.price(low), unit.price(high));
            words::item(&mut text, format!("Circuit limits {low} to {high}"));
        }
        words::item(&mut text, self.age());
        text
    }

    fn depth(&self) -> String {
        let Some(depth) = &self.quote.depth else { return String::new() };
        let best = |side: &[crate::Level], what: &str| {
            let level = side.first()?;
            let (price, count) = (self.unit.price(level.price), words::count(level.quantity));
            Some(format!("{what} {price} × {count}"))
        };
        let sides = [best(&depth.buy, "Best bid"), best(&depth.sell, "best ask")];
        sides.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// When the price is from, and whether that is now.
    fn age(&self) -> String {
        let at = self.quote.last_trade.map(words::moment);
        let traded = at.as_deref().map_or_else(String::new, |at| format!("Last trade {at}"));
        let now = words::minute(self.now);
        let exchange = exchange(self.it.key.segment);
        match self.freshness {
            Freshness::Current => traded,
            Freshness::Stale => format!("{traded}: stale, it is {now} and {exchange} is open"),
            Freshness::Closed => {
                let end = if traded.is_empty() { String::new() } else { format!(". {traded}") };
                format!("{exchange} is closed ({now}): this is the last price, not a live one{end}")
            }
        }
    }

    fn data(&self) -> Value {
        let (it, quote) = (self.it, self.quote);
        json!({
            "security_id": it.key.id,
            "exchange_segment": it.key.segment,
            "symbol_name": it.symbol,
            "display_name": it.name,
            "instrument_type": it.kind,
            "last_price": quote.last_price,
            "change": self.change.map(|it| it.by),
            "change_percent": self.change.map(|it| it.percent),
            "previous_close": self.previous_close.and_then(|it| decimal(it).replace(',', "").parse::<f64>().ok()),
            "open": quote.ohlc.map(|it| it.open),
            "high": quote.ohlc.map(|it| it.high),
            "low": quote.ohlc.map(|it| it.low),
            "volume": quote.volume,
            "average_price": quote.average_price,
            "open_interest": quote.oi,
            "lower_circuit": quote.lower_circuit,
            "upper_circuit": quote.upper_circuit,
            "depth": quote.depth,
            "last_trade_time": quote.last_trade.map(words::stamp),
            "market": if self.freshness == Freshness::Closed { "closed" } else { "open" },
            "stale": self.freshness == Freshness::Stale,
        })
    }
}

fn exchange(segment: Segment) -> &'static str {
    match segment {
        Segment::BseEq | Segment::BseFno | Segment::BseCurrency => "BSE",
        Segment::McxComm => "MCX",
        Segment::Index => "The market",
        _ => "NSE",
    }
}

fn text(quoted: &[Quoted<'_>], missing: &[String]) -> String {
    let mut text = match quoted {
        [] => "No quotes: the market knows the instruments but has no price for them.".to_owned(),
        few if few.len() <= DETAILED => {
            few.iter().map(Quoted::text).collect::<Vec<_>>().join("\n\n")
        }
        many => {
            let mut lines: Vec<_> = many.iter().take(TOLD).map(Quoted::line).collect();
            if many.len() > TOLD {
                lines.push(format!("… and {} more in the data", many.len() - TOLD));
            }
            lines.extend(many.first().map(Quoted::age));
            lines.join("\n")
        }
    };
    if !missing.is_empty() {
        text.push_str("\n\nNot found:");
        missing.iter().for_each(|it| words::item(&mut text, it));
    }
    text
}
