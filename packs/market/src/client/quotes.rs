//! Quotes: what many instruments cost now, in as few requests as possible.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Value, json};

use super::{
    Client, Detail,
    fields::{Fields, Read},
    limits::Lane,
    trouble,
    wire::Request,
};
use crate::{Access, Depth, Key, Level, MarketError, Ohlc, Quote};

/// How many instruments the broker takes in one request.
const MOST_AT_ONCE: usize = 1000;

impl Client {
    /// What these instruments cost now, in the order asked for. Those the broker does not know
    /// are left out.
    pub async fn quotes(
        &self,
        access: &Access,
        keys: &[Key],
        detail: Detail,
    ) -> Result<Vec<(Key, Quote)>, MarketError> {
        let mut seen = HashSet::new();
        let keys: Vec<_> = keys.iter().copied().filter(|key| seen.insert(*key)).collect();
        let mut quotes = Vec::with_capacity(keys.len());
        for some in keys.chunks(MOST_AT_ONCE) {
            let body = Some(body(some));
            let request = Request { lane: Lane::Quotes, path: detail.path(), body };
            let answer = self.wire.ask(access, &request).await?;
            let Some(data) = answer.get("data").filter(|it| it.is_object()) else {
                return Err(trouble::strange("quotes"));
            };
            let data = Fields::of(data);
            for key in some {
                quotes.extend(find(data, *key)?.map(|quote| (*key, quote)));
            }
        }
        Ok(quotes)
    }
}

fn body(keys: &[Key]) -> Value {
    let mut segments: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for key in keys {
        segments.entry(key.segment.as_str()).or_default().push(key.id);
    }
    json!(segments)
}

fn find(data: Fields<'_>, key: Key) -> Read<Quote> {
    let entry = data.inner(key.segment.as_str()).inner(&key.id.to_string());
    // Without a price it is no quote.
    let Some(last_price) = entry.number("last_price")? else { return Ok(None) };
    let depth = entry.inner("depth");
    let sides = |name: &str| levels(depth.list(name));
    Ok(Some(Quote {
        last_price,
        ohlc: ohlc(entry.inner("ohlc"))?,
        last_trade: entry.date_time("last_trade_time"),
        net_change: entry.number("net_change")?,
        volume: entry.count("volume")?,
        average_price: entry.number("average_price")?,
        oi: entry.count("oi")?,
        lower_circuit: entry.number("lower_circuit_limit")?,
        upper_circuit: entry.number("upper_circuit_limit")?,
        depth: match depth.is_empty() {
            true => None,
            false => Some(Depth { buy: sides("buy")?, sell: sides("sell")? }),
        },
    }))
}

fn ohlc(prices: Fields<'_>) -> Read<Ohlc> {
    if prices.is_empty() {
        return Ok(None);
    }
    // The broker itself says 0 for what there is not.
    let price = |name: &str| prices.number(name).map(Option::unwrap_or_default);
    let (open, high) = (price("open")?, price("high")?);
    Ok(Some(Ohlc { open, high, low: price("low")?, close: price("close")? }))
}

/// The levels somebody is at: the broker fills up to five with zeros.
fn levels(levels: &[Value]) -> Result<Vec<Level>, MarketError> {
    let level = |level: &Value| {
        let level = Fields::of(level);
        Ok(Level {
            price: level.number("price")?.unwrap_or_default(),
            quantity: level.count("quantity")?.unwrap_or_default(),
            orders: level.count("orders")?.unwrap_or_default(),
        })
    };
    let mut levels = levels.iter().map(level).collect::<Result<Vec<_>, _>>()?;
    levels.retain(|level| level.quantity > 0);
    Ok(levels)
}
