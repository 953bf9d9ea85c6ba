//! [`scrub`]: JSON without what nobody may see.

use serde::de::IgnoredAny;
use serde_json::{Map, Value};
use toolwright_redact::{MARK, Secrets};

/// JSON without the secrets: in texts, in names of fields and in numbers.
pub(super) fn scrub(secrets: &Secrets, value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(scrub_text(secrets, text)),
        Value::Number(number) if secrets.is_in(&number.to_string()) => Value::from(MARK),
        Value::Array(items) => items.into_iter().map(|item| scrub(secrets, item)).collect(),
        Value::Object(map) => {
            let field = |(name, value)| (scrub_text(secrets, name), scrub(secrets, value));
            Value::Object(map.into_iter().map(field).collect::<Map<_, _>>())
        }
        other => other,
    }
}

/// Arguments are JSON in a text, and stay JSON: where a secret was a number in it, that is taken apart.
fn scrub_text(secrets: &Secrets, text: String) -> String {
    let Some((cleaned, _)) = secrets.clean(&text) else { return text };
    let is_json = |text: &str| serde_json::from_str::<IgnoredAny>(text).is_ok();
    if !text.trim_start().starts_with(['{', '[']) || is_json(&cleaned) {
        return cleaned;
    }
    let Ok(inner) = serde_json::from_str::<Value>(&text) else { return cleaned };
    let json = scrub(secrets, inner).to_string();
    if secrets.is_in(&json) { cleaned } else { json }
}
