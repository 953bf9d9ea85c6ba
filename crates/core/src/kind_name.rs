//! [`word`]: what a kind is called, in labels and attributes.

use serde::Serialize;
use serde_json::Value;

/// A kind by the name it is serialised with: `timeout`, or `model_timeout` where it is a kind of
/// another.
pub fn kind_name(kind: &impl Serialize) -> String {
    let value = serde_json::to_value(kind).unwrap_or_default();
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    match (text(value.get("kind")), text(value.get("of"))) {
        (Some(kind), Some(of)) => format!("{kind}_{of}"),
        (Some(kind), None) => kind,
        _ => text(Some(&value)).unwrap_or_else(|| "_OTHER".to_owned()),
    }
}
