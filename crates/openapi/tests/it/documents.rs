//! What documents say, in their versions and with their mistakes.

use serde_json::{Value, json};

use crate::server::{Api, names, tool};

const BASE: &str = "https://api.example";

fn document(paths: Value, schemas: Value) -> String {
    json!({"openapi": "3.0.3", "paths": paths, "components": {"schemas": schemas}}).to_string()
}

fn post(schema: Value) -> Value {
    json!({"post": {"operationId": "it", "requestBody": {"required": true,
        "content": {"application/json": {"schema": schema}}}}})
}

async fn schema(schema: Value, schemas: Value) -> Value {
    let api = Api::new(&document(json!({"/x": post(schema)}), schemas)).at(BASE);
    tool(&*api.tools().await, "pets__it").spec().parameters.clone()
}

#[tokio::test]
async fn version_3_0_becomes_json_schema() {
    let read = schema(
        json!({"type": "object", "required": ["id", "n"], "properties": {
            "id": {"type": "integer", "readOnly": true},
            "n": {"type": "number", "minimum": 0, "exclusiveMinimum": true, "maximum": 9, "exclusiveMaximum": false},
            "e": {"type": "string", "enum": ["a"], "nullable": true, "example": "a", "x-y": 1},
            "r": {"$ref": "#/components/schemas/R"},
            "o": {"nullable": true, "allOf": [{"$ref": "#/components/schemas/R"}]},
            "example": {"type": "string"},
        }}),
        json!({"R": {"type": "object", "properties": {"again": {"$ref": "#/components/schemas/R"}}}}),
    )
    .await;
    assert_eq!(
        read,
        json!({
            "type": "object", "additionalProperties": false, "required": ["n"],
            "properties": {
                "n": {"type": "number", "exclusiveMinimum": 0, "maximum": 9},
                "e": {"type": ["string", "null"], "enum": ["a", null]},
                "r": {"$ref": "#/$defs/R"},
                "o": {"anyOf": [{"allOf": [{"$ref": "#/$defs/R"}]}, {"type": "null"}]},
                "example": {"type": "string"},
            },
            "$defs": {"R": {"type": "object", "properties": {"again": {"$ref": "#/$defs/R"}}}},
        })
    );
}

#[tokio::test]
async fn a_body_that_is_no_object_with_fields_is_one_argument() {
    let read = schema(json!({"type": "array", "items": {"type": "string"}}), json!({})).await;
    assert_eq!(read["properties"]["body"], json!({"type": "array", "items": {"type": "string"}}));
    assert_eq!(read["required"], json!(["body"]));
    let read =
        schema(json!({"oneOf": [{"type": "object"}], "properties": {"a": {}}}), json!({})).await;
    assert!(read["properties"].get("body").is_some(), "{read}");
}

#[tokio::test]
async fn arguments_of_one_name_are_told_apart() {
    let mut item = post(json!({"type": "object", "properties": {"id": {"type": "string"}}}));
    item["parameters"] = json!([{"name": "id", "in": "path"}, {"name": "limit", "in": "query"}]);
    item["post"]["parameters"] = json!([
        {"name": "id", "in": "query"}, {"name": "limit", "in": "query", "required": true}]);
    let api = Api::new(&document(json!({"/x/{id}": item}), json!({}))).at(BASE);
    let spec = tool(&*api.tools().await, "pets__it").spec().parameters.clone();
    let mut properties: Vec<_> = spec["properties"].as_object().unwrap().keys().cloned().collect();
    properties.sort();
    assert_eq!(properties, ["id", "id__path", "id__query", "limit"]);
    assert_eq!(spec["required"], json!(["id__path", "limit"]));
}

/// One operation that cannot be read takes no other with it.
#[tokio::test]
async fn what_cannot_be_read_is_withheld_with_the_reason() {
    let get =
        |id: &str, parameters: Value| json!({"get": {"operationId": id, "parameters": parameters}});
    let multipart = json!({"post": {"operationId": "upload", "requestBody": {"required": true,
        "content": {"multipart/form-data": {}}}}});
    let paths = json!({
        "/fine": get("fine", json!([])),
        "/cookie": get("cookie", json!([{"name": "c", "in": "cookie", "required": true}])),
        "/missing": get("missing", json!([{"$ref": "#/components/parameters/nothing"}])),
        "/outside": get("outside", json!([{"name": "x", "in": "query", "schema": {"$ref": "https://a.example/x.json"}}])),
        "/nameless": get("nameless", json!([{"in": "query"}])),
        "/{x}": get("unsaid", json!([])),
        "/upload": multipart,
        "/odd": {"get": "nonsense", "parameters": 7, "summary": {}},
        "/no_id": {"get": {"summary": "No id."}},
    });
    let tools = Api::new(&document(paths, json!({}))).at(BASE).tools().await;
    let mut offered = names(&tools);
    offered.sort();
    assert_eq!(offered, ["pets__fine", "pets__get_no_id"]);
    let reason = |name: &str| {
        let found = tools.withheld.iter().find(|it| it.tool == format!("pets__{name}"));
        found.unwrap_or_else(|| panic!("{name}")).reason.clone()
    };
    for (name, says) in [
        ("cookie", "wants a cookie"),
        ("missing", "what is not there"),
        ("outside", "another document"),
        ("nameless", "without a name"),
        ("unsaid", "of which it says nothing"),
        ("upload", "multipart/form-data"),
    ] {
        assert!(reason(name).contains(says), "{name}: {}", reason(name));
    }
}

#[tokio::test]
async fn of_what_was_not_chosen_nothing_is_told() {
    let cookie = json!([{"name": "c", "in": "cookie", "required": true}]);
    let paths = json!({
        "/a": {"get": {"operationId": "fine"}},
        "/b": {"get": {"operationId": "odd", "parameters": cookie}},
    });
    let text = document(paths, json!({}));
    let withheld = |patterns: &'static [&'static str]| {
        let api = Api::new(&text).at(BASE).include(patterns);
        async move { api.tools().await.withheld.iter().map(|it| it.tool.clone()).collect::<Vec<_>>() }
    };
    assert_eq!(withheld(&[]).await, ["pets__odd"]);
    assert_eq!(withheld(&["fine"]).await, [""; 0]);
}

#[tokio::test]
async fn many_operations_have_to_be_chosen_from() {
    let paths: serde_json::Map<_, _> = (0..60)
        .map(|at| {
            let tag = if at < 5 { "few" } else { "many" };
            let operation = json!({"operationId": format!("op{at}"), "tags": [tag]});
            (format!("/x/{at}"), json!({"get": operation.clone(), "delete": {"tags": ["del"]}}))
        })
        .collect();
    let text = document(Value::Object(paths), json!({}));
    let reason = Api::new(&text).at(BASE).reason().await;
    assert!(reason.contains("120 operations") && reason.contains("`include`"), "{reason}");
    let chosen = |patterns: &'static [&'static str]| {
        let api = Api::new(&text).at(BASE).include(patterns);
        async move { names(&*api.tools().await).len() }
    };
    assert_eq!(chosen(&["tag:few"]).await, 5);
    assert_eq!(chosen(&["GET"]).await, 60);
    assert_eq!(chosen(&["GET /x/1*"]).await, 11);
    assert_eq!(chosen(&["/x/1"]).await, 2);
    assert_eq!(chosen(&["op1*", "!op11"]).await, 10);
    assert_eq!(chosen(&["!DELETE"]).await, 60);
    assert_eq!(chosen(&["nothing"]).await, 0);
}

#[tokio::test]
async fn what_is_no_document_of_version_3_is_told() {
    for (text, says) in [
        ("", "does not say `openapi: 3"),
        ("{}", "does not say `openapi: 3"),
        ("{broken", "no JSON"),
        ("a: [", "no YAML"),
        ("swagger: '2.0'", "version 2"),
        ("openapi: 4.0.0", "does not say `openapi: 3"),
        ("openapi: 3.1.0\npaths: {}", "where the API is"),
        ("openapi: 3.1.0\nservers: [{url: 'ftp://x'}]", "no http or https"),
        ("openapi: 3.1.0\nservers: [{url: 'https://me:pw@x'}]", "without a login"),
    ] {
        let reason = Api::new(text).reason().await;
        assert!(reason.contains(says) && !reason.contains("pw@"), "{text}: {reason}");
    }
}
