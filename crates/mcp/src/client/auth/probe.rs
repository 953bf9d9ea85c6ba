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
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
/// The revision that is spoken: one in which servers may begin with anybody.
const REVISION: &str = "2025-11-25";

/// What the server says to somebody it does not know; nothing where it does not mind. Some begin with anybody, and
/// want to know who asks when something is asked for: so their tools are, too.
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
    let info = json!({"name": "toolwright", "version": env!("CARGO_PKG_VERSION")});
    let params = json!({"protocolVersion": REVISION, "capabilities": {}, "clientInfo": info});
    let begin = request(1, "initialize", &params);
    let begun = send(&client, endpoint, Method::POST, HeaderMap::new(), &begin).await?;
    if begun.status() == StatusCode::UNAUTHORIZED {
        return Ok(Some(challenge(&begun)));
    }
    if !begun.status().is_success() {
        return Ok(None);
    }
    let mut headers = HeaderMap::new();
    headers.insert(VERSION, HeaderValue::from_static(REVISION));
    let session = begun.headers().get(SESSION).cloned();
    headers.extend(session.clone().map(|it| (SESSION, it)));
    drop(begun);
    let list = request(2, "tools/list", &json!({}));
    let listed = send(&client, endpoint, Method::POST, headers.clone(), &list).await;
    if session.is_some() {
        // Whether it likes that or not: nobody is left to use the session.
        let _ = send(&client, endpoint, Method::DELETE, headers, &Value::Null).await;
    }
    // It was reached: what else it does not do is told when it is used.
    let listed = listed.ok().filter(|it| it.status() == StatusCode::UNAUTHORIZED);
    Ok(listed.map(|it| challenge(&it)))
}

fn request(id: u32, method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

fn challenge(response: &Response) -> Challenge {
    Challenge::of(response.headers()).unwrap_or_default()
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
