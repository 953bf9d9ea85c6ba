//! Clients of the Model Context Protocol, at `/mcp`.

use serde_json::{Value, json};
use toolwright_server::{AuthMode, Limits};

use crate::harness::{Answer, Desk, Listening, Request, Setup, TOKEN, ask};

const ACCEPT: &str = "application/json, text/event-stream";

fn post(message: &Value) -> Request {
    Request::new("POST", "/mcp").json(message).header("Accept", ACCEPT)
}

fn request(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

fn initialize(name: &str) -> Request {
    let info = json!({"name": name, "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info});
    post(&request("initialize", params))
}

/// A request in the protocol without sessions.
fn modern(client: &str, method: &str, mut params: Value, capabilities: Value) -> Request {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": capabilities,
        "io.modelcontextprotocol/clientInfo": {"name": client, "version": "1"},
    });
    let name = params["name"].as_str().map(str::to_owned);
    let asked = post(&request(method, params))
        .header("MCP-Protocol-Version", "2026-07-28")
        .header("Mcp-Method", method);
    match name {
        Some(name) => asked.header("Mcp-Name", &name),
        None => asked,
    }
}

pub(crate) fn call(client: &str, tool: &str, arguments: Value) -> Request {
    modern(client, "tools/call", json!({"name": tool, "arguments": arguments}), json!({}))
}

/// The answer to the request, be it alone or at the end of a stream.
fn answered(answer: &Answer) -> Value {
    assert_eq!(answer.status, 200, "{}", answer.text());
    match answer.headers["content-type"].starts_with("text/event-stream") {
        true => answer.events().into_iter().map(|(_, it)| it).rfind(Value::is_object).unwrap(),
        false => answer.json(),
    }
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"))
}

async fn strict() -> Desk {
    Desk::start(Setup { auth: AuthMode::Token, ..Setup::default() }, None).await
}

fn with_token(request: Request) -> Request {
    request.header("Authorization", &format!("Bearer {TOKEN}"))
}

/// M5.
#[tokio::test(flavor = "multi_thread")]
async fn pages_and_names_of_others_are_refused_whatever_they_show() {
    let desk = Desk::demo().await;
    let asked = || with_token(initialize("test"));
    assert_eq!(ask(desk.address, &asked()).await.status, 200);
    for (name, value) in [
        ("Origin", "http://example.com"),
        ("Origin", "null"),
        ("Origin", "http://localhost:1"),
        ("Host", "example.com"),
        ("Host", "localhost.example.com"),
        ("Sec-Fetch-Site", "cross-site"),
    ] {
        let answer = ask(desk.address, &asked().header(name, value)).await;
        assert_eq!(answer.status, 403, "{name}: {value}");
    }
}

/// M5, M6.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_no_key_and_only_the_servers_token_is() {
    let desk = strict().await;
    for method in ["POST", "GET", "DELETE", "PUT", "OPTIONS"] {
        let asked = Request::new(method, "/mcp").header("Accept", ACCEPT);
        assert_eq!(ask(desk.address, &asked).await.status, 401, "{method}");
    }
    for token in ["Bearer wrong", "Basic eDp5", "Bearer"] {
        let asked = initialize("test").header("Authorization", token);
        assert!([401, 429].contains(&ask(desk.address, &asked).await.status), "{token}");
    }
    let begun = ask(desk.address, &with_token(initialize("test"))).await;
    let session = begun.headers["mcp-session-id"].clone();
    let list = || {
        let asked = post(&request("tools/list", json!({}))).header("Mcp-Session-Id", &session);
        asked.header("MCP-Protocol-Version", "2025-11-25")
    };
    assert_eq!(ask(desk.address, &list()).await.status, 401);
    let delete = Request::new("DELETE", "/mcp").header("Mcp-Session-Id", &session);
    assert_eq!(ask(desk.address, &delete).await.status, 401);
    let listed = answered(&ask(desk.address, &with_token(list())).await);
    assert_eq!(listed["result"]["tools"][0]["name"], "get_weather", "{listed}");
    // One that was ended, or made up, is none.
    assert_eq!(ask(desk.address, &with_token(delete)).await.status, 204);
    assert_eq!(ask(desk.address, &with_token(list())).await.status, 404);
    let made_up = with_token(list()).header("Mcp-Session-Id", "session-1");
    assert_eq!(ask(desk.address, &made_up).await.status, 404);
}

/// What a client sends is not what the user said.
#[tokio::test(flavor = "multi_thread")]
async fn an_id_counts_for_the_client_that_was_given_it() {
    let desk = Desk::start(Setup { task: Some("trading"), ..Setup::default() }, None).await;
    let quote = json!({"securities": {"IDX_I": [13]}});
    let refused = "was not returned by any earlier result";
    // Neither its arguments nor its name make it one.
    for client in ["one", "IDX_I 13"] {
        let asked = call(client, "get_market_quote", quote.clone());
        let answer = answered(&ask(desk.address, &asked).await);
        assert!(answer["result"]["isError"] == true && text(&answer).contains(refused), "{answer}");
    }
    let found = call("one", "search_instruments", json!({"query": "NIFTY"}));
    assert_eq!(answered(&ask(desk.address, &found).await)["result"]["isError"], false);
    let again = call("one", "get_market_quote", quote.clone());
    let answer = answered(&ask(desk.address, &again).await);
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    let other = call("two", "get_market_quote", quote);
    assert_eq!(answered(&ask(desk.address, &other).await)["result"]["isError"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_are_kept_like_any_other_and_many_same_ones_are_no_loop() {
    let desk = Desk::demo().await;
    for _ in 0..6 {
        let asked = call("polling", "get_weather", json!({"location": "Rome"}));
        let answer = answered(&ask(desk.address, &asked).await);
        assert_eq!(answer["result"]["isError"], false, "{answer}");
        assert_eq!(answer["result"]["resultType"], "complete");
    }
    let all = desk.get("/api/conversations").await.json();
    let all = all["conversations"].as_array().unwrap();
    assert_eq!(all.len(), 1, "{all:?}");
    assert_eq!(all[0]["title"], "polling called get_weather");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_cannot_ask_its_user_waits_for_a_decision_on_the_page() {
    let desk = Desk::demo().await;
    let mut params = json!({"name": "delete_notes", "arguments": {}});
    params["_meta"] = json!({
        "progressToken": "p",
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let asked = post(&request("tools/call", params))
        .header("MCP-Protocol-Version", "2026-07-28")
        .header("Mcp-Method", "tools/call")
        .header("Mcp-Name", "delete_notes");
    let mut waiting = Listening::to(desk.address, &asked).await;
    let told = said(&mut waiting).await;
    assert_eq!(told["params"]["message"], "Waiting for an approval", "{told}");
    let all = desk.get("/api/conversations").await.json();
    let id = all["conversations"][0]["id"].as_str().unwrap();
    let stream = Request::new("GET", &format!("/api/conversations/{id}/stream"));
    let mut page = Listening::to(desk.address, &stream.header("Last-Event-ID", "0")).await;
    let shown = page.until("call_preview").await.pop().unwrap().1;
    let decided = json!({
        "call_id": shown["id"], "fingerprint": shown["fingerprint"], "verdict": "allow",
    });
    let decided = desk.post(&format!("/api/conversations/{id}/decisions"), &decided).await;
    assert!(decided.status < 300, "{}", decided.text());
    let answer = said(&mut waiting).await;
    assert_eq!(answer["result"]["isError"], false, "{answer}");
}

/// The next message on a stream, which may begin with an event that says nothing.
async fn said(stream: &mut Listening) -> Value {
    loop {
        let (_, message) = stream.next().await.unwrap();
        if message.is_object() {
            return message;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bounds_of_other_routes_hold_here() {
    let limits = Limits { body: 4 << 10, runs: 1, ..Limits::default() };
    let limits = Limits { runs_per_minute: std::num::NonZeroU32::new(2), ..limits };
    let desk = Desk::start(Setup { limits, ..Setup::default() }, None).await;
    let large = call("test", "take_note", json!({"text": "x".repeat(8 << 10)}));
    assert_eq!(ask(desk.address, &large).await.status, 413);
    let form = Request::new("POST", "/mcp").body("text/plain", "{}").header("Accept", ACCEPT);
    assert_eq!(ask(desk.address, &form).await.status, 415);
    for wrong in [json!([]), json!({}), json!(null), json!([request("tools/list", json!({}))])] {
        let status = ask(desk.address, &post(&wrong)).await.status;
        assert!((400..500).contains(&status), "{wrong}: {status}");
    }
    let weather = || call("test", "get_weather", json!({"location": "Rome"}));
    let mut busy = 0;
    for _ in 0..4 {
        let answer = answered(&ask(desk.address, &weather()).await);
        busy += usize::from(answer["error"]["message"].is_string());
    }
    assert_eq!(busy, 2, "calls in a minute count as runs do");
}
