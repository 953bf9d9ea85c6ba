//! Requests in the form of Gemini.

use std::sync::Arc;

use bytes::BytesMut;
use serde_json::Value;
use toolwright_core::{AssistantMessage, Message, ModelRequest, ToolDefinitions, ToolMessage};

use super::{
    family::Family,
    options::{Settings, write_choice},
    parts::{self, SIGNATURE, sendable_name, write_call, write_parts, write_signed, write_text},
    schema::accepted,
};
use crate::endpoint::{
    Fixed,
    write::{comma, field, json, raw},
};

/// What is kept of a reply: the signatures of its texts, each with the place of its text.
pub(super) const OF_MESSAGE: &str = "thoughtSignatures";

pub(super) fn begin(out: &mut BytesMut, request: &ModelRequest<'_>, fixed: &Fixed<'_>) {
    let settings = Settings::new(&fixed.options_of(request), fixed);
    settings.warn(fixed.model);
    raw(out, "{");
    settings.write_fields(out);
    write_system(out, request.conversation.messages());
    write_tools(out, request.tools);
    key(out, "contents");
    raw(out, "[");
}

/// Writes the messages from this one on.
pub(super) fn messages(
    out: &mut BytesMut,
    messages: &[Arc<Message>],
    from: usize,
    fixed: &Fixed<'_>,
) {
    let family = Family::of(fixed.model);
    let begun = if from == 0 { leading(messages) } else { from };
    for (number, message) in messages.iter().enumerate().skip(begun) {
        match &**message {
            // One that comes later is said in the place where it stands.
            Message::System(text) => {
                open(out, "user");
                write_text(out, text);
                close(out);
            }
            Message::User(user) => {
                open(out, "user");
                if user.content.is_empty() && user.attachments.is_empty() {
                    write_text(out, "");
                }
                write_parts(out, message.parts());
                close(out);
            }
            Message::Assistant(assistant) => write_assistant(out, assistant, fixed),
            Message::Tool(result) => {
                // All results of a reply stand in one content.
                if number == begun || !is_result(messages, number - 1) {
                    open(out, "user");
                }
                parts::write_result(out, result, name_of(result, messages, number), family);
                if !is_result(messages, number + 1) {
                    write_beside(out, messages, begun, number, family);
                    close(out);
                }
            }
        }
    }
}

pub(super) fn finish(out: &mut BytesMut, request: &ModelRequest<'_>, fixed: &Fixed<'_>) {
    raw(out, "]");
    if !request.tools.is_empty() {
        write_choice(out, &request.choice);
    }
    let settings = Settings::new(&fixed.options_of(request), fixed);
    settings.write_config(out, request, fixed.model);
    raw(out, "}");
}

/// Writes the name of a field, with a comma in front where something is there.
pub(super) fn key(out: &mut BytesMut, name: &str) {
    comma(out);
    json(out, name);
    raw(out, ":");
}

fn open(out: &mut BytesMut, role: &str) {
    comma(out);
    raw(out, "{\"role\":\"");
    raw(out, role);
    raw(out, "\",\"parts\":[");
}

fn close(out: &mut BytesMut) {
    raw(out, "]}");
}

/// How many instructions stand in front of the conversation.
fn leading(messages: &[Arc<Message>]) -> usize {
    messages.iter().take_while(|it| matches!(***it, Message::System(_))).count()
}

fn write_system(out: &mut BytesMut, messages: &[Arc<Message>]) {
    let systems = messages.get(..leading(messages)).unwrap_or_default();
    let mut systems = systems.iter().filter(|it| !it.content().is_empty()).peekable();
    if systems.peek().is_none() {
        return;
    }
    key(out, "systemInstruction");
    raw(out, "{\"parts\":[");
    systems.for_each(|it| write_text(out, it.content()));
    raw(out, "]}");
}

fn write_tools(out: &mut BytesMut, tools: &ToolDefinitions) {
    if tools.is_empty() {
        return;
    }
    key(out, "tools");
    raw(out, "[{\"functionDeclarations\":[");
    for spec in tools.specs() {
        comma(out);
        raw(out, "{\"name\":");
        json(out, &*sendable_name(&spec.name));
        field(out, "description", &spec.description);
        // One that takes nothing must not say so.
        let properties = spec.parameters.get("properties").and_then(Value::as_object);
        if properties.is_some_and(|it| !it.is_empty()) {
            field(out, "parametersJsonSchema", &accepted(&spec.parameters));
        }
        raw(out, "}");
    }
    raw(out, "]}]");
}

fn write_assistant(out: &mut BytesMut, message: &AssistantMessage, fixed: &Fixed<'_>) {
    let family = Family::of(fixed.model);
    // What another model thought, and what another provider signed, is nothing to this one.
    let is_own = message.is_of(fixed.identity);
    let signed = if is_own { signed(message) } else { Vec::new() };
    // A content without parts is refused.
    if message.content.is_empty() && message.calls.is_empty() && signed.is_empty() {
        return;
    }
    if out.ends_with(b"[") {
        // The user has to begin.
        open(out, "user");
        write_text(out, "(The conversation goes on from here.)");
        close(out);
    }
    open(out, "model");
    write_texts(out, message, &signed);
    for (number, call) in message.calls.iter().enumerate() {
        let kept = call.extra.as_ref().filter(|_| is_own).and_then(|it| it.get(SIGNATURE));
        write_call(out, call, kept.and_then(Value::as_str), number == 0, family);
    }
    for it in signed.iter().filter(|it| it.place == Place::Behind) {
        write_signed(out, "", false, it.signature);
    }
    close(out);
}

/// Writes the texts of a reply, cut as they came where one was signed: it goes back with its own.
fn write_texts(out: &mut BytesMut, message: &AssistantMessage, signed: &[Signed<'_>]) {
    for it in signed.iter().filter(|it| it.place == Place::Thought) {
        let thought = message.reasoning.get(it.from..it.to).unwrap_or_default();
        write_signed(out, thought, true, it.signature);
    }
    let mut at = 0;
    for it in signed.iter().filter(|it| it.place == Place::Text) {
        let before = message.content.get(at..it.from);
        let (Some(before), Some(text)) = (before, message.content.get(it.from..it.to)) else {
            // Not the text that came.
            write_signed(out, "", false, it.signature);
            continue;
        };
        if !before.is_empty() {
            write_text(out, before);
        }
        write_signed(out, text, false, it.signature);
        at = it.to;
    }
    if let Some(rest) = message.content.get(at..).filter(|it| !it.is_empty()) {
        write_text(out, rest);
    }
}

/// What a signature belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A piece of the text.
    Text,
    /// A piece of the reasoning.
    Thought,
    /// An empty text behind the calls.
    Behind,
}

impl Place {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Thought => "thought",
            Self::Behind => "behind",
        }
    }
}

/// A signature, and the piece that came with it.
struct Signed<'a> {
    place: Place,
    from: usize,
    to: usize,
    signature: &'a str,
}

/// The signatures that were kept of a message.
fn signed(message: &AssistantMessage) -> Vec<Signed<'_>> {
    let kept = message.extra.as_ref().and_then(|it| it.get(OF_MESSAGE)).and_then(Value::as_array);
    let read = |it: &'_ Value| {
        let place = it.get("place")?.as_str()?;
        let places = [Place::Text, Place::Thought, Place::Behind];
        let number = |name: &str| usize::try_from(it.get(name)?.as_u64()?).ok();
        Some((places.into_iter().find(|it| it.name() == place)?, number("from")?, number("to")?))
    };
    let kept = kept.into_iter().flatten();
    kept.filter_map(|it| {
        let (place, from, to) = read(it)?;
        Some(Signed { place, from, to, signature: it.get("signature")?.as_str()? })
    })
    .collect()
}

fn is_result(messages: &[Arc<Message>], number: usize) -> bool {
    messages.get(number).is_some_and(|it| matches!(**it, Message::Tool(_)))
}

/// The tool of a result, which has to be named: by its call where it does not say so itself.
fn name_of<'a>(result: &'a ToolMessage, messages: &'a [Arc<Message>], number: usize) -> &'a str {
    if !result.name.is_empty() {
        return &result.name;
    }
    let before = messages.get(..number).unwrap_or_default().iter().rev();
    let mut calls = before.flat_map(|it| it.calls());
    calls.find(|call| call.id == result.call).map_or("", |call| &call.name)
}

/// Writes what is attached to the results that end here and cannot stand in them.
fn write_beside(
    out: &mut BytesMut,
    messages: &[Arc<Message>],
    from: usize,
    last: usize,
    family: Family<'_>,
) {
    let results = messages.get(from..=last).unwrap_or_default();
    let count = results.iter().rev().take_while(|it| matches!(***it, Message::Tool(_))).count();
    let results = results.get(results.len() - count..).unwrap_or_default();
    results.iter().for_each(|it| parts::write_beside(out, it.attachments(), family));
}
