//! [`stream`] and [`whole`]: a reply as Anthropic's Messages say it.

use serde_json::{Value, json};

use super::failure_bodies::anthropic;
use super::{
    Envelope, Spoken, SpokenPart, SpokenStop, SpokenUsage, fragments, insert, merge, parsed,
};

/// The events of a streamed message, pings included.
pub(super) fn stream(spoken: &Spoken, envelope: &Envelope<'_>) -> String {
    let mut events = String::new();
    let mut event = |kind: &str, more: Value| {
        let mut data = json!({"type": kind});
        merge(&mut data, more);
        events.push_str(&format!("event: {kind}\ndata: {data}\n\n"));
    };
    event("message_start", json!({"message": opening(spoken, envelope)}));
    for (index, (block, deltas)) in spoken.parts.iter().filter_map(block).enumerate() {
        event("content_block_start", json!({"index": index, "content_block": block}));
        if index == 0 {
            event("ping", json!({}));
        }
        for delta in deltas {
            event("content_block_delta", json!({"index": index, "delta": delta}));
        }
        event("content_block_stop", json!({"index": index}));
    }
    if let Some((failure, _)) = spoken.breaks {
        let error = anthropic(failure, envelope.model);
        event("error", json!({"error": error.get("error"), "request_id": null}));
        return events;
    }
    let stop = stop_reason(spoken);
    if stop.is_some() || spoken.usage.is_some() {
        let mut delta = json!({"stop_reason": stop, "stop_sequence": null});
        if let Some(details) = stop_details(spoken) {
            insert(&mut delta, "stop_details", details);
        }
        let usage = said_so_far(spoken.usage.unwrap_or_default());
        event("message_delta", json!({"delta": delta, "usage": usage}));
    }
    if spoken.ended {
        event("message_stop", json!({}));
    }
    events
}

/// The body of a `message`.
pub(super) fn whole(spoken: &Spoken, envelope: &Envelope<'_>) -> Value {
    let mut message = opening(spoken, envelope);
    let content: Vec<Value> = spoken.parts.iter().filter_map(said).collect();
    insert(&mut message, "content", content);
    insert(&mut message, "stop_reason", stop_reason(spoken));
    if let Some(details) = stop_details(spoken) {
        insert(&mut message, "stop_details", details);
    }
    if let Some(usage) = spoken.usage {
        let mut counts = counted(usage, usage.completion);
        merge(&mut counts, said_so_far(usage));
        insert(&mut message, "usage", counts);
    }
    message
}

/// The reply to `GET /v1/models`.
pub(super) fn models() -> Value {
    let model = json!({
        "type": "model", "id": "scripted", "display_name": "Scripted",
        "created_at": "2026-01-01T00:00:00Z", "max_input_tokens": 200_000, "max_tokens": 64_000,
    });
    json!({"data": [model], "has_more": false, "first_id": "scripted", "last_id": "scripted"})
}

/// A message that says nothing yet.
fn opening(spoken: &Spoken, envelope: &Envelope<'_>) -> Value {
    json!({
        "id": format!("msg_{}", envelope.number),
        "type": "message",
        "role": "assistant",
        "model": envelope.model,
        "content": [],
        "stop_reason": null,
        "stop_sequence": null,
        "usage": counted(spoken.usage.unwrap_or_default(), u64::from(spoken.usage.is_some())),
    })
}

/// Cached tokens are counted apart from the others, not among them.
fn counted(usage: SpokenUsage, output: u64) -> Value {
    json!({
        "input_tokens": usage.prompt.saturating_sub(usage.cached),
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": usage.cached,
        "output_tokens": output,
        "service_tier": "standard",
    })
}

/// What a stream tells of its tokens at the end.
fn said_so_far(usage: SpokenUsage) -> Value {
    let details = json!({"thinking_tokens": usage.reasoning});
    json!({"output_tokens": usage.completion, "output_tokens_details": details})
}

/// The empty block with which a part begins, and what is added to it.
fn block(part: &SpokenPart) -> Option<(Value, Vec<Value>)> {
    let deltas = |kind: &str, field: &str, pieces: &[String]| -> Vec<Value> {
        pieces.iter().map(|piece| json!({"type": kind, field: piece})).collect()
    };
    match part {
        SpokenPart::Reasoning { redacted: true, .. } => Some((said(part)?, Vec::new())),
        SpokenPart::Reasoning { pieces, seal, .. } => {
            let mut all = deltas("thinking_delta", "thinking", pieces);
            all.extend(seal.iter().map(|it| json!({"type": "signature_delta", "signature": it})));
            Some((json!({"type": "thinking", "thinking": "", "signature": ""}), all))
        }
        SpokenPart::Text(pieces) => {
            Some((json!({"type": "text", "text": ""}), deltas("text_delta", "text", pieces)))
        }
        SpokenPart::Refusal(_) => None,
        SpokenPart::Call { id, name, arguments } => {
            let mut pieces = vec![String::new()];
            // No arguments are no letters at all, not an empty object.
            if arguments != "{}" {
                pieces.extend(fragments(arguments));
            }
            let start = json!({"type": "tool_use", "id": id, "name": name, "input": {}});
            Some((start, deltas("input_json_delta", "partial_json", &pieces)))
        }
    }
}

/// A part as a whole block. What a model says in refusing is told in `stop_details`.
fn said(part: &SpokenPart) -> Option<Value> {
    match part {
        SpokenPart::Reasoning { seal, redacted: true, .. } => {
            Some(json!({"type": "redacted_thinking", "data": seal.as_deref().unwrap_or_default()}))
        }
        SpokenPart::Reasoning { pieces, seal, .. } => Some(json!({
            "type": "thinking",
            "thinking": pieces.concat(),
            "signature": seal.as_deref().unwrap_or_default(),
        })),
        SpokenPart::Text(pieces) => Some(json!({"type": "text", "text": pieces.concat()})),
        SpokenPart::Refusal(_) => None,
        SpokenPart::Call { id, name, arguments } => {
            let input = parsed(arguments);
            Some(json!({"type": "tool_use", "id": id, "name": name, "input": input}))
        }
    }
}

fn stop_reason(spoken: &Spoken) -> Option<String> {
    let reason = match spoken.stopped() {
        SpokenStop::Calls => "tool_use",
        SpokenStop::Length => "max_tokens",
        SpokenStop::Filter | SpokenStop::Refusal => "refusal",
        SpokenStop::Other(reason) => return Some(reason),
        SpokenStop::Missing => return None,
        SpokenStop::Done | SpokenStop::Fitting => "end_turn",
    };
    Some(reason.to_owned())
}

fn stop_details(spoken: &Spoken) -> Option<Value> {
    let category = match spoken.stopped() {
        SpokenStop::Filter => json!("general_harms"),
        SpokenStop::Refusal => Value::Null,
        _ => return None,
    };
    let explanation = spoken.joined(SpokenPart::as_refusal);
    Some(json!({"type": "refusal", "category": category, "explanation": explanation}))
}
