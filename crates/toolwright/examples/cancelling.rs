//! Cancelling: the tool stops, its call gets a result all the same, and the run ends in order.
//!
//!     cargo run --example cancelling

use std::time::Duration;

use toolwright::{model::ModelResponse, prelude::*, run::Call, testing::Scripted};

/// Wait for a very long time.
#[tool(read_only, timeout = "1h")]
async fn wait_long() -> String {
    tokio::time::sleep(Duration::from_secs(3600)).await;
    "the wait is over".to_owned()
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let model = Scripted::new([ModelResponse::calls([Call::new("1", "wait_long", "{}")])]);
    let agent = Agent::builder(model).discover_tools().build()?;
    let mut run = agent.run("Wait for me");
    let cancel = run.cancel();
    while let Some(event) = run.next().await {
        match event.kind {
            // From a key, a button, another task: a clone of `cancel` works from anywhere.
            EventKind::CallStarted { .. } => cancel.cancel(),
            EventKind::CallFinished { tool, status, .. } => println!("{tool}: {status}"),
            EventKind::Error(failure) => println!("{failure}"),
            _ => {}
        }
    }
    Ok(())
}
