//! [`ResponsesReader`]: reads a reply, event by event or whole.

use memchr::memmem;
use serde_json::{Value, json};
use toolwright_core::{FinishReason, ModelError, ModelErrorKind, Usage};

use super::{
    alike::Alike,
    delta::{Delta, channel, field_of, number, text},
    items::Items,
};
use crate::endpoint::{Draft, Reader, broken, from_body, understand};

/// Reads a reply.
#[derive(Default)]
pub(super) struct ResponsesReader {
    alike: Alike,
    items: Items,
    is_over: bool,
}

impl Reader for ResponsesReader {
    fn take(&mut self, data: &mut [u8], draft: &mut Draft<'_>) -> Result<(), ModelError> {
        if let Some((to, text)) = self.alike.text(data) {
            return self.items.more(to, text, draft);
        }
        if is_only_begun(data) {
            draft.begin();
            return Ok(());
        }
        let is_delta = memmem::find(data, b".delta\"").is_some();
        understand(data, |json| {
            if is_delta && let Ok(delta) = serde_json::from_str::<Delta<'_>>(json) {
                let to = self.items.delta(&delta, draft)?;
                self.alike.learn(json.as_bytes(), &delta.delta, to);
                return Ok(());
            }
            let event = serde_json::from_str(json)?;
            // What follows may be of another item.
            self.alike.forget();
            Ok(self.event(event, draft)?)
        })
    }

    fn is_over(&self) -> bool {
        self.is_over
    }

    fn settle(&mut self, draft: &mut Draft<'_>) {
        self.items.settle(draft);
    }
}

impl ResponsesReader {
    fn event(&mut self, mut event: Value, draft: &mut Draft<'_>) -> Result<(), ModelError> {
        let kind = text(&event, "type");
        match kind {
            "response.created" | "response.in_progress" | "response.queued" => {
                draft.begin();
                Ok(())
            }
            "response.output_item.added" => {
                let index = number(&event, "output_index");
                self.items.begun(index, field_of(&event, "item"), draft)
            }
            "response.output_item.done" => {
                let index = number(&event, "output_index");
                self.items.done(index, take(&mut event, "item"), draft)
            }
            "response.completed"
            | "response.incomplete"
            | "response.failed"
            | "response.cancelled"
            | "response.done" => {
                let said = kind.trim_start_matches("response.").to_owned();
                self.ended(&said, take(&mut event, "response"), draft)
            }
            "error" => Err(from_body(None, &event)),
            _ if !field_of(&event, "error").is_null() && kind.is_empty() => {
                Err(from_body(None, &event))
            }
            _ if kind.ends_with(".delta") => {
                self.items.delta(&Delta::of(&event), draft).map(|_| ())
            }
            _ if kind.ends_with(".done") => {
                let channel = channel(kind);
                self.items.whole(&event, channel, draft)
            }
            _ => self.other(event, draft),
        }
    }

    /// Takes what is no event: a whole reply, or what a server says that has another idea of errors.
    fn other(&mut self, event: Value, draft: &mut Draft<'_>) -> Result<(), ModelError> {
        if !event.is_object() {
            return Err(broken("a piece of it is not JSON as documented"));
        }
        if field_of(&event, "object") == "response" || field_of(&event, "output").is_array() {
            return self.ended("", event, draft);
        }
        let is_kind = !text(&event, "type").starts_with("response.");
        let says =
            field_of(&event, "message").is_string() || field_of(&event, "detail").is_string();
        if field_of(&event, "object") == "error" || (is_kind && says) {
            return Err(from_body(None, &event));
        }
        Ok(())
    }

    /// Takes a reply at its end, which this word says how it came about.
    fn ended(
        &mut self,
        said: &str,
        mut reply: Value,
        draft: &mut Draft<'_>,
    ) -> Result<(), ModelError> {
        let status = match (text(&reply, "status"), said) {
            // An event says it as well, and where the two differ the worse is true.
            (status @ ("incomplete" | "failed" | "cancelled"), _) => status,
            (status, "" | "done") => status,
            (_, said) => said,
        };
        let status = status.to_owned();
        match status.as_str() {
            "failed" => return Err(from_body(None, &json!({"error": field_of(&reply, "error")}))),
            "cancelled" => {
                let message = "the provider broke off the reply (cancelled)";
                return Err(ModelError::new(ModelErrorKind::Server, message));
            }
            // Not a word of it yet: it was to be fetched later.
            "in_progress" | "queued" => return Ok(()),
            _ => {}
        }
        draft.begin();
        if let Value::Array(items) = take(&mut reply, "output") {
            self.items.all(items, draft)?;
        }
        if field_of(&reply, "usage").is_object() {
            draft.cost(counted(field_of(&reply, "usage")));
        }
        let is_cut = status == "incomplete";
        let reason = match text(field_of(&reply, "incomplete_details"), "reason") {
            "content_filter" if is_cut => FinishReason::ContentFilter,
            // Whatever the limit was: the end is missing.
            _ if is_cut => FinishReason::Length,
            _ if draft.has_calls() => FinishReason::ToolCalls,
            _ => FinishReason::Stop,
        };
        draft.finished(reason);
        self.is_over = true;
        Ok(())
    }
}

/// Whether an event says no more than that a reply has begun, for which it repeats the whole request. No text has
/// such a value in it, for the quotes in a text are escaped.
fn is_only_begun(data: &[u8]) -> bool {
    // At the front or at the very end, by the order of the keys.
    let end = data.trim_ascii_end();
    data.starts_with(br#"{"type":"response.created","#)
        || data.starts_with(br#"{"type":"response.in_progress","#)
        || end.ends_with(br#","type":"response.created"}"#)
        || end.ends_with(br#","type":"response.in_progress"}"#)
}

/// Takes the value out of a field.
fn take(event: &mut Value, field: &str) -> Value {
    event.get_mut(field).map(Value::take).unwrap_or_default()
}

/// What was read from a cache is part of what was read, and what was thought part of what was written.
fn counted(usage: &Value) -> Usage {
    let count = |value: &Value, field| number(value, field).unwrap_or_default();
    Usage {
        prompt_tokens: count(usage, "input_tokens"),
        completion_tokens: count(usage, "output_tokens"),
        cached_tokens: count(field_of(usage, "input_tokens_details"), "cached_tokens"),
        reasoning_tokens: count(field_of(usage, "output_tokens_details"), "reasoning_tokens"),
    }
}
