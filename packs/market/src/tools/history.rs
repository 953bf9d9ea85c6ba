//! [`History`]: what instruments cost then.

use std::sync::Arc;

use jiff::civil::Date;
use serde::Serialize;
use serde_json::json;
use toolwright_core::{Output, RunContext, ToolError, plural};
use toolwright_macros::toolset;

use super::{
    answer::Answer,
    arguments::{Id, Place, Sort},
    paper,
    range::{Keep, Range, Span},
};
use crate::{
    Candle, Desk, Instrument, Key, Mark, MarketError, MarketErrorKind,
    desk::Market,
    in_india,
    words::{self, Change, Table, Unit},
};

/// What instruments cost then.
pub(super) struct History(pub(super) Arc<Desk>);

/// How many candles are put into words; all of them are in the data.
const TOLD: usize = 15;
/// How many candles a model reads as JSON: about as many as the runtime does not shorten.
const ROWS: usize = 400;

#[toolset]
impl History {
    /// Get historical prices of an instrument as candles (open, high, low, close, volume): daily, or
    /// of 1, 5, 15, 25 or 60 minutes.
    #[tool(
        read_only,
        render = readable,
        timeout = "120s",
        examples = [
            "how has Wipro done since January",
            "how did gold do this year so far",
            "historical prices of Reliance",
            "how did NIFTY do last month",
            "candles of TCS since March",
            "price history of Infosys, 15 minutes each",
            "chart data for SENSEX last week",
        ]
    )]
    async fn get_historical_data(
        &self,
        /// The instrument's security_id, as a search returned it.
        #[tool(grounded(with = "exchange_segment"))]
        security_id: Id,
        /// The exchange_segment of the same result.
        exchange_segment: Place,
        /// The instrument_type of the same result, as a check; may be left out.
        instrument_type: Option<Sort>,
        /// How long each candle is: "daily", or minutes: "1", "5", "15", "25", "60".
        #[tool(default = "daily")]
        interval: String,
        /// The first day, as YYYY-MM-DD. Left out: a month before the last for daily candles, the
        /// newest trading day for others.
        from_date: Option<String>,
        /// The last day, as YYYY-MM-DD, included. Left out: today.
        to_date: Option<String>,
        context: &RunContext,
    ) -> Result<Output, ToolError> {
        let key = Key { segment: exchange_segment.0, id: security_id.0 };
        let (sort, span) = (instrument_type, Span::parse(&interval)?);
        let asked = Asked { key, sort, span, from_date, to_date };
        let (candles, market) = self.candles(asked, context).await?;
        Ok(candles.answer().of(&market))
    }

    /// Get daily candles of an instrument: open, high, low, close and volume of each trading day.
    #[tool(
        read_only,
        render = readable,
        timeout = "120s",
        examples = [
            "daily OHLCV of NIFTY",
            "daily candles of Reliance for January",
            "open high low close of TCS each day",
            "get OHLCV data for SENSEX",
            "closing prices of the last ten days",
        ]
    )]
    async fn get_daily_ohlcv(
        &self,
        /// The instrument's security_id, as find_instrument returned it.
        #[tool(grounded(with = "exchange_segment"))]
        security_id: Id,
        /// The exchange_segment of the same result.
        exchange_segment: Place,
        /// The instrument_type of the same result, as a check; may be left out.
        instrument_type: Option<Sort>,
        /// The first day, as YYYY-MM-DD. Left out: a month before the last.
        from_date: Option<String>,
        /// The last day, as YYYY-MM-DD, included. Left out: today.
        to_date: Option<String>,
        context: &RunContext,
    ) -> Result<Output, ToolError> {
        let key = Key { segment: exchange_segment.0, id: security_id.0 };
        let asked = Asked { key, sort: instrument_type, span: Span::Day, from_date, to_date };
        let (candles, market) = self.candles(asked, context).await?;
        candles.answer().with_json(&candles.rows(market.mark), &market)
    }

    /// Get candles within the day of an instrument: open, high, low, close and volume of every 1, 5,
    /// 15, 25 or 60 minutes.
    #[tool(
        read_only,
        render = readable,
        timeout = "120s",
        examples = [
            "5 minute candles of NIFTY",
            "intraday chart of Reliance today",
            "hourly prices of TCS",
            "how did Bank Nifty move this morning",
            "1 minute OHLCV of Infosys",
        ]
    )]
    async fn get_intraday_ohlcv(
        &self,
        /// The instrument's security_id, as find_instrument returned it.
        #[tool(grounded(with = "exchange_segment"))]
        security_id: Id,
        /// The exchange_segment of the same result.
        exchange_segment: Place,
        /// The instrument_type of the same result, as a check; may be left out.
        instrument_type: Option<Sort>,
        /// How long each candle is, in minutes: "1", "5", "15", "25", "60".
        #[tool(default = "5")]
        interval: String,
        /// From when, as YYYY-MM-DD or YYYY-MM-DD HH:MM in India's time. Left out: the newest trading
        /// day.
        from_date: Option<String>,
        /// Until when, as YYYY-MM-DD or YYYY-MM-DD HH:MM, included. Left out: now.
        to_date: Option<String>,
        context: &RunContext,
    ) -> Result<Output, ToolError> {
        let key = Key { segment: exchange_segment.0, id: security_id.0 };
        let span = Span::parse(&interval)?;
        if span == Span::Day {
            return Err(
                "within a day candles are of 1, 5, 15, 25 or 60 minutes; for days there is \
                        get_daily_ohlcv"
                    .into(),
            );
        }
        let asked = Asked { key, sort: instrument_type, span, from_date, to_date };
        let (candles, market) = self.candles(asked, context).await?;
        candles.answer().with_json(&candles.rows(market.mark), &market)
    }
}

/// What the three tools have in common.
struct Asked {
    key: Key,
    sort: Option<Sort>,
    span: Span,
    from_date: Option<String>,
    to_date: Option<String>,
}

impl History {
    async fn candles(
        &self,
        asked: Asked,
        context: &RunContext,
    ) -> Result<(Candles, Market), ToolError> {
        let market = self.0.market(context).await?;
        let (from, to) = (asked.from_date.as_deref(), asked.to_date.as_deref());
        let range = Range::new(asked.span, from, to, market.clock())?;
        let it = paper::known(&*market.instruments().await?, asked.key)?;
        if let Some(sort) = asked.sort.filter(|sort| !sort.kinds().contains(&it.kind)) {
            return Err(mistaken(&it, sort));
        }
        let found = fetch(&market, &it, &range).await;
        let candles = match found {
            Ok(candles) => candles,
            Err(error) if error.kind == MarketErrorKind::NoData => Vec::new(),
            Err(error) => return Err(error.into()),
        };
        let all = newest_day(candles, range.keep);
        Ok((Candles { it, range, all }, market))
    }
}

/// The candles of an instrument.
struct Candles {
    it: Instrument,
    range: Range,
    all: Vec<Candle>,
}

impl Candles {
    /// In words, and as pages draw them.
    fn answer(&self) -> Answer {
        let Self { it, range, all } = self;
        let data = json!({
            "symbol": it.symbol,
            "display_name": it.name,
            "security_id": it.key.id,
            "exchange_segment": it.key.segment,
            "instrument_type": it.kind,
            "interval": range.span.word(),
            "from": range.from.date().to_string(),
            "to": range.to.date().to_string(),
            "timezone": "Asia/Kolkata",
            "columns": ["time", "open", "high", "low", "close", "volume"],
            "candles": all.iter().map(row).collect::<Vec<_>>(),
        });
        Answer { text: text(it, range, all), data }
    }

    /// As a list of objects, the oldest first; with a note beside it where it is not all of them, or
    /// empty.
    fn rows(&self, mark: Mark) -> Rows<'_> {
        let Self { range, all, .. } = self;
        let simulated = (mark == Mark::Simulated).then_some(true);
        let newest = all.iter().skip(all.len().saturating_sub(ROWS));
        let candles: Vec<_> = newest
            .map(|candle| {
                let Candle { open, high, low, close, volume, .. } = candle;
                Row { date: stamp(range, candle), open, high, low, close, volume, simulated }
            })
            .collect();
        let note = match candles.len() {
            0 => {
                "There was no trading then, or the instrument did not exist yet. Try another time."
                    .to_owned()
            }
            some if some < all.len() => format!(
                "These are the newest {some} of {} candles. Ask for a shorter time, or for longer \
                 candles, to see the others.",
                all.len()
            ),
            _ => return Rows::All(candles),
        };
        Rows::Noted { note, candles }
    }
}

/// Candles as a model reads them.
#[derive(Serialize)]
#[serde(untagged)]
enum Rows<'a> {
    All(Vec<Row<'a>>),
    Noted { note: String, candles: Vec<Row<'a>> },
}

#[derive(Serialize)]
struct Row<'a> {
    date: String,
    open: &'a f64,
    high: &'a f64,
    low: &'a f64,
    close: &'a f64,
    volume: &'a u64,
    /// Only where they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    simulated: Option<bool>,
}

async fn fetch(
    market: &Market,
    it: &Instrument,
    range: &Range,
) -> Result<Vec<Candle>, MarketError> {
    let Market { client, access, .. } = market;
    let Range { from, to, .. } = *range;
    match range.span {
        Span::Day => client.daily(access, it.key, it.kind, from.date(), to.date()).await,
        Span::Minutes(each) => client.intraday(access, it.key, it.kind, each, from, to).await,
    }
}

/// That the model takes the instrument for something else: it may well mean another.
fn mistaken(it: &Instrument, sort: Sort) -> ToolError {
    let taken: Vec<_> = sort.kinds().iter().map(|kind| kind.as_str()).collect();
    let (title, taken) = (paper::full_title(it), taken.join(" or "));
    ToolError::new(format!("{title} is of type {}, not {taken}: is it the one you mean?", it.kind))
}

fn date_of(candle: &Candle) -> Date {
    in_india(candle.at).date()
}

fn newest_day(mut candles: Vec<Candle>, keep: Keep) -> Vec<Candle> {
    if let (Keep::NewestDay, Some(newest)) = (keep, candles.last().map(date_of)) {
        candles.retain(|it| date_of(it) == newest);
    }
    candles
}

/// A candle as pages draw it.
fn row(it: &Candle) -> serde_json::Value {
    json!([it.at.as_second(), it.open, it.high, it.low, it.close, it.volume])
}

fn text(it: &Instrument, range: &Range, candles: &[Candle]) -> String {
    let (title, name) = (paper::full_title(it), range.span.name());
    let (Some(first), Some(last)) = (candles.first(), candles.last()) else {
        let (from, to) = (words::day(range.from.date()), words::day(range.to.date()));
        return format!(
            "{title}: no {name} candles from {from} to {to}. This is no error: there was no trading \
             then (a weekend, a holiday), or the instrument did not exist yet. Try another time."
        );
    };
    let unit = Unit::of(it.kind);
    let many = plural(candles.len() as u64, "candle", "candles");
    let mut text =
        format!("{title}: {} {name} {many}, {}", candles.len(), when(range, first, last));
    let (open, close) = (unit.price(first.open), unit.price(last.close));
    let change = Change::between(first.open, last.close);
    let change = change.map(|it| format!(", {it}")).unwrap_or_default();
    words::item(&mut text, format!("From open {open} to close {close}{change}"));
    let highest = candles.iter().max_by(|a, b| a.high.total_cmp(&b.high)).unwrap_or(first);
    let lowest = candles.iter().min_by(|a, b| a.low.total_cmp(&b.low)).unwrap_or(first);
    let (high, low) = (unit.price(highest.high), unit.price(lowest.low));
    let (at_high, at_low) = (stamp(range, highest), stamp(range, lowest));
    words::item(&mut text, format!("Highest {high} ({at_high}), lowest {low} ({at_low})"));
    let volume: u128 = candles.iter().map(|it| u128::from(it.volume)).sum();
    if volume > 0 {
        let each = volume / u128::try_from(candles.len()).unwrap_or(1).max(1);
        let (all, each) = (words::count(volume), words::count(each));
        words::item(&mut text, format!("Volume {all} in all, {each} on average"));
    }
    text.push_str("\n\n");
    text.push_str(&table(range, candles));
    text
}

fn table(range: &Range, candles: &[Candle]) -> String {
    let newest: Vec<_> = candles.iter().rev().take(TOLD).collect();
    // An index is not traded itself.
    let is_traded = candles.iter().any(|it| it.volume > 0);
    let columns = ["Time (IST)", "Open", "High", "Low", "Close", "Volume"];
    let width = if is_traded { columns.len() } else { columns.len() - 1 };
    let mut table = Table::new(columns.get(..width).unwrap_or(&columns));
    for it in &newest {
        let [open, high, low, close] = [it.open, it.high, it.low, it.close].map(words::decimal);
        let row = [stamp(range, it), open, high, low, close, words::count(it.volume)];
        table.row(row.get(..width).unwrap_or(&row));
    }
    let head = match candles.len() {
        all if all > newest.len() => {
            format!("The newest {} of {all}, the newest first; all are in the data:", newest.len())
        }
        _ => "The newest first:".to_owned(),
    };
    format!("{head}\n{}", table.text())
}

fn stamp(range: &Range, candle: &Candle) -> String {
    let at = in_india(candle.at);
    match range.span {
        Span::Day => at.date().to_string(),
        Span::Minutes(_) => at.strftime("%F %H:%M").to_string(),
    }
}

fn when(range: &Range, first: &Candle, last: &Candle) -> String {
    let (from, to) = (in_india(first.at), in_india(last.at));
    match range.span {
        Span::Day => format!("{} to {}", words::day(from.date()), words::day(to.date())),
        Span::Minutes(_) => format!("{} to {}", words::minute(from), words::minute(to)),
    }
}
