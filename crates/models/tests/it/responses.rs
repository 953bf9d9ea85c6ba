//! The Responses API: what is sent, and what comes back however it is said.

mod equal;
mod failures;
mod lenient;
mod replies;
mod requests;
mod round_trip;

use serde_json::{Value, json};
use toolwright_core::{ModelErrorKind, ModelResponse};
use toolwright_models::{Api, EndpointConfig};
use toolwright_testkit::{Chunking, ModelServer, Reply, Script};

use crate::support::{Heard, ask, in_runtime, model, once};

/// What the model of these tests is known by.
const OWN: &str = "openai@127.0.0.1:m";

/// An endpoint that is asked once and no more.
fn config(server: &ModelServer) -> EndpointConfig {
    once(server).with_api(Api::Responses)
}

/// What is heard when a server gives this reply.
async fn served(reply: Reply, stream: bool) -> Heard {
    let server = ModelServer::start(Script::new().reply(reply)).await;
    let heard = ask(&model(config(&server)), stream).await;
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
        // A stream is read as one also where none was asked for.
        assert_eq!(served(Reply::raw_sse(events), false).await, heard, "not asked for");
        heard
    })
}

/// The reply that a stream of these events brings.
#[track_caller]
fn streamed(events: &[Value]) -> ModelResponse {
    hear(stream(events)).reply()
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

/// The reply that a body with these items brings.
#[track_caller]
fn whole(items: Value) -> ModelResponse {
    hear_whole(&response("completed", items)).reply()
}

/// These events on the wire, numbered, with the names that OpenAI gives them.
fn stream(events: &[Value]) -> String {
    let mut all = String::new();
    for (number, event) in events.iter().enumerate() {
        let mut rest = event.as_object().unwrap().clone();
        let kind = rest.remove("type").unwrap_or_default();
        let kind = kind.as_str().unwrap_or_default();
        let rest = Value::Object(rest).to_string();
        let comma = if rest == "{}" { "" } else { "," };
        // First what is first with OpenAI: a map would sort its keys.
        all.push_str(&format!(
            "event: {kind}\ndata: {{\"type\":\"{kind}\",\"sequence_number\":{number}{comma}{}\n\n",
            rest.trim_start_matches('{')
        ));
    }
    all
}

/// A response with these items.
fn response(status: &str, output: Value) -> Value {
    json!({
        "id": "resp_1", "object": "response", "created_at": 1, "status": status, "error": null,
        "incomplete_details": null, "model": "m", "output": output, "usage": null,
    })
}

fn completed(output: Value) -> Value {
    json!({"type": "response.completed", "response": response("completed", output)})
}

fn added(index: usize, item: Value) -> Value {
    json!({"type": "response.output_item.added", "output_index": index, "item": item})
}

fn done(index: usize, item: Value) -> Value {
    json!({"type": "response.output_item.done", "output_index": index, "item": item})
}

fn said(index: usize, text: &str) -> Value {
    json!({
        "type": "response.output_text.delta", "item_id": format!("msg_{index}"),
        "output_index": index, "content_index": 0, "delta": text, "logprobs": [],
        "obfuscation": "x".repeat(text.len() % 5),
    })
}

fn argued(index: usize, piece: &str) -> Value {
    json!({
        "type": "response.function_call_arguments.delta", "item_id": format!("fc_{index}"),
        "output_index": index, "delta": piece,
    })
}

fn thought(index: usize, part: usize, text: &str) -> Value {
    json!({
        "type": "response.reasoning_summary_text.delta", "item_id": format!("rs_{index}"),
        "output_index": index, "summary_index": part, "delta": text,
    })
}

fn message(index: usize, text: &str) -> Value {
    json!({
        "type": "message", "id": format!("msg_{index}"), "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": text, "annotations": [], "logprobs": []}],
    })
}

fn call(index: usize, id: &str, name: &str, arguments: &str) -> Value {
    json!({
        "type": "function_call", "id": format!("fc_{index}"), "call_id": id, "name": name,
        "arguments": arguments, "status": "completed",
    })
}

fn reasoning(index: usize, summary: &[&str], seal: &str) -> Value {
    let parts: Vec<_> =
        summary.iter().map(|text| json!({"type": "summary_text", "text": text})).collect();
    json!({
        "type": "reasoning", "id": format!("rs_{index}"), "summary": parts,
        "encrypted_content": seal,
    })
}

/// The same item before anything of it came.
fn opened(mut item: Value) -> Value {
    for (field, empty) in [("content", json!([])), ("summary", json!([])), ("arguments", json!(""))]
    {
        if item.get(field).is_some() {
            item[field] = empty;
        }
    }
    item["status"] = json!("in_progress");
    item
}

#[track_caller]
fn broken(heard: Heard) {
    let error = heard.error();
    assert_eq!(error.kind, ModelErrorKind::BrokenReply, "{error}");
}
