//! The real loop over a sidecar: tools run here, the model is behind it.

use std::sync::Arc;

use serde_json::json;
use toolwright_core::{Call, FnTool, ModelResponse, Output, Tool, ToolEffect, ToolSpec};
use toolwright_runtime::Agent;

use crate::support::Running;

#[tokio::test]
async fn an_agent_asks_calls_and_answers() {
    let running = Running::saying([
        ModelResponse::calls([
            Call::new("a", "get_weather", r#"{"location": "San Francisco"}"#),
            Call::new("b", "calculate_tip", r#"{"amount": 45.6, "percentage": 20}"#),
        ]),
        ModelResponse::text("Sunny, and the tip is $9.12."),
    ])
    .await;
    let weather = ToolSpec::new(
        "get_weather",
        "The weather in a place",
        json!({"type": "object", "properties": {"location": {"type": "string"}},
            "required": ["location"]}),
    );
    let tip = ToolSpec::new(
        "calculate_tip",
        "A tip",
        json!({"type": "object", "properties": {"amount": {"type": "number"},
            "percentage": {"type": "number", "default": 18}}, "required": ["amount"]}),
    );
    let returning = |spec: ToolSpec, text: &'static str| -> Arc<dyn Tool> {
        let spec = spec.effect(ToolEffect::ReadOnly);
        Arc::new(FnTool::new(spec, move |_, _| {
            Box::pin(async move { Ok(Output::Text(text.to_owned())) })
        }))
    };
    let agent = Agent::builder(running.model())
        .tool(returning(weather, "72 °F, sunny"))
        .tool(returning(tip, "9.12"))
        .build()
        .unwrap();
    let answer = agent.run("The weather in San Francisco, and a 20% tip on $45.60?").await.unwrap();
    assert_eq!(answer.response, "Sunny, and the tip is $9.12.");
    let results: Vec<_> = running.asked().conversation.results().cloned().collect();
    let results: Vec<_> =
        results.iter().map(|it| (it.name.as_str(), it.outcome.text.as_str())).collect();
    assert_eq!(results, [("get_weather", "72 °F, sunny"), ("calculate_tip", "9.12")]);
}
