//! The weather and tips: small enough to read, enough to see a conversation with tools.

use std::sync::Arc;

use serde::Serialize;
use toolwright_core::{Tool, ToolError};
use toolwright_macros::tool;

pub(crate) fn tools() -> Vec<Arc<dyn Tool>> {
    vec![get_weather::tool(), calculate_tip::tool()]
}

/// Get the current weather in a given location. The weather is made up: it is always the same.
#[tool(
    read_only,
    inline,
    manual,
    examples = [
        "what's the weather in Paris",
        "is it raining in Oslo",
        "how warm is it in Tokyo today",
        "will I need an umbrella in London",
        "temperature in San Francisco",
    ]
)]
fn get_weather(
    /// The city and state, e.g. San Francisco, CA
    location: String,
) -> Result<String, ToolError> {
    let location = location.trim();
    if location.is_empty() {
        return Err(ToolError::new("the location is empty: name a city"));
    }
    Ok(format!("Weather in {location}: 72°F, sunny"))
}

/// A tip, and what there is to pay with it.
#[derive(Serialize)]
struct Tip {
    tip: f64,
    total: f64,
}

/// Calculate the tip on an amount of money.
#[tool(
    read_only,
    inline,
    manual,
    examples = [
        "how much tip on 45.60",
        "20% tip on a $60 bill",
        "what should I leave for the waiter",
        "calculate 15 percent gratuity on 80",
        "tip for a dinner of 120",
    ]
)]
fn calculate_tip(
    /// The amount of the bill.
    #[tool(range(min = 0.0))]
    amount: f64,
    /// The tip in percent of the amount.
    #[tool(default = 18.0, range(min = 0.0, max = 100.0))]
    percentage: f64,
) -> Result<Tip, ToolError> {
    if amount > MOST {
        return Err(ToolError::new("the amount is larger than any bill: give one up to 1e12"));
    }
    let tip = amount * percentage / 100.0;
    Ok(Tip { tip: cents(tip), total: cents(amount + tip) })
}

/// More than this has no cents that could be told exactly.
const MOST: f64 = 1e12;

fn cents(amount: f64) -> f64 {
    (amount * 100.0).round() / 100.0
}
