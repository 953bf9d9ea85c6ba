//! What goes back of a reply: everything, in its order, and to nobody else.

use serde_json::{Value, json};
use toolwright_core::{
    AssistantMessage, Conversation, Message, ModelResponse, Outcome, RequestCache, ToolChoice,
    ToolDefinitions,
};
use toolwright_testkit::{ModelServer, Reply, Script, Spoken, SpokenPart};

use super::{OWN, call, config, message, reasoning, requests::tools, response};
use crate::support::{model, say};

fn echo(reply: ModelResponse) -> AssistantMessage {
    AssistantMessage {
        content: reply.text,
        reasoning: reply.reasoning,
        calls: reply.calls,
        model: Some(OWN.into()),
        extra: reply.extra,
    }
}

fn phased(mut item: Value, phase: &str) -> Value {
    item["phase"] = json!(phase);
    item
}

/// The items that are sent behind a question, when a reply of these items, `change`d, was answered.
async fn sent_back(output: &Value, change: impl FnOnce(&mut AssistantMessage)) -> Vec<Value> {
    let first = Reply::json(response("completed", output.clone()));
    let server = ModelServer::start(Script::new().reply(first).reply(Reply::text("Hi"))).await;
    let model = model(config(&server));
    let (tools, mut memo) = (tools(), RequestCache::default());
    let mut conversation = Conversation::from_iter([Message::user("Well?")]);
    let reply =
        say(&model, &conversation, &tools, ToolChoice::Auto, false, &mut memo).await.reply();
    let mut message = echo(reply);
    change(&mut message);
    let calls = message.calls.clone();
    conversation.push(Message::Assistant(message));
    for call in calls {
        conversation.push(Message::tool(call.id.clone(), call.name, Outcome::ok("ok")));
    }
    conversation.push(Message::user("And?"));
    say(&model, &conversation, &tools, ToolChoice::Auto, false, &mut memo).await.reply();
    server.assert_clean();
    let items = server.requests()[1].body["input"].as_array().unwrap().clone();
    let is_said = |it: &Value| it["type"] != "function_call_output" && it["role"] != "user";
    items.into_iter().filter(is_said).collect()
}

/// What is said goes back without what only a reply has.
fn bare(item: &Value) -> Value {
    let mut item = item.clone();
    match item["type"].as_str() {
        Some("message") => drop(item["content"][0].as_object_mut().unwrap().remove("logprobs")),
        Some("function_call") => drop(item.as_object_mut().unwrap().remove("status")),
        _ => {}
    }
    item
}

fn interleaved() -> Value {
    json!([
        reasoning(0, &["First."], "gAAA/+=="),
        phased(message(1, "Let me see. é"), "commentary"),
        call(2, "call_a", "f", "{\"x\": 1}"),
        reasoning(3, &[], "gBBB"),
        call(4, "call_b", "g", "{}"),
        phased(message(5, "And so."), "final_answer"),
    ])
}

#[tokio::test]
async fn every_item_in_its_order() {
    let output = interleaved();
    let wanted: Vec<_> = output.as_array().unwrap().iter().map(bare).collect();
    assert_eq!(sent_back(&output, |_| {}).await, wanted);
}

#[tokio::test]
async fn a_phase_alone_goes_back_too() {
    let output = json!([phased(message(0, "Hi"), "final_answer")]);
    assert_eq!(sent_back(&output, |_| {}).await, [bare(&output[0])]);
    // And where there is nothing to keep, nothing is.
    let output = json!([message(0, "Hi"), call(1, "call_a", "f", "{}")]);
    let plain = [
        json!({"role": "assistant", "content": "Hi"}),
        json!({"type": "function_call", "call_id": "call_a", "name": "f", "arguments": "{}"}),
    ];
    assert_eq!(sent_back(&output, |message| assert_eq!(message.extra, None)).await, plain);
}

#[tokio::test]
async fn another_model_is_sent_only_words_and_calls() {
    let plain = [
        json!({"role": "assistant", "content": "Let me see. é\n\nAnd so."}),
        json!({"type": "function_call", "call_id": "call_a", "name": "f", "arguments": "{\"x\": 1}"}),
        json!({"type": "function_call", "call_id": "call_b", "name": "g", "arguments": "{}"}),
    ];
    let others: [fn(&mut AssistantMessage); 4] = [
        |message| message.model = Some("openai@127.0.0.1:other".into()),
        |message| message.model = None,
        |message| message.extra = None,
        // Nothing stands for a system message, or for what we write ourselves.
        |message| {
            let items = json!([{"role": "system", "content": "x"}, {"type": "function_call"}]);
            message.extra = serde_json::from_value(json!({"output_items": items})).unwrap();
        },
    ];
    for change in others {
        assert_eq!(sent_back(&interleaved(), change).await, plain);
    }
}

#[tokio::test]
async fn a_message_that_was_changed_goes_back_as_it_is_now() {
    let items = sent_back(&interleaved(), |message| message.content = "[hidden]".into()).await;
    let kinds: Vec<_> = items.iter().map(|it| it["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["reasoning", "function_call", "reasoning", "function_call", "message"]);
    assert_eq!(items[4]["content"][0]["text"], "[hidden]");
    // What it thought stands before what came of it, or nowhere.
    let items = sent_back(&interleaved(), |message| drop(message.calls.pop())).await;
    let kinds: Vec<_> = items.iter().map(|it| it["type"].as_str()).collect();
    assert_eq!(kinds, [None, Some("function_call")]);
    let output = json!([message(0, "Hi"), reasoning(1, &["So."], "gAAA")]);
    assert_eq!(sent_back(&output, |_| {}).await.len(), 1);
}

#[tokio::test]
async fn injected_items_are_not_sent() {
    let inject = |message: &mut AssistantMessage| {
        let items = message.extra.as_mut().unwrap()["output_items"].as_array_mut().unwrap();
        items.insert(0, json!({"role": "system", "content": "x"}));
        items.insert(0, json!({"type": "reasoning", "role": "system", "content": "x"}));
        items
            .insert(0, json!({"type": "function_call_output", "call_id": "call_a", "output": "x"}));
        items.insert(0, json!({"type": "additional_tools", "role": "developer", "tools": []}));
        items.insert(0, json!(7));
    };
    let output = interleaved();
    let wanted: Vec<_> = output.as_array().unwrap().iter().map(bare).collect();
    assert_eq!(sent_back(&output, inject).await, wanted);
}

/// A whole conversation with a server that holds every request against the rules of the API.
#[tokio::test]
async fn a_conversation_that_the_vendor_accepts() {
    let seal = "c2VhbGVk";
    let call = Spoken::reasoning("Need weather.", Some(seal))
        .and_text("One moment.")
        .call("call_1", "f", "{\"x\":\"Pune\"}")
        .call("call_2", "g", "{}");
    let sealed = SpokenPart::Reasoning { pieces: vec![], seal: Some(seal.into()), redacted: false };
    let again = Spoken::default().then(sealed).call("call_3", "f", "{}");
    for stream in [true, false] {
        let script = [call.clone(), again.clone(), Spoken::text("31 °C.")];
        let script =
            script.into_iter().fold(Script::new(), |it, said| it.reply(Reply::spoken(said)));
        let server = ModelServer::start(script).await;
        let endpoint = model(config(&server));
        let (tools, mut memo): (ToolDefinitions, _) = (tools(), RequestCache::default());
        let mut conversation =
            Conversation::from_iter([Message::system("Be brief."), Message::user("Weather?")]);
        for _ in 0..3 {
            let heard =
                say(&endpoint, &conversation, &tools, ToolChoice::Auto, stream, &mut memo).await;
            let reply = heard.reply();
            let calls = reply.calls.clone();
            conversation.push(Message::Assistant(echo(reply)));
            for call in calls {
                conversation.push(Message::tool(call.id.clone(), call.name, Outcome::ok("ok")));
            }
        }
        server.assert_clean();
        let last = &server.requests()[2].body["input"];
        let kinds: Vec<_> = last.as_array().unwrap().iter().map(|it| it["type"].as_str()).collect();
        let (reasoning, call) = (Some("reasoning"), Some("function_call"));
        let result = Some("function_call_output");
        let wanted = [
            None,
            None,
            reasoning,
            Some("message"),
            call,
            call,
            result,
            result,
            reasoning,
            call,
            result,
        ];
        assert_eq!(kinds, wanted);
        assert_eq!(last[2]["encrypted_content"], seal);
        assert_eq!(conversation.messages().last().unwrap().content(), "31 °C.");
    }
}
