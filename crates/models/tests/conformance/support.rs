//! An endpoint of every API, and what it is asked.

use std::{sync::Arc, time::Duration};

use futures_util::StreamExt;
use serde_json::json;
use toolwright_core::{
    AssistantMessage, Attachment, Call, Conversation, Message, Model, ModelDelta, ModelError,
    ModelRequest, ModelResponse, RequestCache, ToolDefinitions, ToolSpec,
};
use toolwright_models::{Api, Endpoint, EndpointConfig, RetryPolicy};
use toolwright_testkit::{ModelServer, Reply, Script, SpokenApi};

pub(crate) const KEY: &str = "sk-conformance-0123456789";

/// Every API there is, with the server that speaks it.
pub(crate) fn apis() -> impl Iterator<Item = (Api, SpokenApi)> {
    Api::ALL.into_iter().zip(SpokenApi::ALL).inspect(|(api, spoken)| {
        assert_eq!(api.name(), spoken.name(), "the two lists are in the same order");
    })
}

pub(crate) fn config(server: &ModelServer, api: Api, spoken: SpokenApi) -> EndpointConfig {
    let mut config =
        EndpointConfig::new(server.url(spoken), "scripted").with_api(api).with_key(KEY);
    config.retry =
        RetryPolicy { retries: 0, first_wait: Duration::from_millis(1), ..RetryPolicy::default() };
    (config.quirks.images, config.quirks.pdf) = (true, true);
    config.idle = Duration::from_secs(20);
    config.first_byte = Duration::from_secs(20);
    config
}

pub(crate) async fn serve(replies: impl IntoIterator<Item = Reply>) -> ModelServer {
    ModelServer::start(replies.into_iter().fold(Script::new(), Script::reply)).await
}

/// Everything that came of one request.
pub(crate) async fn hear(
    model: &Endpoint,
    request: ModelRequest<'_>,
) -> (Vec<ModelDelta>, Result<ModelResponse, ModelError>) {
    let mut coming = model.call(request);
    let mut parts = Vec::new();
    let end = loop {
        match coming.next().await.expect("a stream ends with a reply or an error") {
            Ok(ModelDelta::Response(reply)) => break Ok(reply),
            Ok(part) => parts.push(part),
            Err(error) => break Err(error),
        }
    };
    assert!(coming.next().await.is_none(), "nothing comes after the end");
    (parts, end)
}

/// What came of a question without tools.
pub(crate) async fn ask(model: &Endpoint, stream: bool) -> Result<ModelResponse, ModelError> {
    let conversation = Conversation::from_iter([Message::user("Well?")]);
    say(model, &conversation, stream).await
}

/// What came of a conversation, with two tools at hand.
pub(crate) async fn say(
    model: &Endpoint,
    conversation: &Conversation,
    stream: bool,
) -> Result<ModelResponse, ModelError> {
    let (tools, mut memo) = (tools(), RequestCache::default());
    let mut request = ModelRequest::new(conversation, &tools, &mut memo);
    request.stream = stream;
    let (parts, end) = hear(model, request).await;
    if let Ok(reply) = &end {
        let text: String = parts.iter().filter_map(text_of).collect();
        assert_eq!(text, reply.text, "the parts are the whole");
    }
    end
}

fn text_of(part: &ModelDelta) -> Option<&str> {
    match part {
        ModelDelta::Text(text) => Some(text),
        _ => None,
    }
}

pub(crate) fn tools() -> ToolDefinitions {
    let city = json!({
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
        "additionalProperties": false,
    });
    let none = json!({"type": "object", "properties": {}});
    ToolDefinitions::new([
        Arc::new(ToolSpec::new("get_weather", "The weather in a city.", city)),
        Arc::new(ToolSpec::new("get_time", "The time.", none)),
    ])
}

/// The message that a reply becomes.
pub(crate) fn message(reply: ModelResponse) -> Message {
    Message::Assistant(AssistantMessage {
        content: reply.text,
        reasoning: reply.reasoning,
        calls: reply.calls,
        model: reply.model,
        extra: reply.extra,
    })
}

pub(crate) fn call(id: &str, name: &str, arguments: &str) -> Call {
    Call::new(id, name, arguments)
}

pub(crate) fn picture() -> Attachment {
    Attachment::new(&b"\x89PNG\r\n\x1a\n0123456789"[..], None, Some("it.png")).expect("a picture")
}
