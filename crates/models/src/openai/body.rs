//! [`Body`]: a request body that grows with the conversation.
//!
//! Tools are serialised once, each message once. What changes from round to round (the choice of
//! tools) stands behind the messages, so that the bytes in front, which are most of them, stay
//! where they are from one request to the next.

use std::{borrow::Cow, sync::Arc};

use bytes::{Bytes, BytesMut};
use serde::Serialize;
use serde_json::{Map, Value};
use toolwright_core::{
    AssistantMessage, Call, Message, ModelOptions, ModelRequest, ToolChoice, ToolDefinitions,
    ToolMessage,
};

use super::{
    options::{parallel, write_options, write_output},
    parts,
    quirks::{EmptyContent, Quirks},
};

/// What is kept of a reply, and goes back with it.
pub(super) const OF_MESSAGE: &str = "reasoning_details";
/// What is kept of a call, and goes back with it.
pub(super) const OF_CALL: &str = "extra_content";

/// What was encoded for the earlier rounds of a run; kept in the run's memo.
#[derive(Default)]
pub(super) struct Body {
    /// Whose request it was, and whether for a stream.
    of: Option<(u64, bool)>,
    /// How the model was to write.
    options: Option<Arc<ModelOptions>>,
    tools: Option<ToolDefinitions>,
    /// The last request. Nobody else holds it once its response began, so it grows in place.
    bytes: Bytes,
    /// Where its messages end.
    end: usize,
    /// How many messages are in it.
    messages: usize,
    /// The last of them.
    last: Option<Arc<Message>>,
}

/// What does not change within a run.
pub(super) struct Fixed<'a> {
    pub(super) client: u64,
    pub(super) model: &'a str,
    /// Whose messages go back with what was signed.
    pub(super) identity: &'a str,
    pub(super) quirks: &'a Quirks,
    /// How the model is to write where a request does not say.
    pub(super) options: &'a ModelOptions,
}

impl Body {
    /// The body of this request.
    pub(super) fn encode(&mut self, request: &ModelRequest<'_>, fixed: &Fixed<'_>) -> Bytes {
        let messages = request.conversation.messages();
        let of = Some((fixed.client, request.stream));
        let last = self.messages.checked_sub(1).and_then(|at| messages.get(at));
        let kept = self.of == of
            && self.options.as_ref().is_some_and(|it| Arc::ptr_eq(it, request.options))
            && self.tools.as_ref().is_some_and(|tools| tools.is_same(request.tools))
            && self.last.as_ref().map(Arc::as_ptr) == last.map(Arc::as_ptr);
        let mut out = if kept {
            let old = std::mem::take(&mut self.bytes);
            let mut out = old.try_into_mut().unwrap_or_else(|shared| BytesMut::from(&shared[..]));
            out.truncate(self.end);
            out
        } else {
            self.messages = 0;
            begin(request, fixed)
        };
        let from = self.messages;
        for (number, message) in messages.iter().enumerate().skip(from) {
            if number > 0 {
                out.extend_from_slice(b",");
            }
            write_message(&mut out, message, fixed);
            // Results are text here: what is attached to them stands in a message behind the last.
            if parts::ends_results(messages, number) {
                parts::write_of_results(&mut out, messages, number);
            }
        }
        self.messages = messages.len().max(from);
        self.end = out.len();
        finish(&mut out, request, fixed);
        self.of = of;
        self.options = Some(request.options.clone());
        self.tools = Some(request.tools.clone());
        self.last = messages.last().cloned();
        self.bytes = out.freeze();
        self.bytes.clone()
    }
}

fn begin(request: &ModelRequest<'_>, fixed: &Fixed<'_>) -> BytesMut {
    let mut out = BytesMut::with_capacity(request.tools.json().len() + 4096);
    out.extend_from_slice(b"{\"model\":");
    json(&mut out, fixed.model);
    write_options(&mut out, &options_of(request, fixed), fixed.model, fixed.quirks);
    if request.stream {
        out.extend_from_slice(b",\"stream\":true,\"stream_options\":{\"include_usage\":true}");
    }
    if !request.tools.is_empty() {
        out.extend_from_slice(b",\"tools\":");
        out.extend_from_slice(request.tools.json().as_bytes());
    }
    out.extend_from_slice(b",\"messages\":[");
    out
}

/// How the model is to write, by this request and where that says nothing by the settings.
fn options_of<'a>(request: &ModelRequest<'a>, fixed: &Fixed<'a>) -> Cow<'a, ModelOptions> {
    match request.options.is_empty() {
        true => Cow::Borrowed(fixed.options),
        false => Cow::Owned(fixed.options.with(request.options)),
    }
}

fn finish(out: &mut BytesMut, request: &ModelRequest<'_>, fixed: &Fixed<'_>) {
    out.extend_from_slice(b"]");
    if !request.tools.is_empty() {
        if let Some(parallel) = parallel(&options_of(request, fixed), fixed.quirks) {
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

/// The name as providers take it back: one that a model made up may have any letters in it.
fn sendable(name: &str) -> Cow<'_, str> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if name.len() <= 64 && name.chars().all(fits) {
        return Cow::Borrowed(name);
    }
    name.chars().take(64).map(|c| if fits(c) { c } else { '_' }).collect::<String>().into()
}

/// The arguments byte for byte. What is no JSON object makes the templates of some servers fail: of
/// an object that was encoded twice the inner one is sent, and `{}` for everything else.
fn echoed(arguments: &str) -> Cow<'_, str> {
    // What is only skipped over may be too deep, or have half surrogates in it.
    let deep = arguments.bytes().filter(|byte| matches!(byte, b'{' | b'[')).count() > 100;
    let object = arguments.trim_start().starts_with('{')
        && if deep || arguments.contains("\\u") {
            serde_json::from_str::<Value>(arguments).is_ok()
        } else {
            serde_json::from_str::<serde::de::IgnoredAny>(arguments).is_ok()
        };
    if object {
        return Cow::Borrowed(arguments);
    }
    let inner = serde_json::from_str::<String>(arguments).ok();
    let inner = inner.filter(|it| serde_json::from_str::<Map<String, Value>>(it).is_ok());
    inner.map_or(Cow::Borrowed("{}"), Cow::Owned)
}

pub(super) fn field(out: &mut BytesMut, name: &str, value: &(impl Serialize + ?Sized)) {
    out.extend_from_slice(b",");
    json(out, name);
    out.extend_from_slice(b":");
    json(out, value);
}

pub(super) fn json(out: &mut BytesMut, value: &(impl Serialize + ?Sized)) {
    // Neither strings nor values that were JSON before can fail, and memory does not report.
    let _ = serde_json::to_writer(Grow(out), value);
}

/// `BytesMut` as a writer that grows.
struct Grow<'a>(&'a mut BytesMut);

impl std::io::Write for Grow<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
