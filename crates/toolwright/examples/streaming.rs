//! Watching a run: text as it comes, steps as they happen.
//!
//!     cargo run --example streaming

use std::io::Write;

use serde_json::{Value, json};
use toolwright::{model::ModelResponse, prelude::*, run::Call, testing::Scripted};

/// Search the company's database.
#[tool(read_only)]
async fn search_database(query: String, context: &RunContext) -> Value {
    context.progress("looking in the first of two tables");
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    context.progress("looking in the second");
    json!({"results": [format!("Result for: {query}")], "count": 1})
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let model = Scripted::new([
        ModelResponse::calls([Call::new(
            "1",
            "search_database",
            r#"{"query":"overdue invoices"}"#,
        )]),
        ModelResponse::text("There is one result, and it matches the query."),
    ]);
    let agent = Agent::builder(model).discover_tools().build()?;
    let mut run = agent.run("Search for overdue invoices and write a summary");
    while let Some(event) = run.next().await {
        match event.kind {
            EventKind::RoundStarted { of, .. } => println!("[round {}/{of}]", event.round),
            EventKind::CallStarted { tool, .. } => println!("[{tool} runs]"),
            EventKind::CallProgress { data, .. } => println!("[… {data}]"),
            EventKind::CallFinished { tool, status, .. } => println!("[{tool}: {status}]"),
            EventKind::Content { data } => {
                print!("{data}");
                std::io::stdout().flush()?;
            }
            EventKind::Done(answer) => println!("\n[Tools executed: {}]", answer.tools_executed),
            _ => {}
        }
    }
    Ok(())
}
