//! [`check`]: the rules of `messages`: roles, contents, and every call answered exactly once.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::{Findings, tools::well_named};

/// Adds what is wrong with a nonempty `messages` array.
pub(super) fn check(messages: &[Value], found: &mut Findings) {
    let mut calls = Calls::default();
    for (index, message) in messages.iter().enumerate() {
        let place = format!("messages[{index}]");
        match message {
            Value::Object(message) => one(&place, message, &mut calls, found),
            _ => found.add(&place, "must be an object"),
        }
    }
    calls.close("messages", "the end", found);
    if role(messages.last()) == Some("assistant") {
        found.add("messages", "must not end with an assistant message");
    }
}

fn role(message: Option<&Value>) -> Option<&str> {
    message?.get("role")?.as_str()
}

fn one(place: &str, message: &Map<String, Value>, calls: &mut Calls, found: &mut Findings) {
    let role = message.get("role").and_then(Value::as_str);
    if role != Some("tool") {
        calls.close(place, "this message", found);
    }
    if role != Some("assistant") && message.contains_key("tool_calls") {
        found.add(place, "has tool_calls and is not an assistant message");
    }
    match role {
        Some("assistant") => assistant(place, message, calls, found),
        Some("tool") => {
            content(place, message, &["text"], found);
            calls.answer(place, message, found);
        }
        Some("system" | "developer") => content(place, message, &["text"], found),
        Some("user") => {
            content(place, message, &["text", "image_url", "input_audio", "file"], found);
        }
        _ => found.add(
            &format!("{place}.role"),
            "must be one of system, developer, user, assistant, tool",
        ),
    }
}

fn assistant(place: &str, message: &Map<String, Value>, calls: &mut Calls, found: &mut Findings) {
    let called = message.get("tool_calls");
    match called {
        None => {}
        Some(Value::Array(list)) if !list.is_empty() => {
            for (index, call) in list.iter().enumerate() {
                calls.open(&format!("{place}.tool_calls[{index}]"), call, found);
            }
        }
        Some(_) => found.add(&format!("{place}.tool_calls"), "must be a nonempty array"),
    }
    let refused = message.get("refusal").and_then(Value::as_str).is_some_and(|why| !why.is_empty());
    match message.get("content") {
        None | Some(Value::Null) if called.is_some() || refused => {}
        // An empty text says as little as none at all, and some servers refuse it outright.
        Some(Value::String(text)) if text.is_empty() && called.is_none() && !refused => {
            found.add(place, "has neither content nor tool_calls");
        }
        None | Some(Value::Null) => found.add(place, "has neither content nor tool_calls"),
        Some(_) => content(place, message, &["text", "refusal"], found),
    }
}

/// A string, or a nonempty array of parts of the `allowed` types.
fn content(place: &str, message: &Map<String, Value>, allowed: &[&str], found: &mut Findings) {
    let place = format!("{place}.content");
    match message.get("content") {
        Some(Value::String(_)) => {}
        Some(Value::Array(parts)) if !parts.is_empty() => {
            for (index, part) in parts.iter().enumerate() {
                content_part(&format!("{place}[{index}]"), part, allowed, found);
            }
        }
        _ => found.add(&place, "must be a string or a nonempty array of parts"),
    }
}

fn content_part(place: &str, part: &Value, allowed: &[&str], found: &mut Findings) {
    let Some(kind) = part.get("type").and_then(Value::as_str) else {
        return found.add(place, "must be an object with a type");
    };
    if !allowed.contains(&kind) {
        return found.add(place, format_args!("has the type {kind:?}, not one of {allowed:?}"));
    }
    // Every part keeps its payload under the name of its type; text and refusal are strings.
    let wrong = match part.get(kind) {
        Some(payload) if matches!(kind, "text" | "refusal") => !payload.is_string(),
        Some(payload) => !payload.is_object(),
        None => true,
    };
    if wrong {
        found.add(place, format_args!("has no proper {kind:?}"));
    }
}

/// The calls of the conversation: which were ever made, and which still wait for a result.
#[derive(Default)]
struct Calls {
    made: HashSet<String>,
    waiting: Vec<String>,
}

impl Calls {
    fn open(&mut self, place: &str, call: &Value, found: &mut Findings) {
        match call.get("id").and_then(Value::as_str) {
            Some(id) if !id.is_empty() => {
                if !self.made.insert(id.to_owned()) {
                    found.add(place, format_args!("reuses the id {id:?}"));
                }
                self.waiting.push(id.to_owned());
            }
            _ => found.add(place, "must have a nonempty string as id"),
        }
        if call.get("type").and_then(Value::as_str) != Some("function") {
            found.add(place, "must have the type \"function\"");
        }
        let function = call.get("function").unwrap_or(&Value::Null);
        match function.get("name").and_then(Value::as_str) {
            Some(name) if well_named(name) => {}
            Some(name) => {
                found.add(place, format_args!("the name {name:?} is not [a-zA-Z0-9_-]{{1,64}}"));
            }
            None => found.add(place, "must have a string as function.name"),
        }
        let Some(arguments) = function.get("arguments").and_then(Value::as_str) else {
            return found.add(place, "must have a string as function.arguments");
        };
        // A server's template parses these to render the conversation, and fails on anything else.
        if serde_json::from_str::<Map<String, Value>>(arguments).is_err() {
            found.add(place, format_args!("has arguments that are no JSON object: {arguments:?}"));
        }
    }

    fn answer(&mut self, place: &str, message: &Map<String, Value>, found: &mut Findings) {
        let Some(id) = message.get("tool_call_id").and_then(Value::as_str) else {
            return found.add(place, "must have a string as tool_call_id");
        };
        match self.waiting.iter().position(|waiting| waiting == id) {
            Some(index) => drop(self.waiting.swap_remove(index)),
            None if self.made.contains(id) => {
                found.add(place, format_args!("answers the call {id:?} again, or too late"));
            }
            None => found.add(place, format_args!("answers the call {id:?}, which nobody made")),
        }
    }

    fn close(&mut self, place: &str, before: &str, found: &mut Findings) {
        for id in self.waiting.drain(..) {
            found.add(place, format_args!("the call {id:?} has no tool message before {before}"));
        }
    }
}
