//! An agent as a tool of another: a run within the run, with its events under its call.
//!
//!     cargo run --example agents_as_tools

use toolwright::{model::ModelResponse, prelude::*, run::Call, testing::Scripted};

/// Look up how many bridges a city has.
#[tool(read_only)]
fn count_bridges(city: String) -> String {
    match city.as_str() {
        "Hamburg" => "2,500 bridges".to_owned(),
        _ => format!("nobody counted those of {city}"),
    }
}

fn asks(tool: &str, arguments: &str) -> ModelResponse {
    ModelResponse::calls([Call::new("1", tool, arguments)])
}

/// What happens, with that in runs within the run further in.
fn show(event: &Event, depth: usize) {
    let indent = "    ".repeat(depth);
    match &event.kind {
        EventKind::CallStarted { tool, .. } => println!("{indent}● {tool}"),
        EventKind::CallFinished { tool, status, message, .. } => {
            println!("{indent}  {tool} {status}: {}", message.content());
        }
        EventKind::Nested { event, .. } => show(event, depth + 1),
        _ => {}
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let researcher = Agent::builder(Scripted::new([
        asks("count_bridges", r#"{"city":"Hamburg"}"#),
        ModelResponse::text("Hamburg has 2,500 bridges."),
    ]))
    .system("You look things up, and say what you found.")
    .tool(count_bridges::tool())
    .rounds(3)
    .build()?;
    let agent = Agent::builder(Scripted::new([
        asks("research", r#"{"input":"How many bridges has Hamburg?"}"#),
        ModelResponse::text("Yes: 2,500."),
    ]))
    .tool(researcher.as_tool("research", "Ask somebody who looks things up."))
    .build()?;
    let mut run = agent.run("Has Hamburg many bridges?");
    while let Some(event) = run.next().await {
        show(&event, 0);
    }
    println!("{}", run.finish().await?.response);
    Ok(())
}
