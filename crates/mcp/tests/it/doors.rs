//! Standard input and HTTP beside each other: what is no message is answered alike, and those who come over HTTP
//! have so much room.

use std::sync::Arc;

use bytes::Bytes;
use http::{Request, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tokio::sync::Notify;
use toolwright_core::{Output, Tool, ToolEffect};
use toolwright_mcp::server::{HttpLimits, McpHttp};

use crate::serving::{Client, modern, tool};

const LIMITS: HttpLimits = HttpLimits { body: 4 << 20, clients: 2 };

fn quick() -> Arc<dyn Tool> {
    tool("quick", ToolEffect::ReadOnly, |_| async { Ok(Output::Text("Here.".to_owned())) })
}

/// One that goes on until it is told.
fn waiting(name: &str, told: Arc<Notify>) -> Arc<dyn Tool> {
    tool(name, ToolEffect::ReadOnly, move |_| {
        let told = told.clone();
        async move {
            told.notified().await;
            Ok(Output::Text("Enough.".to_owned()))
        }
    })
}

fn request(method: &str, session: Option<&str>, body: impl Into<Bytes>) -> Request<Bytes> {
    let request = Request::builder()
        .method(method)
        .uri("/mcp")
        .header("Host", "127.0.0.1")
        .header("Content-Type", "application/json")
        .header("Accept", "application/json, text/event-stream");
    let request = match session {
        Some(session) => {
            request.header("Mcp-Session-Id", session).header("MCP-Protocol-Version", "2025-11-25")
        }
        None => request,
    };
    request.body(body.into()).unwrap()
}

fn said(method: &str, params: Value) -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string()
}

fn initialize() -> Request<Bytes> {
    let info = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info});
    request("POST", None, said("initialize", params))
}

/// A new session's name, or why there is none.
async fn begin(http: &McpHttp) -> Result<String, StatusCode> {
    let answer = http.handle(initialize()).await;
    if answer.status() != StatusCode::OK {
        return Err(answer.status());
    }
    let session = answer.headers()["mcp-session-id"].to_str().unwrap().to_owned();
    answer.into_body().collect().await.unwrap();
    let begun = json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string();
    let told = http.handle(request("POST", Some(&session), begun)).await;
    assert_eq!(told.status(), StatusCode::ACCEPTED);
    Ok(session)
}

/// What is answered to a body, be it alone or at the end of a stream.
async fn answered(http: &McpHttp, request: Request<Bytes>) -> (StatusCode, Option<Value>) {
    let answer = http.handle(request).await;
    let status = answer.status();
    let body = answer.into_body().collect().await.unwrap().to_bytes();
    let text = String::from_utf8(body.to_vec()).unwrap();
    let events = text.lines().filter_map(|it| it.strip_prefix("data:"));
    let last = events.filter_map(|it| serde_json::from_str(it).ok()).next_back();
    (status, last.or_else(|| serde_json::from_str(&text).ok()))
}

async fn ping(http: &McpHttp, session: &str) -> StatusCode {
    answered(http, request("POST", Some(session), said("ping", json!({})))).await.0
}

/// Lines that are no messages, or not those that anybody waits for.
const HOSTILE: &[&str] = &[
    "nonsense",
    "\0",
    "{\"jsonrpc\":\"2.0\"",
    "{\"jsonrpc\":\"2.0\",}",
    "[]",
    "[1]",
    "{}",
    "null",
    "true",
    "5",
    "\"initialize\"",
    r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
    r#"{"jsonrpc":"2.0","id":1}"#,
    r#"{"jsonrpc":"2.0"}"#,
    r#"{"jsonrpc":"1.0","id":2,"method":"ping"}"#,
    r#"{"jsonrpc":2.0,"id":2,"method":"ping"}"#,
    r#"{"id":2,"method":"ping"}"#,
    r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
    r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
    r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#,
    r#"{"jsonrpc":"2.0","id":[],"method":"ping"}"#,
    r#"{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}"#,
    r#"{"jsonrpc":"2.0","id":99999999999999999999,"method":"ping"}"#,
    r#"{"jsonrpc":"2.0","id":2,"id":3,"method":"ping"}"#,
    r#"{"jsonrpc":"2.0","id":2,"method":"ping","method":"tools/list"}"#,
    r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"quick","arguments":{"a":1,"a":2}}}"#,
    r#"{"jsonrpc":"2.0","id":2,"method":null}"#,
    r#"{"jsonrpc":"2.0","id":2,"method":["ping"]}"#,
    r#"{"jsonrpc":"2.0","id":2,"method":"ping","params":[]}"#,
    r#"{"jsonrpc":"2.0","id":2,"method":"ping","params":"x"}"#,
    r#"{"jsonrpc":"2.0","id":2,"method":"ping","params":null}"#,
    r#"{"jsonrpc":"2.0","id":2,"method":"ping","result":{}}"#,
    r#"{"jsonrpc":"2.0","id":2,"method":"ping","error":{"code":1,"message":"x"}}"#,
    r#"{"jsonrpc":"2.0","id":2,"result":{},"error":{"code":1,"message":"x"}}"#,
    r#"{"jsonrpc":"2.0","id":2,"result":{"action":"accept"}}"#,
    r#"{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"x"}}"#,
    r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}"#,
    r#"{"jsonrpc":"2.0","error":{"code":"x"}}"#,
    r#"{"jsonrpc":"2.0","result":{}}"#,
    r#"{"jsonrpc":"2.0","id":3,"method":"tools/call"}"#,
    r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{}}"#,
    r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":5}}"#,
    r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"quick","arguments":[1]}}"#,
    r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"none"}}"#,
    r#"{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"zzz"}}"#,
    r#"{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}"#,
    r#"{"jsonrpc":"2.0","id":3,"method":"prompts/get","params":{"name":"none"}}"#,
    r#"{"jsonrpc":"2.0","id":3,"method":"logging/setLevel","params":{"level":"loud"}}"#,
    r#"{"jsonrpc":"2.0","id":3,"method":"no/such/method"}"#,
    r#"{"jsonrpc":"2.0","id":3,"method":""}"#,
    r#"{"jsonrpc":"2.0","id":"text","method":"no/such/method"}"#,
    r#"{"jsonrpc":"2.0","method":"no/such/notification"}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"none"}}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":[7]}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{}}}"#,
];

#[tokio::test]
async fn what_is_no_message_is_answered_alike_at_both_doors() {
    let mut client = Client::begun(vec![quick()], json!({})).await;
    let http = client.over_http(LIMITS);
    let session = begin(&http).await.unwrap();
    let deep = "[".repeat(20_000);
    let deeper = format!(r#"{{"jsonrpc":"2.0","id":4,"method":"ping","params":{{"x":{deep}}}}}"#);
    let not_text = r#"{"jsonrpc":"2.0","id":4,"method":"\ud800"}"#;
    let made = [deep.as_str(), deeper.as_str(), not_text];
    let mut told = 0;
    for line in HOSTILE.iter().chain(&made) {
        let shown = line.chars().take(120).collect::<String>();
        let posted = request("POST", Some(&session), (*line).to_owned());
        let (status, over_http) = answered(&http, posted).await;
        assert!(!status.is_server_error(), "{shown}: {status}");
        client.write(line).await;
        if let Some(over_http) = over_http {
            assert_eq!(client.hear().await, over_http, "{shown} ({status})");
            told += 1;
        }
        // And there is nothing else.
        let id = client.send("ping", json!({})).await;
        assert_eq!(client.until(id).await.len(), 1, "{shown} ({status})");
    }
    assert!(told > 40, "most of them are told what is wrong: {told}");
    assert_eq!(ping(&http, &session).await, StatusCode::OK);
}

#[tokio::test]
async fn what_is_too_long_is_told_so_and_read_no_further() {
    let mut client = Client::begun(vec![quick()], json!({})).await;
    let long = "x".repeat(5 << 20);
    for line in [
        format!(r#"{{"jsonrpc":"2.0","id":77,"method":"ping","params":{{"id":5,"x":"{long}"}}}}"#),
        format!(r#"{{"method":"ping","params":{{"id":5,"x":"{long}"}},"jsonrpc":"2.0","id":77}}"#),
    ] {
        client.write(&line).await;
        let told = client.hear().await;
        assert_eq!((&told["id"], &told["error"]["code"]), (&json!(77), &json!(-32600)), "{told}");
        let answer = client.over_http(LIMITS).too_large();
        assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE);
        let body = answer.into_body().collect().await.unwrap().to_bytes();
        let over_http: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(over_http["error"], told["error"]);
    }
    assert_eq!(client.call("quick").await["isError"], false);
}

#[tokio::test]
async fn whoever_has_rested_longest_makes_room() {
    let client = Client::of(vec![quick()]).await;
    let http = client.over_http(LIMITS);
    let (first, second) = (begin(&http).await.unwrap(), begin(&http).await.unwrap());
    assert_eq!(ping(&http, &first).await, StatusCode::OK);
    let third = begin(&http).await.unwrap();
    assert_eq!(ping(&http, &second).await, StatusCode::NOT_FOUND, "it was the one at rest");
    assert_eq!(ping(&http, &first).await, StatusCode::OK);
    // Who has no session is let in, too.
    let call = said("tools/call", modern(json!({"name": "quick", "arguments": {}})));
    let mut call = request("POST", None, call);
    for (name, value) in [
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "quick"),
    ] {
        call.headers_mut().insert(name, value.parse().unwrap());
    }
    let (status, answer) = answered(&http, call).await;
    assert_eq!((status, &answer.unwrap()["result"]["isError"]), (StatusCode::OK, &json!(false)));
    assert_eq!(ping(&http, &third).await, StatusCode::NOT_FOUND);
    // However many come, there are no more than that.
    for _ in 0..20 {
        begin(&http).await.unwrap();
    }
}

#[tokio::test]
async fn who_is_busy_is_not_sent_away_for_somebody_else() {
    let (told, never) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let tools = vec![waiting("waits", told.clone()), waiting("stays", never)];
    let client = Client::of(tools).await;
    let http = client.over_http(LIMITS);
    let mut calls = Vec::new();
    for tool in ["waits", "stays"] {
        let session = begin(&http).await.unwrap();
        let call = said("tools/call", json!({"name": tool, "arguments": {}}));
        calls.push((http.handle(request("POST", Some(&session), call)).await, session));
    }
    let refused = http.handle(initialize()).await;
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(refused.headers()["retry-after"].to_str().unwrap().parse::<u32>().unwrap() > 0);
    let body = refused.into_body().collect().await.unwrap().to_bytes();
    let body: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!((&body["id"], &body["error"]["code"]), (&json!(1), &json!(-32000)), "{body}");
    // Whose call is done is at rest, and makes room; the other still is not.
    told.notify_one();
    let (first, session) = calls.remove(0);
    let done = first.into_body().collect().await.unwrap().to_bytes();
    assert!(String::from_utf8_lossy(&done).contains("Enough."));
    begin(&http).await.expect("there is room now");
    assert_eq!(ping(&http, &session).await, StatusCode::NOT_FOUND);
    let (_going, session) = calls.remove(0);
    assert_eq!(ping(&http, &session).await, StatusCode::OK);
}

#[tokio::test]
async fn a_session_that_was_ended_is_gone() {
    let client = Client::of(vec![quick()]).await;
    let http = client.over_http(LIMITS);
    let session = begin(&http).await.unwrap();
    let end = |session: &str| http.handle(request("DELETE", Some(session), Bytes::new()));
    assert_eq!(end(&session).await.status(), StatusCode::NO_CONTENT);
    assert_eq!(ping(&http, &session).await, StatusCode::NOT_FOUND);
    assert_eq!(end(&session).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(end("made-up").await.status(), StatusCode::NOT_FOUND);
    let nameless = http.handle(request("DELETE", None, Bytes::new())).await;
    assert_eq!(nameless.status(), StatusCode::BAD_REQUEST);
}
