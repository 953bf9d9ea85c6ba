//! [`accepted`]: a JSON Schema as Gemini takes it.

use serde_json::{Map, Value, json};

/// Below these, schemas have names.
const NAMED: [&str; 5] =
    ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
/// Below these are values, and no schemas.
const VALUES: [&str; 5] = ["const", "enum", "default", "example", "examples"];

/// The schema in words that Gemini knows: it has no `const`, and refuses anything beside a `$ref`.
pub(super) fn accepted(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| (key.clone(), below(key, value)));
            Value::Object(reworded(fields.collect()))
        }
        Value::Array(items) => items.iter().map(accepted).collect(),
        other => other.clone(),
    }
}

fn below(key: &str, value: &Value) -> Value {
    match value {
        // Here the keys are names of the user's, not words of the schema.
        Value::Object(named) if NAMED.contains(&key) => {
            named.iter().map(|(name, schema)| (name.clone(), accepted(schema))).collect()
        }
        value if VALUES.contains(&key) => value.clone(),
        value => accepted(value),
    }
}

fn reworded(mut fields: Map<String, Value>) -> Map<String, Value> {
    if let Some(only) = fields.remove("const") {
        // Of anything else the type must do.
        if only.is_string() || only.is_number() {
            fields.entry("enum").or_insert_with(|| json!([only]));
        }
    }
    let is_alone = fields.keys().all(|key| key.starts_with('$'));
    if !is_alone && let Some(reference) = fields.remove("$ref") {
        let choice = json!([{"$ref": reference}]);
        // Several choices beside a reference cannot be said; the reference tells more.
        fields.remove("oneOf");
        fields.insert("anyOf".to_owned(), choice);
    }
    fields
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::accepted;

    #[test]
    fn only_what_would_be_refused_is_changed() {
        let schema = json!({
            "type": "object",
            "properties": {
                "const": {"const": "a"},
                "$ref": {"type": "string", "default": {"const": 1}},
                "one": {"$ref": "#/$defs/One"},
                "other": {"description": "Words.", "$ref": "#/$defs/One"},
                "flag": {"type": "boolean", "const": true},
            },
            "$defs": {"One": {"oneOf": [{"const": 1}, {"enum": ["x"], "const": "x"}]}},
            "additionalProperties": false,
        });
        let wanted = json!({
            "type": "object",
            "properties": {
                "const": {"enum": ["a"]},
                "$ref": {"type": "string", "default": {"const": 1}},
                "one": {"$ref": "#/$defs/One"},
                "other": {"description": "Words.", "anyOf": [{"$ref": "#/$defs/One"}]},
                "flag": {"type": "boolean"},
            },
            "$defs": {"One": {"oneOf": [{"enum": [1]}, {"enum": ["x"]}]}},
            "additionalProperties": false,
        });
        assert_eq!(accepted(&schema), wanted);
        assert_eq!(accepted(&wanted), wanted, "once is enough");
    }
}
