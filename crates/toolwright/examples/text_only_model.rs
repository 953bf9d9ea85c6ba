//! A model that cannot call tools: it is told about them in its prompt, and its calls are found in what it writes.
//!
//!     cargo run --example text_only_model
//!
//! Look at `TextToolModel`, which makes a model that calls tools of one that only writes text, and at the
//! output: the provider was offered no tools, the call was found in the text, and nobody was shown its markup.

use toolwright::{
    dialect::Dialect,
    model::{ModelResponse, TextToolModel, ToolMode},
    prelude::*,
    testing::Scripted,
};

/// Get the current weather in a given location.
#[tool(read_only)]
fn get_weather(location: String) -> String {
    format!("Weather in {location}: 72°F, sunny")
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    // In a real program: `Endpoint::new(EndpointConfig::new("http://localhost:11434/v1", "gemma3:4b"))?`.
    let writer = Scripted::new([
        ModelResponse::text(
            "Let me look.\n<tool_call>\n\
             {\"name\": \"get_weather\", \"arguments\": {\"location\": \"Oslo\"}}\n</tool_call>",
        ),
        ModelResponse::text("It is 72°F and sunny in Oslo."),
    ]);
    // `Dialect::Auto` picks the dialect by the model's name, and hears every other one, too.
    let model = TextToolModel::new(writer.clone(), ToolMode::Text, Dialect::Hermes);
    let agent = Agent::builder(model).discover_tools().build()?;

    let mut run = agent.run("How is the weather in Oslo?");
    while let Some(event) = run.next().await {
        match event.kind {
            EventKind::Content { data } => print!("{data}"),
            EventKind::ToolCalls { tool_calls } => {
                for call in tool_calls {
                    println!("\n[{} {} ({:?})]", call.tool, call.args, call.source);
                }
            }
            EventKind::CallFinished { message, .. } => println!("[{}]", message.content()),
            _ => {}
        }
    }
    let asked = writer.asked();
    let first = asked.first().ok_or_else(|| anyhow::anyhow!("the model was not asked"))?;
    let mut said = first.conversation.messages().iter().map(|message| message.content());
    println!("\ntools in the request: {}", first.tools.len());
    println!("tools in the prompt: {}", said.any(|text| text.contains("get_weather")));
    Ok(())
}
