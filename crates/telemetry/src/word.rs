//! What kinds are called in labels and attributes.

use serde::Serialize;
use serde_json::Value;
use toolwright_core::FailureKind;

/// A kind by the name it is serialised with: `timeout`, or `model_timeout` where it is of another.
/// The same words as the spans have for `error.type`.
pub(crate) fn of(kind: &impl Serialize) -> String {
    let value = serde_json::to_value(kind).unwrap_or_default();
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    match (text(value.get("kind")), text(value.get("of"))) {
        (Some(kind), Some(of)) => format!("{kind}_{of}"),
        (Some(kind), None) => kind,
        _ => text(Some(&value)).unwrap_or_else(|| "_OTHER".to_owned()),
    }
}

/// Why a question to a model got no reply.
pub(crate) fn of_exchange(kind: &FailureKind) -> String {
    match kind {
        FailureKind::Model(kind) => of(kind),
        // It did not fail by itself: the run was stopped while it waited.
        _ => "cancelled".to_owned(),
    }
}
