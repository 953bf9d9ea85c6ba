//! Models that only write text: the whole loop, with the tools in the prompt and the calls in what
//! the model writes.

mod auto;
mod dialects;
mod told;

use std::sync::Arc;

use serde_json::{Value, json};
use toolwright_core::{Message, Tool, ToolEffect, ToolSpec};
use toolwright_dialects::Dialect;
use toolwright_models::{TextToolModel, ToolMode};
use toolwright_runtime::{Agent, AgentBuilder};

use crate::support::{Played, model, text, tool};

const QUESTION: &str = "How is the weather in Oslo and Rome, and what is 20% of 45.60?";

/// A model at this address that is offered its tools like this.
fn interpreted(base_url: &str, mode: ToolMode, dialect: Dialect) -> TextToolModel {
    TextToolModel::new(model(base_url), mode, dialect)
}

/// An agent with the tools of the story.
fn agent(base_url: &str, mode: ToolMode, dialect: Dialect) -> AgentBuilder {
    Agent::builder(interpreted(base_url, mode, dialect))
        .system("You help.")
        .tool(weather())
        .tool(tip())
}

fn weather() -> Arc<dyn Tool> {
    let parameters = json!({
        "type": "object",
        "properties": {"location": {"type": "string", "description": "The town."}},
        "required": ["location"],
    });
    let spec = ToolSpec::new("get_weather", "The weather now.", parameters);
    tool(spec.effect(ToolEffect::ReadOnly), async |arguments, _| {
        text(format!("Sunny in {}.", arguments["location"].as_str().unwrap()))
    })
}

fn tip() -> Arc<dyn Tool> {
    let parameters = json!({
        "type": "object",
        "properties": {"amount": {"type": "number"}, "percentage": {"type": "integer"}},
        "required": ["amount"],
    });
    let spec = ToolSpec::new("calculate_tip", "A tip.", parameters);
    tool(spec.effect(ToolEffect::ReadOnly), async |arguments, _| {
        let amount = arguments["amount"].as_f64().unwrap();
        text(format!("{:.2}", amount * arguments["percentage"].as_f64().unwrap() / 100.0))
    })
}

/// What happened in a run, without what may differ from a native one: ids, and how calls were
/// obtained.
fn outline(played: &Played) -> Value {
    let messages = played.conversation.messages().iter().map(|message| match &**message {
        Message::Assistant(said) => {
            let calls = said.calls.iter().map(|it| json!([it.name, it.parse().unwrap()]));
            json!({"said": said.content, "calls": calls.collect::<Vec<_>>()})
        }
        Message::Tool(result) => {
            json!({"result": result.outcome.text, "of": result.name, "was": result.outcome.status})
        }
        other => json!({other.role(): other.content()}),
    });
    let response = played.end.as_ref().map(|it| it.response.clone()).map_err(ToString::to_string);
    json!({"messages": messages.collect::<Vec<_>>(), "response": response.unwrap()})
}
