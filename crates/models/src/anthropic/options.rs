//! How a model is to write, in the form of Messages.

use bytes::BytesMut;
use serde_json::{Map, Value, json};
use toolwright_core::{ModelOptions, OutputSchema};

use super::{
    rules::{Rules, Sampling, Thinking},
    schema::fitting,
};
use crate::{
    catalogue::Facts,
    endpoint::{Fixed, write::field},
};

/// The longest reply where nothing is known of the model.
const USUAL: u64 = 8_192;
/// The longest that is asked for unasked, in a stream and at once: the API wants long replies streamed.
const MOST: u64 = 64_000;
const MOST_AT_ONCE: u64 = 16_000;
/// The version that takes no sampling parameters any more.
const UNSAMPLED: &str = "2026-10-21";

/// Fields of a request that are written elsewhere.
const OURS: [&str; 8] = [
    "model",
    "messages",
    "system",
    "tools",
    "tool_choice",
    "stream",
    "cache_control",
    "output_config",
];

/// The longest reply, which has to be said.
pub(super) fn max_tokens(options: &ModelOptions, facts: &Facts, stream: bool) -> u64 {
    let most = if stream { MOST } else { MOST_AT_ONCE };
    let said = || options.extra.get("max_tokens").and_then(Value::as_u64);
    let known = || facts.max_output.map(|it| it.min(most));
    options.max_output_tokens.or_else(said).or_else(known).unwrap_or(USUAL)
}

/// Writes the options that stand before the messages. What the model would reject is left out.
pub(super) fn write_options(
    out: &mut BytesMut,
    options: &ModelOptions,
    fixed: &Fixed<'_>,
    stream: bool,
) {
    let (temperature, top_p) = sampling(options, fixed.model);
    if options.seed.is_some() {
        tracing::warn!("this API takes no seed: left out");
    }
    let stops: Vec<_> = options.stop.iter().filter(|it| !it.trim().is_empty()).collect();
    if stops.len() < options.stop.len() {
        tracing::warn!("this API does not stop at blanks: left out");
    }
    let said = [
        ("max_tokens", Some(max_tokens(options, fixed.facts, stream).into())),
        ("temperature", temperature.map(Value::from)),
        ("top_p", top_p.map(Value::from)),
        ("stop_sequences", (!stops.is_empty()).then(|| json!(stops))),
    ];
    let said = said.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    let said: Map<String, Value> = said.collect();
    let extra = options.extra.iter();
    let extra = extra.filter(|(name, _)| !OURS.contains(&name.as_str()));
    for (name, value) in said.iter().chain(extra.filter(|(name, _)| !said.contains_key(*name))) {
        field(out, name, value);
    }
}

/// The temperature and the `top_p` that the model takes of those that are wanted.
fn sampling(options: &ModelOptions, model: &str) -> (Option<f64>, Option<f64>) {
    let rules = Rules::of(model);
    let version =
        options.headers.iter().find(|(it, _)| it.eq_ignore_ascii_case("anthropic-version"));
    let is_gone = version.is_some_and(|(_, version)| version.as_str() >= UNSAMPLED);
    let thinks = rules.thinking == Thinking::Budget && wanted_effort(options).is_some();
    let (temperature, top_p) = match (options.temperature, options.top_p) {
        (None, None) => return (None, None),
        _ if is_gone || thinks || rules.sampling == Sampling::Neither => {
            tracing::warn!(model, "it takes no temperature and no top_p: left out");
            return (None, None);
        }
        (Some(temperature), Some(_)) if rules.sampling == Sampling::One => {
            tracing::warn!(model, "it takes a temperature or a top_p: the top_p is left out");
            (Some(temperature), None)
        }
        both => both,
    };
    if temperature.is_some_and(|it| it > 1.0) {
        tracing::warn!("a temperature is at most 1 here: 1 is sent");
    }
    (temperature.map(|it| it.min(1.0)), top_p)
}

/// How much the model is to think, where it is to think at all.
pub(super) fn wanted_effort(options: &ModelOptions) -> Option<&str> {
    options.reasoning_effort.as_deref().filter(|it| *it != "none")
}

/// What is said about the reply: how much thought goes into it, and its form.
pub(super) fn output_config(
    options: &ModelOptions,
    rules: &Rules,
    output: Option<&OutputSchema>,
) -> Option<Value> {
    let extra = options.extra.get("output_config").and_then(Value::as_object);
    let mut config = extra.cloned().unwrap_or_default();
    let effort = match options.reasoning_effort.as_deref() {
        Some("none") if rules.unthinking.is_some() || rules.thinking == Thinking::Never => None,
        Some("none") if rules.thinking != Thinking::Budget => {
            tracing::warn!("this model always thinks: it is told to think little");
            rules.effort("low")
        }
        _ => wanted_effort(options).and_then(|it| rules.effort(it)),
    };
    config.extend(effort.map(|it| ("effort".to_owned(), it.into())));
    if let Some(output) = output {
        match fitting(output.sent()) {
            Some(schema) => {
                let format = json!({"type": "json_schema", "schema": schema});
                config.insert("format".to_owned(), format);
            }
            // The model is told the form in words as well, and what it writes is checked.
            None => tracing::debug!(form = output.name, "more than this API can hold it to"),
        }
    }
    (!config.is_empty()).then_some(Value::Object(config))
}
