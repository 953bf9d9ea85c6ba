//! [`write_assistant`]: what the model said, as the items that it was said in.

use std::borrow::Cow;

use bytes::BytesMut;
use serde_json::Value;
use toolwright_core::{AssistantMessage, Call};

use super::{
    kept::{Entry, OF_MESSAGE},
    request::id_of,
};
use crate::endpoint::{
    Fixed,
    write::{comma, echoed, field, json, raw, sendable},
};

/// Writes what the model said, which is any number of items.
pub(super) fn write_assistant(out: &mut BytesMut, message: &AssistantMessage, fixed: &Fixed<'_>) {
    // What another model thought, and what another provider encrypted, is nothing to this one.
    let kept = message.extra.as_ref().filter(|_| message.is_of(fixed.identity));
    let kept = kept.and_then(|it| it.get(OF_MESSAGE)?.as_array());
    if let Some(items) = kept.and_then(|kept| arrange(message, kept)) {
        return items.iter().for_each(|item| write_item(out, item));
    }
    if !message.content.is_empty() {
        comma(out);
        raw(out, "{\"role\":\"assistant\"");
        field(out, "content", message.content.as_str());
        raw(out, "}");
    }
    message.calls.iter().for_each(|call| write_call(out, call, None));
}

/// An item that goes back.
enum Item<'a> {
    AsItCame(&'a Value),
    Message { text: &'a str, id: Option<&'a str>, phase: Option<&'a str> },
    Call { call: &'a Call, id: Option<&'a str> },
}

/// The items in their order; none where the message is not what it was any more: then nothing goes back of
/// what was thought, for that has to stand right before what it led to.
fn arrange<'a>(message: &'a AssistantMessage, kept: &'a [Value]) -> Option<Vec<Item<'a>>> {
    let entries: Vec<_> = kept.iter().map(Entry::of).collect();
    let texts = || entries.iter().filter(|it| matches!(it, Entry::Message { .. }));
    let whole = message.content.as_str();
    // Cut as it came, where it still is what came.
    let is_cut = texts().all(|it| it.text_in(whole).is_some())
        && texts().filter_map(Entry::end).max() == Some(whole.len());
    let mut texts_left = texts().count();
    if texts_left == 0 && !whole.is_empty() {
        return None;
    }
    let mut written = vec![false; message.calls.len()];
    let mut items = Vec::with_capacity(entries.len());
    for (entry, value) in entries.iter().zip(kept) {
        match *entry {
            Entry::Nothing => {}
            Entry::Verbatim => items.push(Item::AsItCame(value)),
            Entry::Message { id, phase, .. } => {
                texts_left -= 1;
                // Else it all stands where the last one stood.
                let text = if is_cut { entry.text_in(whole) } else { Some(whole) };
                let text = text.filter(|_| is_cut || texts_left == 0);
                items.extend(text.map(|text| Item::Message { text, id, phase }));
            }
            Entry::Call { number, id } => {
                let is_written = written.get_mut(number)?;
                if std::mem::replace(is_written, true) {
                    return None;
                }
                items.push(Item::Call { call: message.calls.get(number)?, id });
            }
        }
    }
    // What nothing came of is refused.
    while matches!(items.last(), Some(Item::AsItCame(_))) {
        items.pop();
    }
    written.iter().all(|it| *it).then_some(items)
}

fn write_item(out: &mut BytesMut, item: &Item<'_>) {
    match item {
        Item::AsItCame(value) => {
            comma(out);
            json(out, value);
        }
        Item::Message { text, id, phase } => {
            comma(out);
            raw(out, "{\"type\":\"message\",\"role\":\"assistant\",\"status\":\"completed\"");
            if let Some(id) = id {
                field(out, "id", id);
            }
            if let Some(phase) = phase {
                field(out, "phase", phase);
            }
            raw(out, ",\"content\":[{\"type\":\"output_text\",\"annotations\":[]");
            field(out, "text", text);
            raw(out, "}]}");
        }
        Item::Call { call, id } => write_call(out, call, *id),
    }
}

fn write_call(out: &mut BytesMut, call: &Call, id: Option<&str>) {
    comma(out);
    raw(out, "{\"type\":\"function_call\"");
    if let Some(id) = id {
        field(out, "id", id);
    }
    field(out, "call_id", &*id_of(call.id.as_str()));
    field(out, "name", &*sendable(&call.name));
    let arguments: Cow<'_, str> = echoed(&call.arguments);
    field(out, "arguments", &*arguments);
    raw(out, "}");
}
