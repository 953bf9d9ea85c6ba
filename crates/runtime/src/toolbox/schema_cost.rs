//! [`SchemaCost`]: how often parts of a schema may be evaluated to check a value.
//!
//! A schema of a few lines can have so many choices within choices that checking a small value takes longer than
//! anybody lives, and nothing can stop it meanwhile. So what it may cost is reckoned first.

use std::collections::HashMap;

use serde_json::{Map, Value};

/// How often parts of a schema may be evaluated: at each place of a value, and for each place below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SchemaCost {
    /// The most schemas that are evaluated at one place because one is.
    width: u64,
    /// The most of them that look at one field of it.
    fields: u64,
    /// The most of them that look at one item of it.
    items: u64,
}

/// Whoever needs more has written a trap.
const MOST_WIDTH: u64 = 20_000;
/// Deeper chains of references are not followed.
const MOST_DEPTH: usize = 200;

/// Schemas of the same place, in a list or alone.
const SAME_PLACE: [&str; 7] = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];
/// Schemas of the same place, by name.
const SAME_PLACE_BY_NAME: [&str; 2] = ["dependentSchemas", "dependencies"];
/// Schemas of fields.
const FIELDS: [&str; 4] =
    ["properties", "additionalProperties", "propertyNames", "unevaluatedProperties"];
/// Schemas of items.
const ITEMS: [&str; 5] =
    ["items", "prefixItems", "additionalItems", "contains", "unevaluatedItems"];
const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];

impl SchemaCost {
    /// What a schema costs that has nothing in it.
    const ONE: Self = Self { width: 1, fields: 0, items: 0 };

    /// What a schema costs; nothing where that has no bound.
    pub(super) fn of(schema: &Value) -> Option<Self> {
        let mut reckoning =
            Reckoning { root: schema, names: HashMap::new(), known: HashMap::new() };
        reckoning.name(schema);
        let mut most = Self::ONE;
        let mut left = vec![schema];
        while let Some(value) = left.pop() {
            match value {
                Value::Object(fields) => {
                    let here = reckoning.at(value, 0)?;
                    most.width = most.width.max(here.width);
                    most.fields = most.fields.max(here.fields);
                    most.items = most.items.max(here.items);
                    // Values among them (`default`, `enum`) look like schemas that cost nothing. A field of that
                    // name may be one that does, so nothing is passed over.
                    left.extend(fields.values());
                }
                Value::Array(items) => left.extend(items),
                _ => {}
            }
        }
        (most.width <= MOST_WIDTH).then_some(most)
    }

    /// How many evaluations checking this value may take, or more than `most`.
    pub(super) fn of_value(self, value: &Value, most: u64) -> u64 {
        let mut sum = 0_u64;
        let mut left = vec![(value, self.width)];
        while let Some((value, cost)) = left.pop() {
            sum = sum.saturating_add(cost);
            if sum > most {
                break;
            }
            match value {
                Value::Object(fields) => {
                    let below = cost.saturating_mul(self.fields.max(1));
                    left.extend(fields.values().map(|it| (it, below)));
                }
                Value::Array(items) => {
                    let below = cost.saturating_mul(self.items.max(1));
                    left.extend(items.iter().map(|it| (it, below)));
                }
                _ => {}
            }
        }
        sum
    }
}

struct Reckoning<'a> {
    root: &'a Value,
    /// Schemas that have a name of their own.
    names: HashMap<&'a str, &'a Value>,
    /// What was reckoned; nothing where that is going on.
    known: HashMap<*const Value, Option<SchemaCost>>,
}

impl<'a> Reckoning<'a> {
    /// Collects the names that references may use.
    fn name(&mut self, schema: &'a Value) {
        let mut left = vec![schema];
        while let Some(value) = left.pop() {
            match value {
                Value::Object(fields) => {
                    for key in ["$id", "id", "$anchor", "$dynamicAnchor"] {
                        if let Some(name) = fields.get(key).and_then(Value::as_str) {
                            self.names.insert(last_part(name), value);
                        }
                    }
                    left.extend(fields.values());
                }
                Value::Array(items) => left.extend(items),
                _ => {}
            }
        }
    }

    /// What evaluating a schema at a place costs there. Nothing where it leads back to itself.
    fn at(&mut self, schema: &'a Value, depth: usize) -> Option<SchemaCost> {
        let Value::Object(fields) = schema else {
            return Some(SchemaCost::ONE);
        };
        let key = std::ptr::from_ref(schema);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        if depth > MOST_DEPTH {
            return None;
        }
        self.known.insert(key, None);
        let mut sum = below(fields);
        for inner in self.same_place(fields) {
            let more = self.at(inner, depth + 1)?;
            sum.width = sum.width.saturating_add(more.width);
            sum.fields = sum.fields.saturating_add(more.fields);
            sum.items = sum.items.saturating_add(more.items);
        }
        self.known.insert(key, Some(sum));
        Some(sum)
    }

    /// The schemas that hold for the same place.
    fn same_place(&self, fields: &'a Map<String, Value>) -> Vec<&'a Value> {
        let mut found = Vec::new();
        for key in SAME_PLACE {
            match fields.get(key) {
                Some(Value::Array(items)) => found.extend(items),
                Some(inner) => found.push(inner),
                None => {}
            }
        }
        for key in SAME_PLACE_BY_NAME {
            found.extend(
                fields.get(key).and_then(Value::as_object).into_iter().flat_map(Map::values),
            );
        }
        let references = REFERENCES.iter().filter_map(|key| fields.get(*key)?.as_str());
        found.extend(references.filter_map(|reference| self.find(reference)));
        found
    }

    /// What a reference means. What is elsewhere is not fetched, and lets nothing pass.
    fn find(&self, reference: &str) -> Option<&'a Value> {
        let (document, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let base = match document.is_empty() {
            true => self.root,
            false => self.names.get(last_part(document))?,
        };
        match fragment {
            "" => Some(base),
            pointer if pointer.starts_with('/') => {
                let pointer = pointer.replace("%25", "%").replace("%22", "\"");
                // Within a part that has a name, a pointer begins there.
                base.pointer(&pointer)
                    .or_else(|| self.names.values().find_map(|it| it.pointer(&pointer)))
            }
            name => self.names.get(name).copied(),
        }
    }
}

/// What a schema costs without others that hold for the same place.
fn below(fields: &Map<String, Value>) -> SchemaCost {
    let looks = |value: &Value| match value {
        Value::Object(inner) => !inner.is_empty(),
        Value::Array(items) => !items.is_empty(),
        _ => false,
    };
    let count = |keys: &[&str]| {
        keys.iter().filter(|key| fields.get(**key).is_some_and(looks)).count() as u64
    };
    let patterns = fields.get("patternProperties").and_then(Value::as_object).map_or(0, Map::len);
    SchemaCost { width: 1, fields: count(&FIELDS) + patterns as u64, items: count(&ITEMS) }
}

/// The last part of a name: references are written in more than one way.
fn last_part(name: &str) -> &str {
    let name = name.trim_end_matches('#');
    name.rsplit_once('/').map_or(name, |(_, last)| last)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::SchemaCost;

    fn doubling(levels: usize) -> Value {
        let mut defs = serde_json::Map::new();
        defs.insert("d0".into(), json!({"type": "integer"}));
        for level in 1..=levels {
            let inner = json!({"$ref": format!("#/$defs/d{}", level - 1)});
            defs.insert(format!("d{level}"), json!({"anyOf": [inner, inner]}));
        }
        json!({"type": "object", "properties": {"a": {"$ref": format!("#/$defs/d{levels}")}}, "$defs": defs})
    }

    #[test]
    fn what_doubles_is_refused_and_what_is_usual_is_not() {
        assert!(SchemaCost::of(&doubling(40)).is_none());
        assert!(SchemaCost::of(&doubling(5)).is_some());
        assert!(SchemaCost::of(&json!({"$ref": "#"})).is_none());
        assert!(SchemaCost::of(&json!({"allOf": [{"$ref": "#/allOf/0"}]})).is_none());
        let mut hidden = doubling(40).to_string();
        // Under names of their own, too.
        for level in 0..=40 {
            hidden =
                hidden.replace(&format!("\"#/$defs/d{level}\""), &format!("\"n{level}.json\""));
        }
        let mut hidden: Value = serde_json::from_str(&hidden).unwrap();
        for level in 0..=40 {
            hidden["$defs"][format!("d{level}")]["$id"] = json!(format!("http://x/n{level}.json"));
        }
        assert!(SchemaCost::of(&hidden).is_none());
        // And below a field whose name is a word of schemas.
        let mut hidden =
            doubling(40).to_string().replace("#/$defs/", "#/properties/default/$defs/");
        hidden = format!(r#"{{"type":"object","properties":{{"default":{hidden}}}}}"#);
        assert!(SchemaCost::of(&serde_json::from_str(&hidden).unwrap()).is_none());
        let usual = json!({
            "type": "object",
            "properties": {"name": {"type": "string"}, "next": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}},
            "additionalProperties": false,
        });
        assert_eq!(SchemaCost::of(&usual), Some(SchemaCost { width: 4, fields: 1, items: 0 }));
    }

    #[test]
    fn a_union_that_is_recursive_costs_more_with_every_level() {
        let variant = |name: &str| {
            json!({"type": "object", "properties": {
                "kind": {"const": name}, "children": {"type": "array", "items": {"$ref": "#"}},
            }})
        };
        let variants = ["a", "b", "c", "d", "e", "f", "g", "h"].map(variant);
        let schema = json!({"anyOf": variants});
        let cost = SchemaCost::of(&schema).unwrap();
        let deep = |levels: usize| {
            (0..levels)
                .fold(json!({"kind": "x"}), |inner, _| json!({"kind": "a", "children": [inner]}))
        };
        assert!(cost.of_value(&deep(3), 1 << 40) < 100_000);
        assert!(cost.of_value(&deep(12), 1 << 20) > 1 << 20);
    }
}
