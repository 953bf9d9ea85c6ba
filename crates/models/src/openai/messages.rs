//! Requests in the form of Chat Completions.

use std::sync::Arc;

use bytes::BytesMut;
use serde_json::{Map, Value};
use toolwright_core::{AssistantMessage, Call, Message, ModelRequest, ToolChoice, ToolMessage};

use super::{
    options::{parallel, write_options, write_output},
    parts,
};
use crate::endpoint::{
    EmptyContent, Fixed,
    write::{comma, echoed, field, json, sendable},
};

/// What is kept of a reply, and goes back with it.
pub(super) const OF_MESSAGE: &str = "reasoning_details";
/// What is kept of a call, and goes back with it.
pub(super) const OF_CALL: &str = "extra_content";

pub(super) fn begin(out: &mut BytesMut, request: &ModelRequest<'_>, fixed: &Fixed<'_>) {
    out.extend_from_slice(b"{\"model\":");
    json(out, fixed.model);
    write_options(out, &fixed.options_of(request), fixed.model, fixed.quirks);
    if request.stream {
        out.extend_from_slice(b",\"stream\":true,\"stream_options\":{\"include_usage\":true}");
    }
    if !request.tools.is_empty() {
        out.extend_from_slice(b",\"tools\":");
        out.extend_from_slice(request.tools.json().as_bytes());
    }
    out.extend_from_slice(b",\"messages\":[");
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
        // Results are text here: what is attached to them stands in a message behind the last.
        if parts::ends_results(messages, number) {
            parts::write_of_results(out, messages, number);
        }
    }
}

pub(super) fn finish(out: &mut BytesMut, request: &ModelRequest<'_>, fixed: &Fixed<'_>) {
    out.extend_from_slice(b"]");
    if !request.tools.is_empty() {
        if let Some(parallel) = parallel(&fixed.options_of(request), fixed.quirks) {
            out.extend_from_slice(b",\"parallel_tool_calls\":");
            json(out, &parallel);
        }
        let choice = match &request.choice {
            // The default wherever there are tools: nothing to say.
            ToolChoice::Auto => None,
            ToolChoice::Required => Some(Value::from(fixed.quirks.required)),
            ToolChoice::None => Some("none".into()),
            ToolChoice::Tool(name) => {
                Some(serde_json::json!({"type": "function", "function": {"name": name}}))
            }
        };
        if let Some(choice) = choice {
            out.extend_from_slice(b",\"tool_choice\":");
            json(out, &choice);
        }
    }
    if let Some(output) = request.output {
        write_output(out, output);
    }
    out.extend_from_slice(b"}");
}

fn write_message(out: &mut BytesMut, message: &Message, fixed: &Fixed<'_>) {
    let quirks = fixed.quirks;
    out.extend_from_slice(b"{\"role\":\"");
    out.extend_from_slice(message.role().as_bytes());
    out.extend_from_slice(b"\"");
    match message {
        Message::System(content) => field(out, "content", content.as_str()),
        Message::User(user) if user.attachments.is_empty() => {
            field(out, "content", user.content.as_str());
        }
        Message::User(_) => parts::write_content(out, message.parts()),
        Message::Assistant(assistant) => write_assistant(out, assistant, fixed),
        Message::Tool(ToolMessage { call, name, outcome }) => {
            field(out, "tool_call_id", call.as_str());
            if quirks.named_results && !name.is_empty() {
                field(out, "name", &*sendable(name));
            }
            field(out, "content", outcome.text.as_str());
        }
    }
    out.extend_from_slice(b"}");
}

fn write_assistant(out: &mut BytesMut, message: &AssistantMessage, fixed: &Fixed<'_>) {
    let quirks = fixed.quirks;
    // What another model thought, and what another provider signed, is nothing to this one.
    let is_own = message.is_of(fixed.identity);
    let silent = message.content.is_empty() && !message.calls.is_empty();
    match quirks.silence {
        EmptyContent::Null if silent => field(out, "content", &()),
        _ => field(out, "content", message.content.as_str()),
    }
    if quirks.echo_reasoning {
        // Those that want it want it with every call, even where there was none.
        let thought = if is_own { message.reasoning.as_str() } else { "" };
        if !thought.is_empty() || !message.calls.is_empty() {
            field(out, "reasoning_content", thought);
        }
    }
    if is_own {
        echo(out, message.extra.as_ref(), OF_MESSAGE);
    }
    if message.calls.is_empty() {
        return;
    }
    out.extend_from_slice(b",\"tool_calls\":[");
    for (number, call) in message.calls.iter().enumerate() {
        if number > 0 {
            out.extend_from_slice(b",");
        }
        write_call(out, call, is_own);
    }
    out.extend_from_slice(b"]");
}

fn write_call(out: &mut BytesMut, call: &Call, is_own: bool) {
    out.extend_from_slice(b"{\"id\":");
    json(out, call.id.as_str());
    out.extend_from_slice(b",\"type\":\"function\",\"function\":{\"name\":");
    json(out, &*sendable(&call.name));
    out.extend_from_slice(b",\"arguments\":");
    json(out, &*echoed(&call.arguments));
    out.extend_from_slice(b"}");
    if is_own {
        echo(out, call.extra.as_ref(), OF_CALL);
    }
    out.extend_from_slice(b"}");
}

/// Writes the one field that a reply brought along and that goes back unchanged. Any other was not kept
/// by this client: it may stand for a role, a content or a call that we write ourselves.
fn echo(out: &mut BytesMut, extra: Option<&Map<String, Value>>, name: &str) {
    if let Some(value) = extra.and_then(|extra| extra.get(name)) {
        field(out, name, value);
    }
}
