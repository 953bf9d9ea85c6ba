//! [`Options`]: what clients of OpenAI's API say of how an answer is to be written.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use toolwright_core::ModelOptions;
use utoipa::ToSchema;

use crate::{
    ApiError,
    shape::{Shape, form, refused},
};

/// What clients of OpenAI's API say of how an answer is to be written. What cannot be done here is refused by its
/// name, and not left out without a word.
#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct Options {
    /// How freely, from 0 to 2.
    temperature: Option<f64>,
    /// Of how much of what is likely, from 0 to 1.
    top_p: Option<f64>,
    /// The longest answer, in tokens.
    max_tokens: Option<u64>,
    /// The same, by its newer name.
    max_completion_tokens: Option<u64>,
    /// Where it stops: a text, or several.
    #[schema(value_type = Option<Object>)]
    stop: Option<Value>,
    /// The same number, the same choices.
    seed: Option<i64>,
    /// How much the model thinks.
    reasoning_effort: Option<String>,
    /// Whether several tools may be called at once.
    parallel_tool_calls: Option<bool>,
    presence_penalty: Option<f64>,
    frequency_penalty: Option<f64>,
    /// The form of the answer: `text`, `json_object`, `json_schema`.
    #[schema(value_type = Option<Object>)]
    response_format: Option<Value>,
    /// How many answers: one.
    n: Option<u64>,
    logprobs: Option<bool>,
    top_logprobs: Option<u64>,
    #[schema(value_type = Option<Object>)]
    logit_bias: Option<Value>,
    #[schema(value_type = Option<Object>)]
    functions: Option<Value>,
    #[schema(value_type = Option<Object>)]
    tool_choice: Option<Value>,
    #[schema(value_type = Option<Vec<String>>)]
    modalities: Option<Vec<String>>,
    #[schema(value_type = Option<Object>)]
    audio: Option<Value>,
}

impl Options {
    /// What they come to.
    pub(super) fn shape(self) -> Result<Shape, ApiError> {
        self.check()?;
        let penalties = [
            ("presence_penalty", self.presence_penalty),
            ("frequency_penalty", self.frequency_penalty),
        ];
        let extra = penalties.into_iter().filter_map(|(name, value)| Some((name, value?)));
        let extra: Map<_, _> = extra.map(|(name, value)| (name.to_owned(), json!(value))).collect();
        let said = json!({
            "temperature": self.temperature, "top_p": self.top_p, "seed": self.seed,
            "max_output_tokens": self.max_completion_tokens.or(self.max_tokens),
            "stop": self.stop, "reasoning_effort": self.reasoning_effort,
            "parallel_tool_calls": self.parallel_tool_calls, "extra": extra,
        });
        let options: ModelOptions =
            serde_json::from_value(said).map_err(|error| refused("stop", error))?;
        options.check().map_err(|error| refused(error.name(), &error))?;
        let output = self.response_format.as_ref().map(output).transpose()?.flatten();
        Ok(Shape { options, output })
    }

    /// Whether it can be done here.
    fn check(&self) -> Result<(), ApiError> {
        let is_said = |value: &Option<Value>| match value {
            None | Some(Value::Null) => false,
            Some(Value::String(word)) => word != "auto",
            Some(Value::Object(fields)) => !fields.is_empty(),
            Some(Value::Array(items)) => !items.is_empty(),
            Some(_) => true,
        };
        let is_text = |it: &Vec<String>| it.iter().all(|it| it == "text");
        let faults = [
            ("n", self.n.is_some_and(|n| n != 1), "there is one answer"),
            ("logprobs", self.logprobs == Some(true), "they are not told"),
            ("top_logprobs", self.top_logprobs.is_some_and(|n| n > 0), "they are not told"),
            ("logit_bias", is_said(&self.logit_bias), "there is none"),
            ("functions", is_said(&self.functions), "the tools are the server's own"),
            ("tool_choice", is_said(&self.tool_choice), "the tools are the server's own"),
            ("modalities", !self.modalities.as_ref().is_none_or(is_text), "answers are text"),
            ("audio", is_said(&self.audio), "answers are text"),
        ];
        match faults.into_iter().find(|(_, is_wrong, _)| *is_wrong) {
            Some((field, _, reason)) => Err(refused(field, reason)),
            None => Ok(()),
        }
    }
}

/// The form that a `response_format` says.
fn output(format: &Value) -> Result<Option<toolwright_core::OutputSchema>, ApiError> {
    const FIELD: &str = "response_format";
    match format.get("type").and_then(Value::as_str) {
        _ if format.is_null() => Ok(None),
        Some("text") => Ok(None),
        Some("json_object") => form(FIELD, "answer", &json!({"type": "object"})).map(Some),
        Some("json_schema") => {
            let said = format.get("json_schema").unwrap_or(&Value::Null);
            let name = said.get("name").and_then(Value::as_str).unwrap_or("answer");
            let field = "response_format.json_schema.schema";
            form(field, name, said.get("schema").unwrap_or(&Value::Null)).map(Some)
        }
        _ => Err(refused("response_format.type", "use text, json_object or json_schema")),
    }
}
