//! [`check`]: the rules of `tools`, `tool_choice` and `parallel_tool_calls`.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::Findings;

/// Adds what is wrong with the tools a request declares and with how it asks for them.
pub(super) fn check(request: &Map<String, Value>, found: &mut Findings) {
    let declared = match request.get("tools") {
        None => None,
        Some(Value::Array(tools)) if !tools.is_empty() => Some(declarations(tools, found)),
        Some(_) => {
            found.add("tools", "must be a nonempty array");
            None
        }
    };
    match (request.get("tool_choice"), &declared) {
        (None, _) => {}
        (Some(_), None) => found.add("tool_choice", "is only allowed together with tools"),
        (Some(choice), Some(names)) => tool_choice(choice, names, found),
    }
    let Some(parallel) = request.get("parallel_tool_calls") else { return };
    if !parallel.is_boolean() {
        found.add("parallel_tool_calls", "must be a boolean");
    }
    if declared.is_none() {
        found.add("parallel_tool_calls", "is only allowed together with tools");
    }
}

/// Checks every declaration and collects the names, which `tool_choice` may refer to.
fn declarations<'a>(tools: &'a [Value], found: &mut Findings) -> HashSet<&'a str> {
    let mut names = HashSet::new();
    for (index, tool) in tools.iter().enumerate() {
        let place = format!("tools[{index}]");
        if tool.get("type").and_then(Value::as_str) != Some("function") {
            found.add(&place, "must have the type \"function\"");
        }
        let Some(function) = tool.get("function").and_then(Value::as_object) else {
            found.add(&place, "must have an object as function");
            continue;
        };
        match function.get("name").and_then(Value::as_str) {
            Some(name) if !well_named(name) => {
                found.add(&place, format_args!("the name {name:?} is not [a-zA-Z0-9_-]{{1,64}}"));
            }
            Some(name) if !names.insert(name) => {
                found.add(&place, format_args!("declares the name {name:?} again"));
            }
            Some(_) => {}
            None => found.add(&place, "must have a string as function.name"),
        }
        let schema = function.get("parameters").unwrap_or(&Value::Null);
        if schema.get("type").and_then(Value::as_str) != Some("object") {
            found.add(&place, "must have a schema of type \"object\" as function.parameters");
        }
    }
    names
}

/// Whether providers take the name.
pub(super) fn well_named(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

fn tool_choice(choice: &Value, names: &HashSet<&str>, found: &mut Findings) {
    let place = "tool_choice";
    match choice {
        Value::String(word) if matches!(word.as_str(), "none" | "auto" | "required") => {}
        Value::Object(object) => match object.get("type").and_then(Value::as_str) {
            Some("function") => named(choice, names, found),
            Some("allowed_tools") => allowed_tools(object.get("allowed_tools"), names, found),
            _ => found.add(place, "must have the type \"function\" or \"allowed_tools\""),
        },
        _ => found.add(place, "must be \"none\", \"auto\", \"required\" or an object"),
    }
}

/// `{"type":"function","function":{"name":…}}`, and the name is declared.
fn named(choice: &Value, names: &HashSet<&str>, found: &mut Findings) {
    let place = "tool_choice";
    match choice.pointer("/function/name").and_then(Value::as_str) {
        None => found.add(place, "must have a string as function.name"),
        Some(name) if !names.contains(name) => {
            found.add(place, format_args!("names {name:?}, which is not in tools"));
        }
        Some(_) => {}
    }
}

fn allowed_tools(allowed: Option<&Value>, names: &HashSet<&str>, found: &mut Findings) {
    let place = "tool_choice";
    let field = |name: &str| allowed.and_then(|allowed| allowed.get(name));
    if !matches!(field("mode").and_then(Value::as_str), Some("auto" | "required")) {
        found.add(place, "must have \"auto\" or \"required\" as allowed_tools.mode");
    }
    match field("tools").and_then(Value::as_array) {
        Some(tools) if !tools.is_empty() => {
            tools.iter().for_each(|tool| named(tool, names, found));
        }
        _ => found.add(place, "must have a nonempty array as allowed_tools.tools"),
    }
}
