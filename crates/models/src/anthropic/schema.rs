//! [`fitting`]: a schema as much as this API can hold a model to it.
//!
//! What it cannot is told to the model in the description of what it is about, and checked here when the answer
//! has come.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// What is understood and stays.
const KEPT: [&str; 5] = ["type", "title", "description", "required", "const"];
/// What says nothing about the answer.
const DROPPED: [&str; 8] =
    ["$schema", "$id", "$anchor", "$comment", "examples", "deprecated", "readOnly", "writeOnly"];
const FORMATS: [&str; 10] =
    ["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"];
/// Deeper than anybody describes an answer.
const DEEPEST: usize = 64;

/// The schema in the words that the API takes; none where it describes what those cannot: objects with any names
/// in them, lists of places, anything at all, and what holds itself.
pub(super) fn fitting(schema: Value) -> Option<Value> {
    let Value::Object(mut root) = schema else { return None };
    let mut definitions = Map::new();
    for key in ["$defs", "definitions"] {
        if let Some(Value::Object(named)) = root.remove(key) {
            definitions.extend(named);
        }
    }
    if definitions.keys().any(|name| holds_itself(&definitions, name)) {
        return None;
    }
    let mut fitted = fit(&Value::Object(root), 0)?;
    if !definitions.is_empty() {
        let fitted_definition = |(name, it): (&String, &Value)| Some((name.clone(), fit(it, 0)?));
        let definitions =
            definitions.iter().map(fitted_definition).collect::<Option<Map<_, _>>>()?;
        fitted.as_object_mut()?.insert("$defs".to_owned(), definitions.into());
    }
    Some(fitted)
}

/// The definition that a reference means.
fn referred(reference: &str) -> Option<&str> {
    let name = reference.strip_prefix("#/$defs/");
    let name = name.or_else(|| reference.strip_prefix("#/definitions/"))?;
    // A place within a definition is more than a name.
    (!name.contains('/')).then_some(name)
}

/// Whether a definition refers to itself, be it by others.
fn holds_itself(definitions: &Map<String, Value>, name: &str) -> bool {
    let mut reached = BTreeSet::new();
    let mut left = vec![name];
    while let Some(from) = left.pop() {
        let mut found = Vec::new();
        if let Some(definition) = definitions.get(from) {
            references(definition, &mut found);
        }
        left.extend(found.into_iter().filter(|it| reached.insert(*it)));
    }
    reached.contains(name)
}

fn references<'a>(schema: &'a Value, found: &mut Vec<&'a str>) {
    match schema {
        Value::Object(fields) => {
            let here = fields.get("$ref").and_then(Value::as_str).and_then(referred);
            found.extend(here);
            fields.values().for_each(|it| references(it, found));
        }
        Value::Array(items) => items.iter().for_each(|it| references(it, found)),
        _ => {}
    }
}

fn fit(schema: &Value, depth: usize) -> Option<Value> {
    let fields = schema.as_object().filter(|_| depth < DEEPEST)?;
    if let Some(reference) = fields.get("$ref") {
        let name = referred(reference.as_str()?)?;
        return Some(json!({"$ref": format!("#/$defs/{name}")}));
    }
    if let Some(Value::Array(types)) = fields.get("type") {
        return any_type(fields, types, depth);
    }
    let mut fitted = Map::new();
    let mut told = Vec::new();
    for (key, value) in fields {
        match (key.as_str(), value) {
            (word, _) if DROPPED.contains(&word) => {}
            (word, _) if KEPT.contains(&word) => drop(fitted.insert(key.clone(), value.clone())),
            ("properties", Value::Object(named)) => {
                let one = |(name, it): (&String, &Value)| Some((name.clone(), fit(it, depth + 1)?));
                let named = named.iter().map(one).collect::<Option<Map<_, _>>>()?;
                fitted.insert(key.clone(), named.into());
            }
            // Of what it is depends what it may be: nothing is left out of it.
            ("anyOf" | "oneOf" | "allOf", Value::Array(each)) => {
                let each = each.iter().map(|it| fit(it, depth + 1)).collect::<Option<Vec<_>>>()?;
                let key = if key == "oneOf" { "anyOf" } else { key };
                fitted.insert(key.to_owned(), each.into());
            }
            ("items", value) => drop(fitted.insert(key.clone(), fit(value, depth + 1)?)),
            ("enum", Value::Array(each))
                if !each.iter().any(|it| it.is_object() || it.is_array()) =>
            {
                fitted.insert(key.clone(), value.clone());
            }
            ("minItems", value) if value == &json!(0) || value == &json!(1) => {
                fitted.insert(key.clone(), value.clone());
            }
            ("format", Value::String(format)) if FORMATS.contains(&format.as_str()) => {
                fitted.insert(key.clone(), value.clone());
            }
            ("additionalProperties", Value::Bool(_)) => {}
            ("additionalProperties" | "patternProperties" | "prefixItems", _) => return None,
            _ => told.push(format!("{key}: {value}")),
        }
    }
    close(&mut fitted, fields)?;
    tell(&mut fitted, &told);
    Some(Value::Object(fitted))
}

/// Closes an object; none where what is left describes nothing.
fn close(fitted: &mut Map<String, Value>, fields: &Map<String, Value>) -> Option<()> {
    let is = |fitted: &Map<_, _>, kind: &str| fitted.get("type").is_some_and(|it| it == kind);
    if is(fitted, "object") || fitted.contains_key("properties") {
        let is_closed = fields.get("additionalProperties") == Some(&Value::Bool(false));
        if !fitted.contains_key("properties") && !is_closed {
            return None;
        }
        fitted.insert("type".to_owned(), "object".into());
        fitted.insert("additionalProperties".to_owned(), false.into());
    }
    // An object that is closed here and open there, or here closed to what it has there, is none.
    let (any, all) = (fitted.contains_key("anyOf"), fitted.get("allOf"));
    let is_one = all.is_none_or(|it| it.as_array().is_some_and(|it| it.len() == 1));
    if !is_one || fitted.contains_key("properties") && (any || all.is_some()) {
        return None;
    }
    let is_list_of_anything = is(fitted, "array") && !fitted.contains_key("items");
    let words = ["type", "anyOf", "allOf", "enum", "const"];
    let says = words.iter().any(|word| fitted.contains_key(*word));
    (says && !is_list_of_anything).then_some(())
}

/// Says in words what is not said otherwise.
fn tell(fitted: &mut Map<String, Value>, told: &[String]) {
    if told.is_empty() {
        return;
    }
    let told = format!("{{{}}}", told.join(", "));
    let said = fitted.get("description").and_then(Value::as_str);
    let said = said.map_or(told.clone(), |it| format!("{it}\n\n{told}"));
    fitted.insert("description".to_owned(), said.into());
}

/// The words that only mean something for one type.
fn type_of(word: &str) -> Option<&'static [&'static str]> {
    Some(match word {
        "properties" | "required" | "additionalProperties" => &["object"],
        "items" | "minItems" | "maxItems" | "uniqueItems" => &["array"],
        "minLength" | "maxLength" | "pattern" | "format" => &["string"],
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            &["integer", "number"]
        }
        _ => return None,
    })
}

/// What may be of several types, as a choice of what is of one.
fn any_type(fields: &Map<String, Value>, types: &[Value], depth: usize) -> Option<Value> {
    let outside = ["title", "description"];
    let each = types.iter().map(|kind| {
        let kind = kind.as_str()?;
        let mut one = fields.clone();
        one.retain(|word, _| {
            !outside.contains(&word.as_str()) && type_of(word).is_none_or(|it| it.contains(&kind))
        });
        one.insert("type".to_owned(), kind.into());
        if let Some(Value::Array(values)) = one.get_mut("enum") {
            values.retain(|it| is_of(it, kind));
            // Of this type nothing is among them.
            if values.is_empty() {
                return Some(Value::Null);
            }
        }
        if kind == "null" {
            one = Map::from_iter([("type".to_owned(), kind.into())]);
        }
        fit(&Value::Object(one), depth + 1)
    });
    let mut each = each.collect::<Option<Vec<_>>>()?;
    each.retain(|it| !it.is_null());
    let mut choice = Map::from_iter([("anyOf".to_owned(), Value::Array(each))]);
    let said = outside.iter().filter_map(|it| Some(((*it).to_owned(), fields.get(*it)?.clone())));
    choice.extend(said);
    Some(Value::Object(choice))
}

fn is_of(value: &Value, kind: &str) -> bool {
    match value {
        Value::Null => kind == "null",
        Value::Bool(_) => kind == "boolean",
        Value::Number(it) => kind == "number" || kind == "integer" && it.is_i64(),
        Value::String(_) => kind == "string",
        Value::Array(_) => kind == "array",
        Value::Object(_) => kind == "object",
    }
}
