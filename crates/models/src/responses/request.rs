//! Requests in the form of the Responses API.

use std::{borrow::Cow, sync::Arc};

use bytes::BytesMut;
use serde_json::{Value, json};
use toolwright_core::{Message, ModelOptions, ModelRequest, ToolChoice, ToolMessage, ToolSpec};

use super::{
    assistant::write_assistant,
    options::{parallel, reasons, text_of, write_options},
    parts::{write_attached, write_parts, write_result},
};
use crate::{
    endpoint::{
        Fixed,
        write::{comma, field, json as write, raw, sendable},
    },
    openai::is_strict,
};

/// The longest id of a call that OpenAI takes.
const LONGEST_ID: usize = 64;

pub(super) fn begin(out: &mut BytesMut, request: &ModelRequest<'_>, fixed: &Fixed<'_>) {
    raw(out, "{\"model\":");
    write(out, fixed.model);
    // Nothing is kept there, so what the model thought comes along, encrypted, and goes back.
    raw(out, ",\"store\":false");
    if reasons(fixed) {
        raw(out, ",\"include\":[\"reasoning.encrypted_content\"]");
    }
    write_options(out, &fixed.options_of(request), fixed);
    if request.stream {
        raw(out, ",\"stream\":true");
    }
    if !request.tools.is_empty() {
        raw(out, ",\"tools\":[");
        for spec in request.tools.specs() {
            comma(out);
            write_tool(out, spec);
        }
        raw(out, "]");
    }
    raw(out, ",\"input\":[");
}

/// Writes a tool. Not strict, and said so: else the provider makes of each schema what it can, and one that
/// it refuses would fail the whole request. Arguments are checked here in any case.
fn write_tool(out: &mut BytesMut, spec: &ToolSpec) {
    raw(out, "{\"type\":\"function\"");
    field(out, "name", spec.name.as_str());
    field(out, "description", spec.description.as_str());
    field(out, "parameters", &spec.parameters);
    raw(out, ",\"strict\":false}");
}

/// Writes the messages from this one on.
pub(super) fn messages(
    out: &mut BytesMut,
    messages: &[Arc<Message>],
    from: usize,
    fixed: &Fixed<'_>,
) {
    for (number, message) in messages.iter().enumerate().skip(from) {
        write_message(out, message, fixed);
        // Of what is attached to results, sounds stand in a message behind the last.
        if message.role() == "tool" && messages.get(number + 1).is_none_or(|it| it.role() != "tool")
        {
            let results = messages.get(..=number).unwrap_or_default();
            let first = results.iter().rposition(|it| it.role() != "tool").map_or(0, |at| at + 1);
            write_attached(out, results.get(first..).unwrap_or_default());
        }
    }
}

fn write_message(out: &mut BytesMut, message: &Message, fixed: &Fixed<'_>) {
    if let Message::Assistant(assistant) = message {
        return write_assistant(out, assistant, fixed);
    }
    comma(out);
    match message {
        // In its place: not every server knows `instructions`, and all know this role.
        Message::System(content) => {
            raw(out, "{\"role\":\"system\"");
            field(out, "content", content.as_str());
        }
        Message::Tool(ToolMessage { call, outcome, .. }) => {
            raw(out, "{\"type\":\"function_call_output\"");
            field(out, "call_id", &*id_of(call.as_str()));
            write_result(out, outcome);
        }
        _ => {
            raw(out, "{\"role\":\"user\"");
            if message.attachments().is_empty() {
                field(out, "content", message.content());
            } else {
                raw(out, ",\"content\":");
                write_parts(out, message.parts());
            }
        }
    }
    raw(out, "}");
}

/// The id of a call as OpenAI takes it: another provider's may be longer, or have any letters in it.
pub(super) fn id_of(id: &str) -> Cow<'_, str> {
    let fits = !id.is_empty() && id.len() <= LONGEST_ID && id.bytes().all(|b| b.is_ascii_graphic());
    if fits {
        return Cow::Borrowed(id);
    }
    // FNV-1a: the same in every process, so that a conversation that goes on elsewhere stays the same.
    let hash = id.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("call_{hash:016x}").into()
}

pub(super) fn finish(out: &mut BytesMut, request: &ModelRequest<'_>, fixed: &Fixed<'_>) {
    raw(out, "]");
    let options = fixed.options_of(request);
    if !request.tools.is_empty() {
        if let Some(parallel) = parallel(&options, fixed) {
            field(out, "parallel_tool_calls", &parallel);
        }
        match &request.choice {
            // The default wherever there are tools: nothing to say.
            ToolChoice::Auto => {}
            ToolChoice::Required => field(out, "tool_choice", fixed.quirks.required),
            ToolChoice::None => field(out, "tool_choice", "none"),
            ToolChoice::Tool(name) => {
                let choice = json!({"type": "function", "name": sendable(name)});
                field(out, "tool_choice", &choice);
            }
        }
    }
    write_text(out, request, &options);
    raw(out, "}");
}

/// Writes the form that the reply has to have, beside what a person says about texts (`verbosity`).
fn write_text(out: &mut BytesMut, request: &ModelRequest<'_>, options: &ModelOptions) {
    let mut text = text_of(options);
    if let Some(output) = request.output {
        let schema = output.sent();
        let is_strict = is_strict(&schema);
        let format = json!({
            "type": "json_schema", "name": output.name, "schema": schema, "strict": is_strict,
        });
        text.insert("format".to_owned(), format);
    }
    if !text.is_empty() {
        field(out, "text", &Value::Object(text));
    }
}
