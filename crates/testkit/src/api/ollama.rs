//! [`stream`] and [`whole`]: a reply as Ollama's `/api/chat` says it.

use serde_json::{Value, json};

use super::failure_bodies::ollama;
use super::{Envelope, Spoken, SpokenPart, SpokenStop, insert, parsed};

const CREATED: &str = "2026-01-01T00:00:00.184789Z";

/// The lines of a stream; each call is complete in one.
pub(super) fn stream(spoken: &Spoken, envelope: &Envelope<'_>) -> String {
    let mut lines = String::new();
    let mut message = |message: Value| lines.push_str(&format!("{}\n", line(message, envelope)));
    let mut calls = 0;
    for part in &spoken.parts {
        match part {
            SpokenPart::Reasoning { redacted: true, .. } => {}
            SpokenPart::Reasoning { pieces, .. } => {
                for piece in pieces {
                    message(json!({"role": "assistant", "content": "", "thinking": piece}));
                }
            }
            SpokenPart::Text(pieces) | SpokenPart::Refusal(pieces) => {
                for piece in pieces {
                    message(json!({"role": "assistant", "content": piece}));
                }
            }
            SpokenPart::Call { .. } => {
                let call = call(part, calls);
                message(json!({"role": "assistant", "content": "", "tool_calls": [call]}));
                calls += 1;
            }
        }
    }
    if let Some((failure, _)) = spoken.breaks {
        lines.push_str(&format!("{}\n", ollama(failure, envelope.model)));
    } else if spoken.ended {
        let mut last = line(json!({"role": "assistant", "content": ""}), envelope);
        end(&mut last, spoken);
        lines.push_str(&format!("{last}\n"));
    }
    lines
}

/// The one object of a reply that is not streamed.
pub(super) fn whole(spoken: &Spoken, envelope: &Envelope<'_>) -> Value {
    let text = spoken.joined(SpokenPart::as_text);
    let text = text.or_else(|| spoken.joined(SpokenPart::as_refusal)).unwrap_or_default();
    let mut message = json!({"role": "assistant", "content": text});
    if let Some(thinking) = spoken.joined(SpokenPart::as_reasoning) {
        insert(&mut message, "thinking", thinking);
    }
    let calls = spoken.parts.iter().filter(|it| matches!(it, SpokenPart::Call { .. }));
    let calls: Vec<Value> = calls.enumerate().map(|(index, part)| call(part, index)).collect();
    if !calls.is_empty() {
        insert(&mut message, "tool_calls", calls);
    }
    let mut reply = line(message, envelope);
    end(&mut reply, spoken);
    reply
}

/// The reply to `GET /api/tags`.
pub(super) fn models() -> Value {
    json!({"models": [{
        "name": "scripted:latest",
        "model": "scripted:latest",
        "modified_at": CREATED,
        "size": 4_000_000_000_u64,
        "digest": "0".repeat(64),
        "details": details(),
    }]})
}

/// The reply to `POST /api/show`.
pub(crate) fn show() -> Value {
    json!({
        "modelfile": "FROM scripted",
        "parameters": "num_ctx 8192",
        "template": "{{ .Prompt }}",
        "details": details(),
        "model_info": {"general.architecture": "scripted", "scripted.context_length": 32_768},
        "capabilities": ["completion", "tools", "thinking", "vision"],
        "modified_at": CREATED,
    })
}

fn details() -> Value {
    json!({
        "parent_model": "", "format": "gguf", "family": "scripted", "families": ["scripted"],
        "parameter_size": "8B", "quantization_level": "Q4_K_M",
    })
}

fn line(message: Value, envelope: &Envelope<'_>) -> Value {
    let mut line = json!({"model": envelope.model, "created_at": CREATED, "done": false});
    insert(&mut line, "message", message);
    line
}

fn call(part: &SpokenPart, index: usize) -> Value {
    let SpokenPart::Call { id, name, arguments } = part else { return Value::Null };
    let function = json!({"index": index, "name": name, "arguments": parsed(arguments)});
    let mut call = json!({"function": function});
    if !id.is_empty() {
        insert(&mut call, "id", id.as_str());
    }
    call
}

/// Calls end in `stop` too, and so does what others call a refusal.
fn end(reply: &mut Value, spoken: &Spoken) {
    insert(reply, "done", true);
    let reason = match spoken.stopped() {
        SpokenStop::Missing => None,
        SpokenStop::Length => Some("length".to_owned()),
        SpokenStop::Other(reason) => Some(reason),
        _ => Some("stop".to_owned()),
    };
    if let Some(reason) = reason {
        insert(reply, "done_reason", reason);
    }
    for duration in ["total", "load", "prompt_eval", "eval"] {
        insert(reply, &format!("{duration}_duration"), 1_000_000);
    }
    if let Some(usage) = spoken.usage {
        insert(reply, "prompt_eval_count", usage.prompt);
        insert(reply, "eval_count", usage.completion);
    }
}
