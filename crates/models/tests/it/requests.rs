//! What is sent: the bytes of requests.

use std::sync::Arc;

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use toolwright_core::{
    AssistantMessage, Attachment, Call, Conversation, Message, ModelRequest, Outcome,
    OutputStrategy, RequestCache, ToolChoice, ToolDefinitions, ToolSpec, UserMessage,
};
use toolwright_models::{EmptyContent, Endpoint, EndpointConfig, Quirks};
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::support::{ask, call_events, delta, model, once, plain, say};

fn tools() -> ToolDefinitions {
    let parameters = json!({"type": "object", "properties": {"x": {"type": "string"}}});
    let spec = |name: &str| Arc::new(ToolSpec::new(name, "Does \"it\": é", parameters.clone()));
    ToolDefinitions::new([spec("f"), spec("g")])
}

async fn answering() -> ModelServer {
    ModelServer::start_with(|_| Reply::text("Hi")).await
}

/// What the model of these tests is known by.
const OWN: &str = "openai@127.0.0.1:m";

fn assistant(content: &str, calls: impl IntoIterator<Item = Call>) -> Message {
    Message::Assistant(AssistantMessage {
        content: content.to_owned(),
        calls: calls.into_iter().collect(),
        ..AssistantMessage::default()
    })
}

fn answer(id: &str, name: &str, text: &str) -> Message {
    Message::tool(id, name, Outcome::ok(text).with_detail("for people only").with_data(json!(1)))
}

/// A conversation that ends with calls, answered.
fn calling(message: Message) -> Conversation {
    let answers: Vec<_> =
        message.calls().iter().map(|call| answer(call.id.as_str(), &call.name, "ok")).collect();
    [Message::user("Well?"), message].into_iter().chain(answers).collect()
}

/// The body of the request that `config` makes of this.
async fn sent_by(
    change: impl FnOnce(&mut EndpointConfig),
    conversation: &Conversation,
    tools: &ToolDefinitions,
    choice: ToolChoice,
    stream: bool,
) -> Value {
    let server = answering().await;
    let mut config = once(&server);
    config.quirks = plain();
    change(&mut config);
    let clean = config.quirks.required == "required";
    let model = model(config);
    say(&model, conversation, tools, choice, stream, &mut RequestCache::default()).await.reply();
    if clean {
        server.assert_clean();
    }
    server.requests()[0].body.clone()
}

async fn sent(conversation: &Conversation) -> Value {
    sent_by(|_| {}, conversation, &tools(), ToolChoice::Auto, true).await
}

#[tokio::test]
async fn a_whole_request() {
    let conversation = Conversation::from_iter([
        Message::system("Be \"brief\"."),
        Message::user("Grüße 🎉\n\u{0}"),
        assistant("Let me see.", [Call::new("a", "f", "{ \"x\" :\"é\"}")]),
        answer("a", "f", "done"),
        Message::correction("Go on."),
    ]);
    let tool = |name: &str| {
        json!({"type": "function", "function": {
            "name": name, "description": "Does \"it\": é",
            "parameters": {"type": "object", "properties": {"x": {"type": "string"}}},
        }})
    };
    let wanted = json!({
        "model": "m",
        "stream": true,
        "stream_options": {"include_usage": true},
        "tools": [tool("f"), tool("g")],
        "messages": [
            {"role": "system", "content": "Be \"brief\"."},
            {"role": "user", "content": "Grüße 🎉\n\u{0}"},
            {"role": "assistant", "content": "Let me see.", "tool_calls": [
                {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{ \"x\" :\"é\"}"}},
            ]},
            {"role": "tool", "tool_call_id": "a", "name": "f", "content": "done"},
            {"role": "user", "content": "Go on."},
        ],
    });
    assert_eq!(sent(&conversation).await, wanted);
}

#[tokio::test]
async fn without_a_stream_and_without_tools() {
    let conversation = Conversation::from_iter([Message::user("Well?")]);
    for choice in
        [ToolChoice::Auto, ToolChoice::None, ToolChoice::Required, ToolChoice::Tool("f".into())]
    {
        let parallel = |config: &mut EndpointConfig| config.quirks.parallel_tool_calls = Some(true);
        let none = ToolDefinitions::default();
        let body = sent_by(parallel, &conversation, &none, choice, false).await;
        assert_eq!(body, json!({"model": "m", "messages": [{"role": "user", "content": "Well?"}]}));
    }
}

#[tokio::test]
async fn the_choice_of_tools() {
    let conversation = Conversation::from_iter([Message::user("Well?")]);
    let named = json!({"type": "function", "function": {"name": "g"}});
    for (choice, wanted) in [
        (ToolChoice::Auto, None),
        (ToolChoice::None, Some(json!("none"))),
        (ToolChoice::Required, Some(json!("required"))),
        (ToolChoice::Tool("g".into()), Some(named)),
    ] {
        let body = sent_by(|_| {}, &conversation, &tools(), choice, true).await;
        assert_eq!(body.get("tool_choice"), wanted.as_ref());
        assert_eq!(body.get("parallel_tool_calls"), None);
    }
    let any = |config: &mut EndpointConfig| config.quirks.required = "any";
    let body = sent_by(any, &conversation, &tools(), ToolChoice::Required, true).await;
    assert_eq!(body["tool_choice"], "any");
    for parallel in [true, false] {
        let change =
            |config: &mut EndpointConfig| config.quirks.parallel_tool_calls = Some(parallel);
        let body = sent_by(change, &conversation, &tools(), ToolChoice::None, true).await;
        assert_eq!(body["parallel_tool_calls"], parallel);
    }
}

#[tokio::test]
async fn options_are_fields_of_every_request() {
    let options = json!({
        "temperature": 0.5, "top_p": 0.9, "max_output_tokens": 100, "reasoning_effort": "low",
        "stop": ["\n"], "seed": 7, "parallel_tool_calls": false,
        "extra": {"top_k": 40, "model": "x", "response_format": {"type": "json_object"}},
    });
    let change = |config: &mut EndpointConfig| {
        config.options = serde_json::from_value(options.clone()).unwrap();
    };
    let conversation = Conversation::from_iter([Message::user("Well?")]);
    let body = sent_by(change, &conversation, &tools(), ToolChoice::Auto, true).await;
    for name in ["temperature", "top_p", "reasoning_effort", "stop", "seed", "parallel_tool_calls"]
    {
        assert_eq!(body[name], options[name], "{name}");
    }
    assert_eq!((&body["max_tokens"], &body["top_k"]), (&json!(100), &json!(40)));
    assert_eq!((&body["model"], body.get("response_format")), (&json!("m"), None));
}

#[tokio::test]
async fn silence_is_null_or_empty() {
    let silent = calling(assistant("", [Call::new("a", "f", "{}")]));
    assert_eq!(sent(&silent).await["messages"][1]["content"], Value::Null);
    let empty = |config: &mut EndpointConfig| config.quirks.silence = EmptyContent::Empty;
    let body = sent_by(empty, &silent, &tools(), ToolChoice::Auto, true).await;
    assert_eq!(body["messages"][1]["content"], "");
    let spoken = calling(assistant("So.", [Call::new("a", "f", "{}")]));
    assert_eq!(sent(&spoken).await["messages"][1]["content"], "So.");
}

#[tokio::test]
async fn arguments_go_back_byte_for_byte_and_as_an_empty_object_where_they_are_none() {
    let deep = format!("{{\"x\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    for (arguments, echoed) in [
        ("{}", "{}"),
        (
            " {\"x\" : 1.0e2,\n\"é\":\"\\u00e9\\ud83d\\ude00\"}\n",
            " {\"x\" : 1.0e2,\n\"é\":\"\\u00e9\\ud83d\\ude00\"}\n",
        ),
        ("{\"x\":\"\\\\ud83d\"}", "{\"x\":\"\\\\ud83d\"}"),
        ("", "{}"),
        ("null", "{}"),
        ("[1]", "{}"),
        ("7", "{}"),
        ("\"x\"", "{}"),
        ("{\"x\":1", "{}"),
        ("{\"x\":1,}", "{}"),
        ("{\"x\":1} {}", "{}"),
        ("```json\n{}\n```", "{}"),
        ("{\"x\":\"\\ud83d\"}", "{}"),
        ("{\"\\udE00\":1}", "{}"),
        (deep.as_str(), "{}"),
    ] {
        let conversation = calling(assistant("", [Call::new("a", "f", arguments)]));
        let body = sent(&conversation).await;
        let call = &body["messages"][1]["tool_calls"][0];
        assert_eq!(call["function"]["arguments"], echoed, "{arguments}");
    }
}

#[tokio::test]
async fn results_carry_the_name_of_their_tool_where_it_is_wanted() {
    let conversation = calling(assistant("", [Call::new("a", "f", "{}")]));
    for named in [true, false] {
        let change = |config: &mut EndpointConfig| config.quirks.named_results = named;
        let body = sent_by(change, &conversation, &tools(), ToolChoice::Auto, true).await;
        assert_eq!(body["messages"][2].get("name"), named.then_some(&json!("f")));
    }
    let unnamed =
        [Message::user("Well?"), assistant("", [Call::new("a", "f", "{}")]), answer("a", "", "ok")];
    assert_eq!(sent(&unnamed.into_iter().collect()).await["messages"][2].get("name"), None);
}

#[tokio::test]
async fn reasoning_goes_back_only_where_it_is_wanted() {
    let message = Message::Assistant(AssistantMessage {
        content: "So.".into(),
        reasoning: "Because.".into(),
        calls: vec![Call::new("a", "f", "{}")],
        model: Some(OWN.into()),
        extra: None,
    });
    let conversation = calling(message);
    for echo in [true, false] {
        let change = |config: &mut EndpointConfig| config.quirks.echo_reasoning = echo;
        let body = sent_by(change, &conversation, &tools(), ToolChoice::Auto, true).await;
        let sent = body["messages"][1].get("reasoning_content").cloned();
        assert_eq!(sent, echo.then_some(json!("Because.")));
        assert!(!body.to_string().contains("\"reasoning\""));
    }
}

#[test]
fn providers_are_known_by_their_host() {
    let of = |base: &str| EndpointConfig::new(base, "m").quirks;
    let (max_tokens, reasons_by_name) = ("max_completion_tokens", true);
    let openai = Quirks { pdf: true, audio: true, max_tokens, reasons_by_name, ..plain() };
    assert_eq!(Quirks::of("api.openai.com"), openai);
    assert_eq!(of("https://api.openai.com/v1"), openai);
    assert_eq!(of("not an address"), plain());
    let groq = Quirks { named_results: false, ..plain() };
    assert_eq!(of("https://api.groq.com/openai/v1"), groq);
    let mistral = Quirks { required: "any", ..plain() };
    assert_eq!(of("https://api.mistral.ai/v1"), mistral);
    let output = OutputStrategy::Prompt;
    let deepseek = Quirks { echo_reasoning: true, images: false, output, ..plain() };
    assert_eq!(of("https://api.deepseek.com"), deepseek);
    assert_eq!(of("https://api.deepseek.com:443/v1/"), deepseek);
    assert_eq!(of("https://notgroq.com/v1"), plain());
    assert_eq!(of("https://groq.com.example/v1"), plain());
}

/// What a model said, as the next request brings it back.
fn echo(reply: toolwright_core::ModelResponse) -> Message {
    Message::Assistant(AssistantMessage {
        content: reply.text,
        reasoning: reply.reasoning,
        calls: reply.calls,
        model: Some(OWN.into()),
        extra: reply.extra,
    })
}

#[tokio::test]
async fn what_must_be_echoed_comes_back_unchanged() {
    let signature = json!({"google": {"thought_signature": "c2ln/+=="}});
    let details = json!([{"type": "reasoning.encrypted", "data": "eA==", "id": null, "index": 0}]);
    let streamed = delta(json!({"reasoning_details": details}))
        + &call_events([
            json!([{"id": "a", "function": {"name": "f", "arguments": "{}"}, "extra_content": signature}]),
            json!([{"id": "b", "function": {"name": "g", "arguments": "{}"}}]),
        ]);
    let calls = json!([
        {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}, "extra_content": signature},
        {"id": "b", "type": "function", "function": {"name": "g", "arguments": "{}"}},
    ]);
    let message = json!({"content": null, "reasoning_details": details, "tool_calls": calls});
    let whole = json!({"choices": [{"message": message, "finish_reason": "tool_calls"}]});
    for (stream, reply) in [(true, Reply::raw_sse(streamed)), (false, Reply::json(whole))] {
        let script = Script::new().reply(reply).reply(Reply::text("Hi"));
        let server = ModelServer::start(script).await;
        let model = model(once(&server));
        let (tools, mut memo) = (tools(), RequestCache::default());
        let mut conversation = Conversation::from_iter([Message::user("Well?")]);
        let reply =
            say(&model, &conversation, &tools, ToolChoice::Auto, stream, &mut memo).await.reply();
        conversation.push(echo(reply));
        conversation.push(answer("a", "f", "1"));
        conversation.push(answer("b", "g", "2"));
        say(&model, &conversation, &tools, ToolChoice::Auto, stream, &mut memo).await.reply();
        let wanted = json!({
            "role": "assistant", "content": null, "reasoning_details": details, "tool_calls": calls,
        });
        assert_eq!(server.requests()[1].body["messages"][1], wanted);
        server.assert_clean();
    }
}

/// Every round is sent twice, with what is kept and from scratch: the bytes are the same.
struct Twice {
    server: ModelServer,
    model: Endpoint,
    memo: RequestCache,
}

impl Twice {
    async fn start() -> Self {
        let server = answering().await;
        Self { model: model(once(&server)), server, memo: RequestCache::default() }
    }

    async fn round(
        &mut self,
        conversation: &Conversation,
        tools: &ToolDefinitions,
        choice: ToolChoice,
        stream: bool,
    ) {
        let model = self.model.clone();
        self.round_with(&model, conversation, tools, choice, stream).await;
    }

    async fn round_with(
        &mut self,
        model: &Endpoint,
        conversation: &Conversation,
        tools: &ToolDefinitions,
        choice: ToolChoice,
        stream: bool,
    ) {
        let memos = [&mut self.memo, &mut RequestCache::default()];
        for memo in memos {
            say(model, conversation, tools, choice.clone(), stream, memo).await.reply();
        }
        let requests = self.server.requests();
        let [.., kept, fresh] = requests.as_slice() else { panic!("two requests") };
        let text = |raw: &[u8]| String::from_utf8(raw.to_vec()).unwrap();
        assert_eq!(text(&kept.raw), text(&fresh.raw));
        self.server.assert_clean();
    }
}

#[tokio::test]
async fn what_is_kept_from_round_to_round_changes_nothing() {
    let (mut twice, tools) = (Twice::start().await, tools());
    let mut conversation = Conversation::from_iter([Message::system("S"), Message::user("é 🎉")]);
    twice.round(&conversation, &tools, ToolChoice::Required, true).await;
    for round in 0..5 {
        let call =
            |n: u8, name: &str, arguments: &str| Call::new(format!("{round}-{n}"), name, arguments);
        conversation.push(assistant(
            if round % 2 == 0 { "" } else { "So." },
            [call(0, "f", "{\"x\":\"ü\"}"), call(1, "g", "{\"cut\":"), call(2, "no_such_tool", "")],
        ));
        conversation.push(answer(&format!("{round}-0"), "f", "one\n\"two\""));
        let failed = Outcome::failed("❌ not that");
        conversation.push(Message::tool(format!("{round}-1"), "g", failed));
        conversation.push(Message::tool(
            format!("{round}-2"),
            "no_such_tool",
            Outcome::interrupted(),
        ));
        twice.round(&conversation, &tools, ToolChoice::Auto, true).await;
        // The same again, as after a reply that could not be used.
        twice.round(&conversation, &tools, ToolChoice::None, true).await;
        conversation.push(Message::correction("Go on."));
        twice.round(&conversation, &tools, ToolChoice::Tool("g".into()), true).await;
    }
}

#[tokio::test]
async fn what_is_kept_is_not_used_for_another_request() {
    let (mut twice, first) = (Twice::start().await, tools());
    let one = Conversation::from_iter([Message::user("One?")]);
    let two = Conversation::from_iter([Message::user("Two?"), Message::user("Well?")]);
    twice.round(&one, &first, ToolChoice::Auto, true).await;
    twice.round(&one, &first, ToolChoice::Auto, false).await;
    twice.round(&one, &first, ToolChoice::Auto, true).await;
    twice.round(&one, &tools(), ToolChoice::Auto, true).await;
    twice.round(&one, &ToolDefinitions::default(), ToolChoice::Auto, true).await;
    twice.round(&two, &first, ToolChoice::Auto, true).await;
    twice.round(&one, &first, ToolChoice::Auto, true).await;
    twice.round(&two, &first, ToolChoice::Auto, true).await;
    let mut other = once(&twice.server);
    other.model = "another".into();
    other.options.temperature = Some(1.0);
    twice.round_with(&model(other), &two, &first, ToolChoice::Auto, true).await;
    twice.round(&two, &first, ToolChoice::Auto, true).await;
}

#[tokio::test]
async fn what_is_kept_survives_a_reply_nobody_waited_for() {
    let (mut twice, tools) = (Twice::start().await, tools());
    let mut conversation = Conversation::from_iter([Message::user("Well?")]);
    for _ in 0..3 {
        let request = ModelRequest::new(&conversation, &tools, &mut twice.memo).streamed();
        // Still holds the bytes of its request while the next one is made.
        let never_polled = toolwright_core::Model::call(&twice.model, request);
        conversation.push(Message::assistant("Hi"));
        conversation.push(Message::user("And?"));
        twice.round(&conversation, &tools, ToolChoice::Auto, true).await;
        drop(never_polled);
    }
}

#[tokio::test]
async fn headers() {
    let server = answering().await;
    let mut config = once(&server).with_key(" sk-key\n");
    config.extra_headers = vec![
        ("HTTP-Referer".into(), "https://example.com".into()),
        ("api-key".into(), "other".into()),
        ("User-Agent".into(), "mine".into()),
    ];
    ask(&model(config), true).await.reply();
    let request = &server.requests()[0];
    let host = server.base_url().trim_start_matches("http://").trim_end_matches("/v1");
    for (name, value) in [
        ("host", host),
        ("content-type", "application/json"),
        ("authorization", "Bearer sk-key"),
        ("http-referer", "https://example.com"),
        ("api-key", "other"),
        ("user-agent", "mine"),
    ] {
        let given: Vec<_> =
            request.headers.iter().filter(|(it, _)| it.eq_ignore_ascii_case(name)).collect();
        assert_eq!(given.len(), 1, "{name}");
        assert_eq!(given[0].1, value, "{name}");
    }
    assert_eq!(request.method, "POST");
    ask(&model(once(&server)), true).await.reply();
    let request = &server.requests()[1];
    assert_eq!(request.header("authorization"), None);
    assert!(request.header("user-agent").unwrap().starts_with("toolwright/"));
}

#[tokio::test]
async fn a_key_that_a_server_demands() {
    let script = Script::new().reply(Reply::text("Hi")).key("secret");
    let server = ModelServer::start(script).await;
    assert_eq!(ask(&model(once(&server)), true).await.error().status, Some(401));
    ask(&model(once(&server).with_key("secret")), true).await.reply();
    server.assert_clean();
}

#[tokio::test]
async fn the_address_is_joined_with_one_slash() {
    let server = answering().await;
    let origin = server.base_url().trim_end_matches("/v1").to_owned();
    for (base, path) in [
        ("/v1", "/v1/chat/completions"),
        ("/v1/", "/v1/chat/completions"),
        ("/v1///", "/v1/chat/completions"),
        ("", "/chat/completions"),
        ("/", "/chat/completions"),
        ("/openai/v1/", "/openai/v1/chat/completions"),
        ("/v1?api-version=2024", "/v1/chat/completions?api-version=2024"),
        ("/d/x/?a=b&c=d", "/d/x/chat/completions?a=b&c=d"),
        ("?a=b", "/chat/completions?a=b"),
    ] {
        let mut config = once(&server);
        config.base_url = format!("{origin}{base}");
        let _ = ask(&model(config), true).await;
        assert_eq!(server.requests().last().unwrap().path, path, "{base}");
    }
    let mut config = once(&server);
    config.base_url = format!(" {}\n", server.base_url());
    ask(&model(config), true).await.reply();
}

#[tokio::test]
async fn the_models_on_offer() {
    let server = ModelServer::start(Script::new().key("secret")).await;
    let mut config = once(&server).with_key("secret");
    config.base_url.push_str("/?x=y");
    assert_eq!(model(config).models().await.unwrap(), ["scripted"]);
    assert_eq!(server.requests()[0].path, "/v1/models?x=y");
    assert_eq!(server.requests()[0].method, "GET");
    let error = model(once(&server)).models().await.unwrap_err();
    assert_eq!(error.status, Some(401));
}

#[tokio::test]
async fn a_model_is_named_after_what_it_asks() {
    let server = answering().await;
    assert_eq!(toolwright_core::Model::name(&model(once(&server))), "openai:m");
}

/// Whatever somebody put beside a message or a call, nothing that is written here is written twice, and
/// no role, content or call takes the place of another.
#[tokio::test]
async fn nothing_stands_in_a_request_twice() {
    let names = [
        "role",
        "content",
        "tool_calls",
        "name",
        "tool_call_id",
        "id",
        "type",
        "function",
        "reasoning_content",
        "function_call",
        "refusal",
        "reasoning_details",
        "extra_content",
        "x",
    ];
    let extra = names.map(|name| (name.to_owned(), json!("system")));
    let extra = Some(serde_json::Map::from_iter(extra));
    let call = Call { extra: extra.clone(), ..Call::new("a", "f", "{}") };
    let message = Message::Assistant(AssistantMessage {
        content: "Said.".into(),
        reasoning: "Thought.".into(),
        calls: vec![call],
        model: Some(OWN.into()),
        extra,
    });
    let server = answering().await;
    let mut config = once(&server);
    config.quirks = Quirks { echo_reasoning: true, parallel_tool_calls: Some(true), ..plain() };
    let ours = ["model", "messages", "tools", "tool_choice", "stream", "stream_options"];
    let options = ours.into_iter().chain(["parallel_tool_calls", "seed"]);
    config.options.extra = options.map(|name| (name.to_owned(), json!(1))).collect();
    let (model, talk) = (model(config), calling(message));
    for stream in [true, false] {
        let choice = ToolChoice::Required;
        say(&model, &talk, &tools(), choice, stream, &mut RequestCache::default()).await.reply();
    }
    for request in server.requests() {
        let body =
            toolwright_core::unambiguous(std::str::from_utf8(&request.raw).unwrap()).unwrap();
        assert_eq!((&body["model"], &body["seed"]), (&json!("m"), &json!(1)));
        let said = &body["messages"][1];
        assert_eq!((&said["role"], &said["content"]), (&json!("assistant"), &json!("Said.")));
        assert_eq!(said["reasoning_details"], "system");
        assert_eq!((&said["x"], &said["refusal"]), (&Value::Null, &Value::Null));
        let call = &said["tool_calls"][0];
        assert_eq!((&call["id"], &call["type"]), (&json!("a"), &json!("function")));
        assert_eq!(call["function"], json!({"name": "f", "arguments": "{}"}));
        assert_eq!((&call["extra_content"], &call["x"]), (&json!("system"), &Value::Null));
    }
}

/// Pictures stand in a message where they were put; what a tool attached stands behind all results of its turn.
#[tokio::test]
async fn what_is_attached_is_sent_in_parts() {
    let picture = |name: &str| {
        let bytes = [&b"\x89PNG\r\n\x1a\n"[..], name.as_bytes()].concat();
        Attachment::new(bytes, None, Some(name)).unwrap()
    };
    let asked = UserMessage::new("Look: ").with_attachment(picture("a.png"));
    let asked = UserMessage { content: format!("{}and tell.", asked.content), ..asked };
    let drawn = Outcome::ok("Attached: b.png").with_attachments(vec![picture("b.png")]);
    let calls = [Call::new("1", "f", "{}"), Call::new("2", "g", "{}")];
    let conversation: Conversation = [
        Message::User(asked),
        assistant("", calls),
        Message::tool("1", "f", drawn),
        answer("2", "g", "ok"),
    ]
    .into_iter()
    .collect();
    let change = |config: &mut EndpointConfig| config.quirks = Quirks::default();
    let sent = sent_by(change, &conversation, &tools(), ToolChoice::Auto, false).await;
    let url = |name: &str| {
        let bytes = [&b"\x89PNG\r\n\x1a\n"[..], name.as_bytes()].concat();
        format!("data:image/png;base64,{}", BASE64_STANDARD.encode(bytes))
    };
    let image = |name: &str| json!({"type": "image_url", "image_url": {"url": url(name)}});
    assert_eq!(
        sent["messages"][0]["content"],
        json!([{"type": "text", "text": "Look: "}, image("a.png"), {"type": "text", "text": "and tell."}])
    );
    let roles: Vec<_> = sent["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["user", "assistant", "tool", "tool", "user"]);
    assert_eq!(sent["messages"][2]["content"], "Attached: b.png");
    assert_eq!(sent["messages"][4]["content"][1], image("b.png"));
}
