//! The HTTP port, byte by byte.

use std::net::SocketAddr;

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use toolwright_core::{Call, ModelResponse, OutputStrategy, ToolChoice, Usage};
use toolwright_models::Scripted;

use crate::support::{Running, TOKEN, TokenDoor};

/// The status and the body of an answer.
async fn send(to: SocketAddr, method: &str, path: &str, head: &str, body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(to).await.unwrap();
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {to}\r\nconnection: close\r\ncontent-length: {length}\r\n{head}\r\n{body}"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

const CONVERSE: &str = "/v1.0-alpha2/conversation/llm/converse";

async fn converse(running: &Running, body: &Value) -> (u16, Value) {
    let (status, body) = send(running.http, "POST", CONVERSE, "", &body.to_string()).await;
    (status, serde_json::from_str(&body).unwrap())
}

fn hello(more: Value) -> Value {
    let mut body =
        json!({"inputs": [{"messages": [{"ofUser": {"content": [{"text": "Hello"}]}}]}]});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

#[tokio::test]
async fn clients_find_what_they_wait_for() {
    let door = TokenDoor(Some(TOKEN), None);
    let running = Running::with(Scripted::default(), OutputStrategy::Native, door).await;
    for path in ["/v1.0/healthz", "/v1.0/healthz/outbound"] {
        assert_eq!(send(running.http, "GET", path, "", "").await, (204, String::new()));
    }
    assert_eq!(send(running.http, "GET", "/v1.0/metadata", "", "").await.0, 401);
    let token = format!("dapr-api-token: {TOKEN}\r\n");
    let (status, body) = send(running.http, "GET", "/v1.0/metadata", &token, "").await;
    let told: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(status, 200);
    let component = json!({"name": "llm", "type": "conversation.toolwright", "version": "v1"});
    assert_eq!(told["components"], json!([component]));
}

/// As in Dapr's documentation, and as Protocol Buffers write it.
#[tokio::test]
async fn a_conversation_with_tools() {
    let mut said =
        ModelResponse::calls([Call::new("call_9", "get_weather", r#"{"location":"Goa"}"#)]);
    said.usage = Usage { prompt_tokens: 50, completion_tokens: 20, ..Usage::default() };
    let running = Running::saying([said]).await;
    let body = json!({
        "contextId": "c1",
        "inputs": [{"messages": [
            {"ofSystem": {"content": [{"text": "Be "}, {"text": "brief"}]}},
            {"of_user": {"name": "u", "content": [{"text": "Weather in Pune?"}]}},
            {"ofAssistant": {"content": [{"text": ""}], "toolCalls": [
                {"id": "call_1", "function": {"name": "get_weather", "arguments": "{\"location\":\"Pune\"}"}},
            ]}},
            {"ofTool": {"tool_id": "call_1", "name": "get_weather", "content": [{"text": "31 C"}]}},
            {"ofDeveloper": {"content": [{"text": "And in Goa?"}]}},
        ], "scrubPii": false}],
        "parameters": {"x": {"@type": "type.googleapis.com/google.protobuf.StringValue", "value": "x"}},
        "metadata": {}, "temperature": 0.7, "unknown": [1],
        "tools": [{"function": {"name": "get_weather", "description": "..", "parameters":
            {"type": "object", "properties": {"location": {"type": "string", "minLength": 2}}}}}],
        "toolChoice": "required",
    });
    let (status, answer) = converse(&running, &body).await;
    assert_eq!(status, 200, "{answer}");
    let function = json!({"name": "get_weather", "arguments": "{\"location\":\"Goa\"}"});
    let expected = json!({"contextId": "c1", "outputs": [{
        "choices": [{"finishReason": "tool_calls",
            "message": {"toolCalls": [{"id": "call_9", "function": function}]}}],
        "model": "test:noting",
        "usage": {"completionTokens": "20", "promptTokens": "50", "totalTokens": "70"},
    }]});
    assert_eq!(answer, expected);
    let seen = running.asked();
    let told: Vec<_> =
        seen.conversation.messages().iter().map(|it| (it.role(), it.content())).collect();
    assert_eq!(
        told,
        [
            ("system", "Be brief"),
            ("user", "Weather in Pune?"),
            ("assistant", ""),
            ("tool", "31 C"),
            ("user", "And in Goa?"),
        ]
    );
    assert_eq!((seen.choice, seen.options.temperature), (ToolChoice::Required, Some(0.7)));
    assert_eq!(seen.tools[0].parameters["properties"]["location"]["minLength"], json!(2));
}

#[tokio::test]
async fn what_cannot_be_asked_is_told_in_dapr_s_words() {
    let running = Running::saying([]).await;
    let tool = json!([{"function": {"name": "a", "parameters": {"type": "object"}}}]);
    let user = |text: &str| json!({"ofUser": {"content": [{"text": text}]}});
    let cases = [
        (json!({}), "ERR_CONVERSATION_MISSING_INPUTS"),
        (json!({"inputs": []}), "ERR_CONVERSATION_MISSING_INPUTS"),
        (json!({"inputs": [{"messages": [{}]}]}), "ERR_CONVERSATION_INVALID_PARMS"),
        (hello(json!({"toolChoice": "required"})), "ERR_CONVERSATION_INVALID_PARMS"),
        (hello(json!({"toolChoice": "A", "tools": tool})), "ERR_CONVERSATION_INVALID_PARMS"),
        (hello(json!({"tools": [{}]})), "ERR_CONVERSATION_INVALID_PARMS"),
        (hello(json!({"temperature": 7})), "ERR_CONVERSATION_INVALID_PARMS"),
        (hello(json!({"scrubPii": true})), "ERR_CONVERSATION_INVALID_PARMS"),
        (
            json!({"inputs": [{"messages": [user("a")], "scrub_pii": true}]}),
            "ERR_CONVERSATION_INVALID_PARMS",
        ),
        (json!({"inputs": "hello"}), "ERR_MALFORMED_REQUEST"),
        (
            json!({"inputs": [{"messages": [{"ofUser": {}, "ofSystem": {}}]}]}),
            "ERR_MALFORMED_REQUEST",
        ),
    ];
    for (body, code) in cases {
        let (status, answer) = converse(&running, &body).await;
        assert_eq!((status, answer["errorCode"].as_str()), (400, Some(code)), "{body}: {answer}");
    }
    let other = "/v1.0-alpha2/conversation/g%70t/converse";
    let (status, answer) =
        send(running.http, "POST", other, "", &hello(json!({})).to_string()).await;
    assert!(status == 400 && answer.contains("ERR_CONVERSATION_NOT_FOUND"), "{answer}");
    assert!(answer.contains("component gpt"), "{answer}");
    let (status, answer) = converse(&running, &hello(json!({}))).await;
    assert_eq!((status, &answer["errorCode"]), (500, &json!("ERR_CONVERSATION_INVOKE")));
    assert!(running.seen.lock().unwrap().len() == 1, "only the last was asked");
}

#[tokio::test]
async fn everything_else_of_dapr_is_refused_by_name() {
    let running = Running::saying([]).await;
    for path in ["/v1.0/state/store/key", "/v1.0-alpha1/conversation/llm/converse", "/"] {
        let (status, body) = send(running.http, "GET", path, "", "").await;
        let told: Value = serde_json::from_str(&body).unwrap();
        assert_eq!((status, &told["errorCode"]), (501, &json!("ERR_NOT_IMPLEMENTED")));
        assert!(told["message"].as_str().unwrap().contains(&format!("GET {path}")), "{told}");
    }
    assert_eq!(send(running.http, "GET", CONVERSE, "", "").await.0, 405);
    let long = hello(json!({"contextId": "a".repeat(5 << 20)})).to_string();
    let mut stream = TcpStream::connect(running.http).await.unwrap();
    let head =
        format!("POST {CONVERSE} HTTP/1.1\r\nhost: a\r\ncontent-length: {}\r\n\r\n", long.len());
    stream.write_all(head.as_bytes()).await.unwrap();
    // It hangs up in the middle of what it does not read.
    let _ = stream.write_all(long.as_bytes()).await;
    let mut answer = [0; 64];
    let read = stream.read(&mut answer).await.unwrap_or(0);
    let told = String::from_utf8_lossy(&answer[..read]).into_owned();
    assert!(told.is_empty() || told.contains("413"), "{told}");
}

/// gRPC, written out: a method that is not spoken here is named.
#[tokio::test]
async fn other_methods_are_refused_by_name() {
    use http_body_util::Empty;
    use hyper::client::conn::http2;
    use hyper_util::rt::{TokioExecutor, TokioIo};
    let running = Running::saying([]).await;
    let stream = TcpStream::connect(running.grpc).await.unwrap();
    let made = http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
    let (mut client, work) = made;
    tokio::spawn(work);
    for (path, name) in [
        ("/dapr.proto.runtime.v1.Dapr/GetState", "the%20method%20GetState"),
        ("/dapr.proto.runtime.v1.Dapr/ConverseAlpha1", "ConverseAlpha1"),
        ("/TaskHubSidecarService/Hello", "TaskHubSidecarService/Hello"),
    ] {
        let uri = format!("http://{}{path}", running.grpc);
        let request = ::http::Request::post(uri).header("content-type", "application/grpc");
        let body = Empty::<bytes::Bytes>::new();
        let answer = client.send_request(request.body(body).unwrap()).await.unwrap();
        assert_eq!(answer.headers()["grpc-status"], "12", "{path}");
        let told = answer.headers()["grpc-message"].to_str().unwrap();
        assert!(told.contains(name), "{told}");
    }
}
