//! [`positions`], [`holdings`], [`funds`] and [`profile`]: an account that somebody could have.

use std::sync::Arc;

use axum::{Extension, extract::State, response::Response};
use jiff::{
    ToSpan,
    civil::{Date, Time},
};
use serde_json::{Value, json};

use super::{made, number};
use crate::{
    Kind, Segment, Side, in_india,
    sim::{
        calendar::tomorrow,
        gate::Caller,
        market::Market,
        papers::{Paper, Terms},
        refusal::Refusal,
        server::Desk,
    },
};

/// What the account began the day with.
const CASH: f64 = 500_000.0;

/// What is held, and since how many days.
const HELD: &[(&str, u32, i32)] = &[
    ("RELIANCE", 25, 210),
    ("TCS", 10, 160),
    ("HDFCBANK", 40, 400),
    ("INFY", 30, 90),
    ("NIFTYBEES", 200, 300),
    ("ITC", 100, 30),
];

/// Who the client is. A token named `nodata` has no data plan.
pub(super) async fn profile(
    State(desk): State<Arc<Desk>>,
    Extension(caller): Extension<Caller>,
) -> Result<Response, Refusal> {
    made(desk, move |market| {
        let now = in_india(market.now);
        let token = tomorrow(now.date()).to_datetime(now.time()).strftime("%d/%m/%Y %H:%M");
        let data = now.date().last_of_month().to_datetime(Time::midnight());
        let plan = if caller.token == "nodata" { "Deactive" } else { "Active" };
        Ok(json!({
            "dhanClientId": caller.client,
            "tokenValidity": token.to_string(),
            "activeSegment": "Equity, Derivative, Currency, Commodity",
            "ddpi": "Active",
            "mtf": "Active",
            "dataPlan": plan,
            "dataValidity": format!("{}.0", data.strftime("%Y-%m-%d %H:%M:%S")),
        }))
    })
    .await
}

/// What is held. A token named `empty` holds nothing, which the broker tells as an error.
pub(super) async fn holdings(
    State(desk): State<Arc<Desk>>,
    Extension(caller): Extension<Caller>,
) -> Result<Response, Refusal> {
    if caller.token == "empty" {
        return Err(Refusal::of("DH-1111"));
    }
    made(desk, |market| {
        let held = HELD.iter().filter_map(|(symbol, quantity, days)| {
            let paper = market.board.spot(Segment::NseEq, symbol)?;
            holding(&market, paper, *quantity, *days)
        });
        Ok(held.collect())
    })
    .await
}

/// What is bought and sold.
pub(super) async fn positions(
    State(desk): State<Arc<Desk>>,
    Extension(caller): Extension<Caller>,
) -> Result<Response, Refusal> {
    if caller.token == "empty" {
        return made(desk, |_| Ok(json!([]))).await;
    }
    made(desk, move |market| {
        Ok(deals(&market).iter().filter_map(|deal| position(&market, deal, &caller)).collect())
    })
    .await
}

/// What there is to spend.
pub(super) async fn funds(
    State(desk): State<Arc<Desk>>,
    Extension(caller): Extension<Caller>,
) -> Result<Response, Refusal> {
    made(desk, move |market| {
        let blocked: f64 = deals(&market).iter().map(Deal::margin).sum();
        let blocked = if caller.token == "empty" { 0.0 } else { paise(blocked) };
        let free = paise(CASH - blocked);
        Ok(json!({
            "dhanClientId": caller.client,
            "availabelBalance": number(free),
            "sodLimit": number(CASH),
            "collateralAmount": 0,
            "receiveableAmount": 0,
            "utilizedAmount": number(blocked),
            "blockedPayoutAmount": 0,
            "withdrawableBalance": number(free),
        }))
    })
    .await
}

fn holding(market: &Market, paper: &Paper, quantity: u32, days: i32) -> Option<Value> {
    let now = in_india(market.now).date();
    let bought = paper.hours().day_before(now.checked_sub(days.days()).ok()?);
    Some(json!({
        "exchange": "ALL",
        "tradingSymbol": paper.symbol,
        "securityId": paper.key.id.to_string(),
        "isin": paper.isin,
        "totalQty": quantity,
        "dpQty": quantity,
        "t1Qty": 0,
        "mtf_t1_qty": 0,
        "mtf_qty": 0,
        "availableQty": quantity,
        "collateralQty": 0,
        "avgCostPrice": number(market.close(paper, bought)),
        "lastTradedPrice": number(market.last(paper)?),
    }))
}

/// Something bought or sold: in units, so many for such a price.
struct Deal<'a> {
    paper: &'a Paper,
    product: &'static str,
    bought: (u32, f64),
    sold: (u32, f64),
    /// Whether it is from a day before.
    carried: bool,
}

impl Deal<'_> {
    fn net(&self) -> f64 {
        f64::from(self.bought.0) - f64::from(self.sold.0)
    }

    /// What is blocked for it: about an eighth of what it is about, or what an option cost.
    fn margin(&self) -> f64 {
        let paid = if self.net() > 0.0 { self.bought.1 } else { self.sold.1 };
        match self.paper.terms {
            Terms::Option { .. } if self.net() > 0.0 => self.net() * paid,
            Terms::Option { strike, .. } => -self.net() * strike * 0.12,
            Terms::Future(_) => self.net().abs() * paid * 0.12,
            _ => self.net().abs() * paid * 0.2,
        }
    }
}

/// A future from yesterday, an option sold today, a share bought and sold today, one still open.
fn deals(market: &Market) -> Vec<Deal<'_>> {
    let board = &market.board;
    let opened = |paper: &Paper| {
        let day = paper.hours().session(market.now);
        market.steps(paper, day).first().copied().unwrap_or_default()
    };
    let before = |paper: &Paper| {
        market.close(paper, paper.hours().day_before(paper.hours().session(market.now)))
    };
    let future = board.next_future("NIFTY").map(|paper| Deal {
        paper,
        product: "MARGIN",
        bought: (paper.lot, before(paper)),
        sold: (0, 0.0),
        carried: true,
    });
    let option = far_call(market).map(|paper| Deal {
        paper,
        product: "INTRADAY",
        bought: (0, 0.0),
        sold: (paper.lot, opened(paper)),
        carried: false,
    });
    let open = board.spot(Segment::NseEq, "SBIN").map(|paper| Deal {
        paper,
        product: "INTRADAY",
        bought: (50, opened(paper)),
        sold: (0, 0.0),
        carried: false,
    });
    let closed = board.spot(Segment::NseEq, "TATASTEEL").map(|paper| Deal {
        paper,
        product: "INTRADAY",
        bought: (100, opened(paper)),
        sold: (100, paper.rounded(opened(paper) * 1.004)),
        carried: false,
    });
    [future, option, open, closed].into_iter().flatten().collect()
}

/// The call two per cent above the market, of the next day on which options end.
fn far_call(market: &Market) -> Option<&Paper> {
    let nifty = market.board.spot(Segment::Index, "NIFTY")?;
    let wanted = market.close(nifty, nifty.hours().day_before(market.board.day)) * 1.02;
    let calls = market.board.options(nifty).filter(|(_, _, side, _)| *side == Side::Call);
    let nearest = |strike: f64| (strike - wanted).abs();
    calls
        .min_by(|(one, near, ..), (other, far, ..)| {
            one.date.cmp(&other.date).then(nearest(*near).total_cmp(&nearest(*far)))
        })
        .map(|(.., paper)| paper)
}

fn position(market: &Market, deal: &Deal<'_>, caller: &Caller) -> Option<Value> {
    let Deal { paper, bought, sold, .. } = deal;
    let last = market.last(paper)?;
    let (net, matched) = (deal.net(), f64::from(bought.0.min(sold.0)));
    let paid = if net < 0.0 { sold.1 } else { bought.1 };
    let kind = match net {
        0.0 => "CLOSED",
        0.0.. => "LONG",
        _ => "SHORT",
    };
    let value = |(quantity, price): (u32, f64)| number(paise(f64::from(quantity) * price));
    let carried = if deal.carried { (*bought, *sold) } else { ((0, 0.0), (0, 0.0)) };
    let today = if deal.carried { ((0, 0.0), (0, 0.0)) } else { (*bought, *sold) };
    let expiry = paper.terms.expiry().map_or(Date::new(1, 1, 1).ok(), |it| Some(it.date));
    let (side, strike) = match paper.terms {
        Terms::Option { side: Side::Call, strike, .. } => (json!("CALL"), strike),
        Terms::Option { side: Side::Put, strike, .. } => (json!("PUT"), strike),
        _ => (Value::Null, 0.0),
    };
    let day = (paper.kind != Kind::Equity).then_some(expiry).flatten();
    Some(json!({
        "dhanClientId": caller.client,
        "tradingSymbol": paper.symbol,
        "securityId": paper.key.id.to_string(),
        "positionType": kind,
        "exchangeSegment": paper.key.segment,
        "productType": deal.product,
        "buyAvg": number(bought.1),
        "buyQty": bought.0,
        "costPrice": number(paid),
        "sellAvg": number(sold.1),
        "sellQty": sold.0,
        "netQty": number(net),
        "realizedProfit": number(paise(matched * (sold.1 - bought.1))),
        "unrealizedProfit": number(paise(net * (last - paid))),
        "rbiReferenceRate": 1,
        "multiplier": 1,
        "carryForwardBuyQty": carried.0.0,
        "carryForwardSellQty": carried.1.0,
        "carryForwardBuyValue": value(carried.0),
        "carryForwardSellValue": value(carried.1),
        "dayBuyQty": today.0.0,
        "daySellQty": today.1.0,
        "dayBuyValue": value(today.0),
        "daySellValue": value(today.1),
        "drvExpiryDate": day.map_or_else(|| "0001-01-01".to_owned(), |day| day.to_string()),
        "drvOptionType": side,
        "drvStrikePrice": number(strike),
        "crossCurrency": false,
    }))
}

/// In whole paise.
fn paise(amount: f64) -> f64 {
    (amount * 100.0).round() / 100.0
}
