//! Policies: what happens to a call on its way to its tool, declared beside it and seen in the events.
//!
//!     cargo run --example policies
//!
//! Look at the attributes of the two tools, and at `PolicyApplied`: each layer tells what it did. From the outside
//! in they are cache, limit, breaker, retry, timeout. `AgentBuilder::policy` says otherwise for a tool that
//! somebody else wrote.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use toolwright::{model::ModelResponse, prelude::*, run::Call, testing::Scripted};

static ATTEMPTS: AtomicUsize = AtomicUsize::new(0);

/// Get the last price of a symbol.
#[tool(
    read_only,
    timeout = "50ms",
    retry(attempts = 2, initial_backoff = "1ms"),
    cache = "60s",
    limit(per_run = 3)
)]
async fn get_price(symbol: String) -> String {
    // The first attempt hangs, as networks do.
    if ATTEMPTS.fetch_add(1, Relaxed) == 0 {
        std::future::pending::<()>().await;
    }
    format!("{symbol}: 101.50")
}

/// Get the headlines about a symbol.
#[tool(read_only, breaker(failures = 1.0, window = 2, min_calls = 2, cooldown = "60s"))]
async fn get_news(symbol: String) -> Result<String, ToolError> {
    Err(ToolError::new(format!("no news about {symbol}: the service is down")))
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let price =
        |id: &str, symbol: &str| Call::new(id, "get_price", format!(r#"{{"symbol":"{symbol}"}}"#));
    let news =
        |id: &str, symbol: &str| Call::new(id, "get_news", format!(r#"{{"symbol":"{symbol}"}}"#));
    let model = Scripted::new([
        ModelResponse::calls([price("hangs", "ACME")]),
        ModelResponse::calls([price("cached", "ACME"), price("third", "BETA")]),
        ModelResponse::calls([price("too_often", "CORP")]),
        ModelResponse::calls([news("fails", "ACME")]),
        ModelResponse::calls([news("fails_again", "BETA")]),
        // The tool is no longer offered. A model that calls it all the same is refused.
        ModelResponse::calls([news("left_alone", "CORP")]),
        ModelResponse::text("ACME is at 101.50. There are no news today."),
    ]);
    let agent = Agent::builder(model).discover_tools().rounds(8).build()?;

    let mut run = agent.run("What about ACME?");
    while let Some(event) = run.next().await {
        match event.kind {
            EventKind::PolicyApplied { id, note } => {
                println!("{id}: {} {}", note.layer, note.action);
            }
            EventKind::CallFinished { id, status, guard, .. } => {
                // Calls in one run are counted before a call gets to any layer.
                let by = guard.map(|guard| format!(" by {guard}")).unwrap_or_default();
                println!("{id}: {status}{by}");
            }
            EventKind::ToolsOffered { unavailable, .. } => {
                for tool in unavailable {
                    println!("not offered: {}", tool.tool);
                }
            }
            _ => {}
        }
    }
    println!("{}", run.finish().await?.response);
    println!("get_price ran {} times", ATTEMPTS.load(Relaxed));
    Ok(())
}
