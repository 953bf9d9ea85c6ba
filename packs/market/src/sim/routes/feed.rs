//! [`quote`], [`ohlc`] and [`ltp`]: what instruments cost now.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::{made, number};
use crate::{
    Key, Kind, Level, Segment,
    sim::{market::Market, papers::Paper, quotes::Snapshot, refusal::Refusal, server::Desk},
};

/// So many instruments a request.
const MOST: usize = 1000;

/// Just the price.
pub(super) async fn ltp(State(desk): State<Arc<Desk>>, body: Bytes) -> Result<Response, Refusal> {
    answer(desk, body, |market, paper| {
        let price = market.last(paper).unwrap_or_default();
        json!({"last_price": number(price)})
    })
    .await
}

/// The price, and the day.
pub(super) async fn ohlc(State(desk): State<Arc<Desk>>, body: Bytes) -> Result<Response, Refusal> {
    answer(desk, body, |market, paper| match market.snapshot(paper) {
        Some(now) => json!({"last_price": number(now.candle.close), "ohlc": day(&now)}),
        None => {
            let ohlc = json!({"open": 0, "close": 0, "high": 0, "low": 0});
            json!({"last_price": 0, "ohlc": ohlc})
        }
    })
    .await
}

/// Everything.
pub(super) async fn quote(State(desk): State<Arc<Desk>>, body: Bytes) -> Result<Response, Refusal> {
    answer(desk, body, |market, paper| match market.snapshot(paper) {
        Some(now) => traded(paper, &now),
        None => never_traded(),
    })
    .await
}

async fn answer(
    desk: Arc<Desk>,
    body: Bytes,
    tell: fn(&Market, &Paper) -> Value,
) -> Result<Response, Refusal> {
    let wanted = wanted(&body)?;
    made(desk, move |market| {
        let mut data = Map::new();
        for (segment, ids) in wanted {
            let papers = ids.into_iter().filter_map(|id| market.board.paper(Key { segment, id }));
            let told: Map<_, _> =
                papers.map(|paper| (paper.key.id.to_string(), tell(&market, paper))).collect();
            data.insert(segment.to_string(), Value::Object(told));
        }
        Ok(json!({"data": data, "status": "success"}))
    })
    .await
}

/// The instruments a request is about.
fn wanted(body: &[u8]) -> Result<Vec<(Segment, Vec<u64>)>, Refusal> {
    let bad = || Refusal::of("814");
    let body: Map<String, Value> = serde_json::from_slice(body).map_err(|_| bad())?;
    let mut wanted = Vec::new();
    // The broker's own client puts its number into each body.
    for (name, ids) in body.into_iter().filter(|(name, _)| name != "dhanClientId") {
        let segment = Segment::ALL.iter().find(|it| it.as_str() == name).ok_or_else(bad)?;
        let ids = ids.as_array().ok_or_else(bad)?;
        let ids: Option<Vec<u64>> = ids.iter().map(Value::as_u64).collect();
        wanted.push((*segment, ids.ok_or_else(bad)?));
    }
    match wanted.iter().map(|(_, ids)| ids.len()).sum() {
        0 => Err(bad()),
        1..=MOST => Ok(wanted),
        _ => Err(Refusal::of("804")),
    }
}

fn day(now: &Snapshot) -> Value {
    json!({
        "open": number(now.candle.open),
        "close": number(now.previous),
        "high": number(now.candle.high),
        "low": number(now.candle.low),
    })
}

fn traded(paper: &Paper, now: &Snapshot) -> Value {
    let mut quote = json!({
        "average_price": number(now.average),
        "buy_quantity": waiting(&now.buy),
        "sell_quantity": waiting(&now.sell),
        "depth": {"buy": now.buy.map(level), "sell": now.sell.map(level)},
        "last_price": number(now.candle.close),
        "last_quantity": now.quantity,
        "last_trade_time": now.traded.strftime("%d/%m/%Y %H:%M:%S").to_string(),
        "net_change": number(((now.candle.close - now.previous) * 100.0).round() / 100.0),
        "ohlc": day(now),
        "volume": now.candle.volume,
    });
    let (oi, high, low) = now.interest.unwrap_or_default();
    if let Some(fields) = quote.as_object_mut() {
        fields.extend([
            ("oi".to_owned(), json!(oi)),
            ("oi_day_high".to_owned(), json!(high)),
            ("oi_day_low".to_owned(), json!(low)),
        ]);
        // Of an index they are absent.
        if let (Some((lower, upper)), true) = (now.circuit, paper.kind != Kind::Index) {
            fields.insert("lower_circuit_limit".to_owned(), number(lower));
            fields.insert("upper_circuit_limit".to_owned(), number(upper));
        }
    }
    quote
}

fn never_traded() -> Value {
    let empty = [Level::default(); 5].map(level);
    json!({
        "average_price": 0, "buy_quantity": 0, "sell_quantity": 0,
        "depth": {"buy": empty, "sell": empty},
        "last_price": 0, "last_quantity": 0, "last_trade_time": "01/01/1980 00:00:00",
        "lower_circuit_limit": 0, "upper_circuit_limit": 0, "net_change": 0,
        "ohlc": {"open": 0, "close": 0, "high": 0, "low": 0},
        "oi": 0, "oi_day_high": 0, "oi_day_low": 0, "volume": 0,
    })
}

fn level(level: Level) -> Value {
    json!({"quantity": level.quantity, "orders": level.orders, "price": number(level.price)})
}

/// All that wait, of whom the book shows the first.
fn waiting(levels: &[Level]) -> u64 {
    levels.iter().map(|level| level.quantity).sum::<u64>() * 12
}
