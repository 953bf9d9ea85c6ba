//! [`stream`] and [`whole`]: a reply as OpenAI's Chat Completions say it.

use serde_json::{Value, json};

use super::failure_bodies::openai;
use super::{Envelope, Spoken, SpokenPart, SpokenStop, SpokenUsage, fragments, insert};

/// The events of a streamed completion, up to and including `[DONE]`.
pub(super) fn stream(spoken: &Spoken, envelope: &Envelope<'_>) -> String {
    let mut events = String::new();
    let mut event = |choices: Value, usage: Value| {
        let mut chunk = json!({
            "id": format!("chatcmpl-{}", envelope.number),
            "object": "chat.completion.chunk",
            "created": 1,
            "model": envelope.model,
            "choices": choices,
        });
        if envelope.usage {
            insert(&mut chunk, "usage", usage);
        }
        events.push_str(&format!("data: {chunk}\n\n"));
    };
    for delta in deltas(spoken) {
        event(json!([{"index": 0, "delta": delta, "finish_reason": null}]), Value::Null);
    }
    if let Some((failure, _)) = spoken.breaks {
        events.push_str(&format!("data: {}\n\n", openai(failure, envelope.model, None)));
        return events;
    }
    if let Some(reason) = finish_reason(spoken) {
        event(json!([{"index": 0, "delta": {}, "finish_reason": reason}]), Value::Null);
    }
    if let Some(usage) = spoken.usage.filter(|_| envelope.usage) {
        event(json!([]), counted(usage));
    }
    if spoken.ended {
        events.push_str("data: [DONE]\n\n");
    }
    events
}

/// The body of a `chat.completion`.
pub(super) fn whole(spoken: &Spoken, envelope: &Envelope<'_>) -> Value {
    let text = spoken.joined(SpokenPart::as_text);
    let refusal = spoken.joined(SpokenPart::as_refusal);
    let mut message = json!({"role": "assistant", "content": text, "refusal": refusal});
    if let Some(reasoning) = spoken.joined(SpokenPart::as_reasoning) {
        insert(&mut message, "reasoning_content", reasoning);
    }
    let calls: Vec<Value> = calls(spoken)
        .map(|(id, name, arguments)| {
            let function = json!({"name": name, "arguments": arguments});
            json!({"id": id, "type": "function", "function": function})
        })
        .collect();
    if !calls.is_empty() {
        insert(&mut message, "tool_calls", calls);
    }
    let mut completion = json!({
        "id": format!("chatcmpl-{}", envelope.number),
        "object": "chat.completion",
        "created": 1,
        "model": envelope.model,
        "choices": [{
            "index": 0,
            "message": message,
            "logprobs": null,
            "finish_reason": finish_reason(spoken),
        }],
    });
    if let Some(usage) = spoken.usage {
        insert(&mut completion, "usage", counted(usage));
    }
    completion
}

fn calls(spoken: &Spoken) -> impl Iterator<Item = (&str, &str, &str)> {
    spoken.parts.iter().filter_map(|part| match part {
        SpokenPart::Call { id, name, arguments } => {
            Some((id.as_str(), name.as_str(), &**arguments))
        }
        _ => None,
    })
}

fn deltas(spoken: &Spoken) -> Vec<Value> {
    let opening = spoken.joined(SpokenPart::as_text).map(|_| "");
    let mut deltas = vec![json!({"role": "assistant", "content": opening})];
    let mut pieces = |field: &str, pieces: &[String]| {
        deltas.extend(pieces.iter().map(|piece| json!({field: piece})));
    };
    for part in &spoken.parts {
        match part {
            SpokenPart::Reasoning { redacted: true, .. } | SpokenPart::Call { .. } => {}
            SpokenPart::Reasoning { pieces: thoughts, .. } => pieces("reasoning_content", thoughts),
            SpokenPart::Text(text) => pieces("content", text),
            SpokenPart::Refusal(refusal) => pieces("refusal", refusal),
        }
    }
    for (index, (id, name, arguments)) in calls(spoken).enumerate() {
        let function = json!({"name": name, "arguments": ""});
        let first = json!({"index": index, "id": id, "type": "function", "function": function});
        deltas.push(json!({"tool_calls": [first]}));
        for part in fragments(arguments) {
            let next = json!({"index": index, "function": {"arguments": part}});
            deltas.push(json!({"tool_calls": [next]}));
        }
    }
    deltas
}

fn finish_reason(spoken: &Spoken) -> Option<String> {
    let reason = match spoken.stopped() {
        SpokenStop::Calls => "tool_calls",
        SpokenStop::Length => "length",
        SpokenStop::Filter => "content_filter",
        SpokenStop::Other(reason) => return Some(reason),
        SpokenStop::Missing => return None,
        // A refusal is told by its field alone.
        SpokenStop::Done | SpokenStop::Refusal | SpokenStop::Fitting => "stop",
    };
    Some(reason.to_owned())
}

fn counted(usage: SpokenUsage) -> Value {
    json!({
        "prompt_tokens": usage.prompt,
        "completion_tokens": usage.completion,
        "total_tokens": usage.prompt.saturating_add(usage.completion),
        "prompt_tokens_details": {"cached_tokens": usage.cached},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
    })
}
