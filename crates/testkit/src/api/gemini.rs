//! [`stream`] and [`whole`]: a reply as Google's `generateContent` says it.

use serde_json::{Value, json};

use super::failure_bodies::google;
use super::{Envelope, Spoken, SpokenPart, SpokenStop, SpokenUsage, insert, parsed};

/// The events of a stream: each a whole response with what is new, none that says it is the last.
pub(super) fn stream(spoken: &Spoken, envelope: &Envelope<'_>) -> String {
    // Google ends its lines so.
    let event = |response: &Value| format!("data: {response}\r\n\r\n");
    let mut events = String::new();
    if spoken.stopped() == SpokenStop::Refusal && spoken.breaks.is_none() {
        return event(&blocked(spoken, envelope));
    }
    let mut parts = parts(spoken, true);
    let last = if spoken.breaks.is_none() { parts.pop() } else { None };
    for part in parts {
        events.push_str(&event(&response(&[part], None, spoken, envelope)));
    }
    if let Some((failure, _)) = spoken.breaks {
        events.push_str(&event(&google(failure, envelope.model, None)));
        return events;
    }
    let reason = if spoken.ended { finish_reason(spoken) } else { None };
    events.push_str(&event(&response(last.as_slice(), reason, spoken, envelope)));
    events
}

/// The body of a `GenerateContentResponse`.
pub(super) fn whole(spoken: &Spoken, envelope: &Envelope<'_>) -> Value {
    if spoken.stopped() == SpokenStop::Refusal {
        return blocked(spoken, envelope);
    }
    response(&parts(spoken, false), finish_reason(spoken), spoken, envelope)
}

/// The reply to `GET /v1beta/models`.
pub(super) fn models() -> Value {
    json!({"models": [{
        "name": "models/scripted",
        "baseModelId": "scripted",
        "version": "1",
        "displayName": "Scripted",
        "inputTokenLimit": 1_048_576,
        "outputTokenLimit": 65_536,
        "supportedGenerationMethods": ["generateContent", "countTokens"],
    }]})
}

/// A refused prompt has no candidate, and no tokens but its own.
fn blocked(spoken: &Spoken, envelope: &Envelope<'_>) -> Value {
    let words = spoken.joined(SpokenPart::as_refusal);
    let mut feedback = json!({"blockReason": "PROHIBITED_CONTENT"});
    if let Some(words) = words {
        insert(&mut feedback, "blockReasonMessage", words);
    }
    let mut response = json!({
        "promptFeedback": feedback,
        "modelVersion": envelope.model,
        "responseId": format!("response-{}", envelope.number),
    });
    if let Some(usage) = spoken.usage {
        let counts = json!({"promptTokenCount": usage.prompt, "totalTokenCount": usage.prompt});
        insert(&mut response, "usageMetadata", counts);
    }
    response
}

fn response(
    parts: &[Value],
    reason: Option<String>,
    spoken: &Spoken,
    envelope: &Envelope<'_>,
) -> Value {
    let mut candidate = json!({"index": 0});
    // What was cut off before its first word has no content either.
    if !parts.is_empty() {
        insert(&mut candidate, "content", json!({"role": "model", "parts": parts}));
    }
    if let Some(reason) = reason {
        insert(&mut candidate, "finishReason", reason);
    }
    let mut response = json!({
        "candidates": [candidate],
        "modelVersion": envelope.model,
        "responseId": format!("response-{}", envelope.number),
    });
    if let Some(usage) = spoken.usage {
        insert(&mut response, "usageMetadata", counted(usage));
    }
    response
}

/// The parts of the content. A seal goes to the call after the thoughts, or else to the last part.
fn parts(spoken: &Spoken, streamed: bool) -> Vec<Value> {
    let mut parts: Vec<Value> = Vec::new();
    let mut sealed = None;
    let texts = |pieces: &[String]| -> Vec<String> {
        if streamed { pieces.to_vec() } else { vec![pieces.concat()] }
    };
    for part in &spoken.parts {
        match part {
            SpokenPart::Reasoning { pieces, seal, redacted } => {
                sealed = seal.clone().or(sealed);
                if !redacted && !pieces.is_empty() {
                    let thought = |text: String| json!({"text": text, "thought": true});
                    parts.extend(texts(pieces).into_iter().map(thought));
                }
            }
            SpokenPart::Text(pieces) => {
                parts.extend(texts(pieces).into_iter().map(|text| json!({"text": text})));
            }
            SpokenPart::Refusal(_) => {}
            SpokenPart::Call { id, name, arguments } => {
                let mut call = json!({"name": name, "args": parsed(arguments)});
                if !id.is_empty() {
                    insert(&mut call, "id", id.as_str());
                }
                let mut part = json!({"functionCall": call});
                if let Some(seal) = sealed.take() {
                    insert(&mut part, "thoughtSignature", seal);
                }
                parts.push(part);
            }
        }
    }
    match sealed {
        Some(seal) if streamed => parts.push(json!({"text": "", "thoughtSignature": seal})),
        Some(seal) => {
            if let Some(last) = parts.last_mut() {
                insert(last, "thoughtSignature", seal);
            }
        }
        None => {}
    }
    parts
}

fn finish_reason(spoken: &Spoken) -> Option<String> {
    let reason = match spoken.stopped() {
        SpokenStop::Length => "MAX_TOKENS",
        SpokenStop::Filter => "SAFETY",
        SpokenStop::Other(reason) => return Some(reason),
        SpokenStop::Missing => return None,
        SpokenStop::Done | SpokenStop::Calls | SpokenStop::Refusal | SpokenStop::Fitting => "STOP",
    };
    Some(reason.to_owned())
}

/// Thoughts are counted apart from the candidates, not among them.
fn counted(usage: SpokenUsage) -> Value {
    let mut counts = json!({
        "promptTokenCount": usage.prompt,
        "candidatesTokenCount": usage.completion.saturating_sub(usage.reasoning),
        "totalTokenCount": usage.prompt.saturating_add(usage.completion),
    });
    if usage.cached > 0 {
        insert(&mut counts, "cachedContentTokenCount", usage.cached);
    }
    if usage.reasoning > 0 {
        insert(&mut counts, "thoughtsTokenCount", usage.reasoning);
    }
    counts
}
