//! Requests in the form of Ollama's own API.

use std::sync::Arc;

use bytes::BytesMut;
use toolwright_core::{AssistantMessage, Attachment, Call, Message, ModelRequest, ToolMessage};

use super::{OllamaChat, options, tools};
use crate::endpoint::{
    Fixed, Protocol,
    write::{base64, comma, echoed, field, json, raw, sendable},
};

pub(super) fn begin(out: &mut BytesMut, request: &ModelRequest<'_>, fixed: &Fixed<'_>) {
    raw(out, "{\"model\":");
    json(out, fixed.model);
    // It streams unless it is told not to.
    field(out, "stream", &request.stream);
    options::write(out, &fixed.options_of(request), fixed);
    raw(out, ",\"messages\":[");
}

/// Writes the messages from this one on.
pub(super) fn messages(
    out: &mut BytesMut,
    messages: &[Arc<Message>],
    from: usize,
    fixed: &Fixed<'_>,
) {
    for (number, message) in messages.iter().enumerate().skip(from) {
        comma(out);
        write_message(out, message, fixed);
        // What templates make of a picture in a result differs: it stands in a message behind the last.
        if ends_results(messages, number) {
            write_of_results(out, messages, number);
        }
    }
}

/// Writes what is behind the messages. The tools are there as well: with no word for which of them to call,
/// those that are offered change from round to round.
pub(super) fn finish(out: &mut BytesMut, request: &ModelRequest<'_>) {
    raw(out, "]");
    match request.output {
        // The form holds from the first token on: with tools beside it, none could be called.
        Some(output) => field(out, "format", &output.sent()),
        None => tools::write(out, request),
    }
    raw(out, "}");
}

fn write_message(out: &mut BytesMut, message: &Message, fixed: &Fixed<'_>) {
    raw(out, "{\"role\":\"");
    raw(out, message.role());
    raw(out, "\"");
    // Always a text: null and lists of parts are refused.
    field(out, "content", message.content());
    match message {
        Message::System(_) => {}
        Message::User(user) => write_images(out, user.attachments.iter()),
        Message::Assistant(assistant) => write_assistant(out, assistant, fixed),
        Message::Tool(ToolMessage { call, name, .. }) => {
            // Results are told apart by the tool's name, where the server is older than ids.
            if !name.is_empty() {
                field(out, "tool_name", &*sendable(name));
            }
            field(out, "tool_call_id", call.as_str());
        }
    }
    raw(out, "}");
}

fn write_assistant(out: &mut BytesMut, message: &AssistantMessage, fixed: &Fixed<'_>) {
    // What another model thought is nothing to this one.
    if message.is_of(fixed.identity) && !message.reasoning.is_empty() {
        field(out, "thinking", message.reasoning.as_str());
    }
    if message.calls.is_empty() {
        return;
    }
    raw(out, ",\"tool_calls\":[");
    for call in &message.calls {
        comma(out);
        write_call(out, call);
    }
    raw(out, "]");
}

fn write_call(out: &mut BytesMut, call: &Call) {
    raw(out, "{\"id\":");
    json(out, call.id.as_str());
    raw(out, ",\"function\":{\"name\":");
    json(out, &*sendable(&call.name));
    // An object: as a text they are refused.
    raw(out, ",\"arguments\":");
    raw(out, &echoed(&call.arguments));
    raw(out, "}}");
}

/// Writes pictures: bare base64, and nothing of what they are.
fn write_images<'a>(out: &mut BytesMut, attachments: impl Iterator<Item = &'a Attachment>) {
    let mut images = attachments.filter(|it| OllamaChat.carries(it)).peekable();
    if images.peek().is_none() {
        return;
    }
    raw(out, ",\"images\":[");
    for image in images {
        comma(out);
        // Base64 needs no escaping.
        raw(out, "\"");
        raw(out, &base64(image));
        raw(out, "\"");
    }
    raw(out, "]");
}

/// Whether this is the last of some results to one reply.
fn ends_results(messages: &[Arc<Message>], number: usize) -> bool {
    let is_result = |at: usize| messages.get(at).is_some_and(|it| it.role() == "tool");
    is_result(number) && !is_result(number + 1)
}

/// Writes what is attached to the results that end here, as a message of its own.
fn write_of_results(out: &mut BytesMut, messages: &[Arc<Message>], last: usize) {
    let results = messages.get(..=last).unwrap_or_default().iter().rev();
    let mut results: Vec<_> = results.take_while(|it| it.role() == "tool").collect();
    results.reverse();
    let attached = || results.iter().flat_map(|it| it.attachments());
    // In the order of the pictures: nothing else says which is which.
    let named: Vec<_> = attached()
        .filter(|it| OllamaChat.carries(it))
        .map(|it| format!("This is what a tool returned: {}", it.describe()))
        .collect();
    if named.is_empty() {
        return;
    }
    raw(out, ",{\"role\":\"user\"");
    field(out, "content", &named.join("\n"));
    write_images(out, attached());
    raw(out, "}");
}
