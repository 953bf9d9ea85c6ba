//! How the parts of a JSON Schema are read, for the prompt and for what is decoded.

use serde_json::Value;

/// How many `$ref`s in a row are followed.
const REFERENCES: usize = 8;

/// The schema a `$ref` leads to within `root`; the schema itself where there is none.
pub(crate) fn resolved<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
    let mut schema = schema;
    for _ in 0..REFERENCES {
        let Some(reference) = schema.get("$ref").and_then(Value::as_str) else { break };
        let target = reference.strip_prefix('#').and_then(|pointer| root.pointer(pointer));
        schema = target.unwrap_or(&Value::Null);
    }
    schema
}

/// The alternatives of `anyOf` or `oneOf`, where there are such.
pub(crate) fn options(schema: &Value) -> Option<impl Iterator<Item = &Value>> {
    let options = schema.get("anyOf").or_else(|| schema.get("oneOf"))?;
    Some(options.as_array()?.iter())
}

/// The names in `type`. With none, properties make it an object.
pub(crate) fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ if schema.get("properties").is_some() => vec!["object"],
        _ => Vec::new(),
    }
}

/// How many a keyword says there are: `3`, which may be written `3.0`. None where it says no such thing.
pub(crate) fn count(schema: &Value, keyword: &str) -> Option<u32> {
    let value = schema.get(keyword)?;
    let whole = || value.as_f64().filter(|it| *it >= 0.0 && it.fract() == 0.0);
    let count = value.as_u64().or_else(|| whole().map(|it| it as u64))?;
    Some(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Whether only `null` fits.
pub(crate) fn is_null(schema: &Value) -> bool {
    schema.get("type").is_some_and(|it| it == "null")
}

/// How many fields an object of this schema must have.
pub(crate) fn demands(object: &Value) -> usize {
    object.get("required").and_then(Value::as_array).map_or(0, Vec::len)
}

/// Whether an object of this schema must have the field.
pub(crate) fn required(object: &Value, field: &str) -> bool {
    let names = object.get("required").and_then(Value::as_array);
    names.is_some_and(|names| names.iter().any(|name| name == field))
}
