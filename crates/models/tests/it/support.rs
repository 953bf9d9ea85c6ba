//! What all of these tests do: build a stream, serve it, ask for it, and look at what came.

use std::time::Duration;

use futures_util::StreamExt;
use serde_json::{Value, json};
use toolwright_core::{
    Call, Conversation, FinishReason, Message, Model, ModelDelta, ModelError, ModelRequest,
    ModelResponse, RequestCache, ToolChoice, ToolDefinitions,
};
use toolwright_models::{Endpoint, EndpointConfig, Quirks, RetryPolicy};
use toolwright_testkit::{self as testkit, Chunking, ModelServer, Script};

pub(crate) const DONE: &str = "data: [DONE]\n\n";

/// An endpoint that is asked once and no more.
pub(crate) fn once(server: &ModelServer) -> EndpointConfig {
    with_retries(server, 0)
}

/// An endpoint that is asked again soon.
pub(crate) fn with_retries(server: &ModelServer, retries: u32) -> EndpointConfig {
    let mut config = EndpointConfig::new(server.base_url(), "m");
    let first_wait = Duration::from_millis(1);
    config.retry = RetryPolicy { retries, first_wait, ..RetryPolicy::default() };
    config.idle = Duration::from_secs(20);
    config.first_byte = Duration::from_secs(20);
    config
}

pub(crate) fn model(config: EndpointConfig) -> Endpoint {
    Endpoint::new(config).expect("an address")
}

/// What came of one request.
#[derive(Debug, PartialEq)]
pub(crate) struct Heard {
    /// What came before the reply.
    pub(crate) parts: Vec<ModelDelta>,
    pub(crate) end: Result<ModelResponse, ModelError>,
}

impl Heard {
    /// The attempts after the first.
    pub(crate) fn retries(&self) -> Vec<u32> {
        let retry = |part: &ModelDelta| match part {
            ModelDelta::Retry { attempt, .. } => Some(*attempt),
            _ => None,
        };
        self.parts.iter().filter_map(retry).collect()
    }

    /// The reply. Whose it is, is said where that matters, and not compared everywhere.
    #[track_caller]
    pub(crate) fn reply(self) -> ModelResponse {
        let reply = self.end.expect("a reply");
        assert_eq!(reply.model.is_some(), reply.is_bound(), "{reply:?}");
        ModelResponse { model: None, ..reply }
    }

    #[track_caller]
    pub(crate) fn error(self) -> ModelError {
        self.end.expect_err("an error")
    }
}

/// Asks `model` a question, without tools.
pub(crate) async fn ask(model: &Endpoint, stream: bool) -> Heard {
    let conversation = Conversation::from_iter([Message::user("Well?")]);
    say(
        model,
        &conversation,
        &ToolDefinitions::default(),
        ToolChoice::Auto,
        stream,
        &mut RequestCache::default(),
    )
    .await
}

/// Asks `model` for the next message of a conversation.
pub(crate) async fn say(
    model: &Endpoint,
    conversation: &Conversation,
    tools: &ToolDefinitions,
    choice: ToolChoice,
    stream: bool,
    memo: &mut RequestCache,
) -> Heard {
    let mut request = ModelRequest::new(conversation, tools, memo).choice(choice);
    request.stream = stream;
    let mut coming = model.call(request);
    let mut parts = Vec::new();
    let end = loop {
        match coming.next().await.expect("a stream ends with a reply or an error") {
            Ok(ModelDelta::Response(reply)) => break Ok(reply),
            Ok(part) => join(&mut parts, part),
            Err(error) => break Err(error),
        }
    };
    assert_eq!(coming.next().await, None, "nothing comes after the end");
    if let Ok(reply) = &end {
        assert_eq!(joined(&parts), (reply.text.clone(), reply.reasoning.clone()), "the parts");
    }
    Heard { parts, end }
}

/// Adds a part to those before: what arrives at once is one part, so how many come is chance.
fn join(parts: &mut Vec<ModelDelta>, part: ModelDelta) {
    match (parts.last_mut(), &part) {
        (Some(ModelDelta::Text(text)), ModelDelta::Text(more))
        | (Some(ModelDelta::Reasoning(text)), ModelDelta::Reasoning(more)) => text.push_str(more),
        (
            Some(ModelDelta::CallArguments { index, json }),
            ModelDelta::CallArguments { index: same, json: more },
        ) if index == same => json.push_str(more),
        _ => parts.push(part),
    }
}

/// The text and the reasoning that came in parts.
fn joined(parts: &[ModelDelta]) -> (String, String) {
    let mut whole = (String::new(), String::new());
    for part in parts {
        match part {
            ModelDelta::Text(piece) => whole.0.push_str(piece),
            ModelDelta::Reasoning(piece) => whole.1.push_str(piece),
            _ => {}
        }
    }
    whole
}

/// What is heard of a stream of exactly these bytes, however they are cut.
#[track_caller]
pub(crate) fn hear(events: impl AsRef<[u8]>) -> Heard {
    let events = events.as_ref();
    in_runtime(async {
        let heard = served(testkit::Reply::raw_sse(events), true).await;
        for chunking in [Chunking::OneByte, Chunking::PerEvent, Chunking::Random(7)] {
            let reply = testkit::Reply::raw_sse(events).chunking(chunking);
            assert_eq!(served(reply, true).await, heard, "cut {chunking:?}");
        }
        // A stream is read as one also where none was asked for.
        assert_eq!(served(testkit::Reply::raw_sse(events), false).await, heard, "not asked for");
        heard
    })
}

/// The reply that a stream of exactly these bytes brings.
#[track_caller]
pub(crate) fn streamed(events: impl AsRef<[u8]>) -> ModelResponse {
    hear(events).reply()
}

/// What is heard of exactly this body, whether or not a stream was asked for.
#[track_caller]
pub(crate) fn hear_whole(body: &Value) -> Heard {
    in_runtime(async {
        let heard = served(testkit::Reply::json(body.clone()), false).await;
        assert_eq!(served(testkit::Reply::json(body.clone()), true).await, heard, "as a stream");
        heard
    })
}

/// The reply that a completion with this message brings.
#[track_caller]
pub(crate) fn whole(message: Value) -> ModelResponse {
    hear_whole(&json!({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}))
        .reply()
}

/// What is heard when a server gives this reply.
pub(crate) async fn served(reply: testkit::Reply, stream: bool) -> Heard {
    let server = ModelServer::start(Script::new().reply(reply)).await;
    let heard = ask(&model(once(&server)), stream).await;
    server.assert_clean();
    heard
}

pub(crate) fn in_runtime<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

/// One event.
pub(crate) fn event(data: &Value) -> String {
    format!("data: {data}\n\n")
}

/// An event with this choice.
pub(crate) fn choice(choice: &Value) -> String {
    // In the order in which servers write it; a map would sort its keys.
    format!(
        "data: {{\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\
         \"choices\":[{choice}]}}\n\n"
    )
}

/// An event with this delta.
pub(crate) fn delta(delta: Value) -> String {
    choice(&json!({"index": 0, "delta": delta, "finish_reason": null}))
}

/// An event with this text.
pub(crate) fn said(text: &str) -> String {
    delta(json!({"content": text}))
}

/// An event with this reason to stop.
pub(crate) fn stopped(reason: &str) -> String {
    choice(&json!({"index": 0, "delta": {}, "finish_reason": reason}))
}

/// A stream of these deltas' `tool_calls`, properly ended.
pub(crate) fn call_events<const N: usize>(pieces: [Value; N]) -> String {
    let mut events: String =
        pieces.into_iter().map(|calls| delta(json!({"tool_calls": calls}))).collect();
    events.push_str(&stopped("tool_calls"));
    events.push_str(DONE);
    events
}

/// A reply that called these tools: `(id, name, arguments)`.
pub(crate) fn called<const N: usize>(calls: [(&str, &str, &str); N]) -> ModelResponse {
    ModelResponse::calls(calls.map(|(id, name, arguments)| Call::new(id, name, arguments)))
}

/// A reply that said this.
pub(crate) fn text(text: &str) -> ModelResponse {
    ModelResponse { finish: FinishReason::Stop, ..ModelResponse::text(text) }
}

/// The wishes of no particular provider.
pub(crate) fn plain() -> Quirks {
    Quirks::default()
}
