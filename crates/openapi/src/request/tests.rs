#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::{document::SpecDocument, filter::Filter};

/// The one operation of a document with this path and these parameters.
fn operation(path: &str, parameters: &Value, body: &Value) -> Operation {
    let mut item = json!({"post": {"operationId": "it", "parameters": parameters}});
    if !body.is_null() {
        item["post"]["requestBody"] = body.clone();
    }
    let document = json!({"openapi": "3.0.0", "paths": {path: item}}).to_string();
    let (mut found, unusable) =
        SpecDocument::parse(&document).unwrap().operations(&Filter::new(&[]));
    assert!(unusable.is_empty(), "{}", unusable[0].reason);
    found.pop().unwrap()
}

fn url(path: &str, parameters: &Value, arguments: &Value) -> Result<String, String> {
    let base = Url::parse("https://api.example/v1/").unwrap();
    let operation = operation(path, parameters, &Value::Null);
    match ApiRequest::new(&base, &operation, arguments) {
        Ok(request) => {
            Ok(request.url.as_str().strip_prefix("https://api.example").unwrap().to_owned())
        }
        Err(error) => Err(error.message().to_owned()),
    }
}

/// The table of the specification, for the colours blue, black and brown, and R=100, G=200.
#[test]
fn styles_are_those_of_the_specification() {
    let list = json!(["blue", "black", "brown"]);
    let object = json!({"R": 100, "G": 200});
    for (place, style, explode, of_list, of_object) in [
        ("path", "simple", false, "/v1/x/blue,black,brown", "/v1/x/R,100,G,200"),
        ("path", "simple", true, "/v1/x/blue,black,brown", "/v1/x/R=100,G=200"),
        ("path", "label", false, "/v1/x/.blue,black,brown", "/v1/x/.R,100,G,200"),
        ("path", "label", true, "/v1/x/.blue.black.brown", "/v1/x/.R=100.G=200"),
        ("path", "matrix", false, "/v1/x/;color=blue,black,brown", "/v1/x/;color=R,100,G,200"),
        ("path", "matrix", true, "/v1/x/;color=blue;color=black;color=brown", "/v1/x/;R=100;G=200"),
        ("query", "form", false, "/v1/x?color=blue,black,brown", "/v1/x?color=R,100,G,200"),
        ("query", "form", true, "/v1/x?color=blue&color=black&color=brown", "/v1/x?R=100&G=200"),
        (
            "query",
            "spaceDelimited",
            false,
            "/v1/x?color=blue%20black%20brown",
            "/v1/x?color=R%20100%20G%20200",
        ),
        (
            "query",
            "pipeDelimited",
            false,
            "/v1/x?color=blue%7Cblack%7Cbrown",
            "/v1/x?color=R%7C100%7CG%7C200",
        ),
        (
            "query",
            "deepObject",
            true,
            "/v1/x?color=blue&color=black&color=brown",
            "/v1/x?color%5BR%5D=100&color%5BG%5D=200",
        ),
    ] {
        let path = if place == "path" { "/x/{color}" } else { "/x" };
        let parameters =
            json!([{"name": "color", "in": place, "style": style, "explode": explode}]);
        let sorted = |text: &str| text.to_owned();
        assert_eq!(
            url(path, &parameters, &json!({"color": list})).unwrap(),
            sorted(of_list),
            "{style}"
        );
        let told = url(path, &parameters, &json!({"color": object})).unwrap();
        // The order of an object's fields says nothing.
        let mut told: Vec<_> = told.chars().collect();
        let mut wanted: Vec<_> = of_object.chars().collect();
        told.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(told, wanted, "{style} {explode}");
    }
}

#[test]
fn a_path_leads_nowhere_but_down() {
    let parameters = json!([{"name": "id", "in": "path"}]);
    let at = |id: &str| url("/pets/{id}/toys", &parameters, &json!({"id": id}));
    assert_eq!(at("a b/c?d#e").unwrap(), "/v1/pets/a%20b%2Fc%3Fd%23e/toys");
    assert_eq!(at("1.5").unwrap(), "/v1/pets/1%2E5/toys");
    for bad in
        ["..", ".", "%2e%2e", "%252e%252e", "../../admin", "x/../..", "..\\x", "%2E.", "a/%2e%2e/b"]
    {
        let told = at(bad).unwrap_err();
        assert!(told.contains("lead out of the API"), "{bad}: {told}");
    }
    assert!(at("").unwrap_err().contains("is empty"));
}

proptest! {
    #[test]
    fn no_argument_leaves_its_place(id in "\\PC{1,40}", q in "\\PC{0,40}") {
        let parameters = json!([{"name": "id", "in": "path"}, {"name": "q", "in": "query"}]);
        let operation = operation("/pets/{id}/toys", &parameters, &Value::Null);
        let base = Url::parse("https://api.example/v1").unwrap();
        if let Ok(request) = ApiRequest::new(&base, &operation, &json!({"id": id, "q": q})) {
            let url = request.url;
            prop_assert_eq!(url.origin(), base.origin());
            prop_assert!(url.username().is_empty() && url.fragment().is_none());
            let segments: Vec<_> = url.path_segments().unwrap().collect();
            prop_assert_eq!(segments.len(), 4, "{}", url);
            prop_assert_eq!((segments[0], segments[1], segments[3]), ("v1", "pets", "toys"));
            let pairs: Vec<_> = url.query_pairs().collect();
            prop_assert_eq!(pairs.len(), 1);
            // `+` is a blank to who reads forms; it is never written.
            prop_assert_eq!(&*pairs[0].1, q.as_str());
        }
    }
}

#[test]
fn headers_and_bodies_are_written_as_they_are_described() {
    let parameters = json!([{"name": "X-Tags", "in": "header"}]);
    let body = json!({"required": true, "content": {"application/json": {"schema": {
        "type": "object", "required": ["name"], "properties": {
            "id": {"type": "integer", "readOnly": true}, "name": {"type": "string"}}}}}});
    let operation = operation("/x", &parameters, &body);
    let base = Url::parse("https://api.example").unwrap();
    let request = |arguments: Value| ApiRequest::new(&base, &operation, &arguments);
    let sent = request(json!({"X-Tags": ["a", "b"], "name": "Rex", "id": 7})).unwrap();
    assert_eq!(sent.headers["x-tags"], "a,b");
    assert_eq!(sent.headers["content-type"], "application/json");
    assert_eq!(sent.body.unwrap(), br#"{"name":"Rex"}"#);
    let told = request(json!({"X-Tags": "a\r\nX-Other: 1", "name": "Rex"})).unwrap_err();
    assert!(told.message().contains("no header has"));
    let form = json!({"content": {"application/x-www-form-urlencoded": {"schema": {
        "type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "array"}}}}}});
    let operation = self::operation("/x", &json!([]), &form);
    let sent = ApiRequest::new(&base, &operation, &json!({"a": "1&2", "b": ["x", "y"]})).unwrap();
    assert_eq!(sent.body.unwrap(), b"a=1%262&b=x&b=y");
}
