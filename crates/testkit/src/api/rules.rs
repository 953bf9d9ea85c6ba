//! [`violations`]: what a vendor's own server would refuse in a request of its API.
//!
//! [`check`](crate::check) does this for a chat, and in more detail.

use std::collections::BTreeMap;

use serde_json::Value;

use super::asked::get;
use super::{Asked, AskedPart, AskedRole, SpokenApi};
use crate::check;
use crate::server::Recorded;

/// What is wrong with a request of this API; empty when nothing is.
pub(crate) fn violations(api: SpokenApi, request: &Recorded) -> Vec<String> {
    if api == SpokenApi::Chat {
        return check::violations(&request.raw);
    }
    if !request.body.is_object() {
        return vec!["body: is not a JSON object".to_owned()];
    }
    let mut found = Vec::new();
    if request.model().is_none_or(str::is_empty) {
        found.push("model: must be a nonempty string".to_owned());
    }
    match api {
        SpokenApi::Responses => responses(&request.body, &mut found),
        SpokenApi::Messages => messages(request, &mut found),
        SpokenApi::Gemini => gemini(request, &mut found),
        SpokenApi::Chat | SpokenApi::Ollama => ollama(&request.body, &mut found),
    }
    if let Some(asked) = api.request(request) {
        conversation(api, &asked, &mut found);
    }
    found
}

/// Whose turn it is, and that every call has its one result at once.
fn conversation(api: SpokenApi, asked: &Asked, found: &mut Vec<String>) {
    if asked.turns.is_empty() {
        found.push("the conversation is empty".to_owned());
    }
    let strict = matches!(api, SpokenApi::Messages | SpokenApi::Gemini);
    if strict && asked.turns.first().is_some_and(|turn| turn.role != AskedRole::User) {
        found.push("the conversation must begin with the user".to_owned());
    }
    // Two of the APIs may leave ids out, and then order and name say what belongs together.
    let nameless = |part: &AskedPart| match part {
        AskedPart::Call { id, .. } | AskedPart::Result { id, .. } => id.is_empty(),
        _ => false,
    };
    let by_name = asked.parts().any(nameless);
    let mut open: BTreeMap<(&str, &str), isize> = BTreeMap::new();
    for (number, turn) in asked.turns.iter().enumerate() {
        for part in &turn.parts {
            match part {
                AskedPart::Call { id, name, arguments } => {
                    let id = if by_name { "" } else { id };
                    *open.entry((id, name)).or_default() += 1;
                    if !arguments.is_object() {
                        found.push(format!("turn {number}: the arguments of {name} are no object"));
                    }
                }
                AskedPart::Result { id, name, .. } => {
                    let id = if by_name { "" } else { id };
                    *open.entry((id, name)).or_default() -= 1;
                }
                _ => {}
            }
        }
        let last = number + 1 == asked.turns.len();
        if turn.role == AskedRole::User || last {
            for ((id, name), left) in std::mem::take(&mut open) {
                match left {
                    0 => {}
                    1.. => found.push(format!("turn {number}: no result for {name} ({id:?})")),
                    _ => found.push(format!("turn {number}: a result of no call: {name} ({id:?})")),
                }
            }
        }
    }
}

fn refused(body: &Value, fields: &[&str], found: &mut Vec<String>) {
    let known = fields.iter().filter(|field| body.get(**field).is_some());
    found.extend(known.map(|field| format!("{field}: there is no such field in this API")));
}

fn responses(body: &Value, found: &mut Vec<String>) {
    let others = ["messages", "max_tokens", "stop", "seed", "n", "response_format"];
    refused(body, &others, found);
    let items = body.get("input").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    for (number, item) in items.iter().enumerate() {
        let kind = item.get("type").and_then(Value::as_str).unwrap_or("message");
        if kind == "function_call" && !item.get("arguments").is_some_and(Value::is_string) {
            found.push(format!("input[{number}].arguments: must be a string"));
        }
        let follows = items.get(number + 1).map(|next| {
            next.get("type").and_then(Value::as_str).unwrap_or("message") != "function_call_output"
                && next.get("role").is_none_or(|role| role == "assistant")
        });
        if kind == "reasoning" && follows != Some(true) {
            let what = "of type 'reasoning' was provided without its required following item";
            found.push(format!("input[{number}]: item {what}"));
        }
    }
    for (number, tool) in list(body, "tools").iter().enumerate() {
        if tool.get("function").is_some() || tool.get("name").is_none() {
            found.push(format!("tools[{number}]: a function stands flat, with its name"));
        }
    }
}

fn messages(request: &Recorded, found: &mut Vec<String>) {
    let body = &request.body;
    let version = request.header("anthropic-version");
    if version.is_none() {
        found.push("anthropic-version: header is required".to_owned());
    }
    if version == Some("2026-10-21") {
        refused(body, &["temperature", "top_p", "top_k"], found);
    }
    if body.get("max_tokens").and_then(Value::as_u64).unwrap_or_default() == 0 {
        found.push("max_tokens: Field required".to_owned());
    }
    for (number, message) in list(body, "messages").iter().enumerate() {
        let role = message.get("role").and_then(Value::as_str).unwrap_or_default();
        if !matches!(role, "user" | "assistant") {
            found.push(format!("messages.{number}.role: must be user or assistant, not {role:?}"));
        }
        let mut other = false;
        for block in list(message, "content") {
            let kind = block.get("type").and_then(Value::as_str).unwrap_or_default();
            if kind == "text" && block.get("text").is_none_or(|text| text == "") {
                found.push(format!("messages.{number}: text content blocks must be non-empty"));
            }
            if kind == "tool_result" && other {
                found.push(format!("messages.{number}: tool_result blocks must come first"));
            }
            other |= kind != "tool_result";
        }
        if message.get("content").is_none_or(|it| it == "" || it == &Value::Array(Vec::new())) {
            found.push(format!("messages.{number}: all messages must have non-empty content"));
        }
    }
    for (number, tool) in list(body, "tools").iter().enumerate() {
        if tool.pointer("/input_schema/type") != Some(&Value::from("object")) {
            found.push(format!("tools.{number}.input_schema.type: Input should be 'object'"));
        }
    }
}

fn gemini(request: &Recorded, found: &mut Vec<String>) {
    if request.streamed() && !request.path.contains("alt=sse") {
        found.push("alt: without alt=sse the reply is one array".to_owned());
    }
    refused(&request.body, &["messages", "model", "stream"], found);
    for (number, content) in list(&request.body, "contents").iter().enumerate() {
        if !matches!(content.get("role").and_then(Value::as_str), Some("user" | "model")) {
            found.push(format!("contents[{number}].role: must be user or model"));
        }
        if list(content, "parts").is_empty() {
            found.push(format!("contents[{number}].parts: must not be empty"));
        }
        for part in list(content, "parts") {
            let response = get(part, "functionResponse");
            if response.is_some_and(|it| !it.get("response").is_some_and(Value::is_object)) {
                found.push(format!("contents[{number}]: a functionResponse holds an object"));
            }
        }
    }
}

fn ollama(body: &Value, found: &mut Vec<String>) {
    refused(body, &["tool_choice", "parallel_tool_calls", "max_tokens"], found);
    for (number, message) in list(body, "messages").iter().enumerate() {
        if !message.get("content").is_none_or(Value::is_string) {
            found.push(format!("messages[{number}].content: must be a string"));
        }
        let pictures = list(message, "images").iter().filter_map(Value::as_str);
        if pictures.clone().any(|it| it.starts_with("data:") || it.starts_with("http")) {
            found.push(format!("messages[{number}].images: must be plain Base64"));
        }
    }
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}
