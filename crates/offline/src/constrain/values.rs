//! Which values a schema allows, of those the conversation gives.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{
    compile::Need,
    forms::{Form, clock},
    numbers::{Number, Numbers},
    spans::{Length, Spans},
};
use crate::{prompt::spaced, schema};

/// How many characters a piece of the conversation has.
const SPAN: u32 = 300;
/// How many characters composed text has.
const TEXT: u32 = 4000;
/// How many words a key has: `us-east-1` is five.
const KEY_WORDS: usize = 5;
/// How many characters a key has.
const KEY: Length = Length { least: 1, most: 40 };
/// How many characters a number has.
const NUMBER: usize = 18;

/// Whole numbers, as JSON.
pub(super) fn integers(schema: &Value, numbers: &Numbers) -> BTreeSet<String> {
    let given = numbers.numbers.iter().filter(|number| number.is_whole() && fits(number, schema));
    let default = schema.get("default").filter(|value| value.is_i64() || value.is_u64());
    let default = default.filter(|value| admits(schema, value));
    given.map(|number| number.decimal.clone()).chain(default.map(spaced)).collect()
}

/// Numbers, as JSON.
pub(super) fn numbers(schema: &Value, numbers: &Numbers) -> BTreeSet<String> {
    let given = numbers.numbers.iter().filter(|number| fits(number, schema));
    let default = schema.get("default").filter(|value| value.is_number());
    let default = default.filter(|value| admits(schema, value));
    given.flat_map(Number::json).chain(default.map(spaced)).collect()
}

fn fits(number: &Number, schema: &Value) -> bool {
    number.decimal.len() <= NUMBER && is_within(number.value(), schema)
}

fn is_within(value: f64, schema: &Value) -> bool {
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    let step = bound("multipleOf").filter(|step| *step > 0.0);
    bound("minimum").is_none_or(|least| value >= least)
        && bound("maximum").is_none_or(|most| value <= most)
        && bound("exclusiveMinimum").is_none_or(|below| value > below)
        && bound("exclusiveMaximum").is_none_or(|above| value < above)
        && step.is_none_or(|step| value % step == 0.0)
}

/// Whether a value that a schema names fits what else it says.
pub(super) fn admits(schema: &Value, value: &Value) -> bool {
    let types = schema::types(schema);
    let is = |name: &str| types.is_empty() || types.contains(&name);
    let says = |names: &[&str]| names.iter().any(|name| schema.get(*name).is_some());
    match value {
        Value::Null => is("null"),
        Value::Bool(_) => is("boolean"),
        Value::Number(number) => {
            let is_whole = number.as_f64().is_some_and(|it| it.fract() == 0.0);
            (is("number") || (is_whole && is("integer")))
                && number.as_f64().is_some_and(|it| is_within(it, schema))
        }
        Value::String(text) => {
            let Length { least, most } = text_bounds(schema);
            let has_length = (least..=most).contains(&count(text.chars().count() as u64));
            is("string")
                && has_length
                && Form::of(schema).is_ok_and(|it| it.fits(text))
                && clock(schema).is_none_or(|_| schema.get("format").is_none())
        }
        Value::Array(_) => {
            is("array") && !says(&["items", "prefixItems", "minItems", "maxItems", "uniqueItems"])
        }
        Value::Object(_) => {
            is("object")
                && !says(&[
                    "properties",
                    "required",
                    "additionalProperties",
                    "minProperties",
                    "maxProperties",
                    "propertyNames",
                ])
        }
    }
}

/// What a number may begin with, where all that begin so fit; none where it takes more to tell.
pub(super) fn first_signs(schema: &Value) -> Option<&'static [u8]> {
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    let is_open = bound("maximum").is_none()
        && bound("exclusiveMaximum").is_none()
        && bound("multipleOf").is_none();
    match (bound("minimum"), bound("exclusiveMinimum")) {
        _ if !is_open => None,
        (None, None) => Some(b"-0123456789"),
        (Some(0.0), None) => Some(b"0123456789"),
        (Some(least), None) if (0.0..=1.0).contains(&least) => Some(b"123456789"),
        (None, Some(below)) if (0.0..1.0).contains(&below) => Some(b"123456789"),
        _ => None,
    }
}

/// How many numbers a grid has.
const GRID: f64 = 2_000.0;

/// The numbers between the bounds of a schema, one step after the other.
pub(super) fn grid(schema: &Value, is_whole: bool) -> BTreeSet<String> {
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    let least =
        [bound("minimum"), bound("exclusiveMinimum")].into_iter().flatten().reduce(f64::max);
    let most = [bound("maximum"), bound("exclusiveMaximum")].into_iter().flatten().reduce(f64::min);
    let (Some(from), Some(to)) = (least.or(most), most.or(least)) else { return BTreeSet::new() };
    let steps: &[f64] = if is_whole { &[1.0] } else { &[100.0, 10.0, 1.0] };
    let Some(parts) = steps.iter().find(|parts| (to - from) * **parts <= GRID) else {
        return BTreeSet::new();
    };
    let (first, last) = ((from * parts).floor(), (to * parts).ceil());
    if !first.is_finite() || !last.is_finite() || first.abs() > 1e12 || last.abs() > 1e12 {
        return BTreeSet::new();
    }
    let numbers = (first as i64..=last as i64).map(|at| at as f64 / parts);
    let numbers = numbers.filter(|it| is_within(*it, schema) && (!is_whole || it.fract() == 0.0));
    numbers.map(|it| it.to_string()).collect()
}

/// The properties that an object of a schema may have, those that only `required` names last; none where it must have
/// one that it must not have.
pub(super) fn fields(schema: &Value) -> Option<Vec<(String, Value)>> {
    let own = schema.get("properties").and_then(Value::as_object);
    let mut fields: Vec<_> =
        own.into_iter().flatten().map(|(name, it)| (name.clone(), it.clone())).collect();
    let names = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    for name in names.filter_map(Value::as_str) {
        if !fields.iter().any(|(known, _)| known == name) {
            let rest = schema.get("additionalProperties").cloned().unwrap_or(Value::Bool(true));
            if rest == Value::Bool(false) {
                return None;
            }
            fields.push((name.to_owned(), rest));
        }
    }
    Some(fields)
}

/// The strings a schema itself names: the default, and for a parameter that may be left out what its
/// description quotes. One that must be there is asked for, and quotes are only examples.
pub(super) fn declared(schema: &Value, need: Need, form: &Form) -> BTreeSet<String> {
    let default = schema.get("default").and_then(Value::as_str);
    let description = schema.get("description").and_then(Value::as_str);
    let description = description.filter(|_| need == Need::Optional).unwrap_or_default();
    let all = default.into_iter().chain(quoted(description));
    let length = text_bounds(schema);
    let fits = |text: &&str| {
        let count = text.chars().count() as u32;
        (length.least..=length.most).contains(&count) && form.fits(text)
    };
    all.filter(fits).map(|text| spaced(&text.into())).collect()
}

/// What stands in quotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    ['"', '\'', '`'].into_iter().flat_map(|quote| {
        let mut pieces = text.split(quote);
        let before = pieces.next().unwrap_or_default();
        // An apostrophe opens nothing.
        let is_open = !before.ends_with(char::is_alphanumeric);
        pieces.step_by(2).take_while(move |_| is_open).filter(|it| !it.contains('\n'))
    })
}

/// How long a piece of the conversation may be.
pub(super) fn span_length(schema: &Value) -> Length {
    let Length { least, most } = text_length(schema);
    Length { least: least.max(1), most: most.min(SPAN) }
}

/// How long composed text may be.
pub(super) fn text_length(schema: &Value) -> Length {
    let Length { least, most } = text_bounds(schema);
    Length { least, most: most.min(TEXT.max(least)) }
}

/// How long a text may be.
pub(super) fn text_bounds(schema: &Value) -> Length {
    let bound = |key: &str| schema.get(key).and_then(Value::as_u64).map(count);
    let least = bound("minLength").unwrap_or_default();
    Length { least, most: bound("maxLength").unwrap_or(u32::MAX) }
}

pub(super) fn count(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The keys a map may have, as they stand in JSON; none where its schema asks more of them than we know.
pub(super) fn keys(schema: &Value, spans: &Spans) -> Option<BTreeSet<Vec<u8>>> {
    let Some(names) = schema.get("propertyNames") else {
        let pieces = spans.pieces(KEY_WORDS, KEY);
        let solid = pieces.filter(|piece| !piece.iter().any(|byte| matches!(byte, b' ' | b'"')));
        return Some(solid.map(<[u8]>::to_vec).collect());
    };
    let names = names.get("enum")?.as_array()?.iter().filter(|name| name.is_string());
    let inner = |name: &Value| spaced(name).trim_matches('"').as_bytes().to_vec();
    Some(names.map(inner).collect())
}

/// Whether `null` fits a plain schema.
pub(super) fn is_nullable(schema: &Value) -> bool {
    match schema.get("enum").and_then(Value::as_array) {
        Some(values) => values.iter().any(|it| it.is_null() && admits(schema, it)),
        None => schema::types(schema).contains(&"null"),
    }
}
