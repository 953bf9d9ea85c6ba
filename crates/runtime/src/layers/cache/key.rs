//! What makes two calls the same question.

use std::{fmt::Write, sync::Arc};

use serde_json::{Map, Number, Value};
use toolwright_core::RunContext;

/// The question: whom it is asked for, and the arguments in one spelling. Nothing where the run
/// does not say whom.
pub(super) fn of(arguments: &Value, by: &[String], context: &RunContext) -> Option<Arc<str>> {
    let mut key = String::with_capacity(64);
    for label in by {
        // As JSON, so that no value can pass for two.
        string(context.labelled(label)?, &mut key);
    }
    value(arguments, &mut key);
    Some(key.into())
}

fn value(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(yes) => out.push_str(if *yes { "true" } else { "false" }),
        Value::Number(it) => number(it, out),
        Value::String(text) => string(text, out),
        Value::Array(items) => {
            out.push('[');
            for item in items {
                self::value(item, out);
                out.push(',');
            }
            out.push(']');
        }
        Value::Object(map) => object(map, out),
    }
}

fn object(map: &Map<String, Value>, out: &mut String) {
    out.push('{');
    let mut field = |(name, inner): (&String, &Value)| {
        string(name, out);
        out.push(':');
        value(inner, out);
        out.push(',');
    };
    // Whether a map keeps its keys sorted is decided by whoever else is built into the program.
    if map.keys().is_sorted() {
        map.iter().for_each(&mut field);
    } else {
        let mut fields: Vec<_> = map.iter().collect();
        fields.sort_unstable_by_key(|(name, _)| *name);
        fields.into_iter().for_each(&mut field);
    }
    out.push('}');
}

/// `1`, `1.0` and `1e0` are one number.
fn number(number: &Number, out: &mut String) {
    /// Up to here every whole number has a float of its own.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    // Writing to a `String` cannot fail.
    let _ = match number.as_f64() {
        Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() <= EXACT => {
            write!(out, "{}", float as i64)
        }
        _ => write!(out, "{number}"),
    };
}

/// In quotes, with what could end it escaped.
fn string(text: &str, out: &mut String) {
    out.push('"');
    for part in text.split_inclusive(['"', '\\']) {
        let end = part.len() - usize::from(part.ends_with(['"', '\\']));
        let (plain, last) = part.split_at(end);
        out.push_str(plain);
        if !last.is_empty() {
            out.push('\\');
            out.push_str(last);
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn key(arguments: &Value) -> Arc<str> {
        of(arguments, &[], &RunContext::new()).unwrap()
    }

    #[test]
    fn one_question_in_two_spellings_is_one() {
        let read = |text: &str| key(&serde_json::from_str(text).unwrap());
        assert_eq!(
            read(r#"{"a":1,"b":{"d":[2],"c":null}}"#),
            read(r#"{"b":{"c":null,"d":[2.0]},"a":1e0}"#)
        );
        assert_eq!(read("-0.0"), read("0"));
        assert_eq!(read(r#""\u0061\/""#), read(r#""a/""#));
    }

    #[test]
    fn two_questions_are_two() {
        let all = [
            json!({}),
            json!([]),
            json!(""),
            json!("{}"),
            json!(null),
            json!("null"),
            json!(1),
            json!("1"),
            json!(1.5),
            json!(true),
            json!({"a": 1}),
            json!({"a": "1"}),
            json!({"a": [1]}),
            json!({"a": {"b": 1}}),
            json!({"a": {}, "b": 1}),
            json!(["a", "b"]),
            json!(["a,b"]),
            json!(["a\",\"b"]),
            json!([["a"], "b"]),
            json!([["a", "b"]]),
            json!({"a": 1, "b": 2}),
            json!({"a": {"b": 2}, "c": 1}),
            json!("\\"),
            json!("\\\\"),
            json!(u64::MAX),
            json!(u64::MAX - 1),
            json!(i64::MIN),
            json!(9_007_199_254_740_993_u64),
        ];
        for (at, one) in all.iter().enumerate() {
            for other in &all[at + 1..] {
                assert_ne!(key(one), key(other), "{one} and {other}");
            }
        }
    }

    #[test]
    fn whom_it_is_asked_for_is_part_of_it() {
        let by = ["user".to_owned(), "tenant".to_owned()];
        let context = |user: &str, tenant: &str| {
            RunContext::new().label("user", user).label("tenant", tenant)
        };
        let of = |context: &RunContext| of(&json!({}), &by, context);
        assert_ne!(of(&context("a", "b")), of(&context("b", "a")));
        assert_ne!(of(&context("a\"\"b", "")), of(&context("a", "b")));
        assert_eq!(of(&RunContext::new().label("user", "a")), None, "a label is missing");
    }
}
