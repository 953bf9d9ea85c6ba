//! [`Call`]: a model's wish to run a tool, as the model wrote it.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::IgnoredAny};
use serde_json::{Map, Value};

use crate::{CallId, JsonError, RawJson, unambiguous};

/// A model's wish to run a tool, as the model wrote it: the arguments are not yet parsed.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Pairs the call with its result. Empty until the run has given every call a unique one.
    pub id: CallId,
    /// The tool's name as the model wrote it.
    pub name: String,
    /// The arguments, byte for byte, so that a provider's prompt cache still matches.
    pub arguments: String,
    /// How the call was obtained.
    pub source: CallSource,
    /// Provider fields that must be echoed unchanged on the next request.
    pub extra: Option<Map<String, Value>>,
}

/// How a call was obtained from the model.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum CallSource {
    /// The provider delivered it as a call.
    #[default]
    Native,
    /// It was found in the model's text.
    Extracted,
    /// It is not as the model wrote it: its JSON, found in text, or the name of its tool had to be
    /// mended.
    Repaired,
}

/// Why a call's arguments could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArgumentsError {
    /// They are no JSON.
    #[error("the arguments are not valid JSON: {0}")]
    Malformed(serde_json::Error),
    /// They could be read in more than one way.
    #[error("the arguments are ambiguous, the tool was not run: {0}")]
    Ambiguous(String),
}

impl ArgumentsError {
    /// Whether the text simply stops: the sign of a reply that was cut off.
    pub fn is_cut_off(&self) -> bool {
        matches!(self, Self::Malformed(error) if error.is_eof())
    }
}

impl From<JsonError> for ArgumentsError {
    fn from(error: JsonError) -> Self {
        match error {
            JsonError::Malformed(error) => Self::Malformed(error),
            repeated @ JsonError::Repeated(_) => Self::Ambiguous(repeated.to_string()),
        }
    }
}

impl Call {
    /// A call as a provider delivers it.
    pub fn new(
        id: impl Into<CallId>,
        name: impl Into<String>,
        arguments: impl Into<String>,
    ) -> Self {
        Self {
            id: id.into(),
            name: name.into(),
            arguments: arguments.into(),
            source: CallSource::Native,
            extra: None,
        }
    }

    /// The arguments as JSON. Nothing at all means no arguments; a JSON string that holds JSON
    /// (some servers encode twice) is opened once more.
    ///
    /// # Errors
    /// When they are not JSON, or JSON that could be read in more than one way: a key stands twice in
    /// an object, or there is a second value behind the first.
    pub fn parse(&self) -> Result<Value, ArgumentsError> {
        if self.arguments.trim().is_empty() {
            return Ok(Value::Object(Map::new()));
        }
        match unambiguous(&self.arguments).map_err(|error| self.told(error))? {
            Value::String(inner) => match unambiguous(&inner) {
                Ok(value) => Ok(value),
                Err(JsonError::Malformed(_)) => Ok(Value::String(inner)),
                Err(repeated) => Err(repeated.into()),
            },
            Value::Null => Ok(Value::Object(Map::new())),
            value => Ok(value),
        }
    }

    /// Why the arguments are not taken, in words a model can act on.
    fn told(&self, error: JsonError) -> ArgumentsError {
        let values = serde_json::Deserializer::from_str(&self.arguments).into_iter::<IgnoredAny>();
        match error {
            JsonError::Malformed(error)
                if !error.is_eof() && values.flatten().take(2).count() > 1 =>
            {
                ArgumentsError::Ambiguous("they are given twice; give them once".to_owned())
            }
            error => error.into(),
        }
    }
}

/// A call as it is written, in OpenAI's form.
#[derive(Serialize, schemars::JsonSchema)]
struct Written<'a> {
    id: &'a CallId,
    r#type: WrittenKind,
    function: WrittenFunction<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<CallSource>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extra: Option<&'a Map<String, Value>>,
}

#[derive(Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum WrittenKind {
    Function,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(inline)]
struct WrittenFunction<'a> {
    name: &'a str,
    arguments: &'a str,
}

impl Serialize for Call {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = Written {
            id: &self.id,
            r#type: WrittenKind::Function,
            function: WrittenFunction { name: &self.name, arguments: &self.arguments },
            source: (self.source != CallSource::Native).then_some(self.source),
            extra: self.extra.as_ref(),
        };
        written.serialize(serializer)
    }
}

impl schemars::JsonSchema for Call {
    fn schema_name() -> Cow<'static, str> {
        "Call".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Written::json_schema(generator)
    }
}

impl<'de> Deserialize<'de> for Call {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Function<'a> {
            #[serde(borrow, default)]
            name: Cow<'a, str>,
            #[serde(default)]
            arguments: Option<RawJson>,
        }
        #[derive(Deserialize)]
        struct Foreign<'a> {
            #[serde(default)]
            id: Option<CallId>,
            #[serde(borrow)]
            function: Function<'a>,
            #[serde(default)]
            source: CallSource,
            #[serde(default)]
            extra: Option<Map<String, Value>>,
        }
        let foreign = Foreign::deserialize(deserializer)?;
        // Ollama and old TGI keep arguments as an object.
        let RawJson(json) = foreign.function.arguments.unwrap_or(RawJson(String::new()));
        let arguments = serde_json::from_str(&json).unwrap_or(json);
        Ok(Self {
            id: foreign.id.unwrap_or_else(|| CallId::from("")),
            name: foreign.function.name.into_owned(),
            arguments,
            source: foreign.source,
            extra: foreign.extra,
        })
    }
}
