//! [`SchemaReader`]: schemas of a document as JSON Schema, with what they refer to beside them.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::SpecDocument;

/// Deeper schemas are nobody's.
const DEEPEST: usize = 40;
/// More definitions than this no tool needs; it is shrunk then anyway.
const MOST_DEFINITIONS: usize = 200;

/// What says nothing about which values are valid, or is no JSON Schema.
const DROPPED: [&str; 9] = [
    "example",
    "examples",
    "xml",
    "discriminator",
    "externalDocs",
    "deprecated",
    "nullable",
    "readOnly",
    "writeOnly",
];

/// Reads schemas of one operation. What they refer to is kept beside them (`$defs`), each once: so a schema that
/// refers to itself has an end.
pub(super) struct SchemaReader<'a> {
    document: &'a SpecDocument,
    /// The name of the definition for each reference.
    names: BTreeMap<String, String>,
    definitions: Map<String, Value>,
}

impl<'a> SchemaReader<'a> {
    pub(super) fn new(document: &'a SpecDocument) -> Self {
        Self { document, names: BTreeMap::new(), definitions: Map::new() }
    }

    pub(super) fn into_definitions(self) -> Map<String, Value> {
        self.definitions
    }

    /// A schema as JSON Schema.
    pub(super) fn read(&mut self, schema: &Value) -> Result<Value, String> {
        // What is referred to is read afterwards, one after the other: how deep references go is no matter.
        let mut open = Vec::new();
        let read = self.convert(schema, 0, &mut open)?;
        while let Some((reference, name)) = open.pop() {
            let target = self.document.at(&reference)?;
            let read = self.convert(target, 0, &mut open)?;
            self.definitions.insert(name, read);
        }
        Ok(read)
    }

    fn convert(
        &mut self,
        schema: &Value,
        depth: usize,
        open: &mut Vec<(String, String)>,
    ) -> Result<Value, String> {
        if depth > DEEPEST {
            return Err("what it takes is nested too deeply".to_owned());
        }
        let Value::Object(from) = schema else {
            // `true` and `false` are schemas; anything else is a mistake that says nothing.
            return Ok(if schema.is_boolean() { schema.clone() } else { json!({}) });
        };
        let mut to = Map::new();
        for (key, value) in from {
            if DROPPED.contains(&key.as_str()) || key.starts_with("x-") {
                continue;
            }
            let read = match (key.as_str(), value) {
                ("$ref", Value::String(reference)) => self.reference(reference, open)?,
                (
                    "properties" | "patternProperties" | "$defs" | "dependentSchemas",
                    Value::Object(all),
                ) => {
                    let seen =
                        all.iter().filter(|(_, it)| key != "properties" || !is_read_only(it));
                    let mut read = Map::new();
                    for (name, value) in seen {
                        read.insert(name.clone(), self.convert(value, depth + 1, open)?);
                    }
                    Value::Object(read)
                }
                ("allOf" | "anyOf" | "oneOf" | "prefixItems", Value::Array(all)) => {
                    let read: Result<Vec<_>, _> =
                        all.iter().map(|it| self.convert(it, depth + 1, open)).collect();
                    Value::Array(read?)
                }
                (
                    "items"
                    | "additionalProperties"
                    | "not"
                    | "if"
                    | "then"
                    | "else"
                    | "contains"
                    | "propertyNames"
                    | "unevaluatedItems"
                    | "unevaluatedProperties",
                    value,
                ) => self.convert(value, depth + 1, open)?,
                ("required", Value::Array(names)) => {
                    let properties = from.get("properties");
                    let hidden = |name: &Value| {
                        let field = properties.and_then(|it| it.get(name.as_str()?));
                        Some(is_read_only(field?))
                    };
                    let kept = names.iter().filter(|it| hidden(it) != Some(true));
                    Value::Array(kept.cloned().collect())
                }
                (_, value) => value.clone(),
            };
            to.insert(key.clone(), read);
        }
        exclusive(&mut to, "exclusiveMinimum", "minimum");
        exclusive(&mut to, "exclusiveMaximum", "maximum");
        let is_nullable = from.get("nullable").and_then(Value::as_bool).unwrap_or_default();
        Ok(if is_nullable { or_null(to) } else { Value::Object(to) })
    }

    fn reference(
        &mut self,
        reference: &str,
        open: &mut Vec<(String, String)>,
    ) -> Result<Value, String> {
        let name = match self.names.get(reference) {
            Some(name) => name.clone(),
            None => {
                self.document.at(reference)?;
                if self.names.len() >= MOST_DEFINITIONS {
                    return Err("what it takes refers to too much".to_owned());
                }
                let last = reference.rsplit('/').next().unwrap_or_default();
                let plain: String =
                    last.chars()
                        .map(|it| {
                            if it.is_ascii_alphanumeric() || "_-.".contains(it) { it } else { '_' }
                        })
                        .take(60)
                        .collect();
                let is_taken = self.names.values().any(|it| *it == plain) || plain.is_empty();
                let name = if is_taken { format!("{plain}_{}", self.names.len()) } else { plain };
                self.names.insert(reference.to_owned(), name.clone());
                open.push((reference.to_owned(), name.clone()));
                name
            }
        };
        Ok(Value::String(format!("#/$defs/{name}")))
    }
}

fn is_read_only(schema: &Value) -> bool {
    schema.get("readOnly").and_then(Value::as_bool).unwrap_or_default()
}

/// Version 3.0 says whether a bound is one of the values; JSON Schema has another word with the bound.
fn exclusive(schema: &mut Map<String, Value>, word: &str, bound: &str) {
    let Some(Value::Bool(is_exclusive)) = schema.get(word).cloned() else { return };
    schema.remove(word);
    if is_exclusive && let Some(value) = schema.remove(bound) {
        schema.insert(word.to_owned(), value);
    }
}

/// The schema, or nothing: as version 3.0 says `nullable`.
fn or_null(mut schema: Map<String, Value>) -> Value {
    if let Some(Value::Array(values)) = schema.get_mut("enum")
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
    match schema.get("type").cloned() {
        Some(Value::String(name)) => {
            schema.insert("type".to_owned(), json!([name, "null"]));
            Value::Object(schema)
        }
        Some(Value::Array(mut names)) => {
            if !names.iter().any(|it| it == "null") {
                names.push("null".into());
            }
            schema.insert("type".to_owned(), Value::Array(names));
            Value::Object(schema)
        }
        _ => json!({"anyOf": [schema, {"type": "null"}]}),
    }
}
