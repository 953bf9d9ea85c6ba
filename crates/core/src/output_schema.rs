//! [`OutputSchema`]: the form an answer has to have.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::{JsonError, schema_of, unambiguous};

/// The longest schema, in bytes of JSON.
const MAX_SCHEMA: usize = 256 << 10;
/// Where an answer stands that is no object: providers want one at the root.
const WRAPPED: &str = "answer";

/// The form an answer has to have: a JSON Schema.
///
/// It is asked for in a turn of its own behind the last one with tools, so that it never keeps a model from
/// calling one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct OutputSchema {
    /// What it is called.
    pub name: String,
    /// The schema of the answer.
    pub schema: Arc<Value>,
}

/// Why a schema cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OutputSchemaError {
    /// It is no schema.
    #[error("a JSON Schema is an object, and this is {0}")]
    NoObject(&'static str),
    /// It is too long.
    #[error("it has {0} bytes, and a schema has at most {MAX_SCHEMA}")]
    TooLong(usize),
}

/// How a model is made to answer in a form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutputStrategy {
    /// The provider holds it to the schema.
    Native,
    /// It has to call a tool whose arguments are the answer.
    Tool,
    /// It is told the schema.
    #[default]
    Prompt,
}

impl OutputSchema {
    /// The form of `T`.
    pub fn of<T: JsonSchema>() -> Self {
        Self::named(&T::schema_name(), schema_of::<T>())
    }

    /// The form that a JSON Schema describes.
    ///
    /// # Errors
    /// When it is none.
    pub fn new(name: &str, schema: Value) -> Result<Self, OutputSchemaError> {
        if !schema.is_object() {
            return Err(OutputSchemaError::NoObject(type_name(&schema)));
        }
        let length = schema.to_string().len();
        if length > MAX_SCHEMA {
            return Err(OutputSchemaError::TooLong(length));
        }
        Ok(Self::named(name, schema))
    }

    fn named(name: &str, schema: Value) -> Self {
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let name: String = name.chars().map(|c| if fits(c) { c } else { '_' }).take(64).collect();
        let name = if name.is_empty() { WRAPPED.to_owned() } else { name };
        Self { name, schema: Arc::new(schema) }
    }

    /// Whether what a model is asked for is an object with the answer in its one field.
    fn is_wrapped(&self) -> bool {
        self.schema.get("type").is_none_or(|kind| kind != "object")
    }

    /// The schema that a model is sent: always of an object.
    pub fn sent(&self) -> Value {
        if !self.is_wrapped() {
            return Value::clone(&self.schema);
        }
        let mut inner = Value::clone(&self.schema);
        let mut outer = Map::new();
        if let Value::Object(fields) = &mut inner {
            // Of the whole document, and looked for at its root.
            for key in ["$schema", "$defs", "definitions"] {
                outer.extend(fields.remove(key).map(|value| (key.to_owned(), value)));
            }
        }
        refer(&mut inner);
        for definitions in outer.values_mut().filter_map(Value::as_object_mut) {
            definitions.values_mut().for_each(refer);
        }
        outer.insert("type".to_owned(), json!("object"));
        outer.insert("properties".to_owned(), json!({WRAPPED: inner}));
        outer.insert("required".to_owned(), json!([WRAPPED]));
        outer.insert("additionalProperties".to_owned(), json!(false));
        Value::Object(outer)
    }

    /// What a model is told that is to answer in this form now.
    pub fn instruction(&self) -> String {
        format!(
            "Give your final answer now, as JSON and nothing else: no words around it. It must fit this \
             JSON Schema:\n{}",
            self.sent()
        )
    }

    /// The answer that a reply holds, and the same as JSON.
    ///
    /// # Errors
    /// When it is no JSON, or more than one thing can be read from it.
    pub fn read(&self, reply: &str) -> Result<(Value, String), JsonError> {
        let json = json_in(reply);
        let value = unambiguous(json)?;
        match self.unwrapped(value) {
            (true, value) => {
                let json = value.to_string();
                Ok((value, json))
            }
            (false, value) => Ok((value, json.to_owned())),
        }
    }

    /// As much of an answer as is there of it, in what is there of a reply.
    pub fn partial(&self, value: Value) -> Value {
        self.unwrapped(value).1
    }

    /// Whether a value has the answer in its one field, and the answer.
    fn unwrapped(&self, value: Value) -> (bool, Value) {
        match value {
            Value::Object(mut fields) if self.is_wrapped() && fields.len() == 1 => {
                match fields.remove(WRAPPED) {
                    Some(inner) => (true, inner),
                    None => (false, Value::Object(fields)),
                }
            }
            value => (false, value),
        }
    }
}

/// The JSON that a reply is: all of it, or what stands in a fence.
fn json_in(reply: &str) -> &str {
    let text = reply.trim();
    let fenced = text.strip_prefix("```").and_then(|rest| {
        let (language, rest) = rest.split_once('\n')?;
        let is_named = language.trim().is_empty() || language.trim().eq_ignore_ascii_case("json");
        rest.trim_end().strip_suffix("```").filter(|_| is_named)
    });
    fenced.map_or(text, str::trim)
}

/// Below these, schemas have names.
const NAMED: [&str; 5] =
    ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

/// Lets references to the root mean where that stands now.
fn refer(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            for (key, value) in fields.iter_mut() {
                match value {
                    Value::String(reference) if key == "$ref" => {
                        let is_moved = reference.starts_with("#/$defs/")
                            || reference.starts_with("#/definitions/");
                        if let Some(place) = reference
                            .strip_prefix('#')
                            .filter(|it| !is_moved && (it.is_empty() || it.starts_with('/')))
                        {
                            *reference = format!("#/properties/{WRAPPED}{place}");
                        }
                    }
                    // Here the keys are names of the user's, not words of the schema.
                    Value::Object(named) if NAMED.contains(&key.as_str()) => {
                        named.values_mut().for_each(refer);
                    }
                    _ if matches!(key.as_str(), "const" | "enum" | "default" | "examples") => {}
                    value => refer(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(refer),
        _ => {}
    }
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
