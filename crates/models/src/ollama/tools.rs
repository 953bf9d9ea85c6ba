//! The tools on offer, as Ollama reads them.

use std::sync::Arc;

use bytes::BytesMut;
use serde_json::{Map, Value, json};
use toolwright_core::{ModelRequest, ToolChoice, ToolSpec};

use crate::endpoint::write::{comma, json as write_json, raw};

/// How deep references are followed: a schema that refers to itself has no end.
const MOST_REFERENCES: usize = 4;

/// Writes the tools that may be called now.
///
/// The API has no `tool_choice`. A model that must not call one is offered none; one that must call a certain
/// one is offered that alone. That it must call at all cannot be said: one that must call any is offered all
/// of them, as one that may.
pub(super) fn write(out: &mut BytesMut, request: &ModelRequest<'_>) {
    let all = request.tools.specs();
    let named = match &request.choice {
        ToolChoice::None => return,
        ToolChoice::Tool(name) => all.iter().find(|it| it.name == *name),
        ToolChoice::Auto | ToolChoice::Required => None,
    };
    let offered = named.map_or(all, std::slice::from_ref);
    if offered.is_empty() {
        return;
    }
    raw(out, ",\"tools\":");
    if named.is_none() && offered.iter().all(|it| is_read(&it.parameters)) {
        return raw(out, request.tools.json());
    }
    raw(out, "[");
    for spec in offered {
        comma(out);
        write_json(out, &definition(spec));
    }
    raw(out, "]");
}

fn definition(spec: &Arc<ToolSpec>) -> Value {
    let mut definition = spec.definition();
    if let Some(parameters) = definition.pointer_mut("/function/parameters")
        && !is_read(parameters)
    {
        *parameters = readable(&spec.parameters, &spec.parameters, MOST_REFERENCES);
    }
    definition
}

/// Whether all that is said of each field is read. A field of which anything goes (`true`) is no object, and
/// then the whole request is refused; references and `oneOf` are dropped without a word.
fn is_read(schema: &Value) -> bool {
    let Value::Object(schema) = schema else { return false };
    let fields = schema.get("properties").and_then(Value::as_object);
    let any = schema.get("anyOf").and_then(Value::as_array);
    !schema.contains_key("$ref")
        && !schema.contains_key("oneOf")
        && fields.into_iter().flat_map(Map::values).all(is_read)
        && any.into_iter().flatten().all(is_read)
}

/// The schema in the words that are read.
fn readable(schema: &Value, root: &Value, references: usize) -> Value {
    // Anything goes, or nothing: the checks of the runtime tell.
    let Value::Object(schema) = schema else { return json!({}) };
    let mut schema = schema.clone();
    let reference = schema.remove("$ref");
    let target = reference.as_ref().and_then(|it| root.pointer(it.as_str()?.strip_prefix('#')?));
    if let Some(target) = target.filter(|_| references > 0)
        && let Value::Object(found) = readable(target, root, references - 1)
    {
        // What stands beside a reference is said of this place.
        schema.extend(found.into_iter().filter(|(name, _)| name != "$defs"));
    }
    if let Some(one) = schema.remove("oneOf") {
        schema.entry("anyOf").or_insert(one);
    }
    let inner = |value: &mut Value| *value = readable(value, root, references);
    if let Some(Value::Object(fields)) = schema.get_mut("properties") {
        fields.values_mut().for_each(inner);
    }
    if let Some(Value::Array(any)) = schema.get_mut("anyOf") {
        any.iter_mut().for_each(inner);
    }
    Value::Object(schema)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{MOST_REFERENCES, is_read, readable};

    #[test]
    fn what_is_not_read_is_said_otherwise() {
        let schema = json!({
            "type": "object",
            "properties": {
                "any": true,
                "place": {"$ref": "#/$defs/Place", "description": "Where."},
                "one": {"oneOf": [{"type": "string"}, {"$ref": "#/$defs/Nowhere"}]},
            },
            "$defs": {"Place": {"type": "object", "description": "A place.", "properties": {
                "inner": {"$ref": "#/$defs/Place"},
            }}},
        });
        let read = readable(&schema, &schema, MOST_REFERENCES);
        assert!(is_read(&read), "{read}");
        let fields = &read["properties"];
        assert_eq!(fields["any"], json!({}));
        assert_eq!(fields["one"], json!({"anyOf": [{"type": "string"}, {}]}));
        assert_eq!(fields["place"]["properties"]["inner"]["type"], "object");
    }

    #[test]
    fn what_is_read_stays_as_it_is() {
        let schema = json!({"type": "object", "properties": {"x": {"type": ["string", "null"]}}});
        assert!(is_read(&schema));
        assert_eq!(readable(&schema, &schema, MOST_REFERENCES), schema);
    }
}
