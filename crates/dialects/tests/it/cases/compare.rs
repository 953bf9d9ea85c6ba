//! How what was found is held against what a case expects.

use std::collections::HashMap;

use serde_json::Value;
use toolwright_dialects::{DecodedPart, Extraction};

/// Whether what was found is what a case expects.
pub(super) fn same(expect: &Value, found: &Extraction) -> Result<(), String> {
    let calls = found.calls.iter().map(|call| {
        let arguments: Value = serde_json::from_str(&call.arguments).expect("arguments are JSON");
        (call.name.clone(), arguments, call.id.clone())
    });
    let calls: Vec<_> = calls.collect();
    let text = |key: &str| squeezed(expect[key].as_str().unwrap_or_default());
    let fits = squeezed(&found.content) == text("content")
        && squeezed(&found.reasoning) == text("reasoning")
        && found.incomplete == (expect["incomplete"] == true)
        && expect["tool_calls"].as_array().is_some_and(|expected| {
            expected.len() == calls.len()
                && expected.iter().zip(&calls).all(|(expected, (name, arguments, id))| {
                    expected["name"] == **name
                        && equal(&expected["arguments"], arguments)
                        && (expected["id"].is_null() || expected["id"].as_str() == id.as_deref())
                })
        });
    if fits { Ok(()) } else { Err(format!("expected {expect}\n  found {found:?}")) }
}

/// Whether the pieces of each call's arguments join to the arguments of the call.
pub(super) fn deltas(parts: &[DecodedPart]) -> Result<(), String> {
    let mut pieces: HashMap<usize, (String, String)> = HashMap::new();
    for part in parts {
        match part {
            DecodedPart::CallName { index, name } => {
                pieces.insert(*index, (name.clone(), String::new()));
            }
            DecodedPart::CallArguments { index, json } => {
                pieces.get_mut(index).expect("a name comes first").1.push_str(json);
            }
            DecodedPart::Call { index, call } => {
                let whole = (call.name.clone(), call.arguments.clone());
                if pieces.get(index) != Some(&whole) {
                    return Err(format!("the pieces of {call:?} are {:?}", pieces.get(index)));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Blanks do not count, but between words.
pub(super) fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Equal as JSON, numbers by value.
fn equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, it)| other.get(key).is_some_and(|other| equal(it, other)))
        }
        _ => one == other,
    }
}
