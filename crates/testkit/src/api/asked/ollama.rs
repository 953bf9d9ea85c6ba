//! [`read`]: a request of Ollama's own API.

use serde_json::Value;

use super::{Asked, AskedFile, AskedPart, AskedRole, list, text};

pub(super) fn read(body: &Value) -> Asked {
    let mut asked = Asked::default();
    for message in list(body, "messages") {
        let words = text(message, "content").to_owned();
        let files = list(message, "images").iter().filter_map(Value::as_str).map(file);
        match text(message, "role") {
            "system" => asked.instruct(&words),
            "tool" => {
                let part = AskedPart::Result {
                    id: text(message, "tool_call_id").to_owned(),
                    name: text(message, "tool_name").to_owned(),
                    text: words,
                    files: files.collect(),
                    error: None,
                };
                asked.say(AskedRole::User, part);
            }
            "assistant" => assistant(message, words, &mut asked),
            _ => {
                if !words.is_empty() {
                    asked.say(AskedRole::User, AskedPart::Text(words));
                }
                for file in files {
                    asked.say(AskedRole::User, AskedPart::File(file));
                }
            }
        }
    }
    let name = |tool: &Value| tool.get("function").map(|it| text(it, "name").to_owned());
    asked.tools = list(body, "tools").iter().filter_map(name).collect();
    asked.max_tokens = body.pointer("/options/num_predict").and_then(Value::as_u64);
    asked.schema = body.get("format").filter(|it| it.is_object()).cloned();
    asked.thinking = body.get("think").cloned();
    asked
}

fn assistant(message: &Value, words: String, asked: &mut Asked) {
    let thinking = text(message, "thinking").to_owned();
    if !thinking.is_empty() {
        asked.say(AskedRole::Assistant, AskedPart::Reasoning { text: thinking, seal: None });
    }
    if !words.is_empty() {
        asked.say(AskedRole::Assistant, AskedPart::Text(words));
    }
    for call in list(message, "tool_calls") {
        let function = call.get("function").unwrap_or(&Value::Null);
        let part = AskedPart::Call {
            id: text(call, "id").to_owned(),
            name: text(function, "name").to_owned(),
            arguments: function.get("arguments").cloned().unwrap_or_default(),
        };
        asked.say(AskedRole::Assistant, part);
    }
}

/// Ollama is not told what a picture is; its first bytes say so.
fn file(base64: &str) -> AskedFile {
    let kinds = [
        ("iVBORw0KGgo", "image/png"),
        ("/9j/", "image/jpeg"),
        ("R0lGOD", "image/gif"),
        ("UklGR", "image/webp"),
    ];
    let kind = kinds.iter().find(|(start, _)| base64.starts_with(start));
    AskedFile::base64(kind.map_or("", |(_, media_type)| media_type), base64)
}
