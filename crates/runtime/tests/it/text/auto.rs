//! Tools are offered natively; calls that a server lost in the text are found, and a server that
//! refuses tools is asked in text.

use serde_json::{Value, json};
use toolwright_core::{CallSource, EventKind, Status, ToolEffect};
use toolwright_dialects::Dialect;
use toolwright_models::ToolMode;
use toolwright_testkit::{Reply, Script};

use super::{QUESTION, agent};
use crate::support::{Count, bodies, counting, play, serve, spec};

const CALL: &str = "{\"tool\": \"get_weather\", \"params\": {\"location\": \"Oslo\"}}";

fn refusal() -> Reply {
    let words = r#"{"error":{"message":"registry.ollama.ai/library/gemma:2b does not support tools","type":"api_error"}}"#;
    Reply::status(400).body(words)
}

#[tokio::test]
async fn a_server_that_refuses_tools_is_asked_in_text_now_and_later() {
    let script = Script::new()
        .reply(refusal())
        .reply(Reply::text(format!("I look. {CALL}")))
        .reply(Reply::text("Sunny."))
        .reply(Reply::text("Still sunny."));
    let server = serve(script).await;
    let agent = agent(server.base_url(), ToolMode::Auto, Dialect::Auto).build().unwrap();
    let played = play(agent.run(QUESTION)).await;
    assert_eq!(played.answer().response, "Sunny.");
    assert_eq!(played.calls(), [("get_weather", Status::Ok)]);
    let retries: Vec<_> = played
        .events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::ModelRetry { attempt, wait_ms, reason } => {
                Some((*attempt, *wait_ms, reason))
            }
            _ => None,
        })
        .collect();
    assert_eq!(retries.len(), 1, "{retries:?}");
    assert_eq!((retries[0].0, retries[0].1), (2, 0));
    assert!(retries[0].2.contains("does not support tools; the tools go into the prompt"));

    assert_eq!(play(agent.run("And now?")).await.answer().response, "Still sunny.");
    server.assert_clean();
    let offered: Vec<_> = bodies(&server).iter().map(|it| it["tools"].is_array()).collect();
    assert_eq!(offered, [true, false, false, false]);
    let system = bodies(&server)[3]["messages"][0]["content"].as_str().unwrap().to_owned();
    assert!(system.contains("# Available Tools\n\n## get_weather"), "{system}");
}

#[tokio::test]
async fn other_errors_are_no_refusal_of_tools() {
    let server =
        serve(Script::new().reply(Reply::status(400).body(r#"{"error":{"message":"no"}}"#))).await;
    let agent = agent(server.base_url(), ToolMode::Auto, Dialect::Auto).build().unwrap();
    assert!(play(agent.run(QUESTION)).await.failure().message.contains("no"));
    server.assert_clean();
}

#[tokio::test]
async fn without_auto_a_refusal_is_an_error() {
    let server = serve(Script::new().reply(refusal())).await;
    let agent = agent(server.base_url(), ToolMode::Native, Dialect::Auto).build().unwrap();
    let played = play(agent.run(QUESTION)).await;
    assert!(played.failure().message.contains("does not support tools"));
}

#[tokio::test]
async fn a_call_that_leaked_into_the_text_is_found_and_sent_back_natively() {
    let script = Script::new()
        .reply(Reply::text(format!("One moment.\n{CALL}")))
        .reply(Reply::text("Sunny."));
    let server = serve(script).await;
    let agent = agent(server.base_url(), ToolMode::Auto, Dialect::Auto).build().unwrap();
    let played = play(agent.run(QUESTION)).await;
    server.assert_clean();
    assert_eq!(played.answer().response, "Sunny.");
    let called = &played.conversation.messages()[2];
    assert_eq!(
        (called.content(), called.calls()[0].source),
        ("One moment.", CallSource::Extracted)
    );
    let shown: String = played
        .events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::Content { data } => Some(data.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(shown, "One moment.Sunny.");
    let second = &bodies(&server)[1];
    assert!(second["tools"].is_array());
    let sent = &second["messages"];
    assert_eq!(sent[2]["tool_calls"][0]["function"]["name"], "get_weather");
    assert_eq!((&sent[3]["role"], &sent[3]["content"]), (&json!("tool"), &json!("Sunny in Oslo.")));
}

#[tokio::test]
async fn a_reply_with_native_calls_is_taken_as_it_is() {
    let said = format!("I could also write {CALL}, but I do not.");
    let script = Script::new()
        .reply(
            Reply::calls([("c", "calculate_tip", r#"{"amount":10,"percentage":10}"#)])
                .with_text(said.as_str()),
        )
        .reply(Reply::text("1.00"));
    let server = serve(script).await;
    let agent = agent(server.base_url(), ToolMode::Auto, Dialect::Auto).build().unwrap();
    let played = play(agent.run(QUESTION)).await;
    server.assert_clean();
    assert_eq!(played.calls(), [("calculate_tip", Status::Ok)]);
    let called = &played.conversation.messages()[2];
    assert_eq!((called.content(), called.calls()[0].source), (said.as_str(), CallSource::Native));
}

#[tokio::test]
async fn natively_text_is_text() {
    let server = serve(Script::new().reply(Reply::text(CALL))).await;
    let ran = Count::default();
    let agent = agent(server.base_url(), ToolMode::Native, Dialect::Auto)
        .tool(counting(spec("x", ToolEffect::Write), &ran))
        .without_default_guards();
    let played = play(agent.build().unwrap().run(QUESTION)).await;
    assert_eq!(played.answer().response, CALL);
}

/// What the wrapper adds must not change what is sent.
#[tokio::test]
async fn what_a_native_server_is_sent_does_not_depend_on_the_mode() {
    let mut sent: Vec<Vec<Value>> = Vec::new();
    for mode in [ToolMode::Native, ToolMode::Auto] {
        let script = Script::new()
            .reply(Reply::calls([("a", "get_weather", r#"{"location":"Oslo"}"#)]))
            .reply(Reply::text("Sunny."));
        let server = serve(script).await;
        let agent = agent(server.base_url(), mode, Dialect::Auto).build().unwrap();
        play(agent.run(QUESTION)).await.answer();
        let raw: Vec<_> = server.requests().into_iter().map(|request| request.raw).collect();
        assert!(raw[1].starts_with(raw[0].strip_suffix(b"]}").unwrap()));
        sent.push(bodies(&server));
    }
    assert_eq!(sent[0], sent[1]);
}
