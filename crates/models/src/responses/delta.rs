//! [`Delta`]: an event that brings a piece of text, as most do.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;

/// A piece of text, and what it is a piece of.
#[derive(Deserialize)]
pub(super) struct Delta<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) delta: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) item_id: Cow<'a, str>,
    #[serde(default)]
    pub(super) output_index: Option<u64>,
    #[serde(default)]
    pub(super) summary_index: Option<u64>,
    #[serde(default)]
    pub(super) content_index: Option<u64>,
}

/// What a piece of text is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Channel {
    Text,
    Refusal,
    Thought,
    Arguments,
    /// Of a tool at the provider's, or a sound: nothing that was asked for.
    Other,
}

impl<'a> Delta<'a> {
    /// The same of an event whose types are not as documented.
    pub(super) fn of(event: &'a Value) -> Self {
        Self {
            kind: Cow::Borrowed(text(event, "type")),
            delta: words(field_of(event, "delta")),
            item_id: Cow::Borrowed(text(event, "item_id")),
            output_index: number(event, "output_index"),
            summary_index: number(event, "summary_index"),
            content_index: number(event, "content_index"),
        }
    }

    pub(super) fn channel(&self) -> Channel {
        channel(&self.kind)
    }

    /// Which part of a summary, or of plain thoughts, it is of.
    pub(super) fn part(&self) -> (bool, u64) {
        let index = self.summary_index.or(self.content_index).unwrap_or_default();
        (self.summary_index.is_some(), index)
    }
}

/// What the texts of events of this kind are.
pub(super) fn channel(kind: &str) -> Channel {
    let kind = kind.strip_prefix("response.").unwrap_or_default();
    let kind = kind.rsplit_once('.').map_or(kind, |(kind, _)| kind);
    match kind {
        "output_text" => Channel::Text,
        "refusal" => Channel::Refusal,
        // Providers and other servers have several names for it.
        "reasoning_summary_text" | "reasoning_text" | "reasoning_summary" | "reasoning" => {
            Channel::Thought
        }
        "function_call_arguments" | "custom_tool_call_input" => Channel::Arguments,
        _ => Channel::Other,
    }
}

/// What is in a field, be it nothing.
pub(super) fn field_of<'a>(value: &'a Value, field: &str) -> &'a Value {
    static NOTHING: Value = Value::Null;
    value.get(field).unwrap_or(&NOTHING)
}

/// The text in a field; an empty one where there is none.
pub(super) fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// A text; or the JSON of what should have been one; or nothing.
pub(super) fn words(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Null => Cow::Borrowed(""),
        Value::String(text) => Cow::Borrowed(text),
        other => Cow::Owned(other.to_string()),
    }
}

/// A number; or one written as text; or nothing.
pub(super) fn number(value: &Value, field: &str) -> Option<u64> {
    match value.get(field)? {
        Value::String(text) => text.trim().parse().ok(),
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
        Value::Number(number) => number.as_u64().or_else(|| {
            // 2^64 and more counts nothing that could be counted.
            let number = number.as_f64()?;
            (0.0..18_446_744_073_709_551_616.0).contains(&number).then_some(number as u64)
        }),
        _ => None,
    }
}
