//! Anthropic's Messages: what is sent and what is made of what comes.

mod bodies;
mod choices;
mod echoes;
mod equal;
mod forms;
mod refusals;
mod replies;

use std::sync::Arc;

use futures_util::StreamExt;
use serde_json::{Value, json};
use toolwright_core::{
    AssistantMessage, Attachment, Call, Conversation, Message, Model, ModelDelta, ModelError,
    ModelRequest, ModelResponse, OutputSchema, RequestCache, ToolChoice, ToolDefinitions, ToolSpec,
};
use toolwright_models::{Endpoint, EndpointConfig, RetryPolicy, Vendor};
use toolwright_testkit::{Chunking, ModelServer, Reply, Script};

use crate::support::{Heard, ask, in_runtime, model, with_retries};

/// A model that refuses nothing that is known of.
const MODEL: &str = "m";

/// An endpoint at this server, asked once and no more.
fn at(server: &ModelServer) -> EndpointConfig {
    named(server, MODEL)
}

fn named(server: &ModelServer, model: &str) -> EndpointConfig {
    let mut config = EndpointConfig::of(Vendor::named("anthropic").unwrap(), model);
    let usual = with_retries(server, 0);
    config.base_url = usual.base_url;
    (config.first_byte, config.idle) = (usual.first_byte, usual.idle);
    config.retry = RetryPolicy { retries: 0, ..usual.retry };
    config
}

/// Whose messages those are that a model of these tests wrote.
fn own(model: &str) -> Option<Arc<str>> {
    Some(format!("anthropic@127.0.0.1:{model}").into())
}

async fn answering() -> ModelServer {
    ModelServer::start_with(|_| Reply::text("Hi")).await
}

fn tools() -> ToolDefinitions {
    let parameters = json!({"type": "object", "properties": {"x": {"type": "string"}}});
    let spec = |name: &str| Arc::new(ToolSpec::new(name, "Does \"it\": é", parameters.clone()));
    ToolDefinitions::new([spec("f"), spec("g")])
}

fn assistant(content: &str, calls: impl IntoIterator<Item = Call>) -> AssistantMessage {
    AssistantMessage {
        content: content.to_owned(),
        calls: calls.into_iter().collect(),
        ..AssistantMessage::default()
    }
}

fn picture(name: &str) -> Attachment {
    Attachment::new([b"\x89PNG\r\n\x1a\n", name.as_bytes()].concat(), None, Some(name)).unwrap()
}

fn paper(name: &str) -> Attachment {
    Attachment::new([b"%PDF-1.7\n", name.as_bytes()].concat(), None, Some(name)).unwrap()
}

/// A request, and what is to be different about it.
struct Asking<'a> {
    model: &'a str,
    conversation: Conversation,
    tools: ToolDefinitions,
    choice: ToolChoice,
    stream: bool,
    output: Option<OutputSchema>,
    options: Value,
}

impl Default for Asking<'_> {
    fn default() -> Self {
        Self {
            model: MODEL,
            conversation: Conversation::from_iter([Message::user("Well?")]),
            tools: tools(),
            choice: ToolChoice::Auto,
            stream: true,
            output: None,
            options: json!({}),
        }
    }
}

impl Asking<'_> {
    /// The body of this request, which has nothing in it that the vendor would refuse.
    async fn sent(self) -> Value {
        let server = answering().await;
        let mut config = named(&server, self.model);
        config.options = serde_json::from_value(self.options).unwrap();
        let mut memo = RequestCache::default();
        let mut request = ModelRequest::new(&self.conversation, &self.tools, &mut memo)
            .choice(self.choice)
            .output(self.output.as_ref());
        request.stream = self.stream;
        finished(&model(config), request).await.unwrap();
        server.assert_clean();
        server.requests()[0].body.clone()
    }
}

/// What comes of a request in the end.
async fn finished(
    model: &Endpoint,
    request: ModelRequest<'_>,
) -> Result<ModelResponse, ModelError> {
    let mut coming = model.call(request);
    loop {
        match coming.next().await.expect("an end")? {
            ModelDelta::Response(reply) => return Ok(reply),
            _ => continue,
        }
    }
}

/// What is heard when a server gives this reply.
async fn served(reply: Reply, stream: bool) -> Heard {
    let server = ModelServer::start(Script::new().reply(reply)).await;
    let heard = ask(&model(at(&server)), stream).await;
    server.assert_clean();
    heard
}

/// What is heard of a stream of exactly these bytes, however they are cut.
#[track_caller]
fn hear(events: impl AsRef<[u8]>) -> Heard {
    let events = events.as_ref();
    in_runtime(async {
        let heard = served(Reply::raw_sse(events), true).await;
        for chunking in [Chunking::OneByte, Chunking::PerEvent, Chunking::Random(7)] {
            let reply = Reply::raw_sse(events).chunking(chunking);
            assert_eq!(served(reply, true).await, heard, "cut {chunking:?}");
        }
        heard
    })
}

/// What is heard of exactly this body.
#[track_caller]
fn hear_whole(body: &Value) -> Heard {
    in_runtime(served(Reply::json(body.clone()), false))
}

/// An event.
fn event(data: Value) -> String {
    format!("event: {}\ndata: {data}\n\n", data["type"].as_str().unwrap_or("none"))
}

fn start() -> String {
    let usage = json!({"input_tokens": 40, "cache_creation_input_tokens": 8,
        "cache_read_input_tokens": 1024, "output_tokens": 1});
    let message = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "m",
        "content": [], "stop_reason": null, "stop_sequence": null, "usage": usage});
    event(json!({"type": "message_start", "message": message})) + &event(json!({"type": "ping"}))
}

fn block(index: usize, block: Value, deltas: impl IntoIterator<Item = Value>) -> String {
    let mut events =
        event(json!({"type": "content_block_start", "index": index, "content_block": block}));
    for delta in deltas {
        events += &event(json!({"type": "content_block_delta", "index": index, "delta": delta}));
    }
    events + &event(json!({"type": "content_block_stop", "index": index}))
}

fn text(index: usize, pieces: &[&str]) -> String {
    let deltas = pieces.iter().map(|it| json!({"type": "text_delta", "text": it}));
    block(index, json!({"type": "text", "text": ""}), deltas)
}

fn thought(index: usize, pieces: &[&str], signature: &str) -> String {
    let deltas = pieces.iter().map(|it| json!({"type": "thinking_delta", "thinking": it}));
    let signature = json!({"type": "signature_delta", "signature": signature});
    let empty = json!({"type": "thinking", "thinking": "", "signature": ""});
    block(index, empty, deltas.chain([signature]))
}

fn called(index: usize, id: &str, name: &str, pieces: &[&str]) -> String {
    let deltas = pieces.iter().map(|it| json!({"type": "input_json_delta", "partial_json": it}));
    block(index, json!({"type": "tool_use", "id": id, "name": name, "input": {}}), deltas)
}

fn stop(reason: &str) -> String {
    stopped(json!({"stop_reason": reason, "stop_sequence": null}))
}

fn stopped(delta: Value) -> String {
    let usage = json!({"output_tokens": 57});
    event(json!({"type": "message_delta", "delta": delta, "usage": usage}))
        + &event(json!({"type": "message_stop"}))
}

/// A message that came at once.
fn message(content: Value, stop_reason: &str) -> Value {
    json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": content,
        "stop_reason": stop_reason, "stop_sequence": null,
        "usage": {"input_tokens": 40, "cache_creation_input_tokens": 8,
            "cache_read_input_tokens": 1024, "output_tokens": 57},
    })
}
