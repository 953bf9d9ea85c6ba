//! [`probe`]: what a server says to somebody it does not know.

use std::time::Duration;

use http::{
    HeaderMap, HeaderName, HeaderValue, Method, StatusCode,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE},
};
use serde_json::{Value, json};
use toolwright_http::{Address, Client, Response};

use super::{super::HttpEndpoint, AuthError, Challenge, error::shown};

/// How long the server may take to say who lets one in.
const PATIENCE: Duration = Duration::from_secs(20);
const FIRST: Duration = Duration::from_secs(5);
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
/// The revisions that are spoken: the one without sessions, and one with.
const MODERN: &str = "2026-07-28";
const LEGACY: &str = "2025-11-25";

/// What the server says to somebody it does not know; nothing where it does not mind. It is asked as it will be: in
/// the way of the modern era first. Some begin with anybody, and want to know who asks when something is asked for: so
/// their tools are, too.
pub(super) async fn probe(endpoint: &HttpEndpoint) -> Result<Option<Challenge>, AuthError> {
    let asked = tokio::time::timeout(PATIENCE, ask(endpoint)).await;
    asked.unwrap_or_else(|_| {
        Err(unreachable(endpoint, format!("none in {} seconds", PATIENCE.as_secs())))
    })
}

async fn ask(endpoint: &HttpEndpoint) -> Result<Option<Challenge>, AuthError> {
    let mut origin = endpoint.url.clone();
    origin.set_query(None);
    let address = Address::new(origin.as_str()).map_err(|it| unreachable(endpoint, it))?;
    let client = Client::pinned(&address).map_err(|it| unreachable(endpoint, it.to_string()))?;
    // One that does not know the question, or does not answer it, is asked in the other way.
    let discovered = tokio::time::timeout(FIRST, modern(&client, endpoint, "server/discover"));
    if let Ok(Ok(discovered)) = discovered.await
        && let Some(challenge) = challenge(&discovered)
    {
        return Ok(Some(challenge));
    }
    let info = json!({"name": "toolwright", "version": env!("CARGO_PKG_VERSION")});
    let params = json!({"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": info});
    let begin = request("initialize", &params);
    let begun = send(&client, endpoint, Method::POST, HeaderMap::new(), &begin).await?;
    if let Some(challenge) = challenge(&begun) {
        return Ok(Some(challenge));
    }
    // It was reached: what else it does not do is told when it is used.
    let listed = match begun.status().is_success() {
        true => legacy_list(&client, endpoint, begun.headers().get(SESSION).cloned()).await,
        false => modern(&client, endpoint, "tools/list").await,
    };
    Ok(listed.ok().and_then(|it| challenge(&it)))
}

/// Asks for something in the way of the modern era.
async fn modern(
    client: &Client,
    endpoint: &HttpEndpoint,
    method: &'static str,
) -> Result<Response, AuthError> {
    let info = json!({"name": "toolwright", "version": env!("CARGO_PKG_VERSION")});
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": info,
    });
    let mut headers = HeaderMap::new();
    headers.insert(VERSION, HeaderValue::from_static(MODERN));
    headers.insert(METHOD, HeaderValue::from_static(method));
    let message = request(method, &json!({"_meta": meta}));
    send(client, endpoint, Method::POST, headers, &message).await
}

/// Asks for the tools in a session that was begun, and ends it.
async fn legacy_list(
    client: &Client,
    endpoint: &HttpEndpoint,
    session: Option<HeaderValue>,
) -> Result<Response, AuthError> {
    let mut headers = HeaderMap::new();
    headers.insert(VERSION, HeaderValue::from_static(LEGACY));
    let has_session = session.is_some();
    headers.extend(session.map(|it| (SESSION, it)));
    let list = request("tools/list", &json!({}));
    let listed = send(client, endpoint, Method::POST, headers.clone(), &list).await;
    if has_session {
        // Whether it likes that or not: nobody is left to use the session.
        let _ = send(client, endpoint, Method::DELETE, headers, &Value::Null).await;
    }
    listed
}

fn request(method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

/// What the server wants, where it wants to know who asks.
fn challenge(response: &Response) -> Option<Challenge> {
    let is_one = response.status() == StatusCode::UNAUTHORIZED;
    is_one.then(|| Challenge::of(response.headers()).unwrap_or_default())
}

/// Sends a message without any login of the user's.
async fn send(
    client: &Client,
    endpoint: &HttpEndpoint,
    method: Method,
    further: HeaderMap,
    message: &Value,
) -> Result<Response, AuthError> {
    let both = HeaderValue::from_static("application/json, text/event-stream");
    let mut headers = endpoint.headers.clone();
    headers.remove(AUTHORIZATION);
    headers.extend(further);
    let body = if message.is_null() { String::new() } else { message.to_string() };
    let request = client
        .request(method, endpoint.url.clone())
        .headers(headers)
        .header(CONTENT_TYPE, HeaderValue::from_static("application/json"))
        .header(ACCEPT, both)
        .body(body);
    request.send().await.map_err(|error| unreachable(endpoint, error.to_string()))
}

fn unreachable(endpoint: &HttpEndpoint, reason: String) -> AuthError {
    AuthError::Unreachable { what: "the server", url: shown(endpoint.url.as_str()), reason }
}
