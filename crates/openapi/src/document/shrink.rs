//! [`shrunk`]: a schema that fits a prompt.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// How long a schema may be, as JSON.
pub(super) const LONGEST: usize = 8_000;

/// The schema, with as much of it as fits: first what is only told goes, then what is deepest.
pub(super) fn shrunk(mut schema: Value) -> Value {
    if fits(&schema) {
        return schema;
    }
    for told in [&["title", "default"] as &[_], &["description", "pattern"]] {
        strip(&mut schema, told, 0);
        if fits(&schema) {
            return schema;
        }
    }
    for deepest in (2..=12).rev() {
        let mut cut = schema.clone();
        cut_below(&mut cut, deepest);
        prune(&mut cut);
        if fits(&cut) {
            return cut;
        }
    }
    // Even the names of its fields are too much: anything goes, and the API says what is wrong.
    json!({"type": "object"})
}

fn fits(schema: &Value) -> bool {
    schema.to_string().len() <= LONGEST
}

/// Takes words out of all schemas but the outermost fields. Their names may be those of fields, which stay.
fn strip(value: &mut Value, words: &[&str], depth: usize) {
    match value {
        Value::Object(map) => {
            if depth > 2 {
                map.retain(|key, inner| !words.contains(&key.as_str()) || inner.is_object());
            }
            map.values_mut().for_each(|it| strip(it, words, depth + 1));
        }
        Value::Array(items) => items.iter_mut().for_each(|it| strip(it, words, depth + 1)),
        _ => {}
    }
}

/// Puts "anything" in the place of what is deeper than this.
fn cut_below(value: &mut Value, left: usize) {
    match value {
        Value::Object(_) if left == 0 => *value = json!({}),
        Value::Object(map) => map.values_mut().for_each(|it| cut_below(it, left - 1)),
        Value::Array(items) => {
            items.iter_mut().for_each(|it| cut_below(it, left.saturating_sub(1)));
        }
        _ => {}
    }
}

/// Takes out definitions that nothing refers to any more.
fn prune(schema: &mut Value) {
    loop {
        let mut used = BTreeSet::new();
        references(schema, &mut used);
        let Some(Value::Object(definitions)) = schema.get_mut("$defs") else { return };
        let before = definitions.len();
        definitions.retain(|name, _| used.contains(name));
        if definitions.len() == before {
            return;
        }
    }
}

fn references(value: &Value, used: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => each(map, used),
        Value::Array(items) => items.iter().for_each(|it| references(it, used)),
        _ => {}
    }
}

fn each(map: &Map<String, Value>, used: &mut BTreeSet<String>) {
    if let Some(name) =
        map.get("$ref").and_then(Value::as_str).and_then(|it| it.strip_prefix("#/$defs/"))
    {
        used.insert(name.to_owned());
    }
    map.values().for_each(|it| references(it, used));
}
