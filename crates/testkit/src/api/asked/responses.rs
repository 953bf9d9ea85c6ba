//! [`read`]: a request of the Responses API.

use serde_json::Value;

use super::{Asked, AskedChoice, AskedFile, AskedPart, AskedRole, arguments, choice, list, text};

pub(super) fn read(body: &Value) -> Asked {
    let mut asked = Asked::default();
    asked.instruct(text(body, "instructions"));
    let whole = text(body, "input");
    if !whole.is_empty() {
        asked.say(AskedRole::User, AskedPart::Text(whole.to_owned()));
    }
    for item in list(body, "input") {
        read_item(item, &mut asked);
    }
    asked.tools = list(body, "tools").iter().map(|it| text(it, "name").to_owned()).collect();
    asked.choice = body.get("tool_choice").map(chosen);
    asked.max_tokens = body.get("max_output_tokens").and_then(Value::as_u64);
    asked.schema = body.pointer("/text/format/schema").cloned();
    asked.thinking = body.get("reasoning").cloned();
    asked
}

fn read_item(item: &Value, asked: &mut Asked) {
    match text(item, "type") {
        "function_call" => {
            let part = AskedPart::Call {
                id: text(item, "call_id").to_owned(),
                name: text(item, "name").to_owned(),
                arguments: arguments(item, "arguments"),
            };
            asked.say(AskedRole::Assistant, part);
        }
        "function_call_output" => asked.say(AskedRole::User, result(item)),
        "reasoning" => {
            let text = list(item, "summary").iter().map(|it| text(it, "text")).collect();
            let seal = item.get("encrypted_content").and_then(Value::as_str).map(str::to_owned);
            asked.say(AskedRole::Assistant, AskedPart::Reasoning { text, seal });
        }
        _ => message(item, asked),
    }
}

fn message(item: &Value, asked: &mut Asked) {
    let role = match text(item, "role") {
        "system" | "developer" => {
            let parts = list(item, "content").iter().map(|part| text(part, "text"));
            let words: String = [text(item, "content")].into_iter().chain(parts).collect();
            return asked.instruct(&words);
        }
        "assistant" => AskedRole::Assistant,
        _ => AskedRole::User,
    };
    let whole = text(item, "content");
    if !whole.is_empty() {
        asked.say(role, AskedPart::Text(whole.to_owned()));
    }
    for part in list(item, "content") {
        asked.say(role, content(part));
    }
}

fn content(part: &Value) -> AskedPart {
    let file = |key: &str| AskedPart::File(AskedFile::at(text(part, key)));
    match text(part, "type") {
        "input_image" => file("image_url"),
        "input_file" if part.get("file_url").is_some() => file("file_url"),
        "input_file" => file("file_data"),
        "refusal" => AskedPart::Text(text(part, "refusal").to_owned()),
        _ => AskedPart::Text(text(part, "text").to_owned()),
    }
}

fn result(item: &Value) -> AskedPart {
    let mut words = text(item, "output").to_owned();
    let mut files = Vec::new();
    for part in list(item, "output") {
        match content(part) {
            AskedPart::File(file) => files.push(file),
            AskedPart::Text(text) => words.push_str(&text),
            _ => {}
        }
    }
    let id = text(item, "call_id").to_owned();
    AskedPart::Result { id, name: String::new(), text: words, files, error: None }
}

fn chosen(value: &Value) -> AskedChoice {
    match (value, text(value, "type")) {
        (Value::String(word), _) => choice(word),
        (_, "function") => AskedChoice::Tool(text(value, "name").to_owned()),
        (other, _) => AskedChoice::Other(other.to_string()),
    }
}
