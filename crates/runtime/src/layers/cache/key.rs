//! [`Key`]: what makes two calls the same question.

use std::{fmt::Write, sync::Arc};

use serde_json::{Map, Number, Value};
use toolwright_core::{ContextKey, RunContext};

/// A question: whom it is asked for, and the arguments in one spelling.
///
/// Whom it is asked for is all that a tool can see of the run. A tool is not asked which part of that
/// its answer depends on: whoever forgot one would give somebody's answer to somebody else.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    context: ContextKey,
    arguments: Arc<str>,
}

impl Key {
    pub(super) fn of(arguments: &Value, context: &RunContext) -> Self {
        let mut spelled = String::with_capacity(64);
        value(arguments, &mut spelled);
        Self { context: context.key(), arguments: spelled.into() }
    }

    /// How many bytes it takes.
    pub(super) fn size(&self) -> usize {
        size_of::<Self>().saturating_add(self.arguments.len())
    }
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
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn key(arguments: &Value) -> Key {
        Key::of(arguments, &RunContext::new())
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

    /// What a context can be given, as data.
    #[derive(Clone, Debug, PartialEq)]
    enum Given {
        Label(&'static str, String),
        Secret(String),
        /// A credential that is known by its hash.
        Token(String),
        /// A handle of which nothing is known, and which of those that there are.
        Handle(usize),
    }

    #[derive(Hash)]
    struct Token(String);

    /// What counts of it: the last label of a name, the last value of a type, every secret.
    #[derive(Debug, Default, PartialEq)]
    struct Seen {
        labels: BTreeMap<&'static str, String>,
        secrets: BTreeSet<String>,
        token: Option<String>,
        handle: Option<usize>,
    }

    fn seen(given: &[Given]) -> Seen {
        let mut seen = Seen::default();
        for it in given.iter().cloned() {
            match it {
                Given::Label(name, value) => _ = seen.labels.insert(name, value),
                Given::Secret(text) => _ = seen.secrets.insert(text),
                Given::Token(text) => seen.token = Some(text),
                Given::Handle(which) => seen.handle = Some(which),
            }
        }
        seen
    }

    /// A context for each, with handles that are handed on and never copied.
    fn contexts(all: &[Vec<Given>]) -> Vec<RunContext> {
        // A handle is the same only in clones of the context that was given it.
        let handles: Vec<_> = (0..3_u8).map(|it| RunContext::new().with(it)).collect();
        let context = |given: &Vec<Given>| {
            let handle = given.iter().rev().find_map(|it| match it {
                Given::Handle(which) => handles.get(*which),
                _ => None,
            });
            let context = handle.cloned().unwrap_or_default();
            given.iter().cloned().fold(context, |context, it| match it {
                Given::Label(name, value) => context.label(name, value),
                Given::Secret(text) => context.secret(text),
                Given::Token(text) => context.with_hashed(Token(text)),
                Given::Handle(_) => context,
            })
        };
        all.iter().map(context).collect()
    }

    fn given() -> impl Strategy<Value = Given> {
        // Few and short, so that two are often equal, and often nearly.
        let text = || {
            prop::sample::select(vec!["", "a", "b", "ab", "a\"", "a\0b"]).prop_map(str::to_owned)
        };
        prop_oneof![
            (prop::sample::select(vec!["user", "tenant"]), text())
                .prop_map(|(name, value)| Given::Label(name, value)),
            text().prop_map(Given::Secret),
            text().prop_map(Given::Token),
            (0_usize..3).prop_map(Given::Handle),
        ]
    }

    fn arguments() -> impl Strategy<Value = Value> {
        let all = [json!({}), json!({"a": 1}), json!({"a": "1"}), json!({"a": [1]})];
        prop::sample::select(all.to_vec())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        /// Two calls are the same question where, and only where, everything is equal that a tool can
        /// see: arguments, credentials, labels, secrets, handles.
        #[test]
        fn whom_it_is_asked_for_is_part_of_it(
            one in (arguments(), prop::collection::vec(given(), 0..5)),
            other in (arguments(), prop::collection::vec(given(), 0..5)),
        ) {
            let contexts = contexts(&[one.1.clone(), other.1.clone()]);
            let keys = (Key::of(&one.0, &contexts[0]), Key::of(&other.0, &contexts[1]));
            let is_same = one.0 == other.0 && seen(&one.1) == seen(&other.1);
            prop_assert_eq!(keys.0 == keys.1, is_same);
        }
    }

    /// A key that was made is not the key of what is added later.
    #[test]
    fn a_context_that_is_given_more_is_another() {
        let before = RunContext::new().label("user", "ann");
        let arguments = json!({});
        let key = Key::of(&arguments, &before);
        assert_eq!(key, Key::of(&arguments, &before.clone()));
        assert_ne!(key, Key::of(&arguments, &before.clone().with_hashed(Token("t".to_owned()))));
        assert_ne!(key, Key::of(&arguments, &before.clone().with(1_u8)));
        assert_eq!(key, Key::of(&arguments, &before));
    }

    /// Two values that can be compared and are equal are one; two that cannot are two.
    #[test]
    fn what_cannot_be_compared_is_another_each_time() {
        let of = |context: &RunContext| Key::of(&json!({}), context);
        let (one, other) = (RunContext::new().with(7_u8), RunContext::new().with(7_u8));
        assert_ne!(of(&one), of(&other));
        let (one, other) =
            (RunContext::new().with_hashed(7_u8), RunContext::new().with_hashed(7_u8));
        assert_eq!(of(&one), of(&other));
        // Of one hash, and of two types.
        assert_ne!(of(&one), of(&RunContext::new().with_hashed(7_i8)));
    }
}
