//! [`names_file`]: which questions and which tools are about files.

use serde_json::Value;
use toolwright_core::ToolSpec;

/// Whether a file is named: `src/main.rs`, `notes.txt`, or something between backticks.
pub(crate) fn names_file(question: &str) -> bool {
    let is_name =
        |it: &str| it.len() > 1 && it.chars().all(|it| it.is_alphanumeric() || "_-/.".contains(it));
    let is_ending =
        |it: &str| (1..=5).contains(&it.len()) && it.chars().all(|it| it.is_ascii_lowercase());
    question.contains('`')
        || question.split_whitespace().any(|word| {
            let word = word.trim_matches(|it: char| !it.is_alphanumeric());
            let named = |(name, ending): (&str, &str)| is_name(name) && is_ending(ending);
            word.rsplit_once('.').is_some_and(named)
        })
}

/// Whether a tool takes the name of a file.
pub(crate) fn is_for_files(spec: &ToolSpec) -> bool {
    let parameters = spec.parameters.get("properties").and_then(Value::as_object);
    parameters
        .is_some_and(|it| it.keys().any(|name| name.ends_with("path") || name.ends_with("file")))
}
