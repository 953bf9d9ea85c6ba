//! [`read`]: a request of Google's API, which takes camel case and snake case alike.

use serde_json::Value;

use super::{Asked, AskedChoice, AskedFile, AskedPart, AskedRole, choice, list, text};

pub(super) fn read(body: &Value) -> Asked {
    let mut asked = Asked::default();
    if let Some(system) = get(body, "systemInstruction") {
        for part in list(system, "parts") {
            asked.instruct(text(part, "text"));
        }
    }
    for content in list(body, "contents") {
        let role = match text(content, "role") {
            "model" => AskedRole::Assistant,
            _ => AskedRole::User,
        };
        for part in list(content, "parts") {
            asked.say(role, read_part(part));
            if let Some(seal) = get(part, "thoughtSignature").and_then(Value::as_str) {
                asked.say(role, AskedPart::Seal(seal.to_owned()));
            }
        }
    }
    for tool in list(body, "tools") {
        let functions = get(tool, "functionDeclarations").and_then(Value::as_array);
        let names = functions.into_iter().flatten().map(|it| text(it, "name").to_owned());
        asked.tools.extend(names);
    }
    let calling = get(body, "toolConfig").and_then(|it| get(it, "functionCallingConfig"));
    asked.choice = calling.map(chosen);
    let options = get(body, "generationConfig").unwrap_or(&Value::Null);
    asked.max_tokens = get(options, "maxOutputTokens").and_then(Value::as_u64);
    let schemas = ["responseJsonSchema", "responseSchema"];
    asked.schema = schemas.iter().find_map(|it| get(options, it)).cloned();
    asked.thinking = get(options, "thinkingConfig").cloned();
    asked
}

/// The field of this name in camel case, or of the same in snake case.
pub(in crate::api) fn get<'a>(value: &'a Value, camel: &str) -> Option<&'a Value> {
    value.get(camel).or_else(|| {
        let mut snake = String::new();
        for letter in camel.chars() {
            if letter.is_ascii_uppercase() {
                snake.push('_');
            }
            snake.push(letter.to_ascii_lowercase());
        }
        value.get(snake)
    })
}

fn read_part(part: &Value) -> AskedPart {
    if let Some(call) = get(part, "functionCall") {
        return AskedPart::Call {
            id: text(call, "id").to_owned(),
            name: text(call, "name").to_owned(),
            arguments: call.get("args").cloned().unwrap_or_default(),
        };
    }
    if let Some(response) = get(part, "functionResponse") {
        return result(response);
    }
    if let Some(file) = file(part) {
        return AskedPart::File(file);
    }
    let text = text(part, "text").to_owned();
    match part.get("thought") {
        Some(Value::Bool(true)) => AskedPart::Reasoning { text, seal: None },
        _ => AskedPart::Text(text),
    }
}

fn file(part: &Value) -> Option<AskedFile> {
    let media_type = |it: &Value| get(it, "mimeType").and_then(Value::as_str).map(str::to_owned);
    if let Some(data) = get(part, "inlineData") {
        return Some(AskedFile::base64(&media_type(data).unwrap_or_default(), text(data, "data")));
    }
    let data = get(part, "fileData")?;
    let link = get(data, "fileUri").and_then(Value::as_str).map(str::to_owned);
    Some(AskedFile { media_type: media_type(data).unwrap_or_default(), base64: 0, link })
}

fn result(response: &Value) -> AskedPart {
    let body = response.get("response").unwrap_or(&Value::Null);
    let error = body.get("error");
    let said = error.or_else(|| body.get("output")).or_else(|| body.get("result"));
    let words = match said.unwrap_or(body) {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    AskedPart::Result {
        id: text(response, "id").to_owned(),
        name: text(response, "name").to_owned(),
        text: words,
        files: list(response, "parts").iter().filter_map(file).collect(),
        error: Some(error.is_some()),
    }
}

fn chosen(calling: &Value) -> AskedChoice {
    let names = get(calling, "allowedFunctionNames").and_then(Value::as_array);
    match (text(calling, "mode"), names.map(Vec::as_slice)) {
        ("ANY", Some([Value::String(name)])) => AskedChoice::Tool(name.clone()),
        (mode, None | Some([])) => choice(mode),
        _ => AskedChoice::Other(calling.to_string()),
    }
}
