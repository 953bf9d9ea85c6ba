//! [`Entry`]: what is kept of a reply, so that its items go back as they came and in their order.
//!
//! What the model thought is kept as it is. Of texts and calls only their places are: the words themselves
//! are the message's, and it is those that count.

use std::ops::Range;

use serde_json::{Map, Value, json};

/// What is kept of a reply, and goes back with it.
pub(super) const OF_MESSAGE: &str = "output_items";

/// An item of a reply that was kept.
#[derive(Clone, Copy)]
pub(super) enum Entry<'a> {
    /// It goes back as it is.
    Verbatim,
    /// A text, and where it stands among all of them.
    Message { id: Option<&'a str>, phase: Option<&'a str>, from: usize, to: usize },
    /// A call, by its number.
    Call { number: usize, id: Option<&'a str> },
    /// Nothing that was kept here.
    Nothing,
}

/// What goes back as it came. Nothing else does: it may stand for a role or a tool that we write ourselves.
const VERBATIM: [&str; 2] = ["reasoning", "compaction"];

impl<'a> Entry<'a> {
    pub(super) fn of(kept: &'a Value) -> Self {
        let text = |name: &str| kept.get(name).and_then(Value::as_str);
        let number = |name: &str| {
            let number = kept.get(name).and_then(Value::as_u64);
            // What is kept may have been written by anybody: a number too large names nothing.
            number.and_then(|it| usize::try_from(it).ok()).unwrap_or(usize::MAX)
        };
        let id = text("id");
        match text("type") {
            Some("message") => {
                Self::Message { id, phase: text("phase"), from: number("from"), to: number("to") }
            }
            Some("function_call") => Self::Call { number: number("call"), id },
            Some(kind) if VERBATIM.contains(&kind) && kept.get("role").is_none() => Self::Verbatim,
            _ => Self::Nothing,
        }
    }

    /// Its text in all of it.
    pub(super) fn text_in(self, whole: &str) -> Option<&str> {
        match self {
            Self::Message { from, to, .. } => whole.get(from..to),
            _ => None,
        }
    }

    /// Where its text ends.
    pub(super) fn end(&self) -> Option<usize> {
        match self {
            Self::Message { to, .. } => Some(*to),
            _ => None,
        }
    }
}

/// What is kept of a text.
pub(super) fn message(id: &str, phase: Option<&str>, span: &Range<usize>) -> Value {
    let mut kept = json!({"type": "message", "from": span.start, "to": span.end});
    name(&mut kept, "id", Some(id));
    name(&mut kept, "phase", phase);
    kept
}

/// What is kept of a call.
pub(super) fn call(id: &str, number: usize) -> Value {
    let mut kept = json!({"type": "function_call", "call": number});
    name(&mut kept, "id", Some(id));
    kept
}

fn name(kept: &mut Value, field: &str, value: Option<&str>) {
    if let (Value::Object(kept), Some(value)) = (kept, value.filter(|it| !it.is_empty())) {
        kept.insert(field.to_owned(), value.into());
    }
}

/// What is kept of thoughts: all of them, but for the fields with nothing in them, which are refused on their
/// way back. None of those that nobody could read again: they are neither encrypted nor plain.
pub(super) fn verbatim(mut item: Map<String, Value>) -> Option<Value> {
    let kind = item.get("type").and_then(Value::as_str);
    kind.filter(|it| VERBATIM.contains(it) && !item.contains_key("role"))?;
    let has = |item: &Map<String, Value>, field: &str| match item.get(field) {
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Array(list)) => !list.is_empty(),
        _ => false,
    };
    let is_reasoning = item.get("type").is_some_and(|it| it == "reasoning");
    if is_reasoning && !has(&item, "encrypted_content") && !has(&item, "content") {
        return None;
    }
    item.retain(|_, value| !value.is_null());
    Some(Value::Object(item))
}
