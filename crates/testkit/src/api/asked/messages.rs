//! [`read`]: a request of the Messages API.

use serde_json::Value;

use super::{Asked, AskedChoice, AskedFile, AskedPart, AskedRole, choice, list, text};

pub(super) fn read(body: &Value) -> Asked {
    let mut asked = Asked::default();
    asked.instruct(text(body, "system"));
    for block in list(body, "system") {
        asked.instruct(text(block, "text"));
    }
    for message in list(body, "messages") {
        let role = match text(message, "role") {
            "assistant" => AskedRole::Assistant,
            _ => AskedRole::User,
        };
        let whole = text(message, "content");
        if !whole.is_empty() {
            asked.say(role, AskedPart::Text(whole.to_owned()));
        }
        for block in list(message, "content") {
            asked.say(role, read_block(block));
        }
    }
    asked.tools = list(body, "tools").iter().map(|it| text(it, "name").to_owned()).collect();
    asked.choice = body.get("tool_choice").map(|value| match text(value, "type") {
        "tool" => AskedChoice::Tool(text(value, "name").to_owned()),
        word => choice(word),
    });
    asked.max_tokens = body.get("max_tokens").and_then(Value::as_u64);
    asked.schema = body.pointer("/output_config/format/schema").cloned();
    let effort = body.pointer("/output_config/effort");
    asked.thinking = body.get("thinking").or(effort).cloned();
    asked
}

fn read_block(block: &Value) -> AskedPart {
    let seal = |key: &str| block.get(key).and_then(Value::as_str).map(str::to_owned);
    match text(block, "type") {
        "thinking" => {
            let text = text(block, "thinking").to_owned();
            AskedPart::Reasoning { text, seal: seal("signature") }
        }
        "redacted_thinking" => AskedPart::Reasoning { text: String::new(), seal: seal("data") },
        "tool_use" => AskedPart::Call {
            id: text(block, "id").to_owned(),
            name: text(block, "name").to_owned(),
            arguments: block.get("input").cloned().unwrap_or_default(),
        },
        "tool_result" => result(block),
        "image" | "document" => AskedPart::File(file(block)),
        _ => AskedPart::Text(text(block, "text").to_owned()),
    }
}

fn file(block: &Value) -> AskedFile {
    let source = block.get("source").unwrap_or(&Value::Null);
    match text(source, "type") {
        "url" => AskedFile::at(text(source, "url")),
        _ => AskedFile::base64(text(source, "media_type"), text(source, "data")),
    }
}

fn result(block: &Value) -> AskedPart {
    let mut words = text(block, "content").to_owned();
    let mut files = Vec::new();
    for part in list(block, "content") {
        match read_block(part) {
            AskedPart::File(file) => files.push(file),
            AskedPart::Text(text) => words.push_str(&text),
            _ => {}
        }
    }
    AskedPart::Result {
        id: text(block, "tool_use_id").to_owned(),
        name: String::new(),
        text: words,
        files,
        error: Some(block.get("is_error") == Some(&Value::Bool(true))),
    }
}
