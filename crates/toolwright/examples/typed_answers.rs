//! Answers with a type: the model calls tools as ever, and its answer is a value.
//!
//!     cargo run --example typed_answers
//!
//! Look at `agent.ask::<Weather>`: polled, the run is the value as it grows; awaited, it is the whole. The
//! schema is sent when the model is done with its tools, and what does not fit it goes back once, with
//! everything that is wrong.

use schemars::JsonSchema;
use serde::Deserialize;
use toolwright::{
    model::{ModelOptions, ModelResponse},
    prelude::*,
    run::Call,
    testing::Scripted,
};

/// Get the current weather in a city.
#[tool(read_only)]
fn get_weather(city: String) -> String {
    format!("{city}: 21 °C, a light wind")
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
struct Weather {
    /// The city, without its country.
    city: String,
    celsius: f64,
    /// What to wear, each a word or two.
    clothes: Vec<String>,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    // What a model would say; `Endpoint::from_env()?` in its place asks one.
    let model = Scripted::new([
        ModelResponse::calls([Call::new("1", "get_weather", r#"{"city": "Hamburg"}"#)]),
        ModelResponse::text("It is mild, so a pullover will do."),
        ModelResponse::text(r#"{"city": "Hamburg", "celsius": "mild"}"#),
        ModelResponse::text(r#"{"city": "Hamburg", "celsius": 21, "clothes": ["a pullover"]}"#),
    ]);
    let mut options = ModelOptions::default();
    options.temperature = Some(0.2);
    let agent = Agent::builder(model).tool(get_weather::tool()).options(options).build()?;

    let mut run = agent.ask::<Weather>("What do I wear in Hamburg today?");
    while let Some(so_far) = run.next().await {
        println!("so far: {} °C in {}", so_far.celsius, so_far.city);
    }
    let typed = run.finish().await?;
    println!("{:?}, after {} call", typed.value, typed.answer.tools_executed);
    Ok(())
}
