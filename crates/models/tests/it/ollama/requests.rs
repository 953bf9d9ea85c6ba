//! What is sent.

use std::sync::Arc;

use base64::{Engine, prelude::BASE64_STANDARD};
use proptest::{collection::vec, prelude::*};
use serde_json::{Value, json};
use toolwright_core::{
    AssistantMessage, Attachment, Call, Conversation, Message, Model, ModelRequest, Outcome,
    OutputSchema, RequestCache, ToolChoice, ToolDefinitions, ToolSpec, UserMessage,
};
use toolwright_models::{EndpointConfig, Facts};

use super::{OWN, answering, asking};
use crate::{
    served::{Answer, Served},
    support::{ask, in_runtime, model, say},
};

fn tools() -> ToolDefinitions {
    let parameters = json!({"type": "object", "properties": {"x": {"type": "string"}}});
    let spec = |name: &str| Arc::new(ToolSpec::new(name, "Does \"it\": é", parameters.clone()));
    ToolDefinitions::new([spec("f"), spec("g")])
}

fn tool(name: &str) -> Value {
    json!({"type": "function", "function": {
        "name": name, "description": "Does \"it\": é",
        "parameters": {"type": "object", "properties": {"x": {"type": "string"}}},
    }})
}

fn picture(name: &str) -> Attachment {
    Attachment::new(bytes(name), None, Some(name)).unwrap()
}

fn bytes(name: &str) -> Vec<u8> {
    [&b"\x89PNG\r\n\x1a\n"[..], name.as_bytes()].concat()
}

fn letters(name: &str) -> String {
    BASE64_STANDARD.encode(bytes(name))
}

fn question() -> Conversation {
    Conversation::from_iter([Message::user("Well?")])
}

fn thoughtful(model: Option<&str>, calls: Vec<Call>) -> Message {
    Message::Assistant(AssistantMessage {
        content: "Let me see.".into(),
        reasoning: "Need the weather.".into(),
        calls,
        model: model.map(Into::into),
        extra: None,
    })
}

/// Everything that can stand in a conversation.
fn everything() -> Conversation {
    let asked = UserMessage::new("Look: 🎉\n\u{0}").with_attachment(picture("a.png"));
    let calls =
        vec![Call::new("1", "f", " { \"x\" :\"é\", \"n\":1.0e2}\n"), Call::new("", "g g", "")];
    Conversation::from_iter([
        Message::system("Be \"brief\"."),
        Message::User(asked),
        thoughtful(Some(OWN), calls),
        Message::tool("1", "f", Outcome::ok("b").with_attachments(vec![picture("b.png")])),
        Message::tool("", "g g", Outcome::ok("done").with_attachments(vec![picture("c.png")])),
        thoughtful(Some("ollama@127.0.0.1:other"), Vec::new()),
        Message::correction("Go on."),
    ])
}

async fn sent(
    change: impl FnOnce(&mut EndpointConfig),
    conversation: &Conversation,
    tools: &ToolDefinitions,
    choice: ToolChoice,
    stream: bool,
) -> Value {
    let server = answering();
    let mut config = asking(&server, 0);
    change(&mut config);
    let model = model(config);
    say(&model, conversation, tools, choice, stream, &mut RequestCache::default()).await.reply();
    server.asked()[0].body()
}

#[tokio::test]
async fn a_whole_request() {
    let body = sent(|_| {}, &everything(), &tools(), ToolChoice::Auto, true).await;
    let described = |name: &str| {
        let attachment = picture(name);
        format!("This is what a tool returned: {}", attachment.describe())
    };
    let wanted = json!({
        "model": "m",
        "stream": true,
        "truncate": false,
        "shift": false,
        "tools": [tool("f"), tool("g")],
        "messages": [
            {"role": "system", "content": "Be \"brief\"."},
            {"role": "user", "content": "Look: 🎉\n\u{0}", "images": [letters("a.png")]},
            {"role": "assistant", "content": "Let me see.", "thinking": "Need the weather.", "tool_calls": [
                {"id": "1", "function": {"name": "f", "arguments": {"x": "é", "n": 1.0e2}}},
                {"id": "", "function": {"name": "g_g", "arguments": {}}},
            ]},
            {"role": "tool", "content": "b", "tool_name": "f", "tool_call_id": "1"},
            {"role": "tool", "content": "done", "tool_name": "g_g", "tool_call_id": ""},
            {"role": "user", "content": format!("{}\n{}", described("b.png"), described("c.png")),
             "images": [letters("b.png"), letters("c.png")]},
            {"role": "assistant", "content": "Let me see."},
            {"role": "user", "content": "Go on."},
        ],
    });
    assert_eq!(body, wanted);
}

#[tokio::test]
async fn without_a_stream_it_says_so() {
    let none = ToolDefinitions::default();
    for choice in
        [ToolChoice::Auto, ToolChoice::None, ToolChoice::Required, ToolChoice::Tool("f".into())]
    {
        let body = sent(|_| {}, &question(), &none, choice, false).await;
        let messages = json!([{"role": "user", "content": "Well?"}]);
        let wanted = json!({"model": "m", "stream": false, "truncate": false, "shift": false,
            "messages": messages});
        assert_eq!(body, wanted);
    }
}

#[tokio::test]
async fn the_choice_is_made_by_what_is_offered() {
    for (choice, wanted) in [
        (ToolChoice::Auto, json!([tool("f"), tool("g")])),
        (ToolChoice::Required, json!([tool("f"), tool("g")])),
        (ToolChoice::Tool("g".into()), json!([tool("g")])),
        (ToolChoice::Tool("unknown".into()), json!([tool("f"), tool("g")])),
        (ToolChoice::None, Value::Null),
    ] {
        let body = sent(|_| {}, &question(), &tools(), choice.clone(), true).await;
        assert_eq!(body["tools"], wanted, "{choice:?}");
        assert_eq!(body.get("tool_choice"), None);
    }
}

/// A field of which anything goes would have the whole request refused.
#[tokio::test]
async fn a_schema_is_sent_as_it_is_read() {
    let parameters = json!({"type": "object", "properties": {"any": true, "x": {"$ref": "#/$defs/X"}},
        "$defs": {"X": {"type": "integer"}}});
    let odd = ToolDefinitions::new([Arc::new(ToolSpec::new("f", "", parameters))]);
    for choice in [ToolChoice::Auto, ToolChoice::Tool("f".into())] {
        let body = sent(|_| {}, &question(), &odd, choice, true).await;
        let fields = &body["tools"][0]["function"]["parameters"]["properties"];
        assert_eq!(*fields, json!({"any": {}, "x": {"type": "integer"}}));
    }
}

#[tokio::test]
async fn options_stand_where_they_are_read() {
    let options = json!({
        "temperature": 0.5, "top_p": 0.9, "max_output_tokens": 100, "reasoning_effort": "low",
        "stop": ["\n"], "seed": 7, "parallel_tool_calls": false,
        "extra": {
            "top_k": 40, "seed": 9, "keep_alive": "10m", "truncate": true, "think": true,
            "options": {"num_ctx": 8192, "temperature": 1.0, "min_p": 0.1},
        },
    });
    let change = |config: &mut EndpointConfig| {
        config.options = serde_json::from_value(options.clone()).unwrap();
        config.facts = facts(Some(4096), None);
    };
    let body = sent(change, &question(), &tools(), ToolChoice::None, true).await;
    let wanted = json!({
        "model": "m", "stream": true, "truncate": true, "shift": false, "think": "low", "keep_alive": "10m",
        "options": {"temperature": 0.5, "top_p": 0.9, "num_predict": 100, "stop": ["\n"], "seed": 7,
            "top_k": 40, "num_ctx": 8192, "min_p": 0.1},
        "messages": [{"role": "user", "content": "Well?"}],
    });
    assert_eq!(body, wanted);
}

fn facts(window: Option<u64>, reasons: Option<bool>) -> Facts {
    let mut facts = Facts::default();
    (facts.window, facts.reasons) = (window, reasons);
    facts
}

#[tokio::test]
async fn a_window_is_asked_for_where_it_is_modest() {
    for (window, wanted) in
        [(None, Value::Null), (Some(32_768), json!(32_768)), (Some(131_072), Value::Null)]
    {
        let change = |config: &mut EndpointConfig| config.facts = facts(window, None);
        let body = sent(change, &question(), &tools(), ToolChoice::Auto, true).await;
        assert_eq!(body["options"]["num_ctx"], wanted);
    }
}

#[tokio::test]
async fn how_much_it_thinks() {
    for (name, effort, reasons, wanted) in [
        ("m", "none", None, Some(json!(false))),
        ("gpt-oss:20b", "none", None, Some(json!("low"))),
        ("m", "minimal", None, Some(json!("low"))),
        ("m", "medium", Some(true), Some(json!("medium"))),
        ("m", "xhigh", None, Some(json!("high"))),
        ("m", "max", None, Some(json!("max"))),
        ("m", "on", None, Some(json!(true))),
        ("m", "very much", None, None),
        ("m", "high", Some(false), None),
    ] {
        let change = |config: &mut EndpointConfig| {
            config.model = name.into();
            config.facts = facts(None, reasons);
            config.options.reasoning_effort = Some(effort.into());
        };
        let body = sent(change, &question(), &tools(), ToolChoice::Auto, true).await;
        assert_eq!(body.get("think"), wanted.as_ref(), "{effort}");
    }
}

#[tokio::test]
async fn a_form_leaves_the_tools_out_and_is_done_without_where_it_is_refused() {
    let server = Served::new(|asked| match asked.body().get("format") {
        Some(format) if format["type"] != "object" => Answer::missing(),
        Some(_) => {
            let words = "invalid format: expected \"json\" or a valid JSON Schema object";
            Answer::json(400, &json!({"error": words}))
        }
        None => super::lines(&(super::said("{}") + &super::done("stop"))),
    });
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
    let output = OutputSchema::new("n", schema.clone()).unwrap();
    let (model, conversation, tools) = (model(asking(&server, 0)), question(), tools());
    let mut memo = RequestCache::default();
    let request = ModelRequest::new(&conversation, &tools, &mut memo).streamed();
    let mut coming = model.call(request.choice(ToolChoice::None).output(Some(&output)));
    while let Some(part) = futures_util::StreamExt::next(&mut coming).await {
        part.unwrap();
    }
    let asked: Vec<_> = server.asked().iter().map(crate::served::Asked::body).collect();
    assert_eq!(asked[0]["format"], schema);
    assert_eq!((asked[0].get("tools"), asked[1].get("tools")), (None, None));
    assert_eq!((asked[1].get("format"), asked.len()), (None, 2));
}

#[tokio::test]
async fn what_is_attached_and_can_be_carried() {
    let model = model(asking(&answering(), 0));
    let jpeg = Attachment::new(*b"\xff\xd8\xff\xe0 a picture", None, None).unwrap();
    let pdf = Attachment::new(*b"%PDF-1.7 a paper", None, None).unwrap();
    let gif = Attachment::new(*b"GIF89a and more of it", None, None).unwrap();
    let takes = [picture("a.png"), jpeg, pdf, gif].map(|it| model.accepts(&it));
    assert_eq!(takes, [true, true, false, false]);
}

#[tokio::test]
async fn the_address_the_key_and_the_models() {
    for base in ["", "/", "/api", "/api/", "/api/chat", "/v1", "/v1/"] {
        let server = answering();
        let mut config = asking(&server, 0).with_key("sk-key");
        config.base_url.push_str(base);
        ask(&model(config), true).await.reply();
        let asked = &server.asked()[0];
        assert_eq!((asked.method.as_str(), asked.path.as_str()), ("POST", "/api/chat"), "{base}");
        assert_eq!(asked.header("authorization"), Some("Bearer sk-key"));
        assert_eq!(asked.header("content-type"), Some("application/json"));
    }
    let list =
        json!({"models": [{"name": "qwen3:8b", "model": "qwen3:8b"}, {"model": "b"}, {"size": 1}]});
    let server = Served::new(move |asked| match asked.path.as_str() {
        "/api/tags" => Answer::json(200, &list),
        _ => Answer::missing(),
    });
    assert_eq!(model(asking(&server, 0)).models().await.unwrap(), ["qwen3:8b", "b"]);
    let server = Served::new(|_| Answer::json(200, &json!({"data": []})));
    let error = model(asking(&server, 0)).models().await.unwrap_err();
    assert!(error.message.contains("no API of models"), "{error}");
}

/// Nothing that is written here is written twice, whatever options say.
#[tokio::test]
async fn nothing_stands_in_a_request_twice() {
    let server = answering();
    let mut config = asking(&server, 0);
    let names = ["model", "messages", "tools", "stream", "format", "options", "think", "seed", "x"];
    config.options.extra = names.map(|name| (name.to_owned(), json!(1))).into_iter().collect();
    config.options.seed = Some(7);
    config.options.reasoning_effort = Some("high".into());
    let model = model(config);
    let mut memo = RequestCache::default();
    say(&model, &everything(), &tools(), ToolChoice::Auto, true, &mut memo).await.reply();
    let asked = &server.asked()[0];
    let body = toolwright_core::unambiguous(std::str::from_utf8(&asked.raw).unwrap()).unwrap();
    assert_eq!(
        (&body["model"], &body["x"], &body["think"]),
        (&json!("m"), &json!(1), &json!("high"))
    );
    assert_eq!(body["options"], json!({"seed": 7}));
}

/// What is said next: a question, or calls and their results.
fn turns() -> impl Strategy<Value = Vec<Vec<Message>>> {
    let result = (any::<bool>(), ".{0,8}").prop_map(|(attached, text)| {
        let attached = if attached { vec![picture("r.png")] } else { Vec::new() };
        Outcome::ok(text).with_attachments(attached)
    });
    let calling = (vec(result, 1..4), any::<bool>()).prop_map(|(results, own)| {
        let calls = (0..results.len()).map(|at| Call::new(at.to_string(), "f", "{\"x\": 1}"));
        let said = thoughtful(own.then_some(OWN), calls.collect());
        let results = results.into_iter().enumerate();
        let results = results.map(|(at, it)| Message::tool(at.to_string(), "f", it));
        [said].into_iter().chain(results).collect::<Vec<_>>()
    });
    let asking = ".{0,8}".prop_map(|text| {
        vec![Message::User(UserMessage::new(text).with_attachment(picture("q.png")))]
    });
    vec(prop_oneof![calling, asking], 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// Growing in place gives the same bytes as writing everything anew.
    #[test]
    fn a_body_that_grows_is_the_body_written_anew(turns in turns(), choices in vec(0_u8..4, 5)) {
        in_runtime(async {
            let server = answering();
            let model = model(asking(&server, 0));
            let (tools, mut memo) = (tools(), RequestCache::default());
            let mut conversation = Conversation::from_iter([Message::system("Be brief.")]);
            for (turn, choice) in turns.into_iter().zip(choices) {
                turn.into_iter().for_each(|it| conversation.push(it));
                let choice = match choice {
                    0 => ToolChoice::None,
                    1 => ToolChoice::Tool("g".into()),
                    _ => ToolChoice::Auto,
                };
                say(&model, &conversation, &tools, choice.clone(), true, &mut memo).await.reply();
                let mut anew = RequestCache::default();
                say(&model, &conversation, &tools, choice, true, &mut anew).await.reply();
                let asked = server.asked();
                let [grown, new] = &asked[asked.len() - 2..] else { unreachable!() };
                prop_assert_eq!(&grown.raw, &new.raw);
            }
            Ok(())
        })?;
    }
}
