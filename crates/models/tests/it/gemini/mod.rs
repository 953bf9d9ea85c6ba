//! Gemini's generateContent: what is asked, what is heard, and what goes wrong.

mod failures;
mod property;
mod replies;
mod requests;
mod signatures;

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use toolwright_core::{AssistantMessage, Call, Message, ModelResponse, ToolDefinitions, ToolSpec};
use toolwright_models::{EndpointConfig, RetryPolicy, Vendor};
use toolwright_testkit::{Chunking, ModelServer, Reply, Script, SpokenApi};

use crate::support::{Heard, ask, in_runtime, model};

/// A model of the third generation.
const NEW: &str = "gemini-3-flash";
/// A model of the second.
const OLD: &str = "gemini-2.5-flash";

/// Who a model of this name is.
fn identity(name: &str) -> String {
    format!("gemini@127.0.0.1:{name}")
}

/// A Gemini that is asked once and no more.
fn config(server: &ModelServer, name: &str) -> EndpointConfig {
    let vendor = Vendor::named("gemini").unwrap();
    let mut config = EndpointConfig::of(vendor, name).with_key("secret-key");
    config.base_url = server.url(SpokenApi::Gemini);
    let first_wait = Duration::from_millis(1);
    config.retry = RetryPolicy { retries: 0, first_wait, ..RetryPolicy::default() };
    config.idle = Duration::from_secs(20);
    config.first_byte = Duration::from_secs(20);
    config
}

/// What is heard when a server gives this reply.
async fn served(reply: Reply, stream: bool) -> Heard {
    let server = ModelServer::start(Script::new().reply(reply)).await;
    let heard = ask(&model(config(&server, NEW)), stream).await;
    server.assert_clean();
    heard
}

/// What is heard of these events, however they are cut and however their lines end.
#[track_caller]
fn hear(events: &[Value]) -> Heard {
    let stream = |end: &str| -> String {
        events.iter().map(|event| format!("data: {event}{end}{end}")).collect()
    };
    in_runtime(async {
        let heard = served(Reply::raw_sse(stream("\r\n")), true).await;
        for chunking in [Chunking::OneByte, Chunking::PerEvent, Chunking::Random(7)] {
            let reply = Reply::raw_sse(stream("\n")).chunking(chunking);
            assert_eq!(served(reply, true).await, heard, "cut {chunking:?}");
        }
        // Without `alt=sse` a stream is a list.
        let list = Reply::json(Value::from(events.to_vec()));
        let listed = served(list, false).await;
        if heard.end.is_ok() {
            assert_eq!(listed.end, heard.end, "as a list");
        }
        heard
    })
}

/// What is heard of exactly this body, whether or not a stream was asked for.
#[track_caller]
fn hear_whole(body: &Value) -> Heard {
    in_runtime(async {
        let heard = served(Reply::json(body.clone()), false).await;
        assert_eq!(served(Reply::json(body.clone()), true).await, heard, "as a stream");
        heard
    })
}

/// An event with these parts.
fn parts(parts: Value) -> Value {
    json!({"candidates": [{"content": {"role": "model", "parts": parts}, "index": 0}]})
}

/// An event with this text.
fn said(text: &str) -> Value {
    parts(json!([{"text": text}]))
}

/// An event with this reason to stop.
fn stopped(reason: &str) -> Value {
    json!({"candidates": [{"finishReason": reason, "index": 0}]})
}

fn tools() -> ToolDefinitions {
    let parameters = json!({"type": "object", "properties": {"x": {"type": "string"}}});
    let spec = |name: &str, parameters: &Value| {
        Arc::new(ToolSpec::new(name, "Does \"it\": é", parameters.clone()))
    };
    let nothing = json!({"type": "object", "properties": {}});
    ToolDefinitions::new([spec("f", &parameters), spec("g", &nothing)])
}

fn assistant(content: &str, calls: impl IntoIterator<Item = Call>) -> Message {
    Message::Assistant(AssistantMessage {
        content: content.to_owned(),
        calls: calls.into_iter().collect(),
        ..AssistantMessage::default()
    })
}

/// What a model said, as the next request brings it back.
fn echo(reply: ModelResponse, of: &str) -> Message {
    Message::Assistant(AssistantMessage {
        content: reply.text,
        reasoning: reply.reasoning,
        calls: reply.calls,
        model: Some(identity(of).into()),
        extra: reply.extra,
    })
}
