//! [`find_tools`]: the tool by which a model looks for tools that were not offered.

use std::{collections::HashMap, future::ready, sync::Arc};

use serde_json::{Value, json};
use toolwright_core::{FnTool, Outcome, Output, Tool, ToolEffect, ToolSpec};

use super::ToolSelector;

/// Name of the tool by which a model looks for tools that were not offered.
pub const FIND_TOOLS: &str = "find_tools";

/// How many tools one search finds.
const MOST: usize = 8;
/// How many subjects the description names.
const SUBJECTS: usize = 40;

/// The tool by which a model looks for tools: words in; names, descriptions and parameters of the
/// best out, so that it may call them at once. Its description tells what the tools are about.
pub fn find_tools(selector: Arc<ToolSelector>, specs: Arc<[Arc<ToolSpec>]>) -> Arc<dyn Tool> {
    let description = format!(
        "Find tools by what they do. There are {} tools, and only some are offered at a time: look \
         here before you say that something cannot be done. What is found can be called at once. \
         There are tools about: {}.",
        specs.len(),
        subjects(&specs).join(", "),
    );
    let parameters = json!({
        "type": "object",
        "properties": {
            "query": {
                "type": "string",
                "description": "What is to be done and to what, in a few words, e.g. `cancel order`",
            },
        },
        "required": ["query"],
    });
    let spec = ToolSpec::new(FIND_TOOLS, description, parameters)
        .effect(ToolEffect::ReadOnly)
        .free_text("query")
        .generated("query");
    Arc::new(FnTool::new(spec, move |arguments, _| {
        let query = arguments.get("query").and_then(Value::as_str).unwrap_or_default();
        let found = selector.search(query, MOST);
        let found: Vec<_> = found.into_iter().filter_map(|at| specs.get(at)).map(told).collect();
        let answer = if found.is_empty() {
            let note = "No tool fits. Try other words: what is to be done, and to what.";
            json!({"tools": found, "note": note})
        } else {
            json!({"tools": found})
        };
        Box::pin(ready(Ok(Output::Json(answer.to_string()))))
    }))
}

fn told(spec: &Arc<ToolSpec>) -> Value {
    json!({
        "name": spec.name,
        "description": spec.description,
        "parameters": spec.parameters,
    })
}

/// The names in what [`find_tools`] answered.
pub(super) fn names_in(outcome: &Outcome) -> Vec<String> {
    let Ok(answer) = outcome.value() else { return Vec::new() };
    let tools = answer.get("tools").and_then(Value::as_array);
    let names = tools.into_iter().flatten().filter_map(|tool| tool.get("name")?.as_str());
    names.map(str::to_owned).collect()
}

/// What names begin or end with and no tool is about.
const VERBS: &[&str] = &[
    "add", "book", "cancel", "check", "create", "delete", "find", "get", "list", "log", "make",
    "read", "remove", "run", "search", "send", "set", "show", "start", "stop", "submit", "to",
    "update", "write",
];

/// What most tools are about: the words in most of their names.
fn subjects(specs: &[Arc<ToolSpec>]) -> Vec<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for word in specs.iter().flat_map(|spec| parts(&spec.name)) {
        if word.len() > 1 && !VERBS.contains(&word.as_str()) {
            *counts.entry(word).or_default() += 1;
        }
    }
    let mut subjects: Vec<_> = counts.into_iter().collect();
    subjects.sort_by(|(a, left), (b, right)| right.cmp(left).then_with(|| a.cmp(b)));
    subjects.truncate(SUBJECTS);
    subjects.into_iter().map(|(word, _)| word).collect()
}

/// The words of a name in any style.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut was_lower = false;
    for char in name.chars() {
        if matches!(char, '_' | '-' | '.') || (was_lower && char.is_uppercase()) {
            parts.push(String::new());
        }
        was_lower = char.is_lowercase();
        if let Some(last) = parts.last_mut().filter(|_| char.is_alphanumeric()) {
            last.extend(char.to_lowercase());
        }
    }
    parts
}
