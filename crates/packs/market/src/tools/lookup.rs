//! [`Lookup`]: which instruments there are.

use std::sync::Arc;

use serde::Serialize;
use serde_json::json;
use toolwright_core::{Output, RunContext, ToolError};
use toolwright_macros::toolset;

use super::{
    answer::Answer,
    arguments::{Place, Sort},
    paper::{self, Paper},
};
use crate::{
    Desk, Instrument, Instruments, Key, Kind, Mark, Query, Segment, Session, desk::Market, words,
};

/// Which instruments there are.
pub(super) struct Lookup(pub(super) Arc<Desk>);

/// How many instruments a search returns.
const MOST: usize = 10;

#[toolset]
impl Lookup {
    /// Search for instruments by name or symbol: indices, shares, futures and options. Returns the
    /// security_id and exchange_segment that the other tools need, the best match first.
    #[tool(
        read_only,
        render = readable,
        timeout = "60s",
        examples = [
            "what is the price of NIFTY",
            "find Reliance shares",
            "search for bank nifty options",
            "what's TCS trading at",
            "is there a gold future",
            "look up HDFC",
        ]
    )]
    async fn search_instruments(
        &self,
        /// A name, a symbol or a part of it: "NIFTY", "reliance", "bank nifty", "NIFTY 25000 CE".
        #[tool(length(min = 1, max = 100))]
        query: String,
        /// Only instruments of this type.
        instrument_type: Option<Sort>,
        context: &RunContext,
    ) -> Result<Output, ToolError> {
        let market = self.0.market(context).await?;
        let instruments = market.instruments().await?;
        let kinds = instrument_type.map(Sort::kinds).unwrap_or_default();
        let mut found = numbered(&instruments, &query, &kinds);
        let named = instruments.search(&Query { kinds, ..query_for(&query, &market) });
        found.extend(named.into_iter().filter(|it| it.key.id.to_string() != query.trim()));
        found.truncate(MOST);
        let papers: Vec<_> = found.iter().map(Paper::from).collect();
        let now = clock(&market);
        let text = match found.split_first() {
            None => nothing(&query, instrument_type),
            Some((best, others)) => listed(best, others),
        };
        let data = json!({"instruments": papers, "now": words::stamp(market.clock())});
        Ok(Answer { text: format!("{text}\n\n{now}"), data }.of(&market))
    }

    /// Find one instrument by its symbol within a segment. Returns its security_id,
    /// exchange_segment and instrument_type, which the other tools need.
    #[tool(
        read_only,
        render = readable,
        timeout = "60s",
        examples = [
            "find INFY on NSE_EQ",
            "security id of RELIANCE",
            "look up the symbol NIFTY in IDX_I",
            "which id does TCS have on BSE",
            "get OHLCV data for NIFTY",
        ]
    )]
    async fn find_instrument(
        &self,
        /// The symbol: "NIFTY", "RELIANCE".
        #[tool(length(min = 1, max = 100))]
        symbol: String,
        /// Where it is traded: IDX_I for indices, NSE_EQ and BSE_EQ for shares, NSE_FNO and BSE_FNO
        /// for their futures and options, MCX_COMM for commodities.
        segment: Place,
        context: &RunContext,
    ) -> Result<Output, ToolError> {
        let market = self.0.market(context).await?;
        let instruments = market.instruments().await?;
        let found = find(&instruments, &symbol, segment.0, &market)?;
        let near = if is_called(&found, &symbol) { "" } else { ", the closest to what was asked" };
        let text = format!(
            "Found {}{near}:{}\n\n{}",
            paper::title(&found),
            paper::lines(&found),
            clock(&market)
        );
        let it = Found::new(&found, &market);
        let data = json!(it);
        Answer { text, data }.with_json(&it, &market)
    }
}

/// One instrument, as find_instrument returns it: in this order.
#[derive(Serialize)]
struct Found<'a> {
    security_id: String,
    exchange_segment: Segment,
    instrument_type: Kind,
    trading_symbol: &'a str,
    display_name: &'a str,
    lot_size: u32,
    expiry: Option<String>,
    now: String,
    simulated: bool,
}

impl<'a> Found<'a> {
    fn new(it: &'a Instrument, market: &Market) -> Self {
        Self {
            security_id: it.key.id.to_string(),
            exchange_segment: it.key.segment,
            instrument_type: it.kind,
            trading_symbol: &it.symbol,
            display_name: &it.name,
            lot_size: it.lot_size,
            expiry: it.expiry.map(|it| it.to_string()),
            now: words::stamp(market.clock()),
            simulated: market.mark == Mark::Simulated,
        }
    }
}

/// Everything that has this number: whoever has only the number learns where it is one.
fn numbered(instruments: &Instruments, query: &str, kinds: &[Kind]) -> Vec<Instrument> {
    let Ok(id) = query.trim().parse() else { return Vec::new() };
    let found = Segment::ALL.iter().filter_map(|it| instruments.get(Key { segment: *it, id }));
    found.filter(|it| kinds.is_empty() || kinds.contains(&it.kind)).collect()
}

fn query_for(text: &str, market: &Market) -> Query {
    Query {
        text: text.to_owned(),
        segment: None,
        kinds: Vec::new(),
        expiry: None,
        limit: MOST,
        today: Some(market.clock().date()),
    }
}

/// The instrument of this symbol in this segment; else the one that comes closest, unless it is in
/// another segment by exactly this symbol.
fn find(
    instruments: &Instruments,
    symbol: &str,
    segment: Segment,
    market: &Market,
) -> Result<Instrument, ToolError> {
    let everywhere = query_for(symbol, market);
    let here = instruments.search(&Query { segment: Some(segment), ..everywhere.clone() });
    let exact = here.iter().find(|it| is_called(it, symbol));
    if let Some(found) = exact {
        return Ok(found.clone());
    }
    let all = instruments.search(&everywhere);
    let elsewhere: Vec<_> =
        all.iter().filter(|it| is_called(it, symbol)).map(paper::full_title).collect();
    if !elsewhere.is_empty() {
        let elsewhere = elsewhere.join("; ");
        return Err(format!("there is no {symbol} in {segment}, but: {elsewhere}").into());
    }
    here.into_iter().next().ok_or_else(|| {
        let similar: Vec<_> = all.iter().take(5).map(paper::full_title).collect();
        let similar = if similar.is_empty() {
            "try search_instruments with another name".to_owned()
        } else {
            format!("similar ones: {}", similar.join("; "))
        };
        ToolError::new(format!("there is no {symbol} in {segment}; {similar}"))
    })
}

/// Whether this is what the instrument is called, whatever the case and the spaces.
fn is_called(it: &Instrument, word: &str) -> bool {
    let plain = |text: &str| {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let word: String = plain(word);
    [&it.symbol, &it.name].into_iter().any(|name| plain(name) == word)
}

fn listed(best: &Instrument, others: &[Instrument]) -> String {
    let mut text = format!("Found {}:{}", paper::title(best), paper::lines(best));
    if !others.is_empty() {
        text.push_str("\n\nOther matches:");
    }
    others.iter().for_each(|it| words::item(&mut text, paper::line(it)));
    text
}

fn nothing(query: &str, sort: Option<Sort>) -> String {
    let (narrow, wide) = match sort {
        Some(_) => (" of this type", ", or leave instrument_type out"),
        None => ("", ""),
    };
    format!("No instrument{narrow} matches \"{query}\". Try another name or symbol{wide}.")
}

/// What time it is, so that the model knows what "today" is.
fn clock(market: &Market) -> String {
    let state = match Session::of(Segment::NseEq, market.now) {
        Session::Open => "open",
        Session::Closed => "closed",
    };
    let old = market.stale_list().map(|day| {
        let day = words::day(day);
        format!(" Today's list of instruments could not be had: this is the one of {day}.")
    });
    let old = old.unwrap_or_default();
    format!("It is {}; NSE is {state}.{old}", words::minute(market.clock()))
}
