//! What is sent.

use std::sync::Arc;

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use toolwright_core::{
    AssistantMessage, Attachment, Call, Conversation, Message, Model, ModelOptions, ModelRequest,
    Outcome, OutputSchema, RequestCache, ToolChoice, ToolDefinitions, ToolSpec, UserMessage,
};
use toolwright_models::{Api, Endpoint, EndpointConfig, Vendor};
use toolwright_testkit::{ModelServer, Reply, Script};

use super::{OWN, config};
use crate::support::{ask, model, say};

pub(super) fn tools() -> ToolDefinitions {
    let parameters = json!({"type": "object", "properties": {"x": {"type": "string"}}});
    let spec = |name: &str| Arc::new(ToolSpec::new(name, "Does \"it\": é", parameters.clone()));
    ToolDefinitions::new([spec("f"), spec("g")])
}

fn tool(name: &str) -> Value {
    json!({
        "type": "function", "name": name, "description": "Does \"it\": é", "strict": false,
        "parameters": {"type": "object", "properties": {"x": {"type": "string"}}},
    })
}

async fn answering() -> ModelServer {
    ModelServer::start_with(|_| Reply::text("Hi")).await
}

fn assistant(content: &str, calls: impl IntoIterator<Item = Call>) -> Message {
    Message::Assistant(AssistantMessage {
        content: content.to_owned(),
        calls: calls.into_iter().collect(),
        ..AssistantMessage::default()
    })
}

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
const PDF: &[u8] = b"%PDF-1.7\n";
const WAV: &[u8] = b"RIFF\x04\0\0\0WAVE";

fn png() -> Attachment {
    Attachment::new(PNG, None, Some("a.png")).unwrap()
}

fn pdf() -> Attachment {
    Attachment::new(PDF, None, Some("a \"b\".pdf")).unwrap()
}

fn wav() -> Attachment {
    Attachment::new(WAV, None, Some("a.wav")).unwrap()
}

fn image() -> Value {
    let url = format!("data:image/png;base64,{}", BASE64_STANDARD.encode(PNG));
    json!({"type": "input_image", "detail": "auto", "image_url": url})
}

fn file() -> Value {
    let data = format!("data:application/pdf;base64,{}", BASE64_STANDARD.encode(PDF));
    json!({"type": "input_file", "filename": "a \"b\".pdf", "file_data": data})
}

fn sound() -> Value {
    let data = BASE64_STANDARD.encode(WAV);
    json!({"type": "input_audio", "input_audio": {"data": data, "format": "wav"}})
}

fn words(text: &str) -> Value {
    json!({"type": "input_text", "text": text})
}

/// The body of the request that `change`d settings make of this.
async fn sent_by(
    change: impl FnOnce(&mut EndpointConfig),
    conversation: &Conversation,
    tools: &ToolDefinitions,
    choice: ToolChoice,
    stream: bool,
) -> Value {
    let server = answering().await;
    let mut config = config(&server);
    change(&mut config);
    let model = model(config);
    say(&model, conversation, tools, choice, stream, &mut RequestCache::default()).await.reply();
    server.assert_clean();
    let request = &server.requests()[0];
    assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/v1/responses"));
    request.body.clone()
}

async fn sent(conversation: &Conversation) -> Value {
    sent_by(|_| {}, conversation, &tools(), ToolChoice::Auto, true).await
}

fn question() -> Conversation {
    Conversation::from_iter([Message::user("Well?")])
}

/// A conversation with everything in it, and the items it becomes.
fn everything() -> (Vec<Message>, Vec<Value>) {
    let user = UserMessage::new("See").with_attachment(png()).with_attachment(pdf());
    let calls = [
        Call::new("a", "f", "{ \"x\" :\"é\"}"),
        Call::new("b", "no such tool!", "{\"cut\":"),
        Call::new("c/é", "g", ""),
    ];
    let mut shown = Outcome::ok("done");
    shown.attachments = vec![png(), wav(), pdf()];
    shown.attachments.iter_mut().for_each(|it| it.at = 4);
    let mut heard = Outcome::ok("heard");
    heard.attachments = vec![wav()];
    let messages = vec![
        Message::system("Be \"brief\"."),
        Message::user("Grüße 🎉\n\u{0}"),
        Message::User(user),
        assistant("Let me see.", calls),
        Message::tool("a", "f", shown),
        Message::tool("b", "no such tool!", Outcome::failed("❌ none")),
        Message::tool("c/é", "g", heard),
        Message::correction("Go on."),
        assistant("", []),
        Message::system("Later."),
        assistant("So.", []),
        Message::user("Well?"),
    ];
    let named = |it: Attachment| words(&format!("This is what a tool returned: {}", it.describe()));
    let call = |id: &str, name: &str, arguments: &str| json!({"type": "function_call", "call_id": id, "name": name, "arguments": arguments});
    let result = |id: &str, output: Value| json!({"type": "function_call_output", "call_id": id, "output": output});
    // It is made of letters that all take; which, does not matter.
    let odd = "rewritten";
    let items = vec![
        json!({"role": "system", "content": "Be \"brief\"."}),
        json!({"role": "user", "content": "Grüße 🎉\n\u{0}"}),
        json!({"role": "user", "content": [words("See"), image(), file()]}),
        json!({"role": "assistant", "content": "Let me see."}),
        call("a", "f", "{ \"x\" :\"é\"}"),
        call("b", "no_such_tool_", "{}"),
        call(odd, "g", "{}"),
        result("a", json!([words("done"), image(), file()])),
        result("b", json!("❌ none")),
        result(odd, json!("heard")),
        json!({"role": "user", "content": [named(wav()), sound(), named(wav()), sound()]}),
        json!({"role": "user", "content": "Go on."}),
        json!({"role": "system", "content": "Later."}),
        json!({"role": "assistant", "content": "So."}),
        json!({"role": "user", "content": "Well?"}),
    ];
    (messages, items)
}

#[tokio::test]
async fn a_whole_request() {
    let (messages, items) = everything();
    let mut body = sent(&messages.into_iter().collect()).await;
    let odd = body["input"][6]["call_id"].clone();
    assert!(odd.as_str().unwrap().starts_with("call_"), "{odd}");
    assert_eq!(odd, body["input"][9]["call_id"]);
    for at in [6, 9] {
        body["input"][at]["call_id"] = items[6]["call_id"].clone();
    }
    let wanted = json!({
        "model": "m", "store": false, "include": ["reasoning.encrypted_content"], "stream": true,
        "tools": [tool("f"), tool("g")], "input": items,
    });
    assert_eq!(body, wanted);
}

#[tokio::test]
async fn without_a_stream_and_without_tools() {
    for choice in
        [ToolChoice::Auto, ToolChoice::None, ToolChoice::Required, ToolChoice::Tool("f".into())]
    {
        let parallel = |config: &mut EndpointConfig| config.quirks.parallel_tool_calls = Some(true);
        let none = ToolDefinitions::default();
        let body = sent_by(parallel, &question(), &none, choice, false).await;
        let wanted = json!({
            "model": "m", "store": false, "include": ["reasoning.encrypted_content"],
            "input": [{"role": "user", "content": "Well?"}],
        });
        assert_eq!(body, wanted);
    }
}

#[tokio::test]
async fn the_choice_of_tools() {
    for (choice, wanted) in [
        (ToolChoice::Auto, None),
        (ToolChoice::None, Some(json!("none"))),
        (ToolChoice::Required, Some(json!("required"))),
        (ToolChoice::Tool("g".into()), Some(json!({"type": "function", "name": "g"}))),
    ] {
        let body = sent_by(|_| {}, &question(), &tools(), choice, true).await;
        assert_eq!(body.get("tool_choice"), wanted.as_ref());
        assert_eq!(body.get("parallel_tool_calls"), None);
    }
    let change = |config: &mut EndpointConfig| config.quirks.parallel_tool_calls = Some(false);
    let body = sent_by(change, &question(), &tools(), ToolChoice::None, true).await;
    assert_eq!(body["parallel_tool_calls"], false);
}

fn options(options: Value) -> impl Fn(&mut EndpointConfig) {
    move |config| config.options = serde_json::from_value(options.clone()).unwrap()
}

#[tokio::test]
async fn options_are_fields_of_every_request() {
    let said = json!({
        "temperature": 0.5, "top_p": 0.9, "max_output_tokens": 100, "reasoning_effort": "low",
        "stop": ["\n"], "seed": 7, "parallel_tool_calls": false,
        "extra": {
            "top_k": 40, "truncation": "auto", "reasoning": {"summary": "auto", "effort": "high"},
            "text": {"verbosity": "low", "format": 7}, "model": "x", "input": "x", "store": true,
            "include": [], "previous_response_id": "x", "temperature": 2, "parallel_tool_calls": true,
        },
    });
    let body = sent_by(options(said), &question(), &tools(), ToolChoice::Auto, true).await;
    let wanted = json!({
        "model": "m", "store": false, "include": ["reasoning.encrypted_content"], "stream": true,
        "temperature": 0.5, "top_p": 0.9, "max_output_tokens": 100, "parallel_tool_calls": false,
        "reasoning": {"effort": "low", "summary": "auto"}, "text": {"verbosity": "low"},
        "top_k": 40, "truncation": "auto", "tools": [tool("f"), tool("g")],
        "input": [{"role": "user", "content": "Well?"}],
    });
    assert_eq!(body, wanted);
}

#[tokio::test]
async fn what_a_model_of_openai_rejects_is_left_out() {
    let of = async |name: &str, effort: &str| {
        let change = |config: &mut EndpointConfig| {
            let openai = EndpointConfig::of(&Vendor::OPENAI, name);
            (config.model, config.quirks) = (openai.model, openai.quirks);
            options(json!({"temperature": 0.5, "reasoning_effort": effort}))(config);
        };
        let body = sent_by(change, &question(), &tools(), ToolChoice::Auto, true).await;
        (body.get("temperature").is_some(), body.get("include").is_some())
    };
    assert_eq!(of("gpt-6-sol", "medium").await, (false, true));
    assert_eq!(of("gpt-6-sol", "none").await, (true, true));
    assert_eq!(of("o3", "low").await, (false, true));
    // Those that do not think are not asked what they thought: they would refuse the question.
    for name in ["gpt-4.1-mini", "ft:gpt-4o:x", "chatgpt-4o-latest"] {
        assert_eq!(of(name, "none").await, (true, false), "{name}");
    }
}

#[tokio::test]
async fn the_form_of_a_reply() {
    let open = json!({"type": "object", "properties": {"x": {"type": "string"}}});
    let closed = json!({"type": "object", "properties": {"x": {"type": "string"}},
        "required": ["x"], "additionalProperties": false});
    for (schema, strict) in [(open, false), (closed, true)] {
        let server = answering().await;
        let mut config = config(&server);
        options(json!({"extra": {"text": {"verbosity": "low"}}}))(&mut config);
        let model = model(config);
        let output = OutputSchema::new("form", schema.clone()).unwrap();
        let (conversation, none) = (question(), ToolDefinitions::default());
        let mut memo = RequestCache::default();
        let request = ModelRequest::new(&conversation, &none, &mut memo).output(Some(&output));
        let _ = futures_util::StreamExt::collect::<Vec<_>>(model.call(request)).await;
        let format =
            json!({"type": "json_schema", "name": "form", "schema": schema, "strict": strict});
        let wanted = json!({"verbosity": "low", "format": format});
        assert_eq!(server.requests()[0].body["text"], wanted);
        server.assert_clean();
    }
}

#[tokio::test]
async fn a_form_that_is_refused_is_asked_for_in_the_prompt() {
    let refusal = json!({"error": {
        "message": "Invalid schema for response_format 'form'", "type": "invalid_request_error",
        "param": "text.format.schema", "code": "invalid_json_schema",
    }});
    let refusal = Reply::status(400).body(refusal.to_string());
    let server = ModelServer::start(Script::new().reply(refusal).reply(Reply::text("{}"))).await;
    let model = model(config(&server));
    let output = OutputSchema::new("form", json!({"type": "object"})).unwrap();
    let (conversation, none) = (question(), ToolDefinitions::default());
    let mut memo = RequestCache::default();
    let request = ModelRequest::new(&conversation, &none, &mut memo).output(Some(&output));
    let parts: Vec<_> = futures_util::StreamExt::collect(model.call(request)).await;
    assert!(parts.last().unwrap().is_ok(), "{parts:?}");
    let requests = server.requests();
    assert_eq!(
        (requests[0].body.get("text").is_some(), requests[1].body.get("text")),
        (true, None)
    );
}

#[tokio::test]
async fn what_it_takes() {
    let server = answering().await;
    let mut config = config(&server);
    (config.quirks.pdf, config.quirks.audio) = (true, true);
    let model = model(config);
    assert!([png(), pdf(), wav()].iter().all(|it| model.accepts(it)));
    let text = Attachment::new(&b"words"[..], Some("text/plain"), None).unwrap();
    assert!(!model.accepts(&text));
}

#[tokio::test]
async fn addresses_and_keys() {
    let server = ModelServer::start(Script::new().key("sk-key").reply(Reply::text("Hi"))).await;
    let mut config = config(&server).with_key("sk-key");
    config.base_url.push_str("/responses/");
    let endpoint = model(config);
    ask(&endpoint, true).await.reply();
    assert_eq!(endpoint.models().await.unwrap(), ["scripted"]);
    server.assert_clean();
    let bare = EndpointConfig::new("http://127.0.0.1:1", "m").with_api(Api::Responses);
    let bare = Endpoint::new(bare).unwrap();
    assert_eq!(bare.address_with_version().unwrap(), "http://127.0.0.1:1/v1");
}

/// Every round is sent twice, with what is kept and from scratch: the bytes are the same.
#[tokio::test]
async fn what_is_kept_from_round_to_round_changes_nothing() {
    let server = answering().await;
    let endpoint = model(config(&server));
    let (tools, mut memo) = (tools(), RequestCache::default());
    let (messages, _) = everything();
    let kept = json!([
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"},
        {"type": "message", "phase": "commentary", "from": 0, "to": 3},
        {"type": "function_call", "call": 0},
    ]);
    let own = Message::Assistant(AssistantMessage {
        content: "So.".into(),
        calls: vec![Call::new("z", "f", "{}")],
        model: Some(OWN.into()),
        extra: serde_json::from_value(json!({"output_items": kept})).unwrap(),
        ..AssistantMessage::default()
    });
    let more = [own, Message::tool("z", "f", Outcome::ok("ok")), Message::user("And?")];
    let mut conversation = Conversation::default();
    let choices = [ToolChoice::Auto, ToolChoice::None, ToolChoice::Tool("g".into())];
    for (message, choice) in messages.into_iter().chain(more).zip(choices.iter().cycle()) {
        conversation.push(message);
        // A request is made when all results of a reply are there.
        if !matches!(conversation.messages().last().unwrap().role(), "user" | "system")
            || conversation.messages().len() == 1
        {
            continue;
        }
        for memo in [&mut memo, &mut RequestCache::default()] {
            say(&endpoint, &conversation, &tools, choice.clone(), true, memo).await.reply();
        }
        let requests = server.requests();
        let [.., kept, fresh] = requests.as_slice() else { panic!("two requests") };
        let text = |raw: &[u8]| String::from_utf8(raw.to_vec()).unwrap();
        assert_eq!(text(&kept.raw), text(&fresh.raw));
    }
    server.assert_clean();
    assert!(server.requests().len() > 8);
}

#[tokio::test]
async fn options_of_a_run_count_more() {
    let server = answering().await;
    let mut config = config(&server);
    options(json!({"temperature": 0.5, "max_output_tokens": 7}))(&mut config);
    let model = model(config);
    let mut own = ModelOptions::default();
    own.set("temperature", "1").unwrap();
    let own = Arc::new(own);
    let (conversation, none) = (question(), ToolDefinitions::default());
    let mut memo = RequestCache::default();
    let request = ModelRequest::new(&conversation, &none, &mut memo).options(&own);
    let _ = futures_util::StreamExt::collect::<Vec<_>>(model.call(request)).await;
    let body = &server.requests()[0].body;
    assert_eq!((&body["temperature"], &body["max_output_tokens"]), (&json!(1.0), &json!(7)));
}
