//! [`stream`] and [`whole`]: a reply as OpenAI's Responses say it.

use serde_json::{Value, json};

use super::failure_bodies::{openai, openai_code};
use super::{
    BreakForm, Envelope, Failure, Spoken, SpokenPart, SpokenStop, SpokenUsage, fragments, insert,
    merge,
};

/// The events of a streamed response.
pub(super) fn stream(spoken: &Spoken, envelope: &Envelope<'_>) -> String {
    let mut events = Events::default();
    let start = response(json!("in_progress"), &[], None, envelope);
    events.push("response.created", json!({"response": start}));
    events.push("response.in_progress", json!({"response": start}));
    let mut items = Vec::new();
    for (index, part) in spoken.parts.iter().enumerate() {
        let item = item(part, index, part_status(spoken, index));
        let mut opened = opened(&item);
        // What a reasoning item is sealed with is known when it is done.
        opened.as_object_mut().map(|item| item.remove("encrypted_content"));
        let added = json!({"output_index": index, "item": opened});
        events.push("response.output_item.added", added);
        events.part(part, &item, index);
        events.push("response.output_item.done", json!({"output_index": index, "item": item}));
        items.push(item);
    }
    if let Some((failure, form)) = spoken.breaks {
        events.failure(failure, form, &items, envelope);
    } else if spoken.ended && spoken.stopped() != SpokenStop::Missing {
        let (event, response) = ended(spoken, &items, envelope);
        events.push(event, json!({"response": response}));
    }
    events.text
}

/// The body of a `response`.
pub(super) fn whole(spoken: &Spoken, envelope: &Envelope<'_>) -> Value {
    let parts = spoken.parts.iter().enumerate();
    let items: Vec<Value> =
        parts.map(|(index, part)| item(part, index, part_status(spoken, index))).collect();
    ended(spoken, &items, envelope).1
}

#[derive(Default)]
struct Events {
    text: String,
    number: usize,
}

impl Events {
    fn push(&mut self, kind: &str, more: Value) {
        let mut data = json!({"type": kind, "sequence_number": self.number});
        merge(&mut data, more);
        self.number += 1;
        self.text.push_str(&format!("event: {kind}\ndata: {data}\n\n"));
    }

    /// One event about the item at `index`.
    fn of_item(&mut self, kind: &str, item: &Value, index: usize, more: Value) {
        let mut data = json!({"item_id": item.get("id"), "output_index": index});
        merge(&mut data, more);
        self.push(kind, data);
    }

    /// What comes between the beginning of an item and its end.
    fn part(&mut self, part: &SpokenPart, item: &Value, index: usize) {
        match part {
            SpokenPart::Reasoning { pieces, redacted, .. } => {
                if !redacted && !pieces.is_empty() {
                    self.summary(pieces, item, index);
                }
            }
            SpokenPart::Text(pieces) => {
                let part = |text: &str| output_text(text);
                self.content("output_text", "text", pieces, &part, item, index);
            }
            SpokenPart::Refusal(pieces) => {
                let part = |text: &str| json!({"type": "refusal", "refusal": text});
                self.content("refusal", "refusal", pieces, &part, item, index);
            }
            SpokenPart::Call { name, arguments, .. } => {
                let kind = "response.function_call_arguments";
                for piece in fragments(arguments) {
                    // Padding against those who measure lengths; it means nothing.
                    let more = json!({"delta": piece, "obfuscation": "xK9"});
                    self.of_item(&format!("{kind}.delta"), item, index, more);
                }
                let more = json!({"arguments": arguments, "name": name});
                self.of_item(&format!("{kind}.done"), item, index, more);
            }
        }
    }

    fn summary(&mut self, pieces: &[String], item: &Value, index: usize) {
        let part = |text: &str| json!({"type": "summary_text", "text": text});
        let mut event = |kind: &str, mut more: Value| {
            insert(&mut more, "summary_index", 0);
            self.of_item(&format!("response.reasoning_summary_{kind}"), item, index, more);
        };
        event("part.added", json!({"part": part("")}));
        for piece in pieces {
            event("text.delta", json!({"delta": piece}));
        }
        event("text.done", json!({"text": pieces.concat()}));
        event("part.done", json!({"part": part(&pieces.concat())}));
    }

    /// The one part of a message, `name`d so in events and with its text in `field`.
    fn content(
        &mut self,
        name: &str,
        field: &str,
        pieces: &[String],
        part: &dyn Fn(&str) -> Value,
        item: &Value,
        index: usize,
    ) {
        let mut event = |kind: &str, mut more: Value| {
            insert(&mut more, "content_index", 0);
            self.of_item(&format!("response.{kind}"), item, index, more);
        };
        let said = |field: &str, text: &str| match name {
            "output_text" => json!({field: text, "logprobs": []}),
            _ => json!({field: text}),
        };
        event("content_part.added", json!({"part": part("")}));
        for piece in pieces {
            event(&format!("{name}.delta"), said("delta", piece));
        }
        event(&format!("{name}.done"), said(field, &pieces.concat()));
        event("content_part.done", json!({"part": part(&pieces.concat())}));
    }

    fn failure(
        &mut self,
        failure: Failure,
        form: BreakForm,
        items: &[Value],
        envelope: &Envelope<'_>,
    ) {
        let body = openai(failure, envelope.model, None);
        let error = body.get("error").cloned().unwrap_or_default();
        let message = error.get("message").cloned().unwrap_or_default();
        let code = openai_code(failure);
        match form {
            BreakForm::Flat => {
                self.push("error", json!({"code": code, "message": message, "param": null}));
                return;
            }
            BreakForm::Usual => self.push("error", json!({"error": error})),
            BreakForm::FailedOnly => {}
        }
        let mut response = response(json!("failed"), items, None, envelope);
        insert(&mut response, "error", json!({"code": code, "message": message}));
        self.push("response.failed", json!({"response": response}));
    }
}

/// The response at its end, and the event that says so.
fn ended(spoken: &Spoken, items: &[Value], envelope: &Envelope<'_>) -> (&'static str, Value) {
    let reason = match spoken.stopped() {
        SpokenStop::Length => Some("max_output_tokens".to_owned()),
        SpokenStop::Filter => Some("content_filter".to_owned()),
        SpokenStop::Other(reason) => Some(reason),
        _ => None,
    };
    let status = match (&reason, spoken.stopped()) {
        (Some(_), _) => json!("incomplete"),
        (None, SpokenStop::Missing) => Value::Null,
        (None, _) => json!("completed"),
    };
    let mut response = response(status, items, spoken.usage, envelope);
    let Some(reason) = reason else { return ("response.completed", response) };
    insert(&mut response, "incomplete_details", json!({"reason": reason}));
    ("response.incomplete", response)
}

fn response(
    status: Value,
    items: &[Value],
    usage: Option<SpokenUsage>,
    envelope: &Envelope<'_>,
) -> Value {
    let mut response = json!({
        "id": format!("resp_{}", envelope.number),
        "object": "response",
        "created_at": 1,
        "error": null,
        "incomplete_details": null,
        "instructions": null,
        "max_output_tokens": null,
        "metadata": {},
        "model": envelope.model,
        "output": items,
        "parallel_tool_calls": true,
        "previous_response_id": null,
        "reasoning": {"effort": "medium", "summary": "auto"},
        "service_tier": "default",
        "store": false,
        "temperature": null,
        "text": {"format": {"type": "text"}},
        "tool_choice": "auto",
        "tools": [],
        "top_p": null,
        "truncation": "disabled",
        "usage": usage.map(counted),
    });
    insert(&mut response, "status", status);
    response
}

fn counted(usage: SpokenUsage) -> Value {
    json!({
        "input_tokens": usage.prompt,
        "input_tokens_details": {"cached_tokens": usage.cached, "cache_write_tokens": 0},
        "output_tokens": usage.completion,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning},
        "total_tokens": usage.prompt.saturating_add(usage.completion),
    })
}

fn output_text(text: &str) -> Value {
    json!({"type": "output_text", "text": text, "annotations": [], "logprobs": []})
}

/// What was cut off was so in its last item.
fn part_status(spoken: &Spoken, index: usize) -> &'static str {
    let cut = matches!(spoken.stopped(), SpokenStop::Length | SpokenStop::Filter);
    if cut && index + 1 == spoken.parts.len() { "incomplete" } else { "completed" }
}

/// The item a part becomes.
fn item(part: &SpokenPart, index: usize, status: &str) -> Value {
    let message = |content: Value| {
        json!({
            "type": "message", "id": format!("msg_{index}"), "role": "assistant",
            "status": status, "phase": "final_answer", "content": [content],
        })
    };
    match part {
        SpokenPart::Reasoning { pieces, seal, redacted } => {
            let text = json!({"type": "summary_text", "text": pieces.concat()});
            let summary = if *redacted || pieces.is_empty() { json!([]) } else { json!([text]) };
            let mut item =
                json!({"type": "reasoning", "id": format!("rs_{index}"), "summary": summary});
            if let Some(seal) = seal {
                insert(&mut item, "encrypted_content", seal.as_str());
            }
            item
        }
        SpokenPart::Text(pieces) => message(output_text(&pieces.concat())),
        SpokenPart::Refusal(pieces) => {
            message(json!({"type": "refusal", "refusal": pieces.concat()}))
        }
        SpokenPart::Call { id, name, arguments } => json!({
            "type": "function_call", "id": format!("fc_{index}"), "call_id": id,
            "name": name, "arguments": arguments, "status": status,
        }),
    }
}

/// The item before anything of it was said.
fn opened(item: &Value) -> Value {
    let mut opened = item.clone();
    for (field, empty) in [
        ("summary", json!([])),
        ("content", json!([])),
        ("arguments", json!("")),
        ("status", json!("in_progress")),
    ] {
        if opened.get(field).is_some() {
            insert(&mut opened, field, empty);
        }
    }
    opened
}
