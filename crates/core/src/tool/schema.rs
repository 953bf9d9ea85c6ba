//! [`schema_of`]: a Rust type as the JSON Schema a model is shown; [`returned_schema_of`]: as the one of what a tool
//! returns.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Map, Value, json};

/// The JSON Schema of `T` in the form every provider takes: an object at the root, no references,
/// no titles, no formats that only name a Rust integer type.
pub fn schema_of<T: JsonSchema>() -> Value {
    let mut schema = tidied::<T>(SchemaSettings::draft2020_12());
    if let Value::Object(root) = &mut schema {
        root.entry("type").or_insert(json!("object"));
        if root.get("type").is_some_and(|kind| kind == "object") {
            root.entry("properties").or_insert_with(|| json!({}));
        }
        // The doc comment of an argument struct would only repeat the tool's own.
        root.remove("description");
    }
    schema
}

/// The JSON Schema of `T` as it is written, where that is an object.
pub(crate) fn returned_schema_of<T: JsonSchema>() -> Option<Value> {
    let schema = tidied::<T>(SchemaSettings::draft2020_12().for_serialize());
    schema.get("type").is_some_and(|it| it == "object").then_some(schema)
}

fn tidied<T: JsonSchema>(settings: SchemaSettings) -> Value {
    let settings = settings.with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    tidy(&mut schema);
    schema
}

/// Removes what says something about Rust and nothing about the value.
fn tidy(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            if map.get("title").is_some_and(Value::is_string) {
                map.remove("title");
            }
            if map.get("format").and_then(Value::as_str).is_some_and(is_rust_number) {
                map.remove("format");
            }
            for (key, inner) in map.iter_mut() {
                match key.as_str() {
                    // Here the keys are names of the user's, not words of the schema.
                    "properties" | "$defs" | "patternProperties" => each(inner, tidy),
                    "default" | "const" | "enum" | "examples" => {}
                    _ => tidy(inner),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(tidy),
        _ => {}
    }
}

fn each(value: &mut Value, change: fn(&mut Value)) {
    if let Some(map) = value.as_object_mut() {
        Map::values_mut(map).for_each(change);
    }
}

fn is_rust_number(format: &str) -> bool {
    matches!(format, "float" | "double" | "char")
        || format
            .strip_prefix("uint")
            .or_else(|| format.strip_prefix("int"))
            .is_some_and(|bits| bits.chars().all(|c| c.is_ascii_digit()))
}
