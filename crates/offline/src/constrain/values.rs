//! Which values a schema allows, of those the conversation gives.

use std::collections::BTreeSet;

use regex::Regex;
use serde_json::Value;

use super::{
    compile::Need,
    numbers::{Number, Numbers},
    spans::{Length, Spans},
};
use crate::{prompt::spaced, schema};

/// How many characters a piece of the conversation has.
const SPAN: u32 = 300;
/// How many characters composed text has.
const TEXT: u32 = 4000;
/// How many words a piece has that must match a pattern.
const PATTERN_WORDS: usize = 12;
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
    given.map(|number| number.decimal.clone()).chain(default.map(spaced)).collect()
}

/// Numbers, as JSON.
pub(super) fn numbers(schema: &Value, numbers: &Numbers) -> BTreeSet<String> {
    let given = numbers.numbers.iter().filter(|number| fits(number, schema));
    let default = schema.get("default").filter(|value| value.is_number());
    given.flat_map(Number::json).chain(default.map(spaced)).collect()
}

fn fits(number: &Number, schema: &Value) -> bool {
    let value = number.value();
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    let step = bound("multipleOf").filter(|step| *step > 0.0);
    number.decimal.len() <= NUMBER
        && bound("minimum").is_none_or(|least| value >= least)
        && bound("maximum").is_none_or(|most| value <= most)
        && bound("exclusiveMinimum").is_none_or(|below| value > below)
        && bound("exclusiveMaximum").is_none_or(|above| value < above)
        && step.is_none_or(|step| value % step == 0.0)
}

/// Whether a string is a date, and then whether a time of the day may follow.
pub(super) fn date(schema: &Value) -> Option<bool> {
    let description = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let is_date = schema.get("format").is_some_and(|format| format == "date");
    let is_said = schema.get("format").is_none() && description.contains("YYYY-MM-DD");
    (is_date || is_said).then(|| description.contains("YYYY-MM-DD HH:MM"))
}

/// The strings a schema itself names: the default, and for a parameter that may be left out what its
/// description quotes. One that must be there is asked for, and quotes are only examples.
pub(super) fn declared(schema: &Value, need: Need) -> BTreeSet<String> {
    let default = schema.get("default").and_then(Value::as_str);
    let description = schema.get("description").and_then(Value::as_str);
    let description = description.filter(|_| need == Need::Optional).unwrap_or_default();
    let all = default.into_iter().chain(quoted(description));
    let (length, pattern) = (span_length(schema), schema.get("pattern"));
    let fits = |text: &&str| {
        let count = text.chars().count() as u32;
        (length.least..=length.most).contains(&count) && pattern.is_none()
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
    let bound = |key: &str| schema.get(key).and_then(Value::as_u64).map(count);
    let least = bound("minLength").unwrap_or_default();
    Length { least, most: bound("maxLength").unwrap_or(TEXT).min(TEXT.max(least)) }
}

pub(super) fn count(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The pieces that match a pattern, as JSON strings; none where nobody can read the pattern.
pub(super) fn matching(pattern: &str, spans: &Spans, length: Length) -> BTreeSet<String> {
    let Ok(pattern) = Regex::new(pattern) else { return BTreeSet::new() };
    let pieces: BTreeSet<_> = spans.pieces(PATTERN_WORDS, length).collect();
    let quoted = pieces.into_iter().filter_map(|piece| {
        let text = format!("\"{}\"", std::str::from_utf8(piece).ok()?);
        let inner: String = serde_json::from_str(&text).ok()?;
        pattern.is_match(&inner).then_some(text)
    });
    quoted.collect()
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

/// Whether `null` fits a schema.
pub(super) fn is_nullable(schema: &Value, root: &Value) -> bool {
    let schema = schema::resolved(schema, root);
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return values.iter().any(Value::is_null);
    }
    match schema::options(schema) {
        Some(mut options) => options.any(schema::is_null),
        None => schema::types(schema).contains(&"null"),
    }
}
