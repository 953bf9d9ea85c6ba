//! What a model thought goes back to it as it came, and to nobody else.

use std::sync::Arc;

use serde_json::{Value, json};
use toolwright_core::{
    AssistantMessage, Conversation, Message, ModelResponse, Outcome, RequestCache, ToolChoice,
};
use toolwright_testkit::{ModelServer, Reply, Script};

use super::{called, named, own, start, stop, text, thought, tools};
use crate::support::{model, say};

fn echo(reply: ModelResponse) -> AssistantMessage {
    AssistantMessage {
        content: reply.text,
        reasoning: reply.reasoning,
        calls: reply.calls,
        model: reply.model,
        extra: reply.extra,
    }
}

/// A reply with thoughts between its calls.
fn events() -> String {
    start()
        + &thought(0, &["One."], "s1+/=")
        + &text(1, &["A."])
        + &called(2, "a", "f", &["{\"x\" : \"é\"}"])
        + &thought(3, &[], "s2")
        + &text(4, &["\n"])
        + &called(5, "b", "g", &[])
        + &stop("tool_use")
}

/// What the model is sent of its own reply, once `change` was made to it.
async fn sent_back(name: &str, change: impl FnOnce(&mut AssistantMessage)) -> Value {
    let script = Script::new().reply(Reply::raw_sse(events())).reply(Reply::text("Hi"));
    let server = ModelServer::start(script).await;
    let model = model(named(&server, name));
    let (tools, mut memo) = (tools(), RequestCache::default());
    let mut talk = Conversation::from_iter([Message::user("Well?")]);
    let heard = say(&model, &talk, &tools, ToolChoice::Auto, true, &mut memo).await;
    let mut said = echo(heard.end.unwrap());
    assert_eq!(said.model, own(name));
    change(&mut said);
    let calls = said.calls.clone();
    talk.push(Message::Assistant(said));
    for call in calls {
        talk.push(Message::tool(call.id, call.name, Outcome::ok("ok")));
    }
    say(&model, &talk, &tools, ToolChoice::Auto, true, &mut memo).await.reply();
    server.assert_clean();
    server.requests()[1].body["messages"][1].clone()
}

fn call(id: &str, name: &str, input: Value) -> Value {
    json!({"type": "tool_use", "id": id, "name": name, "input": input})
}

#[tokio::test]
async fn thoughts_go_back_where_they_stood() {
    let wanted = json!({"role": "assistant", "content": [
        {"type": "thinking", "thinking": "One.", "signature": "s1+/="},
        {"type": "text", "text": "A."},
        call("a", "f", json!({"x": "é"})),
        {"type": "thinking", "thinking": "", "signature": "s2"},
        call("b", "g", json!({})),
    ]});
    assert_eq!(sent_back("claude-opus-5-5", |_| {}).await, wanted);
}

#[tokio::test]
async fn of_another_model_nothing_goes_back_but_what_it_said() {
    let wanted = json!({"role": "assistant", "content": [
        {"type": "text", "text": "A.\n"}, call("a", "f", json!({"x": "é"})), call("b", "g", json!({})),
    ]});
    for other in [None, Some("anthropic@127.0.0.1:other"), Some("openai@127.0.0.1:m")] {
        let change = |said: &mut AssistantMessage| said.model = other.map(Into::into);
        assert_eq!(sent_back("m", change).await, wanted);
    }
}

#[tokio::test]
async fn a_message_that_was_changed_has_its_thoughts_in_front() {
    let wanted = json!({"role": "assistant", "content": [
        {"type": "thinking", "thinking": "One.", "signature": "s1+/="},
        {"type": "thinking", "thinking": "", "signature": "s2"},
        {"type": "text", "text": "Something else."},
        call("a", "f", json!({"x": "é"})),
        call("b", "g", json!({})),
    ]});
    let change = |said: &mut AssistantMessage| said.content = "Something else.".into();
    assert_eq!(sent_back("m", change).await, wanted);
    let fewer = sent_back("m", |said| said.calls.truncate(1)).await;
    assert_eq!(fewer["content"].as_array().unwrap().len(), 4);
}

/// Whatever somebody put where thoughts are kept, only thoughts are made of it.
#[tokio::test]
async fn nothing_else_is_made_of_what_is_kept() {
    for kept in [
        json!("x"),
        json!([1, null, "x", {}]),
        json!([{"type": "text", "text": "no", "length": 1}, {"type": "image", "source": {}}]),
        json!([{"type": "text", "length": 9999}, {"type": "tool_use", "id": "z", "name": "z"}]),
        json!([{"type": "tool_result", "content": "no"}]),
        json!([{"type": "text", "length": 2}, {"type": "text", "length": 1}, {"type": "thinking"},
            {"type": "tool_use"}, {"type": "tool_use"}, {"type": "tool_use"}]),
    ] {
        let change = |said: &mut AssistantMessage| {
            said.extra = json!({"thinking_blocks": kept, "role": "system"}).as_object().cloned();
        };
        let sent = sent_back("m", change).await;
        assert_eq!((&sent["role"], sent.as_object().unwrap().len()), (&json!("assistant"), 2));
        let kinds = sent["content"].as_array().unwrap().iter().map(|it| it["type"].clone());
        let kinds: Vec<_> = kinds.filter(|it| it != "thinking").collect();
        assert_eq!(kinds, ["text", "tool_use", "tool_use"], "{kept}");
    }
}

/// The newest models refuse thoughts once anything before them has changed.
#[tokio::test]
async fn behind_a_digest_the_thoughts_of_before_do_not_count() {
    let old = |name: &str, text: &str| {
        let extra = json!({"thinking_blocks": [
            {"type": "thinking", "thinking": "", "signature": "s"},
        ]});
        Message::Assistant(AssistantMessage {
            content: text.to_owned(),
            model: own(name),
            extra: extra.as_object().cloned(),
            ..AssistantMessage::default()
        })
    };
    for (name, stays) in [("claude-opus-5-5", false), ("claude-opus-5", true)] {
        let long = "long ".repeat(100);
        let mut talk = Conversation::from_iter([
            Message::user(long.clone()),
            old(name, &long),
            Message::user("And?"),
            old(name, "Before."),
        ]);
        let digest = Arc::new(talk.digest(100).expect("a digest"));
        talk.restore(&digest);
        talk.push(Message::user("And now?"));
        talk.push(old(name, "Behind."));
        talk.push(Message::user("Well?"));
        let server = super::answering().await;
        let model = model(named(&server, name));
        let mut memo = RequestCache::default();
        say(&model, &talk, &tools(), ToolChoice::Auto, true, &mut memo).await.reply();
        let body = server.requests()[0].body.clone();
        let said = |text: &str| {
            let messages = body["messages"].as_array().unwrap().iter();
            let mut found = messages.filter(|it| it["content"].to_string().contains(text));
            found.next_back().unwrap()["content"][0]["type"].clone()
        };
        assert_eq!(said("Before.") == "thinking", stays, "{name}: {body}");
        assert_eq!(said("Behind."), "thinking", "{name}");
    }
}
