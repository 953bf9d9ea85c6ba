//! Messages in the form of Messages: turns of a user and of the model, each made of blocks.

use std::{borrow::Cow, sync::Arc};

use bytes::BytesMut;
use serde_json::Value;
use toolwright_core::{AssistantMessage, Call, Message, ToolMessage};

use super::{
    parts::{write_parts, write_text},
    rules::Rules,
};
use crate::endpoint::{
    Fixed,
    write::{comma, echoed, field, json, raw, sendable},
};

/// What is kept of a reply, and goes back with it: the blocks it thought in, as they came; and where these stood
/// between others, all blocks, with `length` for as much of the text and `tool_use` for the next call.
pub(super) const OF_MESSAGE: &str = "thinking_blocks";

/// What stands where somebody said nothing: the API refuses that.
const NOTHING: &str = "(nothing)";

/// How many messages in front are instructions.
pub(super) fn leading(messages: &[Arc<Message>]) -> usize {
    messages.iter().take_while(|it| matches!(***it, Message::System(_))).count()
}

/// Whether the API refuses this as a text.
pub(super) fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// Writes the messages from this one on.
pub(super) fn write(out: &mut BytesMut, messages: &[Arc<Message>], from: usize, fixed: &Fixed<'_>) {
    let is_bound = Rules::of(fixed.model).bound;
    // Where a body begins, the instructions in front stand above the messages already.
    let start = if from == 0 { leading(messages) } else { from };
    for (number, message) in messages.iter().enumerate().skip(start) {
        let is_result = |at: Option<usize>| {
            at.and_then(|at| messages.get(at)).is_some_and(|it| it.role() == "tool")
        };
        match &**message {
            // The turns that a conversation has must begin with the user's.
            Message::Assistant(_) if out.last() == Some(&b'[') => {
                write_user(out, |out| write_text(out, NOTHING));
                write_message(out, message, is_bound && number < fixed.rewritten, fixed);
            }
            Message::Tool(result) => {
                // All results of a reply are one message.
                if number == start || !is_result(number.checked_sub(1)) {
                    comma(out);
                    raw(out, r#"{"role":"user","content":["#);
                }
                write_result(out, result, message);
                if !is_result(Some(number + 1)) {
                    raw(out, "]}");
                }
            }
            message => write_message(out, message, is_bound && number < fixed.rewritten, fixed),
        }
    }
}

/// Writes a message; without its thoughts where they do not count any more.
fn write_message(out: &mut BytesMut, message: &Message, is_void: bool, fixed: &Fixed<'_>) {
    match message {
        Message::Assistant(assistant) => {
            let is_own = !is_void && assistant.is_of(fixed.identity);
            write_assistant(out, assistant, is_own);
        }
        message => write_user(out, |out| write_parts(out, message.parts())),
    }
}

fn write_user(out: &mut BytesMut, parts: impl FnOnce(&mut BytesMut)) {
    comma(out);
    raw(out, r#"{"role":"user","content":["#);
    let empty = out.len();
    parts(out);
    if out.len() == empty {
        write_text(out, NOTHING);
    }
    raw(out, "]}");
}

fn write_result(out: &mut BytesMut, result: &ToolMessage, message: &Message) {
    comma(out);
    raw(out, r#"{"type":"tool_result""#);
    field(out, "tool_use_id", &*sendable_id(result.call.as_str()));
    let outcome = &result.outcome;
    if !outcome.attachments.is_empty() {
        raw(out, r#","content":["#);
        write_parts(out, message.parts());
        raw(out, "]");
    } else if !is_blank(&outcome.text) {
        field(out, "content", outcome.text.as_str());
    }
    if !outcome.status.is_ok() {
        field(out, "is_error", &true);
    }
    raw(out, "}");
}

/// Writes what a model said, unless that is nothing at all.
fn write_assistant(out: &mut BytesMut, message: &AssistantMessage, is_own: bool) {
    // What another model thought, and what another provider signed, is nothing to this one.
    let kept = message.extra.as_ref().filter(|_| is_own).and_then(|it| it.get(OF_MESSAGE));
    let kept = kept.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    if is_blank(&message.content) && message.calls.is_empty() && kept.is_empty() {
        return;
    }
    comma(out);
    raw(out, r#"{"role":"assistant","content":["#);
    match places(kept, message) {
        Some(places) => places.into_iter().for_each(|place| match place {
            Place::Thought(block) => write_thought(out, block),
            Place::Text(text) => write_text(out, text),
            Place::Call(call) => write_call(out, call),
        }),
        None => {
            kept.iter().for_each(|block| write_thought(out, block));
            write_text(out, &message.content);
            message.calls.iter().for_each(|call| write_call(out, call));
        }
    }
    raw(out, "]}");
}

/// A block where it stood.
enum Place<'a> {
    Thought(&'a Value),
    Text(&'a str),
    Call(&'a Call),
}

/// The blocks in the order in which they came, where that was kept and is still what the message says.
fn places<'a>(kept: &'a [Value], message: &'a AssistantMessage) -> Option<Vec<Place<'a>>> {
    let (mut text, mut calls) = (message.content.as_str(), message.calls.iter());
    let mut places = Vec::with_capacity(kept.len());
    for block in kept {
        places.push(match block["type"].as_str()? {
            "text" => {
                let length = usize::try_from(block["length"].as_u64()?).ok()?;
                let (here, rest) = text.split_at_checked(length)?;
                text = rest;
                Place::Text(here)
            }
            "tool_use" => Place::Call(calls.next()?),
            _ => Place::Thought(block),
        });
    }
    (text.is_empty() && calls.next().is_none()).then_some(places)
}

/// Writes a thought back as it came. Nothing else that may be kept there is a thought.
fn write_thought(out: &mut BytesMut, block: &Value) {
    let kind = block["type"].as_str().unwrap_or_default();
    let fields: &[&str] = match kind {
        "thinking" => &["thinking", "signature"],
        "redacted_thinking" => &["data"],
        _ => return,
    };
    comma(out);
    raw(out, r#"{"type":"#);
    json(out, kind);
    for name in fields {
        field(out, name, block[*name].as_str().unwrap_or_default());
    }
    raw(out, "}");
}

fn write_call(out: &mut BytesMut, call: &Call) {
    comma(out);
    raw(out, r#"{"type":"tool_use""#);
    field(out, "id", &*sendable_id(call.id.as_str()));
    field(out, "name", &*sendable(&call.name));
    raw(out, r#","input":"#);
    raw(out, &echoed(&call.arguments));
    raw(out, "}");
}

/// The id as the API takes it back: one from elsewhere may have any letters in it. Those that are changed stay
/// different from each other.
fn sendable_id(id: &str) -> Cow<'_, str> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !id.is_empty() && id.chars().all(fits) {
        return Cow::Borrowed(id);
    }
    let mixed = id.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |mixed, byte| {
        (mixed ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let kept: String = id.chars().take(40).map(|c| if fits(c) { c } else { '_' }).collect();
    Cow::Owned(format!("{kept}_{mixed:016x}"))
}
