//! A run as server-sent events, from a handler of axum.
//!
//!     cargo run --example axum_stream
//!     curl -N -d 'How is the weather in Oslo?' http://127.0.0.1:3000/ask
//!
//! Look at `ask`: a run is a stream, so it is the body of the response. It works while the client reads; a client
//! that goes away drops it, and with it whatever the model and the tools were doing. `toolwright serve` does a
//! good deal more: see docs/server.md.

use std::convert::Infallible;

use axum::{
    Router,
    extract::State,
    response::sse::{self, Sse},
    routing::post,
};
use futures_util::{Stream, StreamExt};
use tokio::net::TcpListener;
use toolwright::{
    model::{FunctionModel, ModelResponse},
    prelude::*,
    run::Call,
};

/// Get the current weather in a given location.
#[tool(read_only)]
fn get_weather(location: String) -> String {
    format!("Weather in {location}: 72°F, sunny")
}

/// Answers a question with the events of a run, one by one.
async fn ask(
    State(agent): State<Agent>,
    question: String,
) -> Sse<impl Stream<Item = Result<sse::Event, Infallible>>> {
    Sse::new(agent.run(question).map(|event| {
        let data = serde_json::to_string(&event).unwrap_or_default();
        Ok(sse::Event::default().event(event.kind.name()).id(event.seq.to_string()).data(data))
    }))
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let agent = Agent::builder(model()).discover_tools().build()?;
    let app = Router::new().route("/ask", post(ask)).with_state(agent);
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:3000".to_owned());
    let listener = TcpListener::bind(address).await?;
    println!("listening on {}", listener.local_addr()?);
    axum::serve(listener, app).await?;
    Ok(())
}

/// Any number of people may ask, so it is a function of the conversation and not a script.
fn model() -> FunctionModel {
    FunctionModel::new("example", |request| {
        Ok(match request.conversation.last_result_of("get_weather") {
            Some(result) => ModelResponse::text(result.outcome.text.clone()),
            None => ModelResponse::calls([Call::new("1", "get_weather", r#"{"location":"Oslo"}"#)]),
        })
    })
}
