//! [`chain`] and [`expiries`]: the options on something.

use std::{collections::BTreeSet, sync::Arc};

use axum::{Extension, extract::State, response::Response};
use bytes::Bytes;
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{made, number};
use crate::{
    Key, Segment, Side,
    sim::{
        gate::Caller, limits::Class, market::Market, papers::Paper, refusal::Refusal, server::Desk,
    },
};

/// Whose options are asked for.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Asked {
    underlying_scrip: u64,
    underlying_seg: Segment,
    expiry: Option<String>,
}

/// The days on which options end.
pub(super) async fn expiries(
    State(desk): State<Arc<Desk>>,
    Extension(caller): Extension<Caller>,
    body: Bytes,
) -> Result<Response, Refusal> {
    let asked = Asked::read(&body)?;
    asked.count(&desk, &caller)?;
    made(desk, move |market| {
        let options = market.board.options(asked.underlying(&market)?);
        let days: BTreeSet<Date> = options.map(|(expiry, ..)| expiry.date).collect();
        if days.is_empty() {
            return Err(Refusal::of("813"));
        }
        Ok(json!({"data": days, "status": "success"}))
    })
    .await
}

/// The options that end on one day.
pub(super) async fn chain(
    State(desk): State<Arc<Desk>>,
    Extension(caller): Extension<Caller>,
    body: Bytes,
) -> Result<Response, Refusal> {
    let asked = Asked::read(&body)?;
    let day = asked.expiry.as_deref().ok_or(Refusal::of("814"))?;
    let day: Date = day.parse().map_err(|_| Refusal::of("812"))?;
    asked.count(&desk, &caller)?;
    made(desk, move |market| {
        let underlying = asked.underlying(&market)?;
        let mut strikes = Map::new();
        for (_, strike, side, paper) in
            market.board.options(underlying).filter(|(expiry, ..)| expiry.date == day)
        {
            let side = match side {
                Side::Call => "ce",
                Side::Put => "pe",
            };
            let leg = leg(&market, paper).ok_or(Refusal::of("800"))?;
            let pair = strikes.entry(format!("{strike:.6}")).or_insert_with(|| json!({}));
            if let Some(pair) = pair.as_object_mut() {
                pair.insert(side.to_owned(), leg);
            }
        }
        if strikes.is_empty() {
            return Err(Refusal::of("811"));
        }
        let price = market.last(underlying).ok_or(Refusal::of("813"))?;
        let data = json!({"last_price": number(price), "oc": strikes});
        Ok(json!({"data": data, "status": "success"}))
    })
    .await
}

impl Asked {
    fn read(body: &[u8]) -> Result<Self, Refusal> {
        serde_json::from_slice(body).map_err(|_| Refusal::of("814"))
    }

    /// Each chain may be asked for once in a while.
    fn count(&self, desk: &Desk, caller: &Caller) -> Result<(), Refusal> {
        let (id, segment) = (self.underlying_scrip, self.underlying_seg);
        let expiry = self.expiry.as_deref().unwrap_or("all");
        let who = format!("{} {segment} {id} {expiry}", caller.client);
        desk.meter.count(Class::Chains, &who).map_err(|_| Refusal::of("805"))
    }

    fn underlying<'a>(&self, market: &'a Market) -> Result<&'a Paper, Refusal> {
        let key = Key { segment: self.underlying_seg, id: self.underlying_scrip };
        market.board.paper(key).ok_or(Refusal::of("813"))
    }
}

fn leg(market: &Market, paper: &Paper) -> Option<Value> {
    let now = market.snapshot(paper)?;
    let before = market.volumes(paper, paper.hours().day_before(now.day));
    let at = market.traded(paper, now.day).as_second();
    let valued = market.pricing(paper, now.day).value(market.spot(paper, now.day)?, at)?;
    let ([bid, ..], [ask, ..]) = (now.buy, now.sell);
    let (oi, ..) = now.interest.unwrap_or_default();
    Some(json!({
        "average_price": number(now.average),
        "greeks": {
            "delta": digits(valued.worth.delta),
            "theta": digits(valued.worth.theta),
            "gamma": digits(valued.worth.gamma),
            "vega": digits(valued.worth.vega),
        },
        "implied_volatility": valued.volatility,
        "last_price": number(now.candle.close),
        "oi": oi,
        "previous_close_price": number(now.previous),
        "previous_oi": market.interest(paper, now.day).map_or(0, |it| it.from),
        "previous_volume": before.day(),
        "security_id": paper.key.id,
        "top_ask_price": number(ask.price),
        "top_ask_quantity": ask.quantity,
        "top_bid_price": number(bid.price),
        "top_bid_quantity": bid.quantity,
        "volume": now.candle.volume,
    }))
}

/// Five digits after the point.
fn digits(value: f64) -> f64 {
    (value * 100_000.0).round() / 100_000.0
}
