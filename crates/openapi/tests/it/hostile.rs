//! Documents that are made to break the reader, or to lead it elsewhere.

use serde_json::{Value, json};
use toolwright_openapi::ApiAuth;

use crate::server::{Api, Server, names, told, tool};

const BASE: &str = "https://api.example";

#[tokio::test]
async fn schemas_without_end_have_one() {
    let schemas = json!({
        "A": {"$ref": "#/components/schemas/B"}, "B": {"$ref": "#/components/schemas/A"},
        "Deep": {"type": "object", "properties": {"x": {"$ref": "#/components/schemas/Deep"}}},
    });
    let body = |name: &str| {
        json!({"post": {"operationId": name, "requestBody": {"required": true, "content":
        {"application/json": {"schema": {"$ref": format!("#/components/schemas/{name}")}}}}}})
    };
    let document = json!({"openapi": "3.1.0", "paths": {
        "/a": body("A"), "/deep": body("Deep"), "/self": {"$ref": "#/paths/~1self"},
    }, "components": {"schemas": schemas}});
    let tools = Api::new(&document.to_string()).at(BASE).tools().await;
    assert_eq!(names(&tools), ["pets__Deep"]);
    assert!(tools.withheld[0].reason.contains("circle"), "{:?}", tools.withheld);
}

#[tokio::test]
async fn what_is_too_deep_or_too_long_is_refused_or_shrunk() {
    let mut deep = json!({"type": "string"});
    for _ in 0..45 {
        deep = json!({"type": "object", "properties": {"x": deep}, "anyOf": []});
    }
    let wide: serde_json::Map<_, _> = (0..50)
        .map(|at| (format!("field{at}"), json!({"type": "string", "description": "x".repeat(400)})))
        .collect();
    let huge: serde_json::Map<_, _> =
        (0..5_000).map(|at| (format!("a_field_of_many_{at}"), json!({"type": "string"}))).collect();
    let body = |id: &str, schema: Value| {
        json!({"post": {"operationId": id, "requestBody": {"required": true,
        "content": {"application/json": {"schema": schema}}}}})
    };
    let document = json!({"openapi": "3.1.0", "paths": {
        "/deep": body("deep", deep),
        "/wide": body("wide", json!({"type": "object", "properties": {"in": {"type": "object", "properties": wide}}})),
        "/huge": body("huge", json!({"type": "object", "properties": huge})),
    }});
    let tools = Api::new(&document.to_string()).at(BASE).tools().await;
    assert!(tools.withheld[0].reason.contains("nested too deeply"), "{:?}", tools.withheld);
    for name in ["pets__wide", "pets__huge"] {
        let schema = tool(&tools, name).spec().parameters.clone();
        assert!(schema.to_string().len() <= 8_000, "{}", schema.to_string().len());
        assert_eq!(schema["type"], "object");
    }
    assert!(tool(&tools, "pets__wide").spec().parameters.to_string().contains("field49"));

    let brackets =
        format!("{{\"openapi\":\"3.1.0\",\"x\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(Api::new(&brackets).at(BASE).reason().await.contains("no JSON"));
    let long = format!("{{\"openapi\":\"3.1.0\",\"x\":\"{}\"}}", "x".repeat(16 << 20));
    assert!(Api::new(&long).at(BASE).reason().await.contains("cannot be read"));
    // A few lines of YAML that would be gigabytes.
    let mut bomb = "openapi: 3.1.0\na0: &a0 [x,x,x,x,x,x,x,x,x,x]\n".to_owned();
    for at in 1..12 {
        let inner = vec![format!("*a{}", at - 1); 10].join(",");
        bomb.push_str(&format!("a{at}: &a{at} [{inner}]\n"));
    }
    assert!(Api::new(&bomb).at(BASE).reason().await.contains("no YAML"));
}

#[tokio::test]
async fn paths_lead_nowhere_but_down() {
    let get = |id: &str| json!({"get": {"operationId": id}});
    let document = json!({"openapi": "3.1.0", "paths": {
        "/../admin": get("up"), "/%2e%2e/admin": get("encoded"), "//evil.example/x": get("host"),
        "https://evil.example/": get("whole"), "/x?a=1": get("query"), "/x\\..\\y": get("back"),
        "@evil.example/": get("login"), "/fine": get("fine"),
    }});
    let tools = Api::new(&document.to_string()).at(BASE).tools().await;
    assert_eq!((names(&tools), tools.withheld.len()), (vec!["pets__fine".to_owned()], 7));
}

/// What the document says of servers is not the user's word: neither this machine nor the key is for it.
#[tokio::test]
async fn a_document_names_no_private_server_and_gets_no_key() {
    let inside = Server::page("application/json", "{}").await;
    let document = |url: &str| {
        json!({"openapi": "3.1.0", "servers": [{"url": url}], "paths": {"/x": {"get": {"operationId": "x",
            "servers": [{"url": inside.url("/")}]}}}})
        .to_string()
    };
    let port = inside.host.rsplit(':').next().unwrap();
    for url in [
        inside.url("/"),
        format!("http://localhost:{port}"),
        format!("http://{{h}}:{port}"),
        "http://169.254.169.254/latest".to_owned(),
    ] {
        let text = document(&url).replace(
            "\"servers\":[{\"url\":\"http://{h}",
            "\"servers\":[{\"variables\":{\"h\":{\"default\":\"127.0.0.1\"}},\"url\":\"http://{h}",
        );
        let tools = Api::new(&text).tools().await;
        if let Some(x) = tools.tools.first() {
            let said = told(x, json!({})).await;
            assert!(
                said.starts_with("error:") && said.contains("not a public address"),
                "{url}: {said}"
            );
        }
    }
    let auth = ApiAuth::bearer("canary-5522").unwrap();
    let reason = Api::new(&document("https://evil.example")).auth(auth.clone()).reason().await;
    assert!(reason.contains("evil.example") && reason.contains("`base_url`"), "{reason}");
    // What the user says counts, whatever the document says.
    let server = Server::page("application/json", "{}").await;
    let api = Api::new(&document("https://evil.example")).at(&server.url("/api")).auth(auth);
    assert_eq!(told(&tool(&*api.tools().await, "pets__x"), json!({})).await, "{}");
    assert!(server.asked()[0].line.starts_with("GET /api/x "));
    assert!(inside.asked().is_empty());
}
