//! [`OutputSchema`]: the form an answer has to have.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::schema_of;

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
    /// The schema that a model is sent: always of an object.
    pub schema: Arc<Value>,
    /// Whether the answer is what stands in the one field of that object.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_wrapped: bool,
}

/// Why a schema cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OutputSchemaError {
    /// It is no schema.
    #[error("a JSON Schema is an object, and this is {0}")]
    NoObject(String),
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
        Self::wrapped(&T::schema_name(), schema_of::<T>())
    }

    /// The form that a JSON Schema describes.
    ///
    /// # Errors
    /// When it is none.
    pub fn new(name: &str, schema: Value) -> Result<Self, OutputSchemaError> {
        if !schema.is_object() {
            return Err(OutputSchemaError::NoObject(crate::kind_name(&schema)));
        }
        let length = schema.to_string().len();
        if length > MAX_SCHEMA {
            return Err(OutputSchemaError::TooLong(length));
        }
        Ok(Self::wrapped(name, schema))
    }

    fn wrapped(name: &str, schema: Value) -> Self {
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let name: String = name.chars().map(|c| if fits(c) { c } else { '_' }).take(64).collect();
        let name = if name.is_empty() { "answer".to_owned() } else { name };
        let is_wrapped = schema.get("type").is_none_or(|kind| kind != "object");
        let schema = match is_wrapped {
            true => json!({
                "type": "object", "properties": {WRAPPED: schema}, "required": [WRAPPED],
                "additionalProperties": false,
            }),
            false => schema,
        };
        Self { name, schema: Arc::new(schema), is_wrapped }
    }

    /// What a model is told that is to answer in this form now.
    pub fn instruction(&self) -> String {
        format!(
            "Give your final answer now, as JSON and nothing else: no words around it. It must fit this \
             JSON Schema:\n{}",
            self.schema
        )
    }

    /// The JSON that a reply is: all of it, or what stands in a fence.
    pub fn json_in(text: &str) -> &str {
        let text = text.trim();
        let fenced = text.strip_prefix("```").and_then(|rest| {
            let (language, rest) = rest.split_once('\n')?;
            let is_named =
                language.trim().is_empty() || language.trim().eq_ignore_ascii_case("json");
            rest.trim_end().strip_suffix("```").filter(|_| is_named)
        });
        fenced.map_or(text, str::trim)
    }

    /// The answer that a reply holds which fits the schema, as JSON.
    pub fn answer_in(&self, text: &str) -> String {
        let json = Self::json_in(text);
        if !self.is_wrapped {
            return json.to_owned();
        }
        let inner = serde_json::from_str(json).ok().and_then(|it| self.unwrapped(it));
        inner.map_or_else(|| json.to_owned(), |it| it.to_string())
    }

    /// The answer in what fits the schema.
    pub fn unwrapped(&self, mut value: Value) -> Option<Value> {
        match self.is_wrapped {
            true => value.get_mut(WRAPPED).map(Value::take),
            false => Some(value),
        }
    }
}
