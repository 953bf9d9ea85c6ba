//! [`Position`], [`Holding`], [`Funds`] and [`Profile`]: what an account has.

use jiff::civil::{Date, DateTime};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Client, fields::Fields, limits::Lane, trouble, wire::Request};
use crate::{Access, Key, MarketError, Segment, Side};

/// What was bought and sold of one instrument and is not settled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Position {
    /// The ticker, or the contract.
    pub symbol: String,
    /// What tells the instrument from all others.
    pub key: Option<Key>,
    /// Which way it goes.
    pub direction: Direction,
    /// How it is held, such as `CNC` or `INTRADAY`.
    pub product: String,
    /// How many are held; negative if they are owed.
    pub net_quantity: i64,
    /// How many were bought.
    pub buy_quantity: i64,
    /// At what price on average.
    pub buy_average: f64,
    /// How many were sold.
    pub sell_quantity: i64,
    /// At what price on average.
    pub sell_average: f64,
    /// What one cost.
    pub cost_price: f64,
    /// What was gained by what is closed.
    pub realized_profit: f64,
    /// What would be gained by closing the rest now.
    pub unrealized_profit: f64,
    /// The last day it is traded.
    pub expiry: Option<Date>,
    /// The price an option is about.
    pub strike: Option<f64>,
    /// Which right an option gives.
    pub side: Option<Side>,
}

/// Which way a position goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Direction {
    /// Held: gains when the price rises.
    Long,
    /// Owed: gains when the price falls.
    Short,
    /// Neither any more.
    Closed,
}

/// Shares in the account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Holding {
    /// The ticker.
    pub symbol: String,
    /// The exchange, or `ALL`.
    pub exchange: String,
    /// The number of the instrument in its segment.
    pub security_id: Option<u64>,
    /// The number that names it everywhere.
    pub isin: Option<String>,
    /// How many there are.
    pub quantity: i64,
    /// How many of them can be sold.
    pub available: i64,
    /// How many were bought yesterday and come today.
    pub arriving: i64,
    /// How many are pledged.
    pub collateral: i64,
    /// What one cost on average.
    pub average_cost: f64,
    /// What one costs now.
    pub last_price: Option<f64>,
}

/// The money in the account, in rupees.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Funds {
    /// What can be traded with.
    pub available: Option<f64>,
    /// What there was when the day began.
    pub start_of_day: Option<f64>,
    /// What pledged shares are good for.
    pub collateral: Option<f64>,
    /// What comes from sales.
    pub receivable: Option<f64>,
    /// What is in use.
    pub utilized: Option<f64>,
    /// What is on its way out.
    pub blocked_payout: Option<f64>,
    /// What can be taken out.
    pub withdrawable: Option<f64>,
}

/// What a token is good for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// Whose it is.
    pub client_id: Option<String>,
    /// How long the token lives, in India.
    pub token_until: Option<DateTime>,
    /// Where the account may trade, in the broker's words.
    pub segments: Vec<String>,
    /// Whether market data is paid for.
    pub data_plan: DataPlan,
    /// How long it is, in India.
    pub data_until: Option<DateTime>,
}

/// Whether market data is paid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DataPlan {
    /// It is.
    Active,
    /// It is not, or the broker does not say.
    Inactive,
}

impl Client {
    /// What was bought and sold and is not settled.
    pub async fn positions(&self, access: &Access) -> Result<Vec<Position>, MarketError> {
        let answer = self.list(access, "/positions").await?;
        answer.iter().map(|it| position(Fields::of(it))).collect()
    }

    /// The shares in the account.
    pub async fn holdings(&self, access: &Access) -> Result<Vec<Holding>, MarketError> {
        let answer = self.list(access, "/holdings").await?;
        answer.iter().map(|it| holding(Fields::of(it))).collect()
    }

    /// The money in the account.
    pub async fn funds(&self, access: &Access) -> Result<Funds, MarketError> {
        let answer = self.get(access, "/fundlimit").await?;
        let fields = unwrapped(&answer);
        // The broker's spelling; the other one is for the day it is mended.
        let available = fields.number("availabelBalance")?;
        Ok(Funds {
            available: available.or(fields.number("availableBalance")?),
            start_of_day: fields.number("sodLimit")?,
            collateral: fields.number("collateralAmount")?,
            receivable: fields.number("receiveableAmount")?,
            utilized: fields.number("utilizedAmount")?,
            blocked_payout: fields.number("blockedPayoutAmount")?,
            withdrawable: fields.number("withdrawableBalance")?,
        })
    }

    /// What the token is good for.
    pub async fn profile(&self, access: &Access) -> Result<Profile, MarketError> {
        let answer = self.get(access, "/profile").await?;
        let fields = unwrapped(&answer);
        let segments = fields.text("activeSegment").unwrap_or_default();
        let segments = segments.split(',').map(str::trim).filter(|it| !it.is_empty());
        let active = fields.text("dataPlan").is_some_and(|it| it.eq_ignore_ascii_case("active"));
        Ok(Profile {
            client_id: fields.text("dhanClientId"),
            token_until: fields.date_time("tokenValidity"),
            segments: segments.map(str::to_owned).collect(),
            data_plan: if active { DataPlan::Active } else { DataPlan::Inactive },
            data_until: fields.date_time("dataValidity"),
        })
    }

    async fn get(&self, access: &Access, path: &'static str) -> Result<Value, MarketError> {
        self.wire.ask(access, &Request { lane: Lane::Other, path, body: None }).await
    }

    async fn list(&self, access: &Access, path: &'static str) -> Result<Vec<Value>, MarketError> {
        let answer = match self.get(access, path).await {
            // An account without anything answers with an error that says so.
            Err(error) if error.code.as_deref() == Some("DH-1111") => return Ok(Vec::new()),
            answer => answer?,
        };
        match answer {
            Value::Array(list) => Ok(list),
            Value::Object(mut fields) => match fields.remove("data") {
                Some(Value::Array(list)) => Ok(list),
                _ => Err(trouble::strange("list")),
            },
            _ => Err(trouble::strange("list")),
        }
    }
}

/// The object itself, or the one it wraps.
fn unwrapped(answer: &Value) -> Fields<'_> {
    let fields = Fields::of(answer);
    let inner = fields.inner("data");
    if inner.is_empty() { fields } else { inner }
}

fn position(fields: Fields<'_>) -> Result<Position, MarketError> {
    let segment = fields.text("exchangeSegment").and_then(|it| it.parse::<Segment>().ok());
    let net_quantity = fields.quantity("netQty")?.unwrap_or_default();
    let direction = match fields.text("positionType").as_deref() {
        Some("LONG") => Direction::Long,
        Some("SHORT") => Direction::Short,
        Some("CLOSED") => Direction::Closed,
        _ => match net_quantity {
            1.. => Direction::Long,
            0 => Direction::Closed,
            _ => Direction::Short,
        },
    };
    let side = match fields.text("drvOptionType").as_deref() {
        Some("CALL" | "CE") => Some(Side::Call),
        Some("PUT" | "PE") => Some(Side::Put),
        _ => None,
    };
    let money = |name: &str| fields.number(name).map(Option::unwrap_or_default);
    let quantity = |name: &str| fields.quantity(name).map(Option::unwrap_or_default);
    Ok(Position {
        symbol: fields.text("tradingSymbol").unwrap_or_default(),
        key: segment.zip(fields.count("securityId")?).map(|(segment, id)| Key { segment, id }),
        direction,
        product: fields.text("productType").unwrap_or_default(),
        net_quantity,
        buy_quantity: quantity("buyQty")?,
        buy_average: money("buyAvg")?,
        sell_quantity: quantity("sellQty")?,
        sell_average: money("sellAvg")?,
        cost_price: money("costPrice")?,
        realized_profit: money("realizedProfit")?,
        unrealized_profit: money("unrealizedProfit")?,
        expiry: fields.date("drvExpiryDate"),
        // Zero where it is no option.
        strike: fields.number("drvStrikePrice")?.filter(|_| side.is_some()),
        side,
    })
}

fn holding(fields: Fields<'_>) -> Result<Holding, MarketError> {
    let quantity = |name: &str| fields.quantity(name).map(Option::unwrap_or_default);
    Ok(Holding {
        symbol: fields.text("tradingSymbol").unwrap_or_default(),
        exchange: fields.text("exchange").unwrap_or_default(),
        security_id: fields.count("securityId")?,
        isin: fields.text("isin"),
        quantity: quantity("totalQty")?,
        available: quantity("availableQty")?,
        arriving: quantity("t1Qty")?,
        collateral: quantity("collateralQty")?,
        average_cost: fields.number("avgCostPrice")?.unwrap_or_default(),
        last_price: fields.number("lastTradedPrice")?,
    })
}
