//! The tools, one file for each part of the market.
//!
//! All of them only look: there is no tool that places an order.

mod account;
mod answer;
mod arguments;
mod history;
mod lookup;
mod options;
mod paper;
mod quotes;
mod range;

use std::{fmt::Write, sync::Arc};

use toolwright_core::{Tool, Toolset};

use crate::Desk;

/// Every tool of a desk.
pub(crate) fn all(desk: &Arc<Desk>) -> Vec<Arc<dyn Tool>> {
    let mut tools = Arc::new(lookup::Lookup(desk.clone())).tools();
    tools.extend(Arc::new(quotes::Quotes(desk.clone())).tools());
    tools.extend(Arc::new(history::History(desk.clone())).tools());
    tools.extend(Arc::new(options::Options(desk.clone())).tools());
    tools.extend(Arc::new(account::Account(desk.clone())).tools());
    tools
}

/// What a model is told about these tools: the rules of the desk, and what each is for in its own
/// words.
pub(crate) fn instructions(tools: &[Arc<dyn Tool>]) -> String {
    let mut text = RULES.to_owned();
    for tool in tools {
        let spec = tool.spec();
        let about = spec.description.split("\n\n").next().unwrap_or_default();
        // Writing to a `String` cannot fail.
        let _ = write!(text, "\n- {}: {}", spec.name, about.replace('\n', " "));
    }
    text
}

const RULES: &str = "\
You work at a trading desk for the Indian markets (NSE, BSE, MCX) and answer from what its tools \
return.

How to work:
1. Prices, candles, option chains and positions come from the tools, never from memory.
2. First look the instrument up with search_instruments or find_instrument. Then use the security_id \
and the exchange_segment of one and the same result: an id means something else in another segment. \
Never make an id up and never write a placeholder.
3. When a call is refused or fails, read why: it says what to use instead.
4. There is no tool that places orders. Do not pretend to have placed one.
5. State prices as the tools do, with the time they are from. Say so when the market is closed, when a \
price is stale, and always when the data is simulated.

The tools:";
