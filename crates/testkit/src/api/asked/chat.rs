//! [`read`]: a request of Chat Completions.

use serde_json::Value;

use super::{Asked, AskedChoice, AskedFile, AskedPart, AskedRole, arguments, choice, list, text};

pub(super) fn read(body: &Value) -> Asked {
    let mut asked = Asked::default();
    for message in list(body, "messages") {
        match text(message, "role") {
            "system" | "developer" => asked.instruct(&words(message)),
            "tool" => {
                let part = AskedPart::Result {
                    id: text(message, "tool_call_id").to_owned(),
                    name: text(message, "name").to_owned(),
                    text: words(message),
                    files: Vec::new(),
                    error: None,
                };
                asked.say(AskedRole::User, part);
            }
            "assistant" => assistant(message, &mut asked),
            _ => content(message, AskedRole::User, &mut asked),
        }
    }
    let name = |tool: &Value| tool.get("function").map(|it| text(it, "name").to_owned());
    asked.tools = list(body, "tools").iter().filter_map(name).collect();
    asked.choice = body.get("tool_choice").map(chosen);
    let limits = ["max_completion_tokens", "max_tokens"];
    asked.max_tokens = limits.iter().find_map(|it| body.get(it)?.as_u64());
    asked.schema = body.pointer("/response_format/json_schema/schema").cloned();
    asked.thinking = body.get("reasoning_effort").cloned();
    asked
}

fn assistant(message: &Value, asked: &mut Asked) {
    for field in ["reasoning_content", "reasoning"] {
        let text = text(message, field).to_owned();
        if !text.is_empty() {
            asked.say(AskedRole::Assistant, AskedPart::Reasoning { text, seal: None });
        }
    }
    content(message, AskedRole::Assistant, asked);
    for call in list(message, "tool_calls") {
        let function = call.get("function").unwrap_or(&Value::Null);
        let part = AskedPart::Call {
            id: text(call, "id").to_owned(),
            name: text(function, "name").to_owned(),
            arguments: arguments(function, "arguments"),
        };
        asked.say(AskedRole::Assistant, part);
    }
}

fn content(message: &Value, role: AskedRole, asked: &mut Asked) {
    let whole = text(message, "content");
    if !whole.is_empty() {
        asked.say(role, AskedPart::Text(whole.to_owned()));
    }
    for part in list(message, "content") {
        let url = part.pointer("/image_url/url").or_else(|| part.pointer("/file/file_data"));
        let part = match url.and_then(Value::as_str) {
            Some(url) => AskedPart::File(AskedFile::at(url)),
            None => AskedPart::Text(text(part, "text").to_owned()),
        };
        asked.say(role, part);
    }
}

/// Content as one text, whether it is one or parts.
fn words(message: &Value) -> String {
    let parts = list(message, "content").iter().map(|part| text(part, "text"));
    [text(message, "content")].into_iter().chain(parts).collect()
}

fn chosen(value: &Value) -> AskedChoice {
    match (value, value.pointer("/function/name").and_then(Value::as_str)) {
        (Value::String(word), _) => choice(word),
        (_, Some(name)) => AskedChoice::Tool(name.to_owned()),
        (other, None) => AskedChoice::Other(other.to_string()),
    }
}
