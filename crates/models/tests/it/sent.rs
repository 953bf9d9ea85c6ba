//! A request as it is shown to people is the request that is sent, byte for byte, and without what is secret.

use std::{process::Command, sync::Arc};

use futures_util::StreamExt;
use serde_json::{Value, json};
use toolwright_core::{
    AssistantMessage, Call, Conversation, Message, Model, ModelRequest, Outcome, RequestCache,
    SentHeader, SentRequest, ToolChoice, ToolDefinitions, ToolSpec,
};
use toolwright_models::{Api, Dialect, TextToolModel, ToolMode};
use toolwright_testkit::{ModelServer, Reply, SpokenApi};

use crate::support::{model, once};

const KEY: &str = "sk-very-secret";

const APIS: [(Api, SpokenApi); 5] = [
    (Api::Chat, SpokenApi::Chat),
    (Api::Responses, SpokenApi::Responses),
    (Api::Messages, SpokenApi::Messages),
    (Api::Gemini, SpokenApi::Gemini),
    (Api::Ollama, SpokenApi::Ollama),
];

fn tools() -> ToolDefinitions {
    let parameters = json!({"type": "object", "properties": {"x": {"type": "string"}}});
    ToolDefinitions::new([Arc::new(ToolSpec::new("f", "Does \"it\": é", parameters))])
}

fn conversation() -> Conversation {
    let calls = vec![Call::new("a", "f", r#"{"x":"é"}"#)];
    [
        Message::system("Be \"brief\"."),
        Message::user("It's 5 o'clock\n$HOME `id`"),
        Message::Assistant(AssistantMessage { calls, ..AssistantMessage::default() }),
        Message::tool("a", "f", Outcome::ok("done")),
    ]
    .into_iter()
    .collect()
}

fn request<'a>(
    conversation: &'a Conversation,
    tools: &'a ToolDefinitions,
    memo: &'a mut RequestCache,
    stream: bool,
) -> ModelRequest<'a> {
    let mut request = ModelRequest::new(conversation, tools, memo).choice(ToolChoice::Auto);
    request.stream = stream;
    request
}

/// The same request, shown and made.
async fn both(asked: &dyn Model, server: &ModelServer, stream: bool) -> SentRequest {
    let (conversation, tools) = (conversation(), tools());
    let mut memo = RequestCache::default();
    let request = request(&conversation, &tools, &mut memo, stream);
    let shown = asked.sent(request).expect("it goes over a wire");
    let mut memo = RequestCache::default();
    let request = self::request(&conversation, &tools, &mut memo, stream);
    let parts: Vec<_> = asked.call(request).collect().await;
    assert!(parts.iter().all(Result::is_ok), "{parts:?}");
    let requests = server.requests();
    let made = requests.last().expect("a request");
    assert_eq!(shown.body.as_bytes(), made.raw, "{}", shown.body);
    let host = made.header("host").expect("it is sent");
    assert_eq!(shown.url, format!("http://{host}{}", made.path));
    for SentHeader { name, value, variable } in &shown.headers {
        let sent = made.header(name).expect("it is sent");
        match variable {
            Some(_) => assert_eq!(sent.strip_prefix(value.as_str()), Some(KEY), "{name}"),
            None => assert_eq!(sent, value),
        }
    }
    assert!(shown.headers.iter().any(|it| it.variable.is_some()), "{:?}", shown.headers);
    assert!(!format!("{shown:?}{}", shown.as_curl()).contains(KEY), "{shown:?}");
    shown
}

#[tokio::test]
async fn what_is_shown_is_what_is_sent() {
    for (api, spoken) in APIS {
        for stream in [false, true] {
            let server = ModelServer::start_with(|_| Reply::text("Hi")).await;
            let mut config = once(&server).with_api(api).with_key(KEY);
            config.base_url = server.url(spoken);
            let native = model(config);
            both(&native, &server, stream).await;
            let written = TextToolModel::new(native, ToolMode::Text, Dialect::Generic);
            let shown = both(&written, &server, stream).await;
            let body: Value = serde_json::from_str(&shown.body).expect("JSON");
            assert!(body["tools"].is_null() && shown.body.contains("Does "), "{api}: {body}");
        }
    }
}

/// A shell makes of the command what was shown, whatever is in it.
#[tokio::test]
async fn a_shell_sends_the_same() {
    let server = ModelServer::start_with(|_| Reply::text("Hi")).await;
    let shown = both(&model(once(&server).with_key(KEY)), &server, true).await;
    let script = format!("curl() {{ printf '%s\\n' \"$@\"; cat; }}\n{}", shown.as_curl());
    let ran = Command::new("sh").args(["-c", &script]).env("OPENAI_API_KEY", KEY).output().unwrap();
    let said = String::from_utf8(ran.stdout).unwrap();
    assert!(said.starts_with(&format!("{}\n", shown.url)), "{said}");
    assert!(said.contains(&format!("\nauthorization: Bearer {KEY}\n")), "{said}");
    assert!(said.ends_with(&format!("\n--data-binary\n@-\n{}\n", shown.body)), "{said}");
}
