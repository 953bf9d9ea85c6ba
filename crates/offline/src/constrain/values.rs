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
/// Up to where every whole number is one of its own, in 64 bits with a point.
const EXACT: f64 = 9_007_199_254_740_992.0;
/// What a schema says of a number's size.
const BOUNDS: &[&str] =
    &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];

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
    // Beyond that neighbours are one number here.
    let is_exact = value.abs() <= EXACT || BOUNDS.iter().all(|key| schema.get(*key).is_none());
    is_exact
        && bound("minimum").is_none_or(|least| value >= least)
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
        Value::String(text) => TextRule::of(schema).is_some_and(|it| it.fits(text)),
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
    let least = schema::count(schema, "minLength").unwrap_or_default();
    Length { least, most: schema::count(schema, "maxLength").unwrap_or(u32::MAX) }
}

/// The keys a map may have, as they stand in JSON. `names` are the plain schemas of what they must be.
pub(super) fn keys(names: &[Value], spans: &Spans) -> BTreeSet<Vec<u8>> {
    let named = names.iter().filter_map(|it| Some((it, it.get("enum")?.as_array()?)));
    let named = named.flat_map(|(names, all)| all.iter().filter(|it| admits(names, it)));
    let named = named.filter_map(|it| inner(&spaced(it)).filter(|_| it.is_string()));
    let open = names.iter().filter(|it| it.get("enum").is_none());
    let open: Vec<TextRule> = open.filter_map(TextRule::of).collect();
    let is_fine = |piece: &&[u8]| {
        let is_solid = !piece.iter().any(|byte| matches!(byte, b' ' | b'"'));
        let text = std::str::from_utf8(piece).ok().filter(|_| is_solid);
        let text = text.and_then(|it| serde_json::from_str::<String>(&format!("\"{it}\"")).ok());
        text.is_some_and(|text| open.iter().any(|it| it.fits(&text)))
    };
    let pieces = spans.pieces(KEY_WORDS, KEY).filter(is_fine).map(<[u8]>::to_vec);
    pieces.chain(named).collect()
}

/// What stands between the quotes of a JSON string.
fn inner(text: &str) -> Option<Vec<u8>> {
    Some(text.strip_prefix('"')?.strip_suffix('"')?.as_bytes().to_vec())
}

/// What a plain schema says of a text, besides the values that it names.
struct TextRule {
    length: Length,
    form: Form,
}

impl TextRule {
    /// None where no text fits that is not composed.
    fn of(schema: &Value) -> Option<Self> {
        let types = schema::types(schema);
        let is_text = types.is_empty() || types.contains(&"string");
        let form = Form::of(schema).ok().filter(|_| is_text && !is_moment(schema))?;
        Some(Self { length: text_bounds(schema), form })
    }

    fn fits(&self, text: &str) -> bool {
        let Length { least, most } = self.length;
        let count = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
        (least..=most).contains(&count) && self.form.fits(text)
    }
}

/// Whether the format of a text is a day or a moment.
fn is_moment(schema: &Value) -> bool {
    schema.get("format").is_some() && clock(schema).is_some()
}

/// Whether `null` fits a plain schema.
pub(super) fn is_nullable(schema: &Value) -> bool {
    match schema.get("enum").and_then(Value::as_array) {
        Some(values) => values.iter().any(|it| it.is_null() && admits(schema, it)),
        None => schema::types(schema).contains(&"null"),
    }
}
