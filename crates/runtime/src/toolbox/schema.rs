//! [`Schema`]: a compiled JSON Schema that says everything that is wrong at once.

use jsonschema::{Validator, error::ValidationErrorKind};
use serde_json::Value;

/// A compiled JSON Schema. References to files or other hosts are never resolved.
pub(super) struct Schema(Validator);

/// More violations than this teach a model nothing new.
const MOST: usize = 16;

impl Schema {
    pub(super) fn compile(schema: &Value) -> Result<Self, String> {
        jsonschema::options()
            .should_validate_formats(true)
            .build(schema)
            .map(Self)
            .map_err(|error| error.to_string())
    }

    pub(super) fn violations(&self, arguments: &Value) -> Vec<String> {
        if self.0.is_valid(arguments) {
            return Vec::new();
        }
        let errors = self.0.iter_errors(arguments).take(MOST);
        errors.map(|error| describe(&error)).collect()
    }
}

fn describe(error: &jsonschema::ValidationError<'_>) -> String {
    let at = error.instance_path().to_string();
    let place = if at.is_empty() { "arguments".to_owned() } else { format!("`{at}`") };
    let problem = match error.kind() {
        ValidationErrorKind::Required { property } => format!("{property} is required"),
        _ => shorten(&error.to_string()),
    };
    format!("{place}: {problem}")
}

/// The crate quotes the offending value, which may be as long as the model made it.
fn shorten(text: &str) -> String {
    const MOST: usize = 300;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}
