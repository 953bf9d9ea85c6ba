//! [`Account`]: what the account has.

use std::sync::Arc;

use serde_json::{Value, json};
use toolwright_core::{Output, RunContext, ToolError};
use toolwright_macros::toolset;

use super::{answer::Answer, paper};
use crate::{
    Desk, Direction, Funds, Holding, MarketErrorKind, Position, Segment,
    words::{self, Change, count, rupees},
};

/// What the account has.
pub(super) struct Account(pub(super) Arc<Desk>);

/// How many rows are put into words.
const TOLD: usize = 40;

#[toolset]
impl Account {
    /// Get the account's open positions of the day and of derivatives: quantity, average price, and
    /// profit or loss.
    #[tool(
        read_only,
        render = readable,
        timeout = "60s",
        examples = [
            "show my positions",
            "what am I long in",
            "my open trades and their profit",
            "how is my position in NIFTY futures",
            "what do I have open today",
        ]
    )]
    async fn get_positions(&self, context: &RunContext) -> Result<Output, ToolError> {
        let market = self.0.market(context).await?;
        let positions = or_none(market.client.positions(&market.access).await)?;
        let data = json!({
            "positions": positions,
            "realized_profit": sum(&positions, |it| it.realized_profit),
            "unrealized_profit": sum(&positions, |it| it.unrealized_profit),
        });
        Ok(Answer { text: positions_text(&positions), data }.of(&market))
    }

    /// Get the shares held in the account: quantity, average cost, current value, and profit or
    /// loss.
    #[tool(
        read_only,
        render = readable,
        timeout = "60s",
        examples = [
            "show my holdings",
            "which shares do I own",
            "what is my portfolio worth",
            "how much have I made on my stocks",
            "list the stocks in my account",
        ]
    )]
    async fn get_holdings(&self, context: &RunContext) -> Result<Output, ToolError> {
        let market = self.0.market(context).await?;
        let holdings = or_none(market.client.holdings(&market.access).await)?;
        // The broker does not say in which segment a holding's id is one.
        let instruments = market.instruments().await.ok();
        let segment =
            |it: &Holding| paper::share(instruments.as_deref()?, it.security_id?, &it.symbol);
        let rows: Vec<_> = holdings.iter().map(|it| row(it, segment(it))).collect();
        let data = json!({
            "holdings": rows,
            "invested": sum(&holdings, invested),
            "value": sum(&holdings, value),
        });
        Ok(Answer { text: holdings_text(&holdings), data }.of(&market))
    }

    /// Get the account's money: what can be traded with, what is in use and what can be taken out.
    #[tool(
        read_only,
        render = readable,
        timeout = "60s",
        examples = [
            "with how much money did I begin the day",
            "how much money do I have",
            "available balance",
            "what margin is used",
            "can I withdraw 5000",
            "funds in my trading account",
        ]
    )]
    async fn get_funds(&self, context: &RunContext) -> Result<Output, ToolError> {
        let market = self.0.market(context).await?;
        let funds = market.client.funds(&market.access).await?;
        let text = funds_text(&funds);
        Ok(Answer { text, data: json!({"funds": funds, "currency": "INR"}) }.of(&market))
    }
}

/// That there is nothing is an answer.
fn or_none<T>(found: Result<Vec<T>, crate::MarketError>) -> Result<Vec<T>, ToolError> {
    match found {
        Ok(found) => Ok(found),
        Err(error) if error.kind == MarketErrorKind::NoData => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

fn sum<T>(all: &[T], of: impl Fn(&T) -> f64) -> f64 {
    let sum: f64 = all.iter().map(of).sum();
    (sum * 100.0).round() / 100.0
}

fn positions_text(positions: &[Position]) -> String {
    if positions.is_empty() {
        return "There are no positions.".to_owned();
    }
    let mut text = words::counted(positions.len(), "position", "positions") + ":";
    for it in positions.iter().take(TOLD) {
        let quantity = count(it.net_quantity.unsigned_abs());
        let held = match it.direction {
            Direction::Long => format!("long {quantity} at {}", rupees(it.buy_average)),
            Direction::Short => format!("short {quantity} at {}", rupees(it.sell_average)),
            Direction::Closed => "closed".to_owned(),
        };
        let (open, done) = (gain(it.unrealized_profit), gain(it.realized_profit));
        let line = format!("{} ({}): {held}; open {open}, realised {done}", it.symbol, it.product);
        words::item(&mut text, line);
    }
    more(&mut text, positions.len());
    let open = gain(sum(positions, |it| it.unrealized_profit));
    let done = gain(sum(positions, |it| it.realized_profit));
    words::item(&mut text, format!("In all: open {open}, realised {done}"));
    text
}

fn holdings_text(holdings: &[Holding]) -> String {
    if holdings.is_empty() {
        return "There are no holdings.".to_owned();
    }
    let mut text = words::counted(holdings.len(), "holding", "holdings") + ":";
    for it in holdings.iter().take(TOLD) {
        let quantity = count(it.quantity.unsigned_abs());
        let now = match it.last_price {
            Some(price) => format!(", now {}{}", rupees(price), change(it.average_cost, price)),
            None => String::new(),
        };
        let line = format!("{}: {quantity} at {}{now}", it.symbol, rupees(it.average_cost));
        words::item(&mut text, line);
    }
    more(&mut text, holdings.len());
    let (paid, worth) = (sum(holdings, invested), sum(holdings, value));
    let line =
        format!("In all: invested {}, now {}{}", rupees(paid), rupees(worth), change(paid, worth));
    words::item(&mut text, line);
    text
}

fn funds_text(funds: &Funds) -> String {
    let mut text = "Funds:".to_owned();
    for (name, amount) in [
        ("Available to trade", funds.available),
        ("At the start of the day", funds.start_of_day),
        ("In use", funds.utilized),
        ("From pledged shares", funds.collateral),
        ("From sales, to come", funds.receivable),
        ("Blocked for payout", funds.blocked_payout),
        ("Can be withdrawn", funds.withdrawable),
    ] {
        let said = amount.map(|amount| format!("{name}: {}", rupees(amount)));
        words::item(&mut text, said.unwrap_or_default());
    }
    text
}

/// A holding, with the segment its id belongs to where that is known.
fn row(it: &Holding, segment: Option<Segment>) -> Value {
    let mut row = json!(it);
    if let (Some(row), Some(segment)) = (row.as_object_mut(), segment) {
        row.insert("exchange_segment".to_owned(), json!(segment));
    }
    row
}

fn invested(it: &Holding) -> f64 {
    it.quantity as f64 * it.average_cost
}

/// What it is worth; what it cost, where nobody knows.
fn value(it: &Holding) -> f64 {
    it.quantity as f64 * it.last_price.unwrap_or(it.average_cost)
}

fn change(from: f64, to: f64) -> String {
    Change::between(from, to).map(|it| format!(" {it}")).unwrap_or_default()
}

/// `▲ +₹1,250.00`.
fn gain(amount: f64) -> String {
    match amount {
        up if up > 0.0 => format!("▲ +{}", rupees(up)),
        down if down < 0.0 => format!("▼ {}", rupees(down)),
        _ => rupees(0.0),
    }
}

fn more(text: &mut String, all: usize) {
    if all > TOLD {
        words::item(text, format!("… and {} more in the data", all - TOLD));
    }
}

#[cfg(test)]
mod tests {
    use super::{Holding, Position, holdings_text, positions_text};
    use crate::Direction;

    fn position() -> Position {
        Position {
            symbol: "SBIN".to_owned(),
            key: None,
            direction: Direction::Long,
            product: "CNC".to_owned(),
            net_quantity: 1,
            buy_quantity: 1,
            buy_average: 1.0,
            sell_quantity: 0,
            sell_average: 0.0,
            cost_price: 1.0,
            realized_profit: 0.0,
            unrealized_profit: 0.0,
            expiry: None,
            strike: None,
            side: None,
        }
    }

    fn holding() -> Holding {
        Holding {
            symbol: "SBIN".to_owned(),
            exchange: "ALL".to_owned(),
            security_id: None,
            isin: None,
            quantity: 1,
            available: 1,
            arriving: 0,
            collateral: 0,
            average_cost: 1.0,
            last_price: None,
        }
    }

    #[test]
    fn one_is_one() {
        let first = |text: String| text.lines().next().unwrap_or_default().to_owned();
        for (count, positions, holdings) in
            [(1, "1 position:", "1 holding:"), (2, "2 positions:", "2 holdings:")]
        {
            assert_eq!(first(positions_text(&vec![position(); count])), positions);
            assert_eq!(first(holdings_text(&vec![holding(); count])), holdings);
        }
    }
}
