//! Asking a conversation what happened in it: was a tool called, what did it return.
//!
//!     cargo run --example conversation_queries

use serde_json::{Value, json};
use toolwright::{model::ModelResponse, prelude::*, run::Call, testing::Scripted};

/// Find an instrument by its symbol.
#[tool(read_only)]
fn find_instrument(symbol: String, segment: String) -> Value {
    json!({"security_id": "13", "exchange_segment": segment, "trading_symbol": symbol})
}

/// Daily open, high, low, close and volume.
#[tool(read_only, after = "find_instrument")]
fn get_daily_ohlcv(#[tool(grounded)] security_id: String) -> Value {
    json!([{"security_id": security_id, "date": "2025-12-15", "open": 25930.05, "high": 26047.15}])
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let model = Scripted::new([
        ModelResponse::calls([Call::new(
            "a",
            "find_instrument",
            r#"{"symbol":"NIFTY","segment":"IDX_I"}"#,
        )]),
        // Made up: the guard `grounded` refuses it and names the value that exists.
        ModelResponse::calls([Call::new("b", "get_daily_ohlcv", r#"{"security_id":"99"}"#)]),
        ModelResponse::calls([Call::new("c", "get_daily_ohlcv", r#"{"security_id":"13"}"#)]),
        ModelResponse::text("NIFTY opened at 25930.05 on 2025-12-15."),
    ]);
    let agent = Agent::builder(model).discover_tools().build()?;
    let mut run = agent.run("Get OHLCV data for NIFTY");
    println!("{}", run.finish().await?.response);

    let conversation = run.conversation().ok_or_else(|| anyhow::anyhow!("the run has ended"))?;
    println!("called: {:?}", conversation.which_called(&["find_instrument", "get_intraday_ohlcv"]));
    let id: String = conversation.value("find_instrument", "/security_id")?;
    println!("security id: {id}");
    let open: f64 = conversation.value("get_daily_ohlcv", "/0/open")?;
    println!("open: {open}");
    for result in conversation.results_of("get_daily_ohlcv") {
        println!("{}: {}", result.outcome.status, result.outcome.text);
    }
    // A wrong question says what was wrong with it.
    let wrong = conversation.value::<String>("find_instrument", "/isin");
    println!("{}", wrong.err().map(|error| error.to_string()).unwrap_or_default());
    Ok(())
}
