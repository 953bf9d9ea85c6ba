//! Tools as functions: the doc comment is what the model is told, the types are the schema.
//!
//!     cargo run --example weather_and_tip
//!
//! Asks the model that the environment names (`OPENAI_API_BASE`, `OPENAI_API_KEY`,
//! `TOOLWRIGHT_MODEL`), and a scripted one where it names none.

use std::sync::Arc;

use serde::Serialize;
use toolwright::{model::ModelResponse, prelude::*, run::Call, testing::Scripted};

/// Get the current weather in a given location.
#[tool(read_only)]
async fn get_weather(
    /// The city and state, e.g. San Francisco, CA
    location: String,
) -> String {
    format!("Weather in {location}: 72°F, sunny")
}

#[derive(Serialize)]
struct Tip {
    tip: f64,
    total: f64,
}

/// Calculate the tip on an amount.
#[tool(read_only)]
fn calculate_tip(amount: f64, #[tool(default = 18.0)] percentage: f64) -> Tip {
    let tip = (amount * percentage).round() / 100.0;
    Tip { tip, total: amount + tip }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let agent = Agent::builder(model())
        .system("You are a helpful assistant. Use the tools.")
        .discover_tools()
        .build()?;
    let question = "What's the weather in San Francisco and calculate a 20% tip on $45.60?";
    let answer = agent.run(question).await?;

    println!("Response: {}", answer.response);
    for call in &answer.tool_calls {
        println!("  {} {} {}", call.tool, call.args, call.status);
    }
    println!("Tools executed: {}", answer.tools_executed);
    Ok(())
}

fn model() -> Arc<dyn Model> {
    match Endpoint::from_env() {
        Ok(model) => Arc::new(model),
        Err(_) => Arc::new(Scripted::new([
            ModelResponse::calls([
                Call::new("1", "get_weather", r#"{"location":"San Francisco, CA"}"#),
                Call::new("2", "calculate_tip", r#"{"amount":45.6,"percentage":20}"#),
            ]),
            ModelResponse::text(
                "It is 72°F and sunny in San Francisco. A 20% tip is $9.12: $54.72 in all.",
            ),
        ])),
    }
}
