//! The server around the replies: order, routes, keys, connections, and its end.

use serde_json::json;
use tokio::net::TcpStream;
use toolwright_testkit::{Chunking, ModelServer, Reply, Script};

use crate::client::{Client, Ending, hello, post};

async fn answered(server: &ModelServer) -> String {
    let response = post(server, &hello()).await.json();
    response["choices"][0]["message"]["content"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn replies_come_in_order_on_one_connection() {
    let script = Script::new()
        .reply(Reply::text("one"))
        .reply(Reply::text("two").chunking(Chunking::OneByte))
        .reply(Reply::status(500))
        .reply(Reply::text("four"));
    let server = ModelServer::start(script).await;
    let mut client = Client::connect(&server).await;
    let mut seen = Vec::new();
    for _ in 0..4 {
        client.post(&hello()).await;
        let response = client.response().await;
        assert_eq!(response.ending, Ending::Complete);
        seen.push(response.json()["choices"][0]["message"]["content"].clone());
    }
    assert_eq!(seen, [json!("one"), json!("two"), json!(null), json!("four")]);
    let requests = server.requests();
    assert_eq!(requests.iter().map(|it| it.number).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert!(requests.iter().all(|it| it.connection == 0));
    server.assert_clean();
}

#[tokio::test]
async fn requests_are_recorded_as_they_came() {
    let server = ModelServer::start(Script::new().reply(Reply::text("x"))).await;
    let mut client = Client::connect(&server).await;
    // In three parts, with a cut in the head and one in the body.
    let body = hello().to_string();
    let head = format!(
        "POST /v1/chat/completions?v=1 HTTP/1.1\r\nX-Odd: ü\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let bytes = [head, body.clone()].concat().into_bytes();
    for part in [&bytes[..30], &bytes[30..150], &bytes[150..]] {
        client.write(part).await;
        tokio::task::yield_now().await;
    }
    client.response().await;
    let requests = server.requests();
    let request = &requests[0];
    assert_eq!(requests.len(), 1);
    assert_eq!(request.method, "POST");
    assert_eq!(request.path, "/v1/chat/completions?v=1");
    assert_eq!(request.header("x-odd"), Some("ü"));
    assert_eq!(request.headers[0].0, "X-Odd");
    assert_eq!(request.body, hello());
    assert_eq!(request.raw, body.into_bytes());
    assert_eq!(request.violations, Vec::<String>::new());
    assert!(!request.streamed());
}

#[tokio::test]
async fn request_bodies_may_come_in_chunks() {
    let server = ModelServer::start(Script::new().reply(Reply::text("x"))).await;
    let mut client = Client::connect(&server).await;
    let body = hello().to_string();
    let (first, second) = body.split_at(20);
    let request = format!(
        "POST /v1/chat/completions HTTP/1.1\r\ntransfer-encoding: chunked\r\ncontent-type: application/json\r\n\r\n14\r\n{first}\r\n{:x}\r\n{second}\r\n0\r\n\r\n",
        second.len()
    );
    client.write(request.as_bytes()).await;
    assert_eq!(client.response().await.status, 200);
    assert_eq!(server.requests()[0].body, hello());
    server.assert_clean();
}

#[tokio::test]
async fn an_exhausted_script_says_so_on_both_sides() {
    let server = ModelServer::start(Script::new()).await;
    let response = post(&server, &hello()).await;
    assert_eq!(response.status, 500);
    let message = "the script has no reply left for this request";
    assert_eq!(response.json()["error"]["message"], message);
    assert_eq!(server.problems(), [format!("request 0: {message}")]);
}

#[tokio::test]
#[should_panic(expected = "1 scripted replies were not used")]
async fn an_unused_reply_is_not_clean() {
    let script = Script::new().reply(Reply::text("x")).reply(Reply::text("y"));
    let server = ModelServer::start(script).await;
    answered(&server).await;
    server.assert_clean();
}

#[tokio::test]
#[should_panic(expected = "request 0: model: must be a nonempty string")]
async fn a_violation_is_not_clean() {
    let server = ModelServer::start(Script::new().reply(Reply::text("x"))).await;
    let mut request = hello();
    request["model"] = json!("");
    assert_eq!(post(&server, &request).await.status, 200, "the reply comes all the same");
    server.assert_clean();
}

#[tokio::test]
async fn the_content_type_is_checked() {
    let script = Script::new().reply(Reply::text("x")).reply(Reply::text("x"));
    let server = ModelServer::start(script).await;
    let mut client = Client::connect(&server).await;
    for header in ["", "content-type: text/plain\r\n"] {
        client.post_with(header, hello().to_string().as_bytes()).await;
        client.response().await;
    }
    let expected = [
        "request 0: content-type: must be application/json, not \"\"",
        "request 1: content-type: must be application/json, not \"text/plain\"",
    ];
    assert_eq!(server.problems(), expected);
}

#[tokio::test]
async fn a_wrong_key_gets_401_and_uses_no_reply() {
    let server = ModelServer::start(Script::new().key("sk-1").reply(Reply::text("in"))).await;
    let mut client = Client::connect(&server).await;
    let body = hello().to_string();
    let mut statuses = Vec::new();
    for key in ["", "authorization: Bearer sk-2\r\n", "Authorization: Bearer sk-1\r\n"] {
        let headers = format!("content-type: application/json\r\n{key}");
        client.post_with(&headers, body.as_bytes()).await;
        let response = client.response().await;
        if response.status == 401 {
            assert_eq!(response.json()["error"]["code"], "invalid_api_key");
        }
        statuses.push(response.status);
    }
    assert_eq!(statuses, [401, 401, 200]);
    server.assert_clean();
}

#[tokio::test]
async fn models_are_listed_and_other_routes_are_not_there() {
    let server = ModelServer::start(Script::new()).await;
    let mut client = Client::connect(&server).await;
    client.write(b"GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n").await;
    assert_eq!(client.response().await.json()["data"][0]["id"], "scripted");
    server.assert_clean();
    client.write(b"GET /v1/v1/models HTTP/1.1\r\nhost: x\r\n\r\n").await;
    assert_eq!(client.response().await.status, 404);
    assert_eq!(server.problems(), ["request 1: GET /v1/v1/models: there is no such route"]);
}

#[tokio::test]
async fn what_is_not_http_is_refused() {
    let server = ModelServer::start(Script::new()).await;
    let mut client = Client::connect(&server).await;
    client.write(b"\x16\x03\x01\r\n\r\n").await;
    assert_eq!(client.response().await.status, 400);
    assert_eq!(client.read().await, Err(Ending::Closed));
    assert_eq!(server.problems(), ["request 0: not an HTTP/1.1 request: invalid token"]);
}

#[tokio::test]
async fn a_connection_ends_when_either_side_says_so() {
    let script =
        Script::new().reply(Reply::text("x")).reply(Reply::text("x").header("Connection", "close"));
    let server = ModelServer::start(script).await;
    for headers in ["connection: close\r\n", ""] {
        let mut client = Client::connect(&server).await;
        let headers = format!("content-type: application/json\r\n{headers}");
        client.post_with(&headers, hello().to_string().as_bytes()).await;
        assert_eq!(client.response().await.ending, Ending::Complete);
        assert_eq!(client.read().await, Err(Ending::Closed));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_handler_serves_many_clients_at_once() {
    let server = ModelServer::start_with(|request| {
        Reply::text(request.body["messages"][0]["content"].as_str().unwrap_or_default())
    })
    .await;
    let server = std::sync::Arc::new(server);
    let clients: Vec<_> = (0..50)
        .map(|number| {
            let server = std::sync::Arc::clone(&server);
            tokio::spawn(async move {
                let mut request = hello();
                request["messages"][0]["content"] = json!(format!("client {number}"));
                let response = post(&server, &request).await.json();
                assert_eq!(
                    response["choices"][0]["message"]["content"],
                    format!("client {number}")
                );
            })
        })
        .collect();
    for client in clients {
        client.await.unwrap();
    }
    assert_eq!(server.requests().len(), 50);
    server.assert_clean();
}

#[tokio::test]
async fn a_panic_in_a_handler_is_not_clean() {
    let server = ModelServer::start_with(|_| panic!("on purpose")).await;
    let mut client = Client::connect(&server).await;
    client.post(&hello()).await;
    assert!(client.read().await.is_err());
    server.quiet().await;
    // The accept loop learns of it on its next turn.
    while server.problems().is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(server.problems(), ["1 connections ended in a panic"]);
}

#[tokio::test]
async fn dropping_the_server_ends_listener_and_connections() {
    let stalled = Reply::text("x").fault(toolwright_testkit::Fault::StallAt(0));
    let server = ModelServer::start(Script::new().reply(stalled)).await;
    let address = server.base_url()["http://".len()..].trim_end_matches("/v1").to_owned();
    let mut client = Client::connect(&server).await;
    client.post(&hello()).await;
    client.read_until("\r\n\r\n").await;
    drop(server);
    assert!(client.read().await.is_err(), "the connection outlived the server");
    assert!(TcpStream::connect(address).await.is_err(), "the listener outlived the server");
}
