//! Option chains, and the days they end on.

use jiff::civil::Date;
use serde_json::{Value, json};

use super::{
    Client,
    fields::{Fields, Read, number},
    limits::Lane,
    trouble,
    wire::Request,
};
use crate::{Access, Key, Leg, MarketError, MarketErrorKind, OptionChain, Strike};

impl Client {
    /// The days on which options on this end, the first first.
    pub async fn expiries(
        &self,
        access: &Access,
        underlying: Key,
    ) -> Result<Vec<Date>, MarketError> {
        let body = json!({
            "UnderlyingScrip": underlying.id,
            "UnderlyingSeg": underlying.segment.as_str(),
        });
        let lane = Lane::Chain(underlying, None);
        let request = Request { lane, path: "/optionchain/expirylist", body: Some(body) };
        let answer = self.wire.ask(access, &request).await?;
        let Some(days) = answer.get("data") else { return Err(trouble::strange("expiries")) };
        let days = days.as_array().into_iter().flatten().filter_map(Value::as_str);
        let mut days: Vec<Date> = days.filter_map(|day| day.trim().parse().ok()).collect();
        days.sort_unstable();
        days.dedup();
        Ok(days)
    }

    /// All options on this that end on this day.
    pub async fn option_chain(
        &self,
        access: &Access,
        underlying: Key,
        expiry: Date,
    ) -> Result<OptionChain, MarketError> {
        let body = json!({
            "UnderlyingScrip": underlying.id,
            "UnderlyingSeg": underlying.segment.as_str(),
            "Expiry": expiry.to_string(),
        });
        let lane = Lane::Chain(underlying, Some(expiry));
        let request = Request { lane, path: "/optionchain", body: Some(body) };
        let answer = self.wire.ask(access, &request).await?;
        let data = Fields::of(&answer).inner("data");
        // The broker keeps them in the order of their names, which is not that of their prices.
        let strikes = data.inner("oc").entries().filter_map(|it| strike(it).transpose());
        let mut strikes = strikes.collect::<Result<Vec<_>, _>>()?;
        strikes.sort_by(|a, b| a.strike.total_cmp(&b.strike));
        if strikes.is_empty() {
            return Err(nothing(underlying, expiry));
        }
        let Some(last_price) = data.number("last_price")? else {
            return Err(trouble::strange("price of the underlying"));
        };
        Ok(OptionChain { expiry, last_price, strikes })
    }
}

fn strike((price, legs): (&str, &Value)) -> Read<Strike> {
    let Some(strike) = number("strike", &Value::from(price))? else { return Ok(None) };
    let legs = Fields::of(legs);
    let (call, put) = (leg(legs.inner("ce"))?, leg(legs.inner("pe"))?);
    Ok((call.is_some() || put.is_some()).then_some(Strike { strike, call, put }))
}

fn leg(leg: Fields<'_>) -> Read<Leg> {
    if leg.is_empty() {
        return Ok(None);
    }
    let greeks = leg.inner("greeks");
    Ok(Some(Leg {
        security_id: leg.count("security_id")?,
        last_price: leg.number("last_price")?.unwrap_or_default(),
        previous_close: leg.number("previous_close_price")?,
        implied_volatility: leg.number("implied_volatility")?,
        delta: greeks.number("delta")?,
        theta: greeks.number("theta")?,
        gamma: greeks.number("gamma")?,
        vega: greeks.number("vega")?,
        oi: leg.count("oi")?,
        previous_oi: leg.count("previous_oi")?,
        volume: leg.count("volume")?,
        bid: leg.number("top_bid_price")?,
        ask: leg.number("top_ask_price")?,
    }))
}

fn nothing(underlying: Key, expiry: Date) -> MarketError {
    let message = format!(
        "There are no options on {underlying} that end on {expiry}. Ask for its list of expiries, \
         and take one of it; options on an index go by its security id in IDX_I."
    );
    MarketError::new(MarketErrorKind::NoData, message)
}
