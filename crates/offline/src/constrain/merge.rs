//! [`merged`]: what fits two plain schemas; and [`Reader::are_apart`]: whether nothing does.

use serde_json::{Map, Value, json};

use super::shapes::{Reader, Unwritable};
use crate::schema::{required, types};

/// The schema of what fits both of two plain ones; none where nothing can.
///
/// # Errors
/// Where that cannot be said in one schema.
pub(super) fn merged(one: &Value, other: &Value) -> Result<Option<Value>, Unwritable> {
    let (Some(one), Some(other)) = (one.as_object(), other.as_object()) else { return Ok(None) };
    let mut all = one.clone();
    for (name, value) in other {
        let Some(before) = one.get(name) else {
            all.insert(name.clone(), value.clone());
            continue;
        };
        if before == value {
            continue;
        }
        let Some(both) = joined(name, before, value)? else { return Ok(None) };
        all.insert(name.clone(), both);
    }
    close(&mut all, one, other);
    close(&mut all, other, one);
    Ok(Some(Value::Object(all)))
}

/// What two schemas say under one name, together.
fn joined(name: &str, one: &Value, other: &Value) -> Result<Option<Value>, Unwritable> {
    let larger = |one: f64, other: f64| one >= other;
    let both = |least: bool| {
        let (Some(a), Some(b)) = (one.as_f64(), other.as_f64()) else { return one.clone() };
        if larger(a, b) == least { one.clone() } else { other.clone() }
    };
    Ok(Some(match name {
        "type" => {
            let (one, other) = (json!({"type": one}), json!({"type": other}));
            let names = narrowed(&types(&one), &types(&other));
            if names.is_empty() {
                return Ok(None);
            }
            json!(names)
        }
        "enum" => {
            let values = one.as_array().into_iter().flatten();
            let is_there =
                |it: &&Value| other.as_array().is_some_and(|values| is_among(it, values));
            Value::Array(values.filter(is_there).cloned().collect())
        }
        "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => both(true),
        "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => both(false),
        "required" => {
            let names = [one, other].into_iter().filter_map(Value::as_array).flatten();
            let mut all: Vec<&Value> = Vec::new();
            names.for_each(|name| {
                if !all.contains(&name) {
                    all.push(name);
                }
            });
            json!(all)
        }
        "properties" => properties(one, other),
        "items" | "additionalProperties" | "propertyNames" => json!({"allOf": [one, other]}),
        "uniqueItems" => json!(true),
        "pattern" | "format" | "multipleOf" | "prefixItems" => {
            return Err(Unwritable(format!("`{name}` twice, each time another")));
        }
        // What only explains.
        _ => one.clone(),
    }))
}

fn properties(one: &Value, other: &Value) -> Value {
    let mut all = one.as_object().cloned().unwrap_or_default();
    for (name, schema) in other.as_object().into_iter().flatten() {
        let both = match all.get(name) {
            Some(before) if before != schema => json!({"allOf": [before, schema]}),
            _ => schema.clone(),
        };
        all.insert(name.clone(), both);
    }
    Value::Object(all)
}

/// What one of two schemas says of every property that it does not name holds for those that only the other names.
fn close(all: &mut Map<String, Value>, one: &Map<String, Value>, other: &Map<String, Value>) {
    let Some(rest) = one.get("additionalProperties").filter(|it| **it != Value::Bool(true)) else {
        return;
    };
    let own = one.get("properties").and_then(Value::as_object);
    let names = other.get("properties").and_then(Value::as_object).into_iter().flatten();
    let foreign = names.filter(|(name, _)| !own.is_some_and(|own| own.contains_key(*name)));
    let Some(properties) = all.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (name, schema) in foreign {
        properties.insert(name.clone(), json!({"allOf": [schema, rest]}));
    }
}

/// The types that are in both lists. A whole number is a number, and no type is any.
fn narrowed<'a>(one: &[&'a str], other: &[&'a str]) -> Vec<&'a str> {
    let has = |list: &[&str], name: &str| list.contains(&name);
    let mut both: Vec<&str> = one.iter().copied().filter(|it| has(other, it)).collect();
    let whole = (has(one, "integer") && has(other, "number"))
        || (has(one, "number") && has(other, "integer"));
    if whole && !both.contains(&"integer") && !both.contains(&"number") {
        both.push("integer");
    }
    both
}

impl Reader<'_> {
    /// Whether nothing fits both of two plain schemas, as far as that is certain.
    pub(super) fn are_apart(&mut self, one: &Value, other: &Value) -> bool {
        // Properties alone say nothing of what is no object.
        let declared = |schema: &Value| schema.get("type").is_some();
        let (kinds, others) = match declared(one) && declared(other) {
            true => (types(one), types(other)),
            false => (Vec::new(), Vec::new()),
        };
        if !kinds.is_empty() && !others.is_empty() && narrowed(&kinds, &others).is_empty() {
            return true;
        }
        let values = |schema: &Value| schema.get("enum").and_then(Value::as_array).cloned();
        if let (Some(values), Some(others)) = (values(one), values(other)) {
            return !values.iter().any(|it| is_among(it, &others));
        }
        if kinds != ["object"] || others != ["object"] {
            return false;
        }
        let names = one.get("properties").and_then(Value::as_object).into_iter().flatten();
        let mut names = names.map(|(name, _)| name);
        lacks(one, other) || lacks(other, one) || names.any(|name| self.differs(one, other, name))
    }

    /// Whether objects of both schemas have this property, and nothing fits it in both.
    fn differs(&mut self, one: &Value, other: &Value, name: &str) -> bool {
        let field = |schema: &Value| schema.get("properties")?.get(name).cloned();
        let (Some(one_field), Some(other_field)) = (field(one), field(other)) else { return false };
        if !required(one, name) || !required(other, name) {
            return false;
        }
        // All of them: what cannot be written for one may be written for the other.
        self.inside(|reader| {
            let (ones, others) = (reader.all(&one_field)?, reader.all(&other_field)?);
            Ok(ones.iter().all(|one| others.iter().all(|it| reader.are_apart(one, it))))
        })
        .unwrap_or(false)
    }
}

/// Whether a value is in a list, as schemas have it: `1` is `1.0`.
fn is_among(value: &Value, values: &[Value]) -> bool {
    values.iter().any(|it| are_same(it, value))
}

fn are_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || one.as_f64() == other.as_f64()
        }
        (Value::Array(ones), Value::Array(others)) => {
            ones.len() == others.len() && ones.iter().zip(others).all(|(a, b)| are_same(a, b))
        }
        (Value::Object(ones), Value::Object(others)) => {
            let same = |(name, it): (&String, &Value)| {
                others.get(name).is_some_and(|other| are_same(it, other))
            };
            ones.len() == others.len() && ones.iter().all(same)
        }
        _ => one == other,
    }
}

/// Whether an object of the second schema must have a property that the first forbids.
fn lacks(one: &Value, other: &Value) -> bool {
    let is_closed = one.get("additionalProperties") == Some(&Value::Bool(false));
    let known = |name: &str| one.get("properties").is_some_and(|it| it.get(name).is_some());
    let names = other.get("required").and_then(Value::as_array).into_iter().flatten();
    is_closed && names.filter_map(Value::as_str).any(|name| !known(name))
}
