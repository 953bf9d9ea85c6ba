//! [`historical`] and [`intraday`]: what an instrument cost.

use std::{iter, sync::Arc};

use axum::{extract::State, response::Response};
use bytes::Bytes;
use jiff::{
    ToSpan,
    civil::{Date, DateTime, Time},
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{made, number};
use crate::{
    Candle, Interval, Key, Kind, Segment, in_india,
    sim::{
        calendar::{moment, tomorrow},
        market::{Market, fold},
        papers::Paper,
        refusal::Refusal,
        server::Desk,
    },
};

/// A request within a day is about so many days at most.
const DAYS: i32 = 90;

/// Minutes are kept for about five years.
const YEARS: i16 = 5;

/// What candles are asked for.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Asked {
    security_id: Value,
    exchange_segment: Segment,
    instrument: Kind,
    interval: Option<Value>,
    oi: Option<bool>,
    from_date: String,
    to_date: String,
}

/// Days.
pub(super) async fn historical(
    State(desk): State<Arc<Desk>>,
    body: Bytes,
) -> Result<Response, Refusal> {
    let asked = Asked::read(&body)?;
    let (from, to) = (asked.from_date.parse::<Date>(), asked.to_date.parse::<Date>());
    let (Ok(from), Ok(to)) = (from, to) else { return Err(nothing()) };
    made(desk, move |market| {
        let paper = asked.paper(&market)?;
        // The last day is not part of it.
        let days = days(&market, paper, from, to);
        let candles: Vec<Candle> = days.filter_map(|day| market.day(paper, day)).collect();
        asked.columns(&candles, |it| Value::from(it.at.as_second()))
    })
    .await
}

/// Minutes.
pub(super) async fn intraday(
    State(desk): State<Arc<Desk>>,
    body: Bytes,
) -> Result<Response, Refusal> {
    let asked = Asked::read(&body)?;
    let interval = asked.interval()?;
    let (from, to) = (clock(&asked.from_date)?, clock(&asked.to_date)?);
    if (to.date() - from.date()).get_days() > DAYS {
        return Err(nothing());
    }
    made(desk, move |market| {
        let paper = asked.paper(&market)?;
        let oldest = in_india(market.now).date().checked_sub(YEARS.years()).unwrap_or(Date::MIN);
        let first = from.date().max(oldest);
        let (start, end) = (moment(from.date(), from.time()), moment(to.date(), to.time()));
        let candles: Vec<Candle> = days(&market, paper, first, tomorrow(to.date()))
            .flat_map(|day| grouped(&market.minutes(paper, day), interval))
            .filter(|candle| candle.at >= start && candle.at < end)
            .collect();
        // Times with a fraction, as the broker sometimes writes them.
        asked.columns(&candles, |it| Value::from(it.at.as_second() as f64))
    })
    .await
}

/// The error for a bad request and for no data alike: the broker tells no difference.
fn nothing() -> Refusal {
    Refusal::of("DH-905")
}

/// Days from one to another, as far as the paper was listed and the market has come.
fn days(market: &Market, paper: &Paper, from: Date, to: Date) -> impl Iterator<Item = Date> {
    let first = from.max(paper.listed_since());
    let last = in_india(market.now).date();
    iter::successors(Some(first), |day| day.tomorrow().ok())
        .take_while(move |day| *day < to && *day <= last)
}

/// A date, or a date and a time.
fn clock(text: &str) -> Result<DateTime, Refusal> {
    if let Ok(date) = text.parse::<Date>()
        && text.len() == 10
    {
        return Ok(date.to_datetime(Time::midnight()));
    }
    DateTime::strptime("%Y-%m-%d %H:%M:%S", text).map_err(|_| nothing())
}

/// Minutes in groups, counted from the opening.
fn grouped(minutes: &[Candle], interval: Interval) -> Vec<Candle> {
    minutes.chunks(interval.minutes() as usize).filter_map(fold).collect()
}

impl Asked {
    fn read(body: &[u8]) -> Result<Self, Refusal> {
        serde_json::from_slice(body).map_err(|_| nothing())
    }

    fn paper<'a>(&self, market: &'a Market) -> Result<&'a Paper, Refusal> {
        let id = match &self.security_id {
            Value::String(text) => text.parse().ok(),
            id => id.as_u64(),
        };
        let key = Key { segment: self.exchange_segment, id: id.ok_or_else(nothing)? };
        let paper = market.board.paper(key);
        paper.filter(|paper| paper.kind == self.instrument).ok_or_else(nothing)
    }

    fn interval(&self) -> Result<Interval, Refusal> {
        let minutes = match &self.interval {
            Some(Value::String(text)) => text.parse().ok(),
            Some(minutes) => minutes.as_u64().and_then(|minutes| u32::try_from(minutes).ok()),
            None => Some(1),
        };
        minutes.and_then(|minutes| Interval::try_from(minutes).ok()).ok_or_else(nothing)
    }

    /// Candles as columns.
    fn columns(&self, candles: &[Candle], stamp: fn(&Candle) -> Value) -> Result<Value, Refusal> {
        if candles.is_empty() {
            return Err(nothing());
        }
        let column = |of: fn(&Candle) -> f64| -> Value {
            candles.iter().map(|candle| number(of(candle))).collect()
        };
        let wanted = self.oi == Some(true);
        let interest = candles.iter().map(|candle| candle.oi.filter(|_| wanted).unwrap_or(0));
        Ok(json!({
            "open": column(|it| it.open),
            "high": column(|it| it.high),
            "low": column(|it| it.low),
            "close": column(|it| it.close),
            "volume": candles.iter().map(|it| it.volume).collect::<Vec<_>>(),
            "timestamp": candles.iter().map(stamp).collect::<Value>(),
            "open_interest": interest.collect::<Vec<_>>(),
        }))
    }
}
