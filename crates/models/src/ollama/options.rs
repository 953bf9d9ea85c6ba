//! How a model is to write, in the form of Ollama's own API.

use bytes::BytesMut;
use serde_json::{Map, Value};
use toolwright_core::ModelOptions;

use crate::endpoint::{Fixed, write::field};

/// The longest window that is asked for: a longer one takes memory that nobody may have, and a server that
/// cannot have it loads nothing at all.
const MODEST_WINDOW: u64 = 32_768;

/// Fields of a request that are written elsewhere.
const OURS: [&str; 6] = ["model", "messages", "tools", "stream", "format", "options"];

/// What stands among the options, and is dropped without a word anywhere else.
const OPTIONS: [&str; 24] = [
    "frequency_penalty",
    "main_gpu",
    "min_p",
    "mirostat",
    "mirostat_eta",
    "mirostat_tau",
    "num_batch",
    "num_ctx",
    "num_gpu",
    "num_keep",
    "num_predict",
    "num_thread",
    "penalize_newline",
    "presence_penalty",
    "repeat_last_n",
    "repeat_penalty",
    "seed",
    "stop",
    "temperature",
    "tfs_z",
    "top_k",
    "top_p",
    "typical_p",
    "use_mmap",
];

/// Writes what is said of how to write.
pub(super) fn write(out: &mut BytesMut, options: &ModelOptions, fixed: &Fixed<'_>) {
    if options.parallel_tool_calls == Some(false) {
        tracing::warn!(
            "Ollama cannot be told to call one tool at a time: parallel_tool_calls left out"
        );
    }
    let is_field = |name: &str| !OURS.contains(&name) && !OPTIONS.contains(&name);
    let given = options.extra.iter().filter(|(name, _)| is_field(name));
    let mut fields: Map<_, _> = given.map(|(name, it)| (name.clone(), it.clone())).collect();
    // A conversation that is too long is an error, and none that lost its beginning: results would be missing
    // from it. Servers that do not know these fields skip them.
    for name in ["truncate", "shift"] {
        fields.entry(name).or_insert(Value::Bool(false));
    }
    if let Some(think) = options.reasoning_effort.as_deref().and_then(|it| think(it, fixed)) {
        fields.insert("think".to_owned(), think);
    }
    for (name, value) in &fields {
        field(out, name, value);
    }
    let options = listed(options, fixed);
    if !options.is_empty() {
        field(out, "options", &options);
    }
}

/// What stands among the options.
fn listed(options: &ModelOptions, fixed: &Fixed<'_>) -> Map<String, Value> {
    let mut listed = Map::new();
    // Where nothing is said it is 4096, or what the machine has room for. Another window than the one it was
    // loaded with loads the model anew: so it is the same in every request.
    if let Some(window) = fixed.facts.window.filter(|it| *it <= MODEST_WINDOW) {
        listed.insert("num_ctx".to_owned(), window.into());
    }
    let extra = &options.extra;
    let given = extra.get("options").and_then(Value::as_object).into_iter().flatten();
    let alone = extra.iter().filter(|(name, _)| OPTIONS.contains(&name.as_str()));
    listed.extend(given.chain(alone).map(|(name, value)| (name.clone(), value.clone())));
    let stop = (!options.stop.is_empty()).then(|| options.stop.clone().into());
    let said = [
        ("temperature", options.temperature.map(Value::from)),
        ("top_p", options.top_p.map(Value::from)),
        ("num_predict", options.max_output_tokens.map(Value::from)),
        ("stop", stop),
        ("seed", options.seed.map(Value::from)),
    ];
    let said = said.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    listed.extend(said);
    listed
}

/// How much it thinks: yes or no, or one of the levels; any other word is refused.
fn think(effort: &str, fixed: &Fixed<'_>) -> Option<Value> {
    let model = fixed.model;
    if fixed.facts.reasons == Some(false) {
        tracing::warn!(model, "the model does not think: reasoning_effort left out");
        return None;
    }
    Some(match effort {
        // It always thinks, and takes levels alone.
        "none" | "off" | "false" if model.contains("gpt-oss") => "low".into(),
        "none" | "off" | "false" => false.into(),
        "on" | "true" => true.into(),
        "minimal" | "low" => "low".into(),
        "medium" => "medium".into(),
        "high" | "xhigh" => "high".into(),
        "max" => "max".into(),
        _ => {
            tracing::warn!(effort, "Ollama thinks none, low, medium, high or max: left out");
            return None;
        }
    })
}
