//! Candles: columns made rows, long ranges asked for in pieces.

use jiff::{
    Timestamp, ToSpan,
    civil::{Date, DateTime},
};
use serde_json::{Value, json};

use super::{
    Client,
    fields::{Fields, Read, count, number},
    limits::Lane,
    range, trouble,
    wire::Request,
};
use crate::{Access, Candle, Interval, Key, Kind, MarketError, in_india};

impl Client {
    /// The days from `from` to `to`, both included.
    pub async fn daily(
        &self,
        access: &Access,
        key: Key,
        kind: Kind,
        from: Date,
        to: Date,
    ) -> Result<Vec<Candle>, MarketError> {
        range::check_instrument(key, kind)?;
        range::check_days(from, to, in_india(Timestamp::now()).date())?;
        let body = json!({
            "securityId": key.id.to_string(),
            "exchangeSegment": key.segment.as_str(),
            "instrument": kind.as_str(),
            "expiryCode": 0,
            "oi": has_interest(kind),
            "fromDate": from.to_string(),
            // The broker leaves out the day it is given here.
            "toDate": to.saturating_add(1.day()).to_string(),
        });
        let answer = self.candles(access, "/charts/historical", body).await?;
        let mut candles = rows(&answer, kind)?;
        let wanted = |candle: &Candle| (from..=to).contains(&in_india(candle.at).date());
        candles.retain(wanted);
        in_order(candles).ok_or_else(|| range::nothing(key, &from, &to))
    }

    /// Candles within days, from `from` to `to` in Indian time, asked for in pieces of 90 days.
    pub async fn intraday(
        &self,
        access: &Access,
        key: Key,
        kind: Kind,
        interval: Interval,
        from: DateTime,
        to: DateTime,
    ) -> Result<Vec<Candle>, MarketError> {
        range::check_instrument(key, kind)?;
        range::check_times(from, to, in_india(Timestamp::now()).date())?;
        let mut candles = Vec::new();
        for (from, to) in range::windows(from, to) {
            let body = json!({
                "securityId": key.id.to_string(),
                "exchangeSegment": key.segment.as_str(),
                "instrument": kind.as_str(),
                "interval": interval.minutes().to_string(),
                "oi": has_interest(kind),
                "fromDate": from.strftime("%Y-%m-%d %H:%M:%S").to_string(),
                "toDate": to.strftime("%Y-%m-%d %H:%M:%S").to_string(),
            });
            let answer = self.candles(access, "/charts/intraday", body).await?;
            candles.extend(rows(&answer, kind)?);
        }
        let wanted = |candle: &Candle| (from..=to).contains(&in_india(candle.at));
        candles.retain(wanted);
        in_order(candles).ok_or_else(|| range::nothing(key, &from, &to))
    }

    /// The broker's columns; null where it has none. What was asked is valid, so its "incorrect
    /// parameters or no data present" means the latter.
    async fn candles(
        &self,
        access: &Access,
        path: &'static str,
        body: Value,
    ) -> Result<Value, MarketError> {
        let request = Request { lane: Lane::Data, path, body: Some(body) };
        match self.wire.ask(access, &request).await {
            Err(error) if matches!(error.code.as_deref(), Some("DH-905" | "DH-907")) => {
                Ok(Value::Null)
            }
            answer => answer,
        }
    }
}

/// Whether there is open interest in it.
fn has_interest(kind: Kind) -> bool {
    kind.is_future() || kind.is_option()
}

/// Rows of columns, as many as the shortest of them has. Those without a time or a price are
/// left out.
fn rows(answer: &Value, kind: Kind) -> Result<Vec<Candle>, MarketError> {
    let columns = Fields::of(answer);
    let columns = if columns.get("timestamp").is_some() { columns } else { columns.inner("data") };
    let [open, high, low, close, times, volumes, interests] =
        ["open", "high", "low", "close", "timestamp", "volume", "open_interest"]
            .map(|name| columns.list(name));
    // An index may have no volumes at all, which is not the same as fewer of them.
    let counted = if volumes.is_empty() { usize::MAX } else { volumes.len() };
    let prices = open.iter().zip(high).zip(low).zip(close);
    let rows = times.iter().zip(prices).enumerate().take(counted);
    let candle = |(place, (time, (((open, high), low), close)))| {
        let (at, open, high) = (moment(time)?, number("open", open)?, number("high", high)?);
        let (low, close) = (number("low", low)?, number("close", close)?);
        let volume = volumes.get(place).map_or(Ok(None), |it| count("volume", it))?;
        let oi = interests.get(place).map_or(Ok(None), |it| count("open_interest", it))?;
        let prices = at.zip(open).zip(high).zip(low).zip(close);
        Ok(prices.map(|((((at, open), high), low), close)| Candle {
            at,
            open,
            high,
            low,
            close,
            volume: volume.unwrap_or_default(),
            oi: oi.filter(|_| has_interest(kind)),
        }))
    };
    rows.filter_map(|row| candle(row).transpose()).collect()
}

fn moment(seconds: &Value) -> Read<Timestamp> {
    let Some(whole) = number("timestamp", seconds)?.map(f64::round) else { return Ok(None) };
    // Beyond the year 9999 there is no moment; the cast is exact long before that.
    match Timestamp::from_second(whole as i64) {
        Ok(at) => Ok(Some(at)),
        Err(_) => Err(trouble::too_large("timestamp", seconds)),
    }
}

/// By time, each once; none if there are none. Pieces that meet may both have what is between.
fn in_order(mut candles: Vec<Candle>) -> Option<Vec<Candle>> {
    candles.sort_by_key(|candle| candle.at);
    candles.dedup_by_key(|candle| candle.at);
    (!candles.is_empty()).then_some(candles)
}
