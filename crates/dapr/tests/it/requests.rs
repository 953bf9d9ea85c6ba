//! What arrives of a request, and of the reply to it.

use std::sync::Arc;

use serde_json::json;
use toolwright_core::{
    AssistantMessage, Call, Conversation, FinishReason, Message, ModelOptions, ModelResponse,
    Outcome, OutputSchema, OutputStrategy, ToolChoice, ToolSpec, Usage,
};
use toolwright_models::Scripted;

use crate::support::{More, Running, TokenDoor, ask, question};

fn weather() -> ToolSpec {
    let parameters = json!({
        "type": "object",
        "properties": {
            "location": {"type": "string", "minLength": 2},
            "days": {"type": "integer", "minimum": 1, "maximum": 14, "default": 3},
            "units": {"enum": ["C", "F", null]},
            "exact": {"type": "number", "multipleOf": 0.5},
        },
        "required": ["location"],
        "additionalProperties": false,
    });
    ToolSpec::new("get_weather", "The weather in a place", parameters)
}

#[tokio::test]
async fn a_conversation_arrives_whole() {
    let running = Running::saying([ModelResponse::text("31 °C.")]).await;
    let mut conversation = Conversation::new();
    conversation.push(Message::system("Be brief."));
    conversation.push(Message::user("Weather in Pune?"));
    conversation.push(Message::Assistant(AssistantMessage {
        content: "I look.".to_owned(),
        calls: vec![
            Call::new("call_1", "get_weather", r#"{"location": "Pune"}"#),
            Call::new("call_2", "get_weather", ""),
        ],
        ..AssistantMessage::default()
    }));
    conversation.push(Message::tool("call_1", "get_weather", Outcome::ok("31 °C")));
    conversation.push(Message::tool("call_2", "get_weather", Outcome::failed("no place")));
    let reply = ask(&running.model(), &conversation, &[weather()], More::default()).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.finish), ("31 °C.", FinishReason::Stop));
    assert_eq!(reply.model.as_deref(), Some("dapr:llm"));

    let seen = running.asked();
    let roles: Vec<_> = seen.conversation.messages().iter().map(|it| it.role()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "tool"]);
    let Message::Assistant(said) = &*seen.conversation.messages()[2] else { panic!() };
    assert_eq!(said.content, "I look.");
    assert_eq!(said.calls[0], Call::new("call_1", "get_weather", r#"{"location": "Pune"}"#));
    // What is no object makes components fail.
    assert_eq!(said.calls[1].arguments, "{}");
    let Message::Tool(result) = &*seen.conversation.messages()[4] else { panic!() };
    assert_eq!((result.call.as_str(), result.name.as_str()), ("call_2", "get_weather"));
    assert_eq!(result.outcome.text, "no place");
    // Numbers of a schema are doubles on the way, and whole again here.
    assert_eq!(seen.tools[0].parameters, weather().parameters);
    assert_eq!(seen.tools[0].description, "The weather in a place");
    assert_eq!((seen.choice, seen.options.temperature), (ToolChoice::Auto, None));
}

#[tokio::test]
async fn calls_and_what_they_cost_come_back() {
    let mut said = ModelResponse::calls([
        Call::new("call_1", "get_weather", r#"{"location":"Pune"}"#),
        // Ids may be missing or doubled.
        Call::new("call_1", "get_weather", ""),
        Call::new("", "get_weather", "{broken"),
    ]);
    said.text = "One moment.".to_owned();
    said.usage =
        Usage { prompt_tokens: 50, completion_tokens: 20, cached_tokens: 30, reasoning_tokens: 7 };
    let running = Running::saying([said.clone()]).await;
    let conversation = question("Weather in Pune?");
    let reply = ask(&running.model(), &conversation, &[weather()], More::default()).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.finish), ("One moment.", FinishReason::ToolCalls));
    assert_eq!(reply.usage, said.usage);
    let arguments: Vec<_> = reply.calls.iter().map(|it| it.arguments.as_str()).collect();
    assert_eq!(arguments, [r#"{"location":"Pune"}"#, "{}", "{broken"]);
    assert_eq!(reply.calls[0].id.as_str(), "call_1");
    let ids: std::collections::HashSet<_> = reply.calls.iter().map(|it| it.id.clone()).collect();
    assert_eq!(ids.len(), 3);
    assert!(ids.iter().all(|id| !id.as_str().is_empty()));
}

#[tokio::test]
async fn every_choice_of_tools_arrives() {
    let choices = [
        ToolChoice::Auto,
        ToolChoice::Required,
        ToolChoice::None,
        ToolChoice::Tool("get_weather".to_owned()),
    ];
    for choice in choices {
        let running = Running::saying([ModelResponse::text("Yes.")]).await;
        let with = choice.clone();
        let asked = question("Weather?");
        ask(&running.model(), &asked, &[weather()], More { choice: with, ..More::default() })
            .await
            .unwrap();
        assert_eq!(running.asked().choice, choice);
    }
}

#[tokio::test]
async fn how_to_write_arrives_as_far_as_there_is_a_place_for_it() {
    let running = Running::saying([ModelResponse::text("Yes.")]).await;
    let mut options = ModelOptions::default();
    options.set("temperature", "0.2").unwrap();
    options.set("top_p", "0.5").unwrap();
    let options = Arc::new(options);
    let mut config = running.config();
    config.context_id = Some("c1".to_owned());
    let model = toolwright_dapr::DaprModel::new(config).unwrap();
    ask(&model, &question("Hello"), &[], More { options, ..More::default() }).await.unwrap();
    let seen = running.asked().options;
    assert_eq!((seen.temperature, seen.top_p), (Some(0.2), None));
}

#[tokio::test]
async fn a_form_arrives_as_a_schema_or_in_words() {
    let schema = json!({"type": "object", "properties": {"count": {"type": "integer", "minimum": 1}},
        "required": ["count"], "additionalProperties": false});
    let form = OutputSchema::new("count", schema.clone()).unwrap();
    for strategy in [OutputStrategy::Native, OutputStrategy::Prompt] {
        let script = Scripted::new([ModelResponse::text("```json\n{\"count\": 3}\n```")]);
        let running = Running::with(script, strategy, TokenDoor(None, None)).await;
        let asked = question("How many?");
        let reply = ask(
            &running.model(),
            &asked,
            &[],
            More { output: Some(form.clone()), ..More::default() },
        )
        .await
        .unwrap();
        assert_eq!(reply.text, r#"{"count": 3}"#);
        let seen = running.asked();
        match strategy {
            OutputStrategy::Native => {
                let output = seen.output.unwrap();
                assert_eq!((output.name.as_str(), &*output.schema), ("count", &schema));
                assert_eq!(seen.conversation.len(), 1);
            }
            _ => {
                assert!(seen.output.is_none());
                let last = seen.conversation.messages().last().unwrap().content();
                assert!(last.contains("JSON Schema") && last.contains("\"minimum\":1"), "{last}");
            }
        }
    }
}

#[tokio::test]
async fn ends_of_replies_are_told() {
    for finish in [FinishReason::Length, FinishReason::ContentFilter, FinishReason::Stop] {
        let said = ModelResponse { finish, ..ModelResponse::text("So") };
        let running = Running::saying([said]).await;
        let reply = ask(&running.model(), &question("Hello"), &[], More::default()).await.unwrap();
        assert_eq!(reply.finish, finish);
    }
}

/// One connection for many calls, and another once it is gone.
#[tokio::test]
async fn many_ask_at_once_and_again() {
    let running = Running::saying(vec![ModelResponse::text("Yes."); 40]).await;
    let model = running.model();
    for _ in 0..2 {
        let asked = question("Hello");
        let all = (0..20).map(|_| ask(&model, &asked, &[], More::default()));
        let all = futures_util::future::join_all(all).await;
        assert!(all.iter().all(|it| it.as_ref().unwrap().text == "Yes."));
    }
    assert_eq!(model.components().await.unwrap(), ["llm"]);
}
