//! What Gemini is asked: the bytes of requests.

use std::sync::Arc;

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use toolwright_core::{
    Attachment, Call, Conversation, Message, Model, ModelOptions, ModelRequest, Outcome,
    OutputSchema, RequestCache, ToolChoice, ToolDefinitions, ToolSpec, UserMessage, unambiguous,
};
use toolwright_models::{Endpoint, EndpointConfig};
use toolwright_testkit::{ModelServer, Reply, Script};

use super::{NEW, OLD, assistant, config, identity, tools};
use crate::support::{ask, model, say};

async fn answering() -> ModelServer {
    ModelServer::start_with(|_| Reply::text("Hi")).await
}

/// The body of the request that is made of this.
async fn sent(
    name: &str,
    change: impl FnOnce(&mut EndpointConfig),
    conversation: &Conversation,
    tools: &ToolDefinitions,
    choice: ToolChoice,
    output: Option<&OutputSchema>,
) -> Value {
    let server = answering().await;
    let mut config = config(&server, name);
    change(&mut config);
    let model = model(config);
    let mut memo = RequestCache::default();
    let request = ModelRequest::new(conversation, tools, &mut memo).choice(choice).output(output);
    let mut coming = model.call(request);
    while let Some(part) = futures_util::StreamExt::next(&mut coming).await {
        part.unwrap();
    }
    server.assert_clean();
    let raw = server.requests()[0].raw.clone();
    unambiguous(std::str::from_utf8(&raw).unwrap()).unwrap()
}

fn picture(name: &str) -> Attachment {
    let bytes = [&b"\x89PNG\r\n\x1a\n"[..], name.as_bytes()].concat();
    Attachment::new(bytes, None, Some(name)).unwrap()
}

fn inline(name: &str) -> Value {
    let bytes = [&b"\x89PNG\r\n\x1a\n"[..], name.as_bytes()].concat();
    json!({"inlineData": {"mimeType": "image/png", "data": BASE64_STANDARD.encode(bytes)}})
}

fn sound() -> Attachment {
    Attachment::new(&b"ID3\x03 la la la"[..], None, Some("la.mp3")).unwrap()
}

fn inline_sound() -> Value {
    let data = BASE64_STANDARD.encode(b"ID3\x03 la la la");
    json!({"inlineData": {"mimeType": "audio/mp3", "data": data}})
}

/// A conversation with everything in it.
fn everything() -> Conversation {
    let asked = UserMessage::new("Look: ").with_attachment(picture("a.png"));
    let asked = UserMessage { content: format!("{}and tell. 🎉\n\u{0}", asked.content), ..asked };
    let drawn = Outcome::ok("Attached: b.png").with_attachments(vec![picture("b.png"), sound()]);
    [
        Message::system("Be \"brief\"."),
        Message::system(""),
        Message::system("Be kind."),
        Message::User(asked),
        assistant(
            "Let me see.",
            [
                Call::new("1", "f", "{ \"x\" :\"é\", \"n\": 1e2}"),
                Call::new("2", "g", "{\"cut\":"),
                Call::new("", "3 made up", ""),
            ],
        ),
        Message::tool("1", "f", drawn),
        Message::tool("2", "", Outcome::failed("❌ {\"not\": \"that\"}")),
        Message::tool("", "3 made up", Outcome::interrupted()),
        Message::correction("Go on."),
        assistant("", []),
        Message::system("Later."),
        assistant("Yes.", []),
        Message::user("And?"),
    ]
    .into_iter()
    .collect()
}

fn declared() -> Value {
    json!([{"functionDeclarations": [
        {"name": "f", "description": "Does \"it\": é", "parametersJsonSchema":
            {"type": "object", "properties": {"x": {"type": "string"}}}},
        {"name": "g", "description": "Does \"it\": é"},
    ]}])
}

/// The contents of all that, with what a result has in it and beside it.
fn contents(signature: Option<&str>, inside: &[Value], beside: &[Value]) -> Value {
    let mut call =
        json!({"functionCall": {"id": "1", "name": "f", "args": {"x": "é", "n": 100.0}}});
    if let Some(signature) = signature {
        call["thoughtSignature"] = json!(signature);
    }
    let mut result = json!({"functionResponse": {"id": "1", "name": "f", "response": {"output": "Attached: b.png"}}});
    if !inside.is_empty() {
        result["functionResponse"]["parts"] = json!(inside);
    }
    let interrupted = Outcome::interrupted().text;
    let results = [
        result,
        json!({"functionResponse": {"id": "2", "name": "g", "response": {"error": "❌ {\"not\": \"that\"}"}}}),
        json!({"functionResponse": {"name": "_3_made_up", "response": {"error": interrupted}}}),
    ];
    let said = |role: &str, text: &str| json!({"role": role, "parts": [{"text": text}]});
    json!([
        {"role": "user", "parts": [
            {"text": "Look: "}, inline("a.png"), {"text": "and tell. 🎉\n\u{0}"},
        ]},
        {"role": "model", "parts": [
            {"text": "Let me see."},
            call,
            {"functionCall": {"id": "2", "name": "g", "args": {}}},
            {"functionCall": {"name": "_3_made_up", "args": {}}},
        ]},
        {"role": "user", "parts": results.iter().chain(beside).collect::<Vec<_>>()},
        said("user", "Go on."),
        said("user", "Later."),
        said("model", "Yes."),
        said("user", "And?"),
    ])
}

fn returned(what: &Attachment, part: Value) -> [Value; 2] {
    [json!({"text": format!("This is what a tool returned: {}", what.describe())}), part]
}

#[tokio::test]
async fn a_whole_request() {
    let options = json!({"temperature": 0.5, "max_output_tokens": 100});
    let change = |config: &mut EndpointConfig| {
        config.options = serde_json::from_value(options.clone()).unwrap();
    };
    let schema = json!({"type": "object", "properties": {"a": {"const": "b"}}, "required": ["a"]});
    let output = OutputSchema::new("answer", schema).unwrap();
    let choice = ToolChoice::None;
    let body = sent(NEW, change, &everything(), &tools(), choice, Some(&output)).await;
    let dummy = Some("skip_thought_signature_validator");
    let wanted = json!({
        "systemInstruction": {"parts": [{"text": "Be \"brief\"."}, {"text": "Be kind."}]},
        "tools": declared(),
        "contents": contents(dummy, &[inline("b.png")], &returned(&sound(), inline_sound())),
        "toolConfig": {"functionCallingConfig": {"mode": "NONE"}},
        "generationConfig": {
            "temperature": 0.5, "maxOutputTokens": 100, "thinkingConfig": {"includeThoughts": true},
            "responseMimeType": "application/json",
            "responseJsonSchema":
                {"type": "object", "properties": {"a": {"enum": ["b"]}}, "required": ["a"]},
        },
    });
    assert_eq!(body, wanted);
}

/// What results cannot have in them stands beside them, and no form beside tools.
#[tokio::test]
async fn a_request_to_an_older_model() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    let output = OutputSchema::new("answer", schema.clone()).unwrap();
    let choice = ToolChoice::Required;
    let body = sent(OLD, |_| {}, &everything(), &tools(), choice, Some(&output)).await;
    let beside = returned(&picture("b.png"), inline("b.png"));
    let beside: Vec<_> = beside.into_iter().chain(returned(&sound(), inline_sound())).collect();
    let wanted = json!({
        "systemInstruction": {"parts": [{"text": "Be \"brief\"."}, {"text": "Be kind."}]},
        "tools": declared(),
        "contents": contents(None, &[], &beside),
        "toolConfig": {"functionCallingConfig": {"mode": "ANY"}},
        "generationConfig": {"thinkingConfig": {"includeThoughts": true}},
    });
    assert_eq!(body, wanted);
    let none = ToolDefinitions::default();
    let question = Conversation::from_iter([Message::user("Well?")]);
    let body = sent(OLD, |_| {}, &question, &none, ToolChoice::Required, Some(&output)).await;
    assert_eq!(body["generationConfig"]["responseJsonSchema"], schema);
    assert_eq!((body.get("tools"), body.get("toolConfig")), (None, None));
}

#[tokio::test]
async fn the_choice_of_tools() {
    let question = Conversation::from_iter([Message::user("Well?")]);
    for (choice, wanted) in [
        (ToolChoice::Auto, None),
        (ToolChoice::Required, Some(json!({"mode": "ANY"}))),
        (ToolChoice::None, Some(json!({"mode": "NONE"}))),
        (ToolChoice::Tool("g".into()), Some(json!({"mode": "ANY", "allowedFunctionNames": ["g"]}))),
    ] {
        let body = sent("m", |_| {}, &question, &tools(), choice, None).await;
        let said = body.get("toolConfig").map(|it| &it["functionCallingConfig"]);
        assert_eq!(said, wanted.as_ref());
        assert_eq!(body.get("generationConfig"), None, "nothing is known of it");
    }
}

#[tokio::test]
async fn options_and_fields_of_its_own() {
    let question = Conversation::from_iter([Message::user("Well?")]);
    let options = json!({
        "temperature": 0.5, "top_p": 0.9, "max_output_tokens": 100, "seed": 7, "parallel_tool_calls": false,
        "stop": ["1", "2", "3", "4", "5", "6"],
        "extra": {
            "top_k": 40, "presencePenalty": 0.1, "serviceTier": "flex", "safety_settings": [],
            "contents": [], "model": "x", "tool_config": {}, "system_instruction": "x", "stream": true,
            "generation_config": {"temperature": 2, "candidate_count": 3, "responseMimeType": "x",
                "media_resolution": "LOW", "thinkingConfig": {"thinkingLevel": "LOW"}},
        },
    });
    let change = |config: &mut EndpointConfig| {
        config.options = serde_json::from_value(options.clone()).unwrap();
    };
    let body = sent(NEW, change, &question, &tools(), ToolChoice::Auto, None).await;
    let wanted = json!({
        "serviceTier": "flex",
        "safetySettings": [],
        "tools": declared(),
        "contents": [{"role": "user", "parts": [{"text": "Well?"}]}],
        "generationConfig": {
            "temperature": 0.5, "topP": 0.9, "maxOutputTokens": 100, "seed": 7, "topK": 40,
            "stopSequences": ["1", "2", "3", "4", "5"], "presencePenalty": 0.1, "mediaResolution": "LOW",
            "thinkingConfig": {"thinkingLevel": "LOW"},
        },
    });
    assert_eq!(body, wanted);
    let change = |config: &mut EndpointConfig| config.options.seed = Some(1 << 40);
    let body = sent("m", change, &question, &tools(), ToolChoice::Auto, None).await;
    assert_eq!(body.get("generationConfig"), None);
}

#[tokio::test]
async fn how_much_it_thinks() {
    let question = Conversation::from_iter([Message::user("Well?")]);
    let budget =
        |tokens: u32| Some(json!({"thinkingBudget": tokens, "includeThoughts": tokens > 0}));
    let level = |level: &str| Some(json!({"thinkingLevel": level, "includeThoughts": true}));
    for (name, effort, wanted) in [
        ("gemini-2.0-flash", "high", None),
        ("gemini-2.5-flash", "none", budget(0)),
        ("gemini-2.5-flash", "low", budget(1024)),
        ("gemini-2.5-flash", "MEDIUM", budget(8192)),
        ("gemini-2.5-flash", "max", budget(24_576)),
        ("gemini-2.5-flash", "2000", budget(2000)),
        ("gemini-2.5-flash", "furious", None),
        ("gemini-2.5-pro", "none", budget(128)),
        ("gemini-2.5-pro", "xhigh", budget(32_768)),
        ("gemini-3-flash", "none", level("MINIMAL")),
        ("gemini-3-flash", "minimal", level("MINIMAL")),
        ("gemini-3.1-pro-preview", "minimal", level("LOW")),
        ("models/gemini-4-argon", "medium", level("MEDIUM")),
        ("gemini-4-argon", "xhigh", level("HIGH")),
        ("gemini-4-argon", "new", level("NEW")),
        ("another", "low", level("LOW")),
    ] {
        let change = |config: &mut EndpointConfig| {
            config.options.reasoning_effort = Some(effort.to_owned());
        };
        let none = ToolDefinitions::default();
        let body = sent(name, change, &question, &none, ToolChoice::Auto, None).await;
        let said = body.get("generationConfig").map(|it| it["thinkingConfig"].clone());
        assert_eq!(said, wanted, "{name} {effort}");
    }
}

/// The user has to begin, and no content may be empty.
#[tokio::test]
async fn a_conversation_that_begins_in_the_middle() {
    let none = ToolDefinitions::default();
    let talk = [Message::system("S"), assistant("", []), assistant("Hi.", []), Message::user("")];
    let body = sent(NEW, |_| {}, &talk.into_iter().collect(), &none, ToolChoice::Auto, None).await;
    let roles: Vec<_> =
        body["contents"].as_array().unwrap().iter().map(|it| it["role"].clone()).collect();
    assert_eq!(roles, ["user", "model", "user"]);
    assert_eq!(body["contents"][1]["parts"], json!([{"text": "Hi."}]));
    assert_eq!(body["contents"][2]["parts"], json!([{"text": ""}]));
}

#[tokio::test]
async fn schemas_in_words_that_it_knows() {
    let parameters = json!({"type": "object", "properties": {
        "kind": {"const": "a"},
        "unit": {"$ref": "#/$defs/Unit", "description": "Which."},
    }, "$defs": {"Unit": {"enum": ["c", "f"]}}});
    let tools = ToolDefinitions::new([Arc::new(ToolSpec::new("f", "", parameters))]);
    let question = Conversation::from_iter([Message::user("Well?")]);
    let body = sent("m", |_| {}, &question, &tools, ToolChoice::Auto, None).await;
    let wanted = json!({"type": "object", "properties": {
        "kind": {"enum": ["a"]},
        "unit": {"anyOf": [{"$ref": "#/$defs/Unit"}], "description": "Which."},
    }, "$defs": {"Unit": {"enum": ["c", "f"]}}});
    assert_eq!(body["tools"][0]["functionDeclarations"][0]["parametersJsonSchema"], wanted);
}

#[tokio::test]
async fn where_it_is_asked() {
    let script = Script::new().reply(Reply::text("Hi")).reply(Reply::text("Hi")).key("secret-key");
    let server = ModelServer::start(script).await;
    for (stream, path) in [
        (true, "/gemini/v1beta/models/gemini-3-flash:streamGenerateContent?alt=sse"),
        (false, "/gemini/v1beta/models/gemini-3-flash:generateContent"),
    ] {
        ask(&model(config(&server, "models/gemini-3-flash")), stream).await.reply();
        let request = server.requests().last().unwrap().clone();
        assert_eq!(request.path, path);
        assert_eq!(request.header("x-goog-api-key"), Some("secret-key"));
        assert_eq!(request.header("authorization"), None);
    }
    let mut config = config(&server, NEW);
    assert_eq!(model(config.clone()).models().await.unwrap(), ["scripted"]);
    config.base_url.push_str("/models/?x=y");
    assert_eq!(model(config.clone()).models().await.unwrap(), ["scripted"], "the route itself");
    assert_eq!(server.requests()[3].path, "/gemini/v1beta/models?pageSize=1000&x=y");
    config.api_key = None;
    assert_eq!(
        model(config).models().await.unwrap_err().kind,
        toolwright_core::ModelErrorKind::Auth
    );
    server.assert_clean();
}

#[tokio::test]
async fn what_it_takes() {
    let server = answering().await;
    let model = model(config(&server, NEW));
    let file = |bytes: &'static [u8], name: &str| Attachment::new(bytes, None, Some(name)).unwrap();
    for (attachment, takes) in [
        (picture("a.png"), true),
        (file(b"\xff\xd8\xff\xe0", "a.jpg"), true),
        (file(b"\0\0\0\x18ftypheic", "a.heic"), true),
        (file(b"GIF89a", "a.gif"), false),
        (file(b"%PDF-1.7", "a.pdf"), true),
        (sound(), true),
        (file(b"fLaC....", "a.flac"), true),
        (file(b"\0\0\0\x18ftypM4A ", "a.m4a"), false),
        (file(b"words", "a.txt"), false),
        (file(b"PK\x03\x04", "a.zip"), false),
    ] {
        assert_eq!(model.accepts(&attachment), takes, "{:?}", attachment.name);
    }
}

/// Every round is sent twice, with what is kept and from scratch: the bytes are the same.
struct Twice {
    server: ModelServer,
    model: Endpoint,
    memo: RequestCache,
}

impl Twice {
    async fn round(
        &mut self,
        conversation: &Conversation,
        tools: &ToolDefinitions,
        choice: ToolChoice,
    ) {
        for memo in [&mut self.memo, &mut RequestCache::default()] {
            say(&self.model, conversation, tools, choice.clone(), true, memo).await.reply();
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
    for name in [NEW, OLD] {
        let server = answering().await;
        let model = model(config(&server, name));
        let mut twice = Twice { server, model, memo: RequestCache::default() };
        let tools = tools();
        let start = [Message::system("S"), Message::system("T"), Message::user("é 🎉")];
        let mut conversation = Conversation::from_iter(start);
        twice.round(&conversation, &tools, ToolChoice::Required).await;
        for round in 0..4 {
            let call = |n: u8, name: &str, arguments: &str| {
                let extra = json!({"thoughtSignature": format!("{round}{n}==")});
                let call = Call::new(format!("{round}-{n}"), name, arguments);
                Call { extra: extra.as_object().cloned(), ..call }
            };
            let calls =
                [call(0, "f", "{\"x\":\"ü\"}"), call(1, "g", "{\"cut\":"), call(2, "no", "")];
            let mut said = assistant(if round % 2 == 0 { "" } else { "So." }, calls);
            if let Message::Assistant(said) = &mut said {
                said.model = Some(identity(name).into());
                let kept = json!({"place": "text", "from": 0, "to": said.content.len(), "signature": "eA=="});
                said.extra = json!({"thoughtSignatures": [kept]}).as_object().cloned();
            }
            conversation.push(said);
            let drawn = Outcome::ok("one\n\"two\"").with_attachments(vec![picture("p"), sound()]);
            conversation.push(Message::tool(format!("{round}-0"), "f", drawn));
            conversation.push(Message::tool(format!("{round}-1"), "g", Outcome::failed("❌ no")));
            conversation.push(Message::tool(format!("{round}-2"), "", Outcome::interrupted()));
            twice.round(&conversation, &tools, ToolChoice::Auto).await;
            // The same again, as after a reply that could not be used.
            twice.round(&conversation, &tools, ToolChoice::None).await;
            conversation.push(Message::correction("Go on."));
            conversation.push(assistant("", []));
            conversation.push(Message::system("Mind."));
            twice.round(&conversation, &tools, ToolChoice::Tool("g".into())).await;
        }
    }
}

/// A request's own options stand before those of the settings.
#[tokio::test]
async fn options_of_one_request() {
    let server = answering().await;
    let mut config = config(&server, "m");
    config.options.temperature = Some(0.5);
    config.options.top_p = Some(0.25);
    let model = model(config);
    let conversation = Conversation::from_iter([Message::user("Well?")]);
    let (none, mut memo) = (ToolDefinitions::default(), RequestCache::default());
    let mut options = ModelOptions::default();
    options.set("temperature", "1").unwrap();
    options.set("extra.cachedContent", "cachedContents/x").unwrap();
    let options = Arc::new(options);
    let request = ModelRequest::new(&conversation, &none, &mut memo).options(&options);
    let mut coming = model.call(request);
    while let Some(part) = futures_util::StreamExt::next(&mut coming).await {
        part.unwrap();
    }
    let body = &server.requests()[0].body;
    assert_eq!(body["generationConfig"], json!({"temperature": 1.0, "topP": 0.25}));
    assert_eq!(body["cachedContent"], "cachedContents/x");
}
