use std::sync::Arc;

use futures_util::StreamExt as _;
use serde_json::{Value, json};
use toolwright_core::{
    Call, Conversation, FinishReason, Message, Model as _, ModelDelta, ModelRequest, ModelResponse,
    ModelStream, RequestCache, ToolChoice, ToolDefinitions, ToolSpec,
};
use toolwright_offline::Offline;

use crate::{OFFLINE, golden_prompts::GoldenPrompt};

fn tools() -> ToolDefinitions {
    let weather = json!({
        "type": "object",
        "properties": {"location": {"type": "string", "description": "City name"}},
        "required": ["location"],
    });
    let tip = json!({
        "type": "object",
        "properties": {
            "amount": {"type": "number", "description": "The bill"},
            "percent": {"type": "number", "description": "The tip in percent"},
        },
        "required": ["amount", "percent"],
    });
    let specs = [
        ToolSpec::new("get_weather", "Get the current weather in a given location", weather),
        ToolSpec::new("calculate_tip", "Calculate the tip for a bill", tip),
    ];
    ToolDefinitions::new(specs.map(Arc::new))
}

fn asked(question: &str, choice: ToolChoice, tools: &ToolDefinitions) -> ModelStream {
    let conversation = Conversation::from_iter([Message::user(question)]);
    let memo = &mut RequestCache::default();
    OFFLINE.call(ModelRequest::new(&conversation, tools, memo).choice(choice).streamed())
}

/// All parts but the last, and the last.
async fn heard(mut parts: ModelStream) -> (Vec<ModelDelta>, ModelResponse) {
    let mut heard = Vec::new();
    while let Some(part) = parts.next().await {
        match part.unwrap() {
            ModelDelta::Response(reply) => return (heard, reply),
            part => heard.push(part),
        }
    }
    panic!("no reply came");
}

fn arguments(call: &Call) -> Value {
    serde_json::from_str(&call.arguments).unwrap()
}

#[tokio::test]
async fn a_question_becomes_a_call_with_its_own_words() {
    let question = "What's the weather in San Francisco?";
    let (parts, reply) = heard(asked(question, ToolChoice::Auto, &tools())).await;
    assert_eq!(reply.finish, FinishReason::ToolCalls);
    assert_eq!(reply.text, "");
    let [call] = &reply.calls[..] else { panic!("{:?}", reply.calls) };
    assert_eq!(
        (call.name.as_str(), arguments(call)),
        ("get_weather", json!({"location": "San Francisco"}))
    );
    assert!(
        matches!(&parts[0], ModelDelta::CallName { name, .. } if name == "get_weather"),
        "{parts:?}"
    );
    assert!(
        reply.usage.prompt_tokens > 50 && reply.usage.completion_tokens > 10,
        "{:?}",
        reply.usage
    );
}

#[tokio::test]
async fn the_same_question_is_read_once() {
    let ask = || async {
        let question = "A 20% tip on $45.60, please";
        heard(asked(question, ToolChoice::Required, &tools())).await.1
    };
    let (first, second) = (ask().await, ask().await);
    assert_eq!(first.calls[0].arguments, second.calls[0].arguments);
    assert_eq!(second.usage.cached_tokens, second.usage.prompt_tokens - 1);
}

#[tokio::test]
async fn whether_a_tool_is_called_is_the_callers_choice() {
    let (_, reply) = heard(asked("What's the weather in Oslo?", ToolChoice::None, &tools())).await;
    assert!(reply.calls.is_empty() && !reply.text.is_empty(), "{reply:?}");
    let choice = ToolChoice::Tool("calculate_tip".to_owned());
    let (_, reply) = heard(asked("Oslo, 15 and 20", choice, &tools())).await;
    assert_eq!(reply.calls[0].name, "calculate_tip");
    let (_, reply) = heard(asked("Hello!", ToolChoice::Auto, &ToolDefinitions::default())).await;
    assert!(reply.calls.is_empty(), "{reply:?}");
}

#[tokio::test]
async fn who_stops_listening_stops_the_writing() {
    let mut parts = asked("What's the weather in Oslo?", ToolChoice::Auto, &tools());
    assert!(parts.next().await.is_some());
    drop(parts);
    // The next one waits until the first has stopped.
    let (_, reply) = heard(asked("What's the weather in Oslo?", ToolChoice::Auto, &tools())).await;
    assert_eq!(arguments(&reply.calls[0]), json!({"location": "Oslo"}));
}

#[tokio::test]
async fn what_is_foreseen_changes_nothing_that_is_written() {
    let (foresees, one_by_one) = (OFFLINE.clone(), OFFLINE.clone().one_by_one());
    // Every other one: a prompt takes a second to read.
    for golden in GoldenPrompt::all().into_values().step_by(2) {
        let (conversation, tools) = (golden.conversation(), golden.definitions());
        let ask = async |model: &Offline| {
            let memo = &mut RequestCache::default();
            let request = ModelRequest::new(&conversation, &tools, memo).streamed();
            let reply = heard(model.call(request)).await.1;
            (
                reply.text,
                reply.calls.into_iter().map(|it| (it.name, it.arguments)).collect::<Vec<_>>(),
            )
        };
        // What was read before is the same for both.
        ask(&foresees).await;
        assert_eq!(ask(&foresees).await, ask(&one_by_one).await);
    }
}

#[tokio::test]
async fn several_at_once_are_answered_as_each_alone() {
    let ask = |city: &'static str| async move {
        let question = format!("What's the weather in {city}?");
        heard(asked(&question, ToolChoice::Required, &tools())).await.1
    };
    let replies = futures_util::future::join_all(["Oslo", "Paris", "Rome"].map(ask)).await;
    for (reply, city) in replies.iter().zip(["Oslo", "Paris", "Rome"]) {
        assert_eq!(arguments(&reply.calls[0]), json!({"location": city}));
    }
}
