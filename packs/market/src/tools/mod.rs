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

use std::sync::Arc;

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
