//! Typed answers: the schema as much as the API takes of it.

use serde_json::{Value, json};
use toolwright_core::{
    Conversation, Message, Model, ModelRequest, OutputSchema, OutputStrategy, RequestCache,
    ToolChoice,
};
use toolwright_testkit::{ModelServer, Reply, Script};

use super::{Asking, at, finished, tools};
use crate::support::model;

async fn format_of(schema: Value) -> Value {
    let output = Some(OutputSchema::new("answer", schema).unwrap());
    let options = json!({"reasoning_effort": "high"});
    let choice = ToolChoice::None;
    let body = Asking { output, choice, options, ..Asking::default() }.sent().await;
    assert_eq!(body["output_config"]["effort"], "high", "beside the form");
    body["output_config"].get("format").cloned().unwrap_or_default()
}

async fn schema_of(schema: Value) -> Value {
    let format = format_of(schema).await;
    assert!(format.is_null() || format["type"] == "json_schema", "{format}");
    format.get("schema").cloned().unwrap_or_default()
}

#[tokio::test]
async fn what_is_forbidden_is_told_in_words() {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "title": "Report",
        "required": ["age", "kind"],
        "properties": {
            "age": {"type": "integer", "description": "In years.", "minimum": 0, "maximum": 150},
            "name": {"type": ["string", "null"], "maxLength": 9, "description": "If known."},
            "kind": {"oneOf": [{"const": "a"}, {"type": "string", "enum": ["b", "c"]}]},
            "when": {"type": "string", "format": "date"},
            "where": {"type": "string", "format": "iri"},
            "parts": {"type": "array", "minItems": 2, "items": {"$ref": "#/definitions/Part"}},
            "pattern": {"type": "boolean"},
        },
        "definitions": {
            "Part": {"type": "object", "properties": {"n": {"type": "number"}}, "default": {}},
        },
    });
    let wanted = json!({
        "type": "object",
        "title": "Report",
        "required": ["age", "kind"],
        "additionalProperties": false,
        "properties": {
            "age": {"type": "integer", "description": "In years.\n\n{maximum: 150, minimum: 0}"},
            "name": {
                "anyOf": [{"type": "string", "description": "{maxLength: 9}"}, {"type": "null"}],
                "description": "If known.",
            },
            "kind": {"anyOf": [{"const": "a"}, {"type": "string", "enum": ["b", "c"]}]},
            "when": {"type": "string", "format": "date"},
            "where": {"type": "string", "description": "{format: \"iri\"}"},
            "parts": {
                "type": "array", "items": {"$ref": "#/$defs/Part"},
                "description": "{minItems: 2}",
            },
            "pattern": {"type": "boolean"},
        },
        "$defs": {
            "Part": {
                "type": "object", "properties": {"n": {"type": "number"}},
                "additionalProperties": false, "description": "{default: {}}",
            },
        },
    });
    let mut given = schema_of(schema).await;
    // Words stand in the order of the schema, which is nobody's promise.
    let age = given["properties"]["age"]["description"].as_str().unwrap().to_owned();
    if age.ends_with("{minimum: 0, maximum: 150}") {
        given["properties"]["age"]["description"] =
            wanted["properties"]["age"]["description"].clone();
    }
    assert_eq!(given, wanted);
}

#[tokio::test]
async fn an_answer_that_is_no_object_stands_in_one() {
    let wanted = json!({
        "type": "object", "required": ["answer"], "additionalProperties": false,
        "properties": {"answer": {"type": "array", "items": {"type": "string"}}},
    });
    assert_eq!(schema_of(json!({"type": "array", "items": {"type": "string"}})).await, wanted);
}

#[tokio::test]
async fn some_of_several_types() {
    let mixed = json!({"type": "object", "properties": {
        "x": {"type": ["string", "integer", "null"], "enum": ["a", 1, null], "minimum": 0},
        "y": {"type": ["array", "null"], "items": {"type": "string"}},
    }});
    let given = schema_of(mixed).await;
    assert_eq!(
        given["properties"],
        json!({
            "x": {"anyOf": [
                {"type": "string", "enum": ["a"]},
                {"type": "integer", "enum": [1], "description": "{minimum: 0}"},
                {"type": "null"},
            ]},
            "y": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]},
        })
    );
}

/// Held to what is left of these a model would give an answer that is wrong. In words it is told all of it.
#[tokio::test]
async fn what_the_api_cannot_say_is_not_half_said() {
    let object = |properties: Value| json!({"type": "object", "properties": properties});
    let itself = json!({
        "type": "object", "properties": {"more": {"$ref": "#/$defs/A"}},
        "$defs": {
            "A": {"type": "object", "properties": {"b": {"$ref": "#/$defs/B"}}},
            "B": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}},
        },
    });
    let of_objects = json!({"type": "object", "properties": {"x": {"allOf": [
        object(json!({"a": {"type": "string"}})), object(json!({"b": {"type": "string"}})),
    ]}}});
    let map = json!({"type": "object", "additionalProperties": {"type": "string"}});
    for schema in [
        itself,
        of_objects,
        object(json!({"x": map})),
        object(json!({"x": {"type": "object"}})),
        object(json!({"x": {}})),
        object(json!({"x": true})),
        object(json!({"x": {"type": "array"}})),
        object(json!({"x": {"type": "array", "prefixItems": [{"type": "string"}]}})),
        object(json!({"x": {"$ref": "#"}})),
        object(json!({"x": {"$ref": "https://example.com/x"}})),
    ] {
        assert_eq!(format_of(schema.clone()).await, Value::Null, "{schema}");
    }
}

/// A form that is refused is only asked for in words; whether all are is what the words of the refusal tell.
#[tokio::test]
async fn a_form_that_is_refused_is_left_out() {
    for (words, left) in [
        ("output_config.format: Extra inputs are not permitted", OutputStrategy::Prompt),
        ("The compiled grammar is too large.", OutputStrategy::Native),
    ] {
        let error = json!({"type": "invalid_request_error", "message": words});
        let body = json!({"type": "error", "error": error}).to_string();
        let script = Script::new().reply(Reply::status(400).body(body)).reply(Reply::text("{}"));
        let server = ModelServer::start(script).await;
        let model = model(at(&server));
        let talk = Conversation::from_iter([Message::user("Well?")]);
        let object = json!({"type": "object", "properties": {"x": {"type": "string"}}});
        let output = OutputSchema::new("answer", object).unwrap();
        let (tools, mut memo) = (tools(), RequestCache::default());
        let request = ModelRequest::new(&talk, &tools, &mut memo).output(Some(&output));
        assert_eq!(finished(&model, request).await.unwrap().text, "{}");
        let formats = server.requests();
        let formats = formats.iter().map(|it| it.body.pointer("/output_config/format").is_some());
        assert_eq!(formats.collect::<Vec<_>>(), [true, false], "{words}");
        assert_eq!(model.output_strategy(), left, "{words}");
        server.assert_clean();
    }
}
