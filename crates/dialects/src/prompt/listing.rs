//! The tools on offer, listed for a model: [`readable`] or as [`schemas`].

use serde_json::Value;
use toolwright_core::{ToolDefinitions, ToolSpec};

use super::written::spaced;

/// How deep a type is spelled out.
const DEPTH: usize = 4;

/// Each tool with its description and its parameters, as a person would write them down.
pub(super) fn readable(tools: &ToolDefinitions) -> String {
    let mut out = String::new();
    for spec in tools.specs() {
        out.push_str(&format!("## {}\n{}\n", spec.name, spec.description.trim()));
        let fields = spec.parameters.get("properties").and_then(Value::as_object);
        if fields.is_some_and(|fields| !fields.is_empty()) {
            out.push_str("Parameters:\n");
        }
        for (name, schema) in fields.into_iter().flatten() {
            out.push_str(&parameter(spec, name, schema));
        }
        out.push('\n');
    }
    out
}

/// The definitions in OpenAI's form, one a line.
pub(super) fn schemas(tools: &ToolDefinitions) -> String {
    let mut out = String::new();
    for spec in tools.specs() {
        spaced(&spec.definition(), &mut out);
        out.push('\n');
    }
    out
}

/// `- limit (integer, default 10): How many.`
fn parameter(spec: &ToolSpec, name: &str, schema: &Value) -> String {
    let kind = kind(schema, &spec.parameters, DEPTH);
    let presence = match schema.get("default") {
        _ if spec.is_required(name) => "required".to_owned(),
        Some(value) if !value.is_null() => format!("default {value}"),
        _ => "optional".to_owned(),
    };
    let about = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let about = about.split_whitespace().collect::<Vec<_>>().join(" ");
    let colon = if about.is_empty() { "" } else { ": " };
    format!("- {name} ({kind}, {presence}){colon}{about}\n")
}

/// A type in a few words: `string`, `"a" or "b"`, `array of integer`, `{a: string, b?: number}`.
fn kind(schema: &Value, root: &Value, depth: usize) -> String {
    let Some(depth) = depth.checked_sub(1) else { return "value".to_owned() };
    let of = |schema: &Value| kind(schema, root, depth);
    let list = |key: &str| schema.get(key).and_then(Value::as_array).map(Vec::as_slice);
    if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
        let target = target.strip_prefix('#').and_then(|path| root.pointer(path));
        return target.map_or_else(|| "value".to_owned(), of);
    }
    if let Some(value) = schema.get("const") {
        return value.to_string();
    }
    if let Some(values) = list("enum") {
        return alternatives(values.iter().map(Value::to_string));
    }
    if let Some(choices) = list("anyOf").or(list("oneOf")) {
        return alternatives(choices.iter().map(of));
    }
    match schema.get("type") {
        Some(Value::String(kind)) if kind == "array" => match schema.get("items") {
            Some(items) => format!("array of {}", of(items)),
            None => kind.clone(),
        },
        Some(Value::String(kind)) if kind == "object" => {
            object(schema, of).unwrap_or_else(|| kind.clone())
        }
        Some(Value::String(kind)) => kind.clone(),
        Some(Value::Array(kinds)) => {
            alternatives(kinds.iter().filter_map(Value::as_str).map(str::to_owned))
        }
        _ => "value".to_owned(),
    }
}

fn object(schema: &Value, of: impl Fn(&Value) -> String) -> Option<String> {
    let fields = schema.get("properties")?.as_object().filter(|fields| !fields.is_empty())?;
    let required = schema.get("required").and_then(Value::as_array);
    let fields = fields.iter().map(|(name, field)| {
        let is_required = required.is_some_and(|names| names.iter().any(|it| it == name));
        format!("{name}{}: {}", if is_required { "" } else { "?" }, of(field))
    });
    Some(format!("{{{}}}", fields.collect::<Vec<_>>().join(", ")))
}

/// What may be left out is said elsewhere.
fn alternatives(kinds: impl Iterator<Item = String>) -> String {
    let kinds: Vec<_> = kinds.filter(|kind| kind != "null").collect();
    if kinds.is_empty() { "null".to_owned() } else { kinds.join(" or ") }
}
