//! How a model is to write, in the form of the Responses API.

use bytes::BytesMut;
use serde_json::{Map, Value};
use toolwright_core::ModelOptions;

use crate::{
    endpoint::{Fixed, write::field},
    openai::rejects_sampling,
};

/// Fields of a request that are written elsewhere, or that speak of what is kept at the provider: nothing is.
const OURS: [&str; 13] = [
    "model",
    "input",
    "tools",
    "tool_choice",
    "stream",
    "stream_options",
    "store",
    "include",
    "background",
    "previous_response_id",
    "conversation",
    "text",
    "reasoning",
];

/// Writes the options that stand before the messages. What the API does not have or the model would reject is
/// left out.
pub(super) fn write_options(out: &mut BytesMut, options: &ModelOptions, fixed: &Fixed<'_>) {
    let model = fixed.model;
    let rejected = fixed.quirks.reasons_by_name && rejects_sampling(model, options);
    if rejected && (options.temperature.is_some() || options.top_p.is_some()) {
        tracing::warn!(model, "a model that reasons takes no temperature and no top_p: left out");
    }
    if !options.stop.is_empty() || options.seed.is_some() {
        tracing::warn!(model, "the Responses API has no stop and no seed: left out");
    }
    let sampling = |value: Option<f64>| value.filter(|_| !rejected).map(Value::from);
    let mut reasoning = object(options, "reasoning");
    if let Some(effort) = &options.reasoning_effort {
        reasoning.insert("effort".to_owned(), effort.as_str().into());
    }
    let said = [
        ("temperature", sampling(options.temperature)),
        ("top_p", sampling(options.top_p)),
        ("max_output_tokens", options.max_output_tokens.map(Value::from)),
        ("reasoning", (!reasoning.is_empty()).then_some(Value::Object(reasoning))),
    ];
    let said: Vec<_> = said.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
    for (name, value) in &said {
        field(out, name, value);
    }
    for (name, value) in &options.extra {
        let is_said = said.iter().any(|(it, _)| it == name);
        let is_parallel = name == "parallel_tool_calls" && parallel(options, fixed).is_some();
        if !is_said && !is_parallel && !OURS.contains(&name.as_str()) {
            field(out, name, value);
        }
    }
}

/// What to say about calls side by side.
pub(super) fn parallel(options: &ModelOptions, fixed: &Fixed<'_>) -> Option<bool> {
    options.parallel_tool_calls.or(fixed.quirks.parallel_tool_calls)
}

/// What a person says about texts beside their form, which is ours.
pub(super) fn text_of(options: &ModelOptions) -> Map<String, Value> {
    let mut text = object(options, "text");
    text.remove("format");
    text
}

fn object(options: &ModelOptions, name: &str) -> Map<String, Value> {
    options.extra.get(name).and_then(Value::as_object).cloned().unwrap_or_default()
}

/// Whether the model may be asked for what it thought. OpenAI refuses the question for those that do not
/// think; other servers pay no heed to it.
pub(super) fn reasons(fixed: &Fixed<'_>) -> bool {
    let name = fixed.model.strip_prefix("ft:").unwrap_or(fixed.model);
    let is_chat = ["gpt-3", "gpt-4", "chatgpt-"].iter().any(|it| name.starts_with(it))
        || name.starts_with("gpt-5") && name.contains("-chat");
    fixed.facts.reasons != Some(false) && !(fixed.quirks.reasons_by_name && is_chat)
}
