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
    Desk, Instrument, Instruments, Kind, Mark, Match, Query, Segment, Session, Source,
    desk::Market, words,
};

/// Which instruments there are.
pub(super) struct Lookup(pub(super) Arc<Desk>);

/// How many instruments a search returns.
const MOST: usize = 10;
/// How many of them are told that are of another type than the one that is meant: of a share there are many contracts.
const OTHER_TYPES: usize = 2;

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
        let found = instruments.matches(&Query { kinds, ..query_for(&query, &market) });
        let is_near = found.iter().any(|it| !it.left_out.is_empty());
        let papers: Vec<_> = found.iter().map(|it| Paper::from(&it.instrument)).collect();
        let (text, fitting, closest) = match found.split_first() {
            None => (nothing(&query, instrument_type), papers, None),
            Some(_) if is_near => (near(&query, &found), Vec::new(), Some(papers)),
            Some((best, others)) => (listed(&query, best, others), papers, None),
        };
        let mut data = json!({"instruments": fitting, "now": words::stamp(market.clock())});
        if let (Some(closest), Some(fields)) = (closest, data.as_object_mut()) {
            fields.insert("closest".to_owned(), json!(closest));
        }
        let now = clock(&market);
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
        let (found, others) = find(&instruments, &symbol, segment.0, &market)?;
        let now = clock(&market);
        if !others.is_empty() {
            let all: Vec<_> =
                [&found].into_iter().chain(&others).map(|it| &it.instrument).collect();
            let note = several(&symbol, segment.0);
            let text = format!("{note}{}\n\n{now}", items(all.iter().map(|it| paper::line(it))));
            let all: Vec<_> = all.into_iter().map(|it| Found::new(it, &market)).collect();
            let several = Several { note, instruments: all };
            return Answer { text, data: json!(several) }.with_json(&several, &market);
        }
        let how = how(&found, &symbol, segment.0);
        let it = &found.instrument;
        let text = format!("Found {}{how}:{}\n\n{now}", paper::title(it), paper::lines(it));
        let it = Found::new(it, &market);
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

/// Several instruments, where it is not known which is meant.
#[derive(Serialize)]
struct Several<'a> {
    note: String,
    instruments: Vec<Found<'a>>,
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

/// The instrument that the symbol calls in this segment; else the only one there that accounts for it. Where
/// several do, all of them: which is meant is not for this tool to say.
fn find(
    instruments: &Instruments,
    symbol: &str,
    segment: Segment,
    market: &Market,
) -> Result<(Match, Vec<Match>), ToolError> {
    let everywhere = query_for(symbol, market);
    let mut here = instruments.matches(&Query { segment: Some(segment), ..everywhere.clone() });
    // What the symbol calls in the most reliable way, where it calls something.
    let best = here.iter().filter_map(|it| it.named).min();
    here.retain(|it| best.is_none() || it.named == best);
    let all = instruments.matches(&everywhere);
    let fitting = || all.iter().filter(|it| it.left_out.is_empty());
    let elsewhere: Vec<_> = match here.first() {
        Some(it) if it.named.is_some() => Vec::new(),
        Some(it) if it.left_out.is_empty() => fitting().filter(|it| it.named.is_some()).collect(),
        _ => fitting().collect(),
    };
    if !elsewhere.is_empty() {
        let elsewhere = titles(elsewhere);
        return Err(format!("there is no {symbol} in {segment}, but: {elsewhere}").into());
    }
    let mut fitting = here.iter().filter(|it| it.left_out.is_empty()).cloned();
    if let Some(found) = fitting.next() {
        return Ok((found, fitting.collect()));
    }
    let near = titles(here.iter().chain(&all).take(5));
    Err(ToolError::new(if near.is_empty() {
        format!("there is no {symbol} in {segment}; try search_instruments with another name")
    } else {
        format!("there is no {symbol} in {segment}; did you mean one of these: {near}?")
    }))
}

fn titles<'a>(all: impl IntoIterator<Item = &'a Match>) -> String {
    let mut titles = Vec::new();
    for it in all {
        let title = paper::full_title(&it.instrument);
        if !titles.contains(&title) {
            titles.push(title);
        }
    }
    titles.join("; ")
}

/// How the symbol stands for what was found, where that is not plain.
fn how(found: &Match, symbol: &str, segment: Segment) -> String {
    let is_id = symbol.trim().parse() == Ok(found.instrument.key.id);
    match found.named {
        Some(Source::Ticker | Source::Name) => String::new(),
        Some(Source::Alias) => format!(", known as \"{symbol}\""),
        None if is_id => String::new(),
        None => format!(", the only one in {segment} that fits \"{symbol}\""),
    }
}

fn several(symbol: &str, segment: Segment) -> String {
    format!(
        "\"{symbol}\" may be several in {segment}, and is the whole symbol of none. Ask for the one that is \
         meant by its symbol:"
    )
}

fn listed(query: &str, best: &Match, others: &[Match]) -> String {
    let is_other = |it: &Match| it.instrument.underlying != best.instrument.underlying;
    if best.named.is_none() && others.iter().any(is_other) {
        let all = [best].into_iter().chain(others).map(|it| paper::line(&it.instrument));
        return format!("Several fit \"{query}\"; say which one is meant:{}", items(all));
    }
    let it = &best.instrument;
    let mut text = format!("Found {}:{}", paper::title(it), paper::lines(it));
    if !others.is_empty() {
        text.push_str("\n\nOther matches:");
    }
    let is_same = |other: &&Match| other.instrument.kind == it.kind;
    let (same, different): (Vec<_>, Vec<_>) = others.iter().partition(is_same);
    let (told, more) = different.split_at(different.len().min(OTHER_TYPES));
    text.push_str(&items(same.iter().chain(told).map(|it| paper::line(&it.instrument))));
    if !more.is_empty() {
        let more = format!("{} more of other types: name the type to see them", more.len());
        words::item(&mut text, more);
    }
    text
}

/// What comes near, each with what it leaves out: none of it was found.
fn near(query: &str, all: &[Match]) -> String {
    let lines = all.iter().map(|it| {
        let left_out: Vec<_> = it.left_out.iter().map(|word| format!("\"{word}\"")).collect();
        format!("{} (not in it: {})", paper::line(&it.instrument), left_out.join(", "))
    });
    format!(
        "Nothing fits all of \"{query}\". The closest, if one of these is meant:{}",
        items(lines)
    )
}

fn items(lines: impl Iterator<Item = String>) -> String {
    let mut text = String::new();
    lines.for_each(|line| words::item(&mut text, line));
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
