//! What is in a reply: streamed and whole, and in whatever pieces.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolwright_testkit::{Chunking, ModelServer, Reply, Script};

use crate::client::{Ending, events, hello, hello_streamed, post};

const CHUNKINGS: [Chunking; 5] = [
    Chunking::Whole,
    Chunking::OneByte,
    Chunking::Random(1),
    Chunking::Random(2),
    Chunking::PerEvent,
];

fn rich() -> Reply {
    Reply::calls([
        ("call_1", "get_weather", r#"{"location":"Zürich"}"#),
        ("call_2", "get_time", "{}"),
    ])
    .with_text("Let me look 🌦️ for you")
    .with_reasoning("weather first, then the time")
    .usage(82, 17)
}

/// Puts the deltas of a stream together, the way any client would.
fn folded(events: &[Value]) -> Value {
    let (mut text, mut reasoning) = (String::new(), String::new());
    let mut calls: Vec<Value> = Vec::new();
    let (mut finish, mut usage) = (Value::Null, Value::Null);
    for event in events.iter().filter(|event| event.is_object()) {
        if !event["usage"].is_null() {
            usage = event["usage"].clone();
        }
        let choice = &event["choices"][0];
        if !choice["finish_reason"].is_null() {
            finish = choice["finish_reason"].clone();
        }
        let delta = &choice["delta"];
        text.push_str(delta["content"].as_str().unwrap_or_default());
        reasoning.push_str(delta["reasoning_content"].as_str().unwrap_or_default());
        for part in delta["tool_calls"].as_array().into_iter().flatten() {
            let arguments = part["function"]["arguments"].as_str().unwrap();
            match calls.get_mut(usize::try_from(part["index"].as_u64().unwrap()).unwrap()) {
                None => calls.push(part.clone()),
                Some(call) => {
                    let so_far = call["function"]["arguments"].as_str().unwrap();
                    call["function"]["arguments"] = json!(format!("{so_far}{arguments}"));
                }
            }
        }
    }
    for call in &mut calls {
        call.as_object_mut().unwrap().remove("index");
    }
    json!({"text": text, "reasoning": reasoning, "calls": calls, "finish": finish, "usage": usage})
}

/// The same facts from a whole completion.
fn unfolded(completion: &Value) -> Value {
    let choice = &completion["choices"][0];
    json!({
        "text": choice["message"]["content"],
        "reasoning": choice["message"]["reasoning_content"],
        "calls": choice["message"]["tool_calls"],
        "finish": choice["finish_reason"],
        "usage": completion["usage"],
    })
}

#[tokio::test]
async fn whole_completion_is_what_the_reference_says() {
    let server = ModelServer::start(Script::new().reply(rich())).await;
    let response = post(&server, &hello()).await;
    assert_eq!(response.header("content-type"), Some("application/json"));
    let expected = json!({
        "id": "chatcmpl-0",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{
            "index": 0,
            "message": {
                "role": "assistant",
                "content": "Let me look 🌦️ for you",
                "refusal": null,
                "reasoning_content": "weather first, then the time",
                "tool_calls": [
                    {"id": "call_1", "type": "function", "function":
                        {"name": "get_weather", "arguments": r#"{"location":"Zürich"}"#}},
                    {"id": "call_2", "type": "function", "function":
                        {"name": "get_time", "arguments": "{}"}},
                ],
            },
            "logprobs": null,
            "finish_reason": "tool_calls",
        }],
        "usage": {
            "prompt_tokens": 82,
            "completion_tokens": 17,
            "total_tokens": 99,
            "prompt_tokens_details": {"cached_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 0},
        },
    });
    assert_eq!(response.json(), expected);
    server.assert_clean();
}

#[tokio::test]
async fn stream_has_a_fragment_per_event_and_says_done() {
    let server = ModelServer::start(Script::new().reply(Reply::text("Hello, you"))).await;
    let response = post(&server, &hello_streamed()).await;
    assert_eq!(response.header("content-type"), Some("text/event-stream"));
    let chunk = |choices: Value, usage: Value| {
        json!({
            "id": "chatcmpl-0", "object": "chat.completion.chunk", "created": 1, "model": "m",
            "choices": choices, "usage": usage,
        })
    };
    let delta = |delta: Value, finish: Value| {
        chunk(json!([{"index": 0, "delta": delta, "finish_reason": finish}]), Value::Null)
    };
    let usage = json!({
        "prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15,
        "prompt_tokens_details": {"cached_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 0},
    });
    let expected = [
        delta(json!({"role": "assistant", "content": ""}), Value::Null),
        delta(json!({"content": "Hello"}), Value::Null),
        delta(json!({"content": ", you"}), Value::Null),
        delta(json!({}), json!("stop")),
        chunk(json!([]), usage),
        json!("[DONE]"),
    ];
    assert_eq!(events(&response.text()), expected);
}

#[tokio::test]
async fn stream_and_whole_say_the_same_in_any_pieces() {
    for chunking in CHUNKINGS {
        let script = Script::new().reply(rich()).reply(rich()).chunking(chunking);
        let server = ModelServer::start(script).await;
        let whole = post(&server, &hello()).await;
        let stream = post(&server, &hello_streamed()).await;
        assert_eq!(whole.ending, Ending::Complete);
        assert_eq!(stream.ending, Ending::Complete);
        assert_eq!(folded(&events(&stream.text())), unfolded(&whole.json()), "{chunking:?}");
        server.assert_clean();
    }
}

#[tokio::test]
async fn pieces_are_as_small_as_the_chunking_says() {
    let mut cuts = Vec::new();
    for chunking in CHUNKINGS {
        let server = ModelServer::start(Script::new().reply(rich()).chunking(chunking)).await;
        let response = post(&server, &hello_streamed()).await;
        cuts.push((response.chunks.iter().map(Vec::len).collect::<Vec<_>>(), response));
    }
    let body = cuts[0].1.body();
    assert!(cuts.iter().all(|(_, response)| response.body() == body), "pieces changed the body");
    let lengths: Vec<&[usize]> = cuts.iter().map(|(lengths, _)| lengths.as_slice()).collect();
    assert_eq!(lengths[0], [body.len()]);
    assert_eq!(lengths[1], vec![1; body.len()]);
    assert!(lengths[2].len() > 20 && lengths[2].iter().all(|length| (1..=64).contains(length)));
    assert_ne!(lengths[2], lengths[3], "another seed, the same cuts");
    let split_letter =
        |chunks: &[Vec<u8>]| chunks.iter().any(|it| std::str::from_utf8(it).is_err());
    assert!(split_letter(&cuts[1].1.chunks));
    let per_event: Vec<Value> =
        cuts[4].1.chunks.iter().flat_map(|it| events(std::str::from_utf8(it).unwrap())).collect();
    assert_eq!(per_event.len(), lengths[4].len());
    assert_eq!(per_event, events(&String::from_utf8(body).unwrap()));
}

#[tokio::test]
async fn a_reply_may_be_cut_otherwise_than_its_script() {
    let script = Script::new()
        .reply(Reply::text("x").chunking(Chunking::OneByte))
        .reply(Reply::text("x"))
        .chunking(Chunking::Whole);
    let server = ModelServer::start(script).await;
    assert!(post(&server, &hello_streamed()).await.chunks.len() > 100);
    assert_eq!(post(&server, &hello_streamed()).await.chunks.len(), 1);
}

#[tokio::test]
async fn usage_is_streamed_only_when_asked_for() {
    let script = Script::new().reply(Reply::text("x")).reply(Reply::text("x").without_usage());
    let server = ModelServer::start(script).await;
    let mut request = hello();
    request["stream"] = json!(true);
    assert!(!post(&server, &request).await.text().contains("usage"));
    let unwilling = post(&server, &hello_streamed()).await.text();
    assert!(events(&unwilling).iter().all(|event| event["usage"].is_null()));
}

#[tokio::test]
async fn endings_can_be_left_out_or_changed() {
    let script = Script::new()
        .reply(Reply::text("x").finish_reason("length").without_done())
        .reply(Reply::text("x").without_finish().without_usage())
        .reply(Reply::text("x").without_finish().without_usage());
    let server = ModelServer::start(script).await;
    let changed = events(&post(&server, &hello_streamed()).await.text());
    assert_eq!(folded(&changed)["finish"], "length");
    assert_eq!(changed.last().unwrap()["choices"], json!([]), "usage comes last");
    let missing = events(&post(&server, &hello_streamed()).await.text());
    assert_eq!(folded(&missing)["finish"], Value::Null);
    assert_eq!(missing.last().unwrap(), "[DONE]");
    let whole = post(&server, &hello()).await.json();
    assert_eq!(whole["choices"][0]["finish_reason"], Value::Null);
    assert_eq!(whole.get("usage"), None);
}

#[tokio::test]
async fn exact_replies_are_sent_exactly() {
    let error = r#"{"error":{"message":"slow down","type":"x","param":null,"code":null}}"#;
    let script = Script::new()
        .reply(Reply::status(429).header("retry-after", "1").body(error))
        .reply(Reply::json(json!({"choices": []})))
        .reply(Reply::raw_sse("data:{}\r\n\r\n: hm\n"))
        .reply(Reply::status(503).header("Content-Type", "text/html").body("<p>"))
        .reply(Reply::raw_http("HTTP/1.1 200 Fine\r\n\r\nno framing"));
    let server = ModelServer::start(script).await;

    let limited = post(&server, &hello()).await;
    assert_eq!((limited.status, limited.text().as_str()), (429, error));
    assert_eq!(limited.header("retry-after"), Some("1"));
    assert_eq!(limited.header("content-length"), Some(error.len().to_string().as_str()));
    let json = post(&server, &hello_streamed()).await;
    assert_eq!(json.header("content-type"), Some("application/json"));
    assert_eq!(json.text(), r#"{"choices":[]}"#);
    let sse = post(&server, &hello()).await;
    assert_eq!(sse.header("content-type"), Some("text/event-stream"));
    assert_eq!(sse.text(), "data:{}\r\n\r\n: hm\n");
    let html = post(&server, &hello()).await;
    assert_eq!((html.status, html.header("content-type")), (503, Some("text/html")));
    let mut client = crate::client::Client::connect(&server).await;
    client.post(&hello()).await;
    assert_eq!(client.read_all().await, b"HTTP/1.1 200 Fine\r\n\r\nno framing");
    server.assert_clean();
}

#[tokio::test]
async fn a_delay_comes_before_the_first_byte() {
    let delay = Duration::from_millis(30);
    let server = ModelServer::start(Script::new().reply(Reply::text("x").delay(delay))).await;
    let start = Instant::now();
    let response = post(&server, &hello()).await;
    assert!(start.elapsed() >= delay);
    assert_eq!(response.json()["choices"][0]["message"]["content"], "x");
}

#[test]
#[should_panic(expected = "text and calls replies")]
fn options_of_a_completion_do_not_fit_a_status() {
    let _ = Reply::status(500).with_text("x");
}

#[test]
#[should_panic(expected = "status, json and raw_sse replies")]
fn a_completion_has_no_body_to_replace() {
    let _ = Reply::text("x").body("y");
}
