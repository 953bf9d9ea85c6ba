//! [`Expected`]: what a case expects, and whether that was found.

use serde::Deserialize;
use serde_json::{Number, Value, value::RawValue};
use toolwright_dialects::{ExtractedCall, Extraction};

/// Arguments nested deeper than this are not compared: they would exhaust the stack.
const DEEPEST: usize = 1_000;

/// What a case expects.
#[derive(Deserialize)]
pub(super) struct Expected {
    content: Option<String>,
    reasoning: Option<String>,
    #[serde(default)]
    tool_calls: Vec<ExpectedCall>,
    #[serde(default)]
    incomplete: bool,
}

#[derive(Deserialize)]
struct ExpectedCall {
    name: String,
    arguments: Box<RawValue>,
    /// Only where the text carries one; otherwise ids are free.
    id: Option<String>,
}

impl Expected {
    /// Whether this was found: texts but for whitespace, arguments by their values, calls in order.
    pub(super) fn is_met_by(&self, found: &Extraction) -> bool {
        let text = |text: Option<&str>| {
            text.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
        };
        text(self.content.as_deref()) == text(Some(&found.content))
            && text(self.reasoning.as_deref()) == text(Some(&found.reasoning))
            && self.incomplete == found.incomplete
            && self.tool_calls.len() == found.calls.len()
            && self.tool_calls.iter().zip(&found.calls).all(|(wanted, it)| wanted.is(it))
    }
}

impl ExpectedCall {
    fn is(&self, call: &ExtractedCall) -> bool {
        self.name == call.name
            && (self.id.is_none() || self.id == call.id)
            && match (value(self.arguments.get()), value(&call.arguments)) {
                (Some(wanted), Some(given)) => same(&wanted, &given),
                _ => false,
            }
    }
}

/// A value of almost any depth.
fn value(json: &str) -> Option<Value> {
    if depth(json) > DEEPEST {
        return None;
    }
    let mut reader = serde_json::Deserializer::from_str(json);
    reader.disable_recursion_limit();
    let value = Value::deserialize(&mut reader).ok()?;
    reader.end().ok().map(|()| value)
}

/// How deep brackets are nested.
fn depth(json: &str) -> usize {
    let (mut deepest, mut depth) = (0, 0_usize);
    let (mut string, mut escaped) = (false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if string => escaped = true,
            b'"' => string = !string,
            _ if string => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// Equal as JSON: numbers by value, keys in any order.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => same_number(one, other),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let field = |(key, one)| other.get(key).is_some_and(|other| same(one, other));
            one.len() == other.len() && one.iter().all(field)
        }
        _ => one == other,
    }
}

fn same_number(one: &Number, other: &Number) -> bool {
    // Whole numbers are compared as such: as floats, neighbours may look the same.
    one == other || ((one.is_f64() || other.is_f64()) && one.as_f64() == other.as_f64())
}

#[cfg(test)]
mod tests {
    use super::{same, value};

    #[test]
    fn values_are_equal_as_json() {
        let same = |one: &str, other: &str| match (value(one), value(other)) {
            (Some(one), Some(other)) => same(&one, &other),
            _ => false,
        };
        assert!(same(r#"{"a":0,"b":[1.50]}"#, r#"{"b":[1.5],"a":0.0}"#));
        assert!(!same(r#"{"a":" x"}"#, r#"{"a":"x"}"#));
        assert!(!same("9007199254740993", "9007199254740992"));
        assert!(!same("{}", r#"{"a":null}"#));
        let deep = |by: usize| format!("{}{}", "[".repeat(by), "]".repeat(by));
        assert!(same(&deep(256), &deep(256)));
        assert!(!same(&deep(200_000), &deep(200_000)));
    }
}
