//! The APIs of the vendors: what is said in each, what goes wrong, and what was asked.
//!
//! Whether the forms are the vendors' own is for their packages to judge; `clients/vendors` asks them.

mod asked;
mod failures;
mod said;

use serde_json::{Value, json};
use toolwright_testkit::{ModelServer, Reply, Script, SpokenApi};

use crate::client::{Client, Response};

/// A question nothing is wrong with.
pub(crate) fn question(api: SpokenApi, stream: bool) -> Value {
    let message = json!([{"role": "user", "content": "hello"}]);
    match api {
        SpokenApi::Chat if stream => json!({
            "model": "m", "messages": message, "stream": true,
            "stream_options": {"include_usage": true},
        }),
        SpokenApi::Chat => json!({"model": "m", "messages": message}),
        SpokenApi::Responses => json!({"model": "m", "input": "hello", "stream": stream}),
        SpokenApi::Messages => {
            json!({"model": "m", "max_tokens": 9, "messages": message, "stream": stream})
        }
        SpokenApi::Gemini => json!({"contents": [{"role": "user", "parts": [{"text": "hello"}]}]}),
        SpokenApi::Ollama => json!({"model": "m", "messages": message, "stream": stream}),
    }
}

/// Asks by the path of the API, under its name.
pub(crate) async fn ask(
    server: &ModelServer,
    api: SpokenApi,
    stream: bool,
    body: &Value,
) -> Response {
    let mut client = Client::connect(server).await;
    let route = format!("POST /{}{}", api.name(), api.path("m", stream));
    let headers = "content-type: application/json\r\nanthropic-version: 2023-06-01\r\n";
    client.send(&route, headers, body.to_string().as_bytes()).await;
    client.response().await
}

/// The one answer of a server that has one.
pub(crate) async fn answer(reply: Reply, api: SpokenApi, stream: bool) -> Response {
    let server = ModelServer::start(Script::new().reply(reply)).await;
    let response = ask(&server, api, stream, &question(api, stream)).await;
    server.assert_clean();
    response
}
