//! How a model is to write, in the form of Chat Completions.

use bytes::BytesMut;
use serde_json::{Map, Value, json};
use toolwright_core::{ModelOptions, OutputSchema};

use crate::endpoint::{
    Quirks,
    write::{field, json as write},
};

/// Writes the options that stand before the messages. What the model would reject is left out.
pub(super) fn write_options(
    out: &mut BytesMut,
    options: &ModelOptions,
    model: &str,
    quirks: &Quirks,
) {
    let rejected = quirks.reasons_by_name && rejects_sampling(model, options);
    if rejected && (options.temperature.is_some() || options.top_p.is_some()) {
        tracing::warn!(model, "a model that reasons takes no temperature and no top_p: left out");
    }
    let sampling = |value: Option<f64>| value.filter(|_| !rejected).map(Value::from);
    let stop = (!options.stop.is_empty()).then(|| options.stop.clone().into());
    let said = [
        ("temperature", sampling(options.temperature)),
        ("top_p", sampling(options.top_p)),
        (quirks.max_tokens, options.max_output_tokens.map(Value::from)),
        ("stop", stop),
        ("seed", options.seed.map(Value::from)),
        ("reasoning_effort", options.reasoning_effort.clone().map(Value::from)),
    ];
    let said = said.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let said: Map<String, Value> = said.map(|(name, value)| (name.to_owned(), value)).collect();
    let extra = options.extra.iter();
    let extra =
        extra.filter(|(name, _)| !is_ours(name, options, quirks) && !said.contains_key(*name));
    for (name, value) in said.iter().chain(extra) {
        field(out, name, value);
    }
}

/// Whether a field of a request is written elsewhere: no option stands beside it a second time.
fn is_ours(name: &str, options: &ModelOptions, quirks: &Quirks) -> bool {
    const OURS: [&str; 7] = [
        "model",
        "messages",
        "tools",
        "tool_choice",
        "stream",
        "stream_options",
        "response_format",
    ];
    OURS.contains(&name) || name == "parallel_tool_calls" && parallel(options, quirks).is_some()
}

/// What to say about calls side by side.
pub(super) fn parallel(options: &ModelOptions, quirks: &Quirks) -> Option<bool> {
    options.parallel_tool_calls.or(quirks.parallel_tool_calls)
}

/// Whether OpenAI refuses to be told how freely this model writes: those that reason do, some of them only
/// when they are told to.
pub(crate) fn rejects_sampling(model: &str, options: &ModelOptions) -> bool {
    let effort = options.reasoning_effort.as_deref();
    let is_o =
        model.strip_prefix('o').is_some_and(|it| it.starts_with(|c: char| c.is_ascii_digit()));
    let by_choice = ["gpt-5.1", "gpt-5.2", "gpt-5.3", "gpt-5.4"];
    if by_choice.iter().any(|it| model.starts_with(it)) {
        return effort.is_some_and(|it| it != "none");
    }
    let reasons = is_o || model.starts_with("gpt-5") || model.starts_with("gpt-6");
    let is_fixed = is_o || model == "gpt-5" || model.starts_with("gpt-5-");
    reasons && (is_fixed || effort != Some("none"))
}

/// Writes the form that the reply has to have.
pub(super) fn write_output(out: &mut BytesMut, output: &OutputSchema) {
    let schema = output.sent();
    let is_strict = is_strict(&schema);
    let format = json!({
        "type": "json_schema",
        "json_schema": {"name": output.name, "schema": schema, "strict": is_strict},
    });
    out.extend_from_slice(b",\"response_format\":");
    write(out, &format);
}

/// Whether a schema keeps to what OpenAI guarantees: every object closed, every field required. Of any other
/// it does its best, and what comes of that is checked here in any case.
pub(crate) fn is_strict(schema: &Value) -> bool {
    const FORBIDDEN: [&str; 9] = [
        "oneOf",
        "allOf",
        "not",
        "if",
        "patternProperties",
        "minProperties",
        "maxProperties",
        "unevaluatedProperties",
        "default",
    ];
    let Value::Object(schema) = schema else { return schema.as_bool().is_none() };
    if FORBIDDEN.iter().any(|word| schema.contains_key(*word)) {
        return false;
    }
    let properties = schema.get("properties").and_then(Value::as_object);
    let is_object = properties.is_some() || schema.get("type").is_some_and(|it| it == "object");
    if is_object {
        let required: Vec<_> =
            schema.get("required").and_then(Value::as_array).into_iter().flatten().collect();
        let is_required = |name: &String| required.iter().any(|it| *it == name);
        let is_closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
        if !is_closed || !properties.is_some_and(|it| it.keys().all(is_required)) {
            return false;
        }
    }
    let inner = properties.into_iter().flat_map(|it| it.values());
    let defs = ["$defs", "definitions"];
    let defs = defs.iter().filter_map(|it| schema.get(*it)?.as_object()).flat_map(|it| it.values());
    let any = schema.get("anyOf").and_then(Value::as_array).into_iter().flatten();
    inner.chain(defs).chain(any).chain(schema.get("items")).all(is_strict)
}
