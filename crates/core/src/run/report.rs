//! [`report`]: a call and its result in the words that single shot promises.

use std::borrow::Cow;

use serde::de::IgnoredAny;
use serde_json::Value;

use crate::Outcome;

/// A call and its result in words, of three kinds:
///
/// - `Tool 'NAME' executed successfully:`, the message, and `Data:` with the JSON or `None`;
/// - `Tool 'NAME' failed:` and the message, where the tool answered and its answer says
///   `"success": false`, or it did what it was asked to and that did not succeed;
/// - `Tool execution failed:`, why, and `Input:` with the arguments, as the tool resolved them where
///   it says so, in every other case: no such tool, invalid arguments, refused, denied, out of time.
pub(super) fn report(tool: &str, arguments: &Value, outcome: &Outcome) -> String {
    if !outcome.status.is_ok() {
        let reason = outcome.reason();
        if outcome.data.as_ref().is_some_and(is_failure) {
            return format!("Tool '{tool}' failed:\n{reason}");
        }
        let input = outcome.input.as_ref().unwrap_or(arguments);
        return format!("Tool execution failed: {reason}\n\nInput: {input:#?}");
    }
    let data = data(outcome);
    let message = message(outcome, data.as_deref());
    match &data {
        Some(data) if is_failure(data) => format!("Tool '{tool}' failed:\n{message}"),
        Some(data) => {
            format!("Tool '{tool}' executed successfully:\n{message}\n\nData: {data}")
        }
        None => format!("Tool '{tool}' executed successfully:\n{message}\n\nData: None"),
    }
}

/// Whether a call did what it was made for, by its status and by what the tool itself says.
pub(super) fn has_succeeded(outcome: &Outcome) -> bool {
    outcome.status.is_ok() && !data(outcome).is_some_and(|data| is_failure(&data))
}

fn is_failure(data: &Value) -> bool {
    data.get("success") == Some(&Value::Bool(false))
}

/// The result as data. A text, a number or nothing is a message and no data.
fn data(outcome: &Outcome) -> Option<Cow<'_, Value>> {
    let value = outcome.value().ok()?;
    (value.is_object() || value.is_array()).then_some(value)
}

/// What the tool said in words: beside its data, instead of it, or in it.
fn message<'a>(outcome: &'a Outcome, data: Option<&'a Value>) -> Cow<'a, str> {
    if let Some(Value::String(text)) = &outcome.data {
        return Cow::Borrowed(text);
    }
    if !is_json(outcome.readable()) {
        return Cow::Borrowed(outcome.unmarked());
    }
    match (data, &outcome.data) {
        (Some(data), _) => {
            let inside = ["message", "error"].iter().find_map(|key| data.get(key)?.as_str());
            Cow::Borrowed(inside.unwrap_or("The result is data."))
        }
        // A number in an envelope, say.
        (None, Some(value)) => Cow::Owned(value.to_string()),
        (None, None) => Cow::Borrowed(outcome.said()),
    }
}

fn is_json(text: &str) -> bool {
    text.starts_with(['{', '[']) && serde_json::from_str::<IgnoredAny>(text).is_ok()
}
