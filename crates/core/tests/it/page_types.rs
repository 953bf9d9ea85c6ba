//! The page's types are those of the events: `web/src/events/generated.ts` is written from the JSON
//! Schema of what is serialised. `UPDATE=1 cargo test -p toolwright-core page_types` writes it anew.

use std::{env, fmt::Write, fs};

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};
use toolwright_core::Event;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/events/generated.ts");

const HEAD: &str = "\
/* Written from the types in `crates/core` by `crates/core/tests/it/page_types.rs`: change those, not this.
   `UPDATE=1 cargo test -p toolwright-core page_types` writes it anew. */

/** What JSON can hold. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
";

#[test]
fn the_pages_types_are_those_of_the_events() {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let schema = settings.into_generator().into_root_schema_for::<Event>();
    let mut root = schema.to_value();
    let types = root.as_object_mut().and_then(|it| it.remove("$defs")).unwrap_or_default();
    let mut text = HEAD.to_owned();
    let types = types.as_object().into_iter().flatten();
    for (name, schema) in types.chain([(&"Event".to_owned(), &root)]) {
        let doc = doc(schema, "");
        let _ = write!(text, "\n{doc}export type {name} = {};\n", typed(schema, ""));
    }
    if env::var_os("UPDATE").is_some() {
        fs::write(FILE, &text).unwrap();
    }
    let kept = fs::read_to_string(FILE).unwrap_or_default();
    assert!(
        kept == text,
        "web/src/events/generated.ts is not what the types say: run this test with UPDATE=1, and look \
         at what changed for the page",
    );
}

/// A schema as a type. What several keywords say of a value holds together.
fn typed(schema: &Value, indent: &str) -> String {
    let Some(schema) = schema.as_object() else { return "Json".to_owned() };
    let mut parts = Vec::new();
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        // What an event may have in it is an event.
        let name = if name == "#" { "Event" } else { name.rsplit('/').next().unwrap() };
        parts.push(name.to_owned());
    }
    for keyword in ["oneOf", "anyOf"] {
        if let Some(options) = schema.get(keyword).and_then(Value::as_array) {
            parts.push(union(options.iter().map(|it| typed(it, indent))));
        }
    }
    for all in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        parts.push(typed(all, indent));
    }
    parts.extend(plain(schema, indent));
    let together = parts.len() > 1;
    let wrapped = |part: String| match together && is_union(&part) {
        true => format!("({part})"),
        false => part,
    };
    match parts.is_empty() {
        true => "Json".to_owned(),
        false => parts.into_iter().map(wrapped).collect::<Vec<_>>().join(" & "),
    }
}

/// What the keywords say that do not lead to other schemas.
fn plain(schema: &Map<String, Value>, indent: &str) -> Option<String> {
    if let Some(value) = schema.get("const") {
        return Some(literal(value));
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return Some(union(values.iter().map(literal)));
    }
    match schema.get("type")? {
        Value::Array(types) => {
            let one = |it: &Value| named(it.as_str().unwrap(), schema, indent);
            Some(union(types.iter().map(one)))
        }
        // Beside a reference or options, an object without fields says nothing more.
        Value::String(it) if it == "object" && is_open(schema) && leads_on(schema) => None,
        it => Some(named(it.as_str().unwrap(), schema, indent)),
    }
}

fn is_open(schema: &Map<String, Value>) -> bool {
    !schema.contains_key("properties")
}

fn leads_on(schema: &Map<String, Value>) -> bool {
    ["$ref", "oneOf", "anyOf", "allOf"].iter().any(|it| schema.contains_key(*it))
}

fn named(name: &str, schema: &Map<String, Value>, indent: &str) -> String {
    match name {
        "integer" | "number" => "number".to_owned(),
        "array" => {
            let item = schema.get("items").map_or("Json".to_owned(), |it| typed(it, indent));
            match is_union(&item) || item.contains(" & ") {
                true => format!("({item})[]"),
                false => format!("{item}[]"),
            }
        }
        "object" => object(schema, indent),
        other => other.to_owned(),
    }
}

fn object(schema: &Map<String, Value>, indent: &str) -> String {
    let Some(fields) = schema.get("properties").and_then(Value::as_object) else {
        let value = schema.get("additionalProperties");
        let value = value.map_or("Json".to_owned(), |it| typed(it, indent));
        return format!("{{ [key: string]: {value} }}");
    };
    let required: Vec<_> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().collect();
    let inner = format!("{indent}  ");
    let mut text = "{\n".to_owned();
    for (name, field) in fields {
        let is_required = required.iter().any(|it| *it == name);
        let kind = typed(field, &inner);
        // What may be left out is left out where there is nothing: it is never null.
        let kind = match is_required {
            true => kind,
            false => kind.trim_end_matches(" | null").to_owned(),
        };
        let mark = if is_required { "" } else { "?" };
        let _ = writeln!(text, "{}{inner}{name}{mark}: {kind};", doc(field, &inner));
    }
    text + indent + "}"
}

fn literal(value: &Value) -> String {
    match value {
        Value::String(text) => format!("'{text}'"),
        other => other.to_string(),
    }
}

fn union(options: impl Iterator<Item = String>) -> String {
    let mut options: Vec<_> = options.collect();
    // Null last, wherever it stood.
    options.sort_by_key(|it| it == "null");
    options.dedup();
    options.join(" | ")
}

/// Whether a type is one of several, and not only something in it is.
fn is_union(kind: &str) -> bool {
    let mut depth = 0;
    kind.chars().any(|char| {
        depth += i32::from("{([".contains(char)) - i32::from("})]".contains(char));
        char == '|' && depth == 0
    })
}

/// What a type or a field is, in the words of the code.
fn doc(schema: &Value, indent: &str) -> String {
    match schema.get("description").and_then(Value::as_str) {
        Some(text) => format!("{indent}/** {} */\n", text.replace('\n', &format!("\n{indent} * "))),
        None => String::new(),
    }
}
