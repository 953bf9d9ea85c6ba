//! Servers at an address.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};
use toolwright_core::{RunContext, ToolSource};
use toolwright_mcp::client::{
    HttpEndpoint, McpServer, McpServerConfig, McpTransport, PinStore, ServerState,
};
use toolwright_runtime::Toolbox;

/// What a server answers a message with: a status, further headers, a kind and a body.
type Answer = (u16, String, &'static str, String);

/// A server that answers messages as it is told to; what it was sent is kept.
async fn serve(
    answer: impl Fn(&str, &Value) -> Answer + Send + Sync + 'static,
) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/mcp", listener.local_addr().unwrap());
    let (answer, heads) = (Arc::new(answer), Arc::new(Mutex::new(Vec::new())));
    let kept = heads.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (answer, kept) = (answer.clone(), kept.clone());
            tokio::spawn(async move { exchange(stream, &*answer, &kept).await });
        }
    });
    (address, heads)
}

async fn exchange(
    mut stream: TcpStream,
    answer: &(dyn Fn(&str, &Value) -> Answer + Send + Sync),
    kept: &Mutex<Vec<String>>,
) {
    let mut read = Vec::new();
    loop {
        let mut piece = [0; 4096];
        let count = stream.read(&mut piece).await.unwrap_or(0);
        if count == 0 {
            return;
        }
        read.extend_from_slice(&piece[..count]);
        let text = String::from_utf8_lossy(&read).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|it| {
            let (name, value) = it.split_once(": ")?;
            name.eq_ignore_ascii_case("content-length").then(|| value.parse::<usize>().unwrap())
        });
        if body.len() < length.unwrap_or(0) {
            continue;
        }
        kept.lock().unwrap().push(head.to_owned());
        let message = serde_json::from_str(body).unwrap_or(Value::Null);
        let (status, headers, kind, body) = answer(head, &message);
        let response = format!(
            "HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n{headers}connection: close\r\n\r\n{body}",
            body.len()
        );
        let _ = stream.write_all(response.as_bytes()).await;
        return;
    }
}

fn result(message: &Value, result: Value) -> String {
    json!({"jsonrpc": "2.0", "id": message["id"], "result": result}).to_string()
}

/// A server of the legacy era.
fn legacy(message: &Value) -> Answer {
    let ok = |body: String| (200, "mcp-session-id: s1\r\n".to_owned(), "application/json", body);
    match message["method"].as_str() {
        Some("server/discover") => (400, String::new(), "text/plain", "what?".to_owned()),
        Some("initialize") => ok(result(
            message,
            json!({
                "protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                "serverInfo": {"name": "remote", "version": "1"},
            }),
        )),
        Some("tools/list") => {
            let tool = json!({"name": "add", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}});
            let body =
                format!("event: message\ndata: {}\n\n", result(message, json!({"tools": [tool]})));
            (200, String::new(), "text/event-stream", body)
        }
        Some("tools/call") => {
            ok(result(message, json!({"content": [{"type": "text", "text": "5"}]})))
        }
        Some(_) => (202, String::new(), "application/json", String::new()),
        None => (405, String::new(), "text/plain", String::new()),
    }
}

/// A server of the modern era.
fn modern(message: &Value) -> Answer {
    let ok = |value: Value| (200, String::new(), "application/json", result(message, value));
    match message["method"].as_str() {
        Some("server/discover") => ok(json!({
            "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}},
            "ttlMs": 0, "cacheScope": "private",
        })),
        Some("tools/list") => ok(json!({
            "resultType": "complete", "ttlMs": 0, "cacheScope": "private",
            "tools": [{"name": "add", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}}],
        })),
        Some("tools/call") if message["params"]["inputResponses"].is_null() => ok(json!({
            "resultType": "input_required", "requestState": "opaque",
            "inputRequests": {"q": {"method": "elicitation/create", "params": {
                "mode": "form", "message": "Sure?", "requestedSchema": {"type": "object", "properties": {}}}}},
        })),
        Some("tools/call") => {
            let (said, state) = (
                &message["params"]["inputResponses"]["q"]["action"],
                &message["params"]["requestState"],
            );
            ok(
                json!({"resultType": "complete", "content": [{"type": "text", "text": format!("{said} {state}")}]}),
            )
        }
        _ => (404, String::new(), "text/plain", String::new()),
    }
}

async fn connected(url: &str) -> (tempfile::TempDir, Arc<McpServer>) {
    let folder = tempfile::tempdir().unwrap();
    let mut headers = http::HeaderMap::new();
    headers.insert("authorization", "Bearer secret-token".parse().unwrap());
    let endpoint = HttpEndpoint { url: url.parse().unwrap(), headers };
    let config = McpServerConfig::new("remote", McpTransport::Http(endpoint));
    let server = Arc::new(McpServer::new(config, PinStore::in_folder(folder.path())));
    server.ready().await;
    (folder, server)
}

async fn call(server: &Arc<McpServer>) -> String {
    server.approve().unwrap();
    let toolbox = Arc::new(Toolbox::builder().source(server.clone()).build().unwrap()).current();
    toolbox.call("remote__add", json!({}), &RunContext::new()).await.text
}

/// However a server without the modern era answers what it does not know.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_only_answers_the_modern_question_is_spoken_to_as_before() {
    let older = json!({
        "resultType": "complete", "supportedVersions": ["2025-06-18"], "capabilities": {},
        "ttlMs": 0, "cacheScope": "private",
    });
    let unsupported = json!({
        "code": -32022, "message": "no", "data": {"supported": ["2025-11-25"], "requested": "2026-07-28"},
    });
    for (status, key, value) in [
        (200, "result", json!({})),
        (200, "result", json!({"tools": []})),
        (200, "result", older),
        (400, "error", unsupported.clone()),
        (200, "error", unsupported),
        (200, "error", json!({"code": -32601, "message": "no"})),
    ] {
        let shown = value.to_string();
        let (url, _) = serve(move |_, message| match message["method"].as_str() {
            Some("server/discover") => {
                let reply = json!({"jsonrpc": "2.0", "id": message["id"], key: value});
                (status, String::new(), "application/json", reply.to_string())
            }
            _ => legacy(message),
        })
        .await;
        let (_folder, server) = connected(&url).await;
        assert_eq!(server.state(), ServerState::Ready, "{shown}");
        assert_eq!(call(&server).await, "5", "{shown}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_of_the_legacy_era_is_spoken_to() {
    let (url, heads) = serve(|_, message| legacy(message)).await;
    let (_folder, server) = connected(&url).await;
    assert_eq!(server.state(), ServerState::Ready);
    assert_eq!(call(&server).await, "5");
    let heads = heads.lock().unwrap().join("\n").to_lowercase();
    assert!(
        heads.contains("mcp-session-id: s1")
            && heads.contains("authorization: bearer secret-token")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_of_the_modern_era_is_spoken_to_and_may_ask() {
    let (url, heads) = serve(|_, message| modern(message)).await;
    let (_folder, server) = connected(&url).await;
    assert_eq!(server.state(), ServerState::Ready);
    assert_eq!(call(&server).await, r#""decline" "opaque""#);
    let heads = heads.lock().unwrap().join("\n").to_lowercase();
    assert!(heads.contains("mcp-protocol-version: 2026-07-28") && heads.contains("mcp-name: add"));
}

/// A key does not follow where an answer points to.
#[tokio::test(flavor = "multi_thread")]
async fn a_redirect_is_not_followed() {
    let (elsewhere, seen) = serve(|_, message| legacy(message)).await;
    let (url, _) =
        serve(move |_, _| (307, format!("location: {elsewhere}\r\n"), "text/plain", String::new()))
            .await;
    let (_folder, server) = connected(&url).await;
    let (ServerState::Restarting(error) | ServerState::Off(error)) = server.state() else {
        panic!()
    };
    assert!(error.to_string().contains("points elsewhere"), "{error}");
    assert!(seen.lock().unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_wants_a_login_says_so_and_no_token_is_shown() {
    let header = "www-authenticate: Bearer realm=\"x\"\r\n";
    let (url, _) = serve(move |_, _| (401, header.to_owned(), "text/plain", String::new())).await;
    let (_folder, server) = connected(&url).await;
    let ServerState::Off(error) = server.state() else { panic!("{:?}", server.state()) };
    assert!(error.to_string().contains("wants a login"), "{error}");
    assert!(!format!("{error:?} {:?}", server.config()).contains("secret-token"));
}

/// M10 at an address: a body that does not end is not read to its end.
#[tokio::test(flavor = "multi_thread")]
async fn a_reply_that_is_too_long_fails_that_call() {
    let long = "x".repeat(9 << 20);
    let (url, _) = serve(move |_, message| match message["method"].as_str() {
        Some("tools/call") => {
            let body = result(message, json!({"content": [{"type": "text", "text": long}]}));
            (200, String::new(), "application/json", body)
        }
        _ => legacy(message),
    })
    .await;
    let (_folder, server) = connected(&url).await;
    let text = call(&server).await;
    assert!(
        text.contains("longer than 8 MiB"),
        "{} {}",
        text.len(),
        text.get(..200).unwrap_or(&text)
    );
    assert_eq!(server.state(), ServerState::Ready);
}
