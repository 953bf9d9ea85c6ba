//! [`Options`]: which options there are on something, and what they cost.

use std::sync::Arc;

use jiff::civil::Date;
use serde_json::{Value, json};
use toolwright_core::{Output, RunContext, ToolError};
use toolwright_macros::toolset;

use super::{
    answer::Answer,
    arguments::{self, Id, Place},
    paper,
};
use crate::{
    Desk, Instrument, Instruments, Key, Leg, MarketErrorKind, OptionChain, Segment, Strike,
    desk::Market,
    words::{self, Table, Unit, decimal},
};

/// Which options there are on something, and what they cost.
pub(super) struct Options(pub(super) Arc<Desk>);

/// How many expiries are put into words.
const TOLD: usize = 12;
/// How many strikes are put into words at most, however many are asked for.
const MOST: usize = 50;

#[toolset]
impl Options {
    /// Get the option chain of an index, a share or a commodity for one expiry: price, open interest
    /// and implied volatility of the calls and puts around the current price, and their own ids.
    #[tool(
        read_only,
        render = readable,
        timeout = "60s",
        examples = [
            "option chain of NIFTY",
            "calls and puts of Reliance",
            "implied volatility of Bank Nifty options",
            "open interest around the current strike",
            "strikes of NIFTY for the next expiry",
        ]
    )]
    async fn get_option_chain(
        &self,
        /// The security_id of the underlying (the index or share itself, not an option), as a search
        /// returned it.
        #[tool(grounded(with = "exchange_segment"))]
        security_id: Id,
        /// The exchange_segment of the same result.
        exchange_segment: Place,
        /// The day the options end, as YYYY-MM-DD and as get_expiries returned it. Left out: the
        /// nearest.
        expiry: Option<String>,
        /// How many strikes around the current price are shown.
        #[tool(default = 10u32, range(min = 1))]
        strikes: u32,
        context: &RunContext,
    ) -> Result<Output, ToolError> {
        let market = self.0.market(context).await?;
        let key = Key { segment: exchange_segment.0, id: security_id.0 };
        let instruments = market.instruments().await?;
        let it = paper::known(&instruments, key)?;
        let expiry = match expiry {
            Some(text) => arguments::date("expiry", &text)?,
            None => match nearest(&market, &it).await? {
                Some(nearest) => nearest,
                None => return Ok(without(&it).of(&market)),
            },
        };
        let chain = match market.client.option_chain(&market.access, key, expiry).await {
            Ok(chain) if !chain.strikes.is_empty() => chain,
            Err(error) if !is_wrong(error.kind) => return Err(error.into()),
            _ => return none(&market, &it, expiry).await,
        };
        let strikes = usize::try_from(strikes).unwrap_or(usize::MAX);
        let around = around(&chain, strikes.min(MOST));
        let segment = segment_of(&chain, &it, &instruments);
        let data = data(&it, &chain, segment);
        let mut text = text(&it, &chain, segment, around);
        if strikes > MOST && chain.strikes.len() > MOST {
            text.push_str(&format!("\n\n{MOST} strikes are the most that are shown at once."));
        }
        Ok(Answer { text, data }.of(&market))
    }

    /// Get the days on which the options on an index, a share or a commodity end.
    #[tool(
        read_only,
        render = readable,
        timeout = "60s",
        examples = [
            "when do NIFTY options expire",
            "expiry dates of Bank Nifty",
            "next expiry of Reliance options",
            "which expiries are there",
            "last day of this month's options",
        ]
    )]
    async fn get_expiries(
        &self,
        /// The security_id of the underlying (the index or share itself), as a search returned it.
        #[tool(grounded(with = "exchange_segment"))]
        security_id: Id,
        /// The exchange_segment of the same result.
        exchange_segment: Place,
        context: &RunContext,
    ) -> Result<Output, ToolError> {
        let market = self.0.market(context).await?;
        let key = Key { segment: exchange_segment.0, id: security_id.0 };
        let it = paper::known(&*market.instruments().await?, key)?;
        let expiries = expiries(&market, &it).await?;
        if expiries.is_empty() {
            return Ok(without(&it).of(&market));
        }
        let title = paper::full_title(&it);
        let many = words::counted(expiries.len(), "expiry", "expiries");
        let mut text = format!("{title} has options with {many}:");
        for expiry in expiries.iter().take(TOLD) {
            let left = match expiry.since(market.clock().date()).map_or(0, |it| it.get_days()) {
                0 => "today".to_owned(),
                1 => "tomorrow".to_owned(),
                days => format!("in {days} days"),
            };
            words::item(&mut text, format!("{expiry} ({}, {left})", words::day(*expiry)));
        }
        if expiries.len() > TOLD {
            words::item(&mut text, format!("… and {} more in the data", expiries.len() - TOLD));
        }
        let data = json!({
            "symbol": it.symbol,
            "security_id": it.key.id,
            "exchange_segment": it.key.segment,
            "expiries": expiries,
        });
        Ok(Answer { text, data }.of(&market))
    }
}

/// The days on which options on this end; none where it has none.
async fn expiries(market: &Market, it: &Instrument) -> Result<Vec<Date>, ToolError> {
    match market.client.expiries(&market.access, it.key).await {
        Ok(expiries) => Ok(expiries),
        // The instrument is known, so it is options that are not.
        Err(error) if is_wrong(error.kind) => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

async fn nearest(market: &Market, it: &Instrument) -> Result<Option<Date>, ToolError> {
    let today = market.clock().date();
    let expiries = expiries(market, it).await?;
    Ok(expiries.into_iter().find(|expiry| *expiry >= today))
}

/// That something has no options, which is an answer like any other.
fn without(it: &Instrument) -> Answer {
    let title = paper::full_title(it);
    let text = format!("{title} has no options. This is no error: not everything has.");
    let data = json!({
        "symbol": it.symbol,
        "security_id": it.key.id,
        "exchange_segment": it.key.segment,
        "expiries": [],
        "strikes": [],
    });
    Answer { text, data }
}

/// Whether this is what the broker says when something has no options, or none that end on a day.
fn is_wrong(kind: MarketErrorKind) -> bool {
    matches!(kind, MarketErrorKind::Input | MarketErrorKind::NoData)
}

async fn none(market: &Market, it: &Instrument, expiry: Date) -> Result<Output, ToolError> {
    let expiries = expiries(market, it).await?;
    if expiries.is_empty() {
        return Ok(without(it).of(market));
    }
    let title = paper::full_title(it);
    let some: Vec<_> = expiries.iter().take(TOLD).map(ToString::to_string).collect();
    Err(format!("no options on {title} end on {expiry}; they end on: {}", some.join(", ")).into())
}

/// The strikes nearest to the price, as many below it as above.
fn around(chain: &OptionChain, most: usize) -> &[Strike] {
    let at = at_the_money(chain);
    let from = at.saturating_sub(most / 2).min(chain.strikes.len().saturating_sub(most));
    let to = (from + most).min(chain.strikes.len());
    chain.strikes.get(from..to).unwrap_or_default()
}

/// The place of the strike nearest to the price.
fn at_the_money(chain: &OptionChain) -> usize {
    let far = |strike: &Strike| (strike.strike - chain.last_price).abs();
    let places = chain.strikes.iter().enumerate();
    places.min_by(|a, b| far(a.1).total_cmp(&far(b.1))).map_or(0, |(at, _)| at)
}

fn open_interest(chain: &OptionChain, side: fn(&Strike) -> Option<&Leg>) -> u128 {
    let all = chain.strikes.iter().filter_map(|it| side(it)?.oi);
    all.map(u128::from).sum()
}

/// Puts for each call, by open interest.
fn put_call_ratio(chain: &OptionChain) -> Option<f64> {
    let calls = open_interest(chain, |it| it.call.as_ref());
    let puts = open_interest(chain, |it| it.put.as_ref());
    (calls > 0).then(|| (puts as f64 / calls as f64 * 100.0).round() / 100.0)
}

fn text(it: &Instrument, chain: &OptionChain, segment: Segment, shown: &[Strike]) -> String {
    let price = Unit::of(it.kind).price(chain.last_price);
    let title = paper::full_title(it);
    let mut text = format!("Option chain of {title}, expiry {}", words::day(chain.expiry));
    words::item(&mut text, format!("Underlying at {price}"));
    let money = chain.strikes.get(at_the_money(chain)).map(|it| it.strike);
    words::item(
        &mut text,
        money.map_or_else(String::new, |it| format!("At the money: {}", decimal(it))),
    );
    let calls = words::count(open_interest(chain, |it| it.call.as_ref()));
    let puts = words::count(open_interest(chain, |it| it.put.as_ref()));
    let ratio = put_call_ratio(chain).map(|it| format!(", put/call ratio {it:.2}"));
    let ratio = ratio.unwrap_or_default();
    words::item(&mut text, format!("Open interest: calls {calls}, puts {puts}{ratio}"));
    words::item(&mut text, format!("The options' ids are in {segment}"));
    let columns = [
        "Call ID", "Call OI", "Call IV", "Call ₹", "Strike", "Put ₹", "Put IV", "Put OI", "Put ID",
    ];
    let mut table = Table::new(&columns);
    for strike in shown {
        let (call, put) = (Cells::of(strike.call.as_ref()), Cells::of(strike.put.as_ref()));
        let price = decimal(strike.strike);
        table.row(&[
            call.id, call.oi, call.iv, call.price, price, put.price, put.iv, put.oi, put.id,
        ]);
    }
    let (some, all) = (shown.len(), chain.strikes.len());
    format!(
        "{text}\n\n{some} of {}, around the price; all are in the data:\n{}",
        words::counted(all, "strike", "strikes"),
        table.text()
    )
}

/// What a table says about one option.
struct Cells {
    id: String,
    oi: String,
    iv: String,
    price: String,
}

impl Cells {
    fn of(leg: Option<&Leg>) -> Self {
        let none = || "-".to_owned();
        Self {
            id: leg.and_then(|it| it.security_id).map_or_else(none, |it| it.to_string()),
            oi: leg.and_then(|it| it.oi).map_or_else(none, words::count),
            iv: leg
                .and_then(|it| it.implied_volatility)
                .map_or_else(none, |it| format!("{it:.1}%")),
            price: leg.map_or_else(none, |it| decimal(it.last_price)),
        }
    }
}

fn data(it: &Instrument, chain: &OptionChain, segment: Segment) -> Value {
    json!({
        "underlying": {
            "symbol": it.symbol,
            "security_id": it.key.id,
            "exchange_segment": it.key.segment,
            "last_price": chain.last_price,
        },
        // Where the options' own ids are valid.
        "exchange_segment": segment,
        "expiry": chain.expiry,
        "at_the_money": chain.strikes.get(at_the_money(chain)).map(|it| it.strike),
        "put_call_ratio": put_call_ratio(chain),
        "strikes": chain.strikes,
    })
}

/// Where the options of a chain are traded. An index does not tell: those of NSE and of BSE are in
/// the same segment.
fn segment_of(chain: &OptionChain, it: &Instrument, instruments: &Instruments) -> Segment {
    let (usual, other) = match it.key.segment {
        Segment::Index | Segment::NseEq => (Segment::NseFno, Segment::BseFno),
        Segment::BseEq => (Segment::BseFno, Segment::NseFno),
        same => return same,
    };
    let legs = chain.strikes.iter().flat_map(|it| [&it.call, &it.put]).flatten();
    let ids: Vec<_> = legs.filter_map(|leg| leg.security_id).take(5).collect();
    let is_there = |segment| {
        let found = |id: &u64| instruments.get(Key { segment, id: *id });
        ids.iter().filter_map(found).any(|found| found.underlying == it.underlying)
    };
    if !is_there(usual) && is_there(other) { other } else { usual }
}
