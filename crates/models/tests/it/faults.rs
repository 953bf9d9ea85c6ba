//! Connections that fail, at every byte.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use futures_util::StreamExt;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};
use toolwright_core::{
    Conversation, Message, Model, ModelDelta, ModelErrorKind, ModelRequest, ModelResponse,
    RequestCache, ToolDefinitions, Usage,
};
use toolwright_models::{Endpoint, EndpointConfig};
use toolwright_testkit::{self as testkit, Chunking, Fault, ModelServer, Script};

use crate::support::{
    DONE, Heard, ask, called, delta, event, model, once, said, served, stopped, text, with_retries,
};

const SHORT: Duration = Duration::from_millis(50);
const LONG: Duration = Duration::from_secs(600);

/// Text, reasoning, two calls and a cost.
fn rich() -> (String, ModelResponse) {
    let call = |index: u8, arguments: &str| {
        let function = json!({"name": "f", "arguments": arguments});
        delta(
            json!({"tool_calls": [{"index": index, "id": format!("{index}"), "function": function}]}),
        )
    };
    let usage = json!({"prompt_tokens": 10, "completion_tokens": 5});
    let events = delta(json!({"reasoning": "hm"}))
        + &said("é🎉")
        + &call(0, "{\"x\":1}")
        + &call(1, "{}")
        + &stopped("tool_calls")
        + &event(&json!({"choices": [], "usage": usage}))
        + DONE;
    let reply = ModelResponse {
        text: "é🎉".into(),
        reasoning: "hm".into(),
        usage: Usage { prompt_tokens: 10, completion_tokens: 5, ..Usage::default() },
        ..called([("0", "f", "{\"x\":1}"), ("1", "f", "{}")])
    };
    (events, reply)
}

/// An error, or all of it; only the cost may be missing, as it comes after the end.
#[track_caller]
fn all_or_nothing(heard: Heard, wanted: &ModelResponse, at: usize) -> bool {
    match heard.end {
        Ok(mut reply) => {
            reply.model = None;
            if reply.usage == Usage::default() {
                reply.usage = wanted.usage;
            }
            assert_eq!(&reply, wanted, "broken at {at}");
            true
        }
        Err(error) => {
            let broken = [ModelErrorKind::BrokenReply, ModelErrorKind::Connection];
            assert!(broken.contains(&error.kind), "broken at {at}: {error:?}");
            false
        }
    }
}

/// What is heard of the `at`th reply, for each `at` below `count`.
async fn each(
    count: usize,
    stream: bool,
    wanted: &ModelResponse,
    reply: impl Fn(usize) -> testkit::Reply + Send + Sync + 'static,
) -> Vec<usize> {
    let next = AtomicUsize::new(0);
    let server =
        ModelServer::start_with(move |_| reply(next.fetch_add(1, Ordering::Relaxed))).await;
    let model = model(once(&server));
    let mut complete = Vec::new();
    for at in 0..count {
        if all_or_nothing(ask(&model, stream).await, wanted, at) {
            complete.push(at);
        }
    }
    assert_eq!(server.requests().len(), count);
    server.assert_clean();
    complete
}

#[tokio::test]
async fn a_stream_cut_at_every_byte() {
    let (events, wanted) = rich();
    let finish = events.find("\"finish_reason\":\"tool_calls\"").unwrap();
    let length = events.len();
    for chunking in [Chunking::Whole, Chunking::OneByte] {
        let events = events.clone();
        let complete = each(length + 1, true, &wanted, move |at| {
            testkit::Reply::raw_sse(events.as_str()).chunking(chunking).fault(Fault::CutAt(at))
        })
        .await;
        // As soon as the reason to stop has come, the reply is complete.
        let first = *complete.first().expect("the last ones");
        assert!(first > finish, "complete at {first}, but it ended at {finish}");
        assert_eq!(complete, (first..=length).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn a_stream_that_ends_with_its_connection_cut_at_every_byte() {
    let (events, wanted) = rich();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    let response = format!("{head}{events}");
    let length = response.len();
    let complete = each(length + 1, true, &wanted, move |at| {
        testkit::Reply::raw_http(response.as_bytes().get(..at).unwrap())
    })
    .await;
    assert_eq!(complete.last(), Some(&length));
}

#[tokio::test]
async fn a_whole_completion_cut_at_every_byte() {
    let body = json!({"choices": [{"message": {"content": "é🎉"}, "finish_reason": "stop"}]});
    let body = body.to_string();
    let length = body.len();
    let cut = body.clone();
    let complete = each(length + 1, false, &text("é🎉"), move |at| {
        testkit::Reply::status(200).body(cut.as_str()).fault(Fault::CutAt(at))
    })
    .await;
    assert_eq!(complete, [0; 0], "its end is missing, also at the last byte");
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json";
    let response = format!("{head}\r\ncontent-length: {length}\r\n\r\n{body}");
    let length = response.len();
    let complete = each(length + 1, false, &text("é🎉"), move |at| {
        testkit::Reply::raw_http(response.as_bytes().get(..at).unwrap())
    })
    .await;
    assert_eq!(complete, [length]);
}

#[tokio::test]
async fn a_stream_reset_at_every_byte() {
    let (events, wanted) = rich();
    let length = events.len();
    each(length + 1, true, &wanted, move |at| {
        testkit::Reply::raw_sse(events.as_str()).fault(Fault::ResetAt(at))
    })
    .await;
}

#[tokio::test]
async fn garbage_anywhere_never_panics_and_before_an_event_is_an_error() {
    let (events, _) = rich();
    let length = events.len();
    let server = ModelServer::start_with({
        let (events, next) = (events.clone(), AtomicUsize::new(0));
        move |_| {
            let at = next.fetch_add(1, Ordering::Relaxed);
            testkit::Reply::raw_sse(events.as_str()).fault(Fault::GarbageAt(at))
        }
    })
    .await;
    let model = model(once(&server));
    for at in 0..length {
        let heard = ask(&model, true).await;
        if events.get(at..).is_some_and(|rest| rest.starts_with("{\"id\"")) {
            assert_eq!(heard.error().kind, ModelErrorKind::BrokenReply, "garbage at {at}");
        }
    }
}

#[tokio::test]
async fn what_is_not_http_is_an_error() {
    for bytes in ["SSH-2.0-OpenSSH_9.6\r\n", "\u{0}\u{1}\u{2}", "HTTP/1.1 2000 OK\r\n\r\n", ""] {
        let error = served(testkit::Reply::raw_http(bytes), true).await.error();
        assert_eq!(error.kind, ModelErrorKind::Connection, "{bytes:?}");
        assert!(error.advice.is_some());
    }
}

#[tokio::test]
async fn a_refused_connection_is_tried_again_and_then_an_error() {
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let mut config = EndpointConfig::new(format!("http://{free}/v1"), "m");
    config.retry.first_wait = Duration::from_millis(1);
    let heard = ask(&model(config), true).await;
    assert_eq!(heard.retries(), [2, 3]);
    let error = heard.error();
    assert_eq!(error.kind, ModelErrorKind::Connection);
    assert!(error.message.starts_with(&format!("cannot connect to http://{free}/: ")), "{error}");
    let advice = error.advice.unwrap();
    assert!(advice.contains("OPENAI_API_BASE"), "{advice}");
}

#[tokio::test]
async fn silence_is_noticed_wherever_it_falls() {
    let (events, _) = rich();
    let handed_on = events.find("data: [DONE]").unwrap();
    let first = events.find("\n\n").unwrap() + 2;
    for at in [0, 1, 40, first, handed_on] {
        for fault in [Fault::StallAt(at), Fault::CommentsAt(at)] {
            if matches!(fault, Fault::CommentsAt(1 | 40)) {
                // A comment inside a line is no comment.
                continue;
            }
            let reply = testkit::Reply::raw_sse(events.as_str()).fault(fault);
            let server = ModelServer::start(Script::new().reply(reply)).await;
            let mut config = once(&server);
            // Longer before the first data than between data: a long prompt takes its time.
            config.first_byte = SHORT * 8;
            config.idle = SHORT;
            let heard = ask(&model(config), true).await;
            if at == handed_on {
                assert!(heard.end.is_ok(), "{fault:?}: the reason to stop was there");
            } else {
                let error = heard.error();
                assert!(error.is_timeout(), "{fault:?}: {error:?}");
                let limit = if at < first { "400ms" } else { "50ms" };
                assert_eq!(error.message, format!("nothing more of the reply came within {limit}"));
            }
            // The client left.
            server.quiet().await;
        }
    }
}

#[tokio::test]
async fn a_response_that_does_not_begin_or_does_not_end() {
    let body = json!({"choices": [{"message": {"content": "Hi"}}]}).to_string();
    for (reply, message) in [
        (testkit::Reply::text("Hi").delay(LONG), "the response did not begin within 50ms"),
        (
            testkit::Reply::status(200).body(body).fault(Fault::StallAt(9)),
            "the reply did not end within 50ms",
        ),
    ] {
        let server = ModelServer::start(Script::new().reply(reply)).await;
        let mut config = once(&server);
        config.first_byte = SHORT;
        let error = ask(&model(config), false).await.error();
        assert_eq!((error.kind, error.message.as_str()), (ModelErrorKind::Timeout, message));
        server.quiet().await;
    }
}

#[tokio::test]
async fn nobody_waits_for_a_connection_to_close_after_done() {
    for events in [said("Hi") + DONE, said("Hi") + &stopped("stop") + DONE] {
        let length = events.len();
        for fault in [Fault::StallAt(length), Fault::CommentsAt(length)] {
            let stall = testkit::Reply::raw_sse(events.as_str()).fault(fault);
            let script = Script::new().reply(stall).reply(testkit::Reply::text("next"));
            let server = ModelServer::start(script).await;
            let mut config = once(&server);
            config.idle = LONG;
            let model = model(config);
            let two = async { (ask(&model, true).await.reply(), ask(&model, true).await.reply()) };
            let waited = tokio::time::timeout(Duration::from_secs(20), two).await;
            let (first, next) = waited.expect("no wait");
            assert_eq!((first, next.text.as_str()), (text("Hi"), "next"));
        }
    }
}

#[tokio::test]
async fn a_broken_connection_after_the_end_is_not_used_again() {
    let events = said("Hi") + &stopped("stop");
    let cut = testkit::Reply::raw_sse(events.as_str()).fault(Fault::CutAt(events.len()));
    let script = Script::new().reply(cut).reply(testkit::Reply::text("next"));
    let server = ModelServer::start(script).await;
    let model = model(with_retries(&server, 2));
    assert_eq!(ask(&model, true).await.reply(), text("Hi"));
    let next = ask(&model, true).await;
    assert_eq!((next.retries(), next.reply().text.as_str()), (vec![], "next"));
    let connections: Vec<_> = server.requests().iter().map(|it| it.connection).collect();
    assert_eq!(connections, [0, 1]);
}

#[tokio::test]
async fn a_connection_stuck_in_an_error_is_not_used_again() {
    let stuck = testkit::Reply::status(400).body("no such thing").fault(Fault::StallAt(2));
    let script = Script::new().reply(stuck).reply(testkit::Reply::text("next"));
    let server = ModelServer::start(script).await;
    let mut config = once(&server);
    config.first_byte = Duration::from_millis(200);
    let model = model(config);
    let error = ask(&model, true).await.error();
    assert_eq!((error.kind, error.status), (ModelErrorKind::Request, Some(400)));
    assert_eq!(ask(&model, true).await.reply().text, "next");
}

#[tokio::test]
async fn connections_are_kept() {
    let script = (0..6).fold(Script::new(), |script, _| script.reply(testkit::Reply::text("Hi")));
    let script = script.reply(testkit::Reply::status(400)).reply(testkit::Reply::text("Hi"));
    let server = ModelServer::start(script).await;
    let model = model(once(&server));
    for stream in [true, false, true, true, false, false, true, true] {
        let _ = ask(&model, stream).await;
    }
    assert!(server.requests().iter().all(|request| request.connection == 0), "one for all");
    server.assert_clean();
}

#[tokio::test]
async fn requests_at_once_have_a_connection_each() {
    let server =
        ModelServer::start_with(|_| testkit::Reply::text("Hi").delay(Duration::from_millis(20)))
            .await;
    let model = model(once(&server));
    let replies = futures_util::future::join_all((0..8).map(|it| ask(&model, it % 2 == 0))).await;
    assert!(replies.into_iter().all(|heard| heard.reply().text == "Hi"));
    let used = |server: &ModelServer| {
        let mut used: Vec<_> = server.requests().iter().map(|it| it.connection).collect();
        used.sort_unstable();
        used.dedup();
        used.len()
    };
    assert_eq!(used(&server), 8);
    let _ = ask(&model, true).await;
    assert_eq!(used(&server), 8, "a kept one is taken");
}

#[tokio::test]
async fn a_kept_connection_that_was_closed_is_replaced_without_a_retry() {
    let body = json!({"choices": [{"message": {"content": "Hi"}}]}).to_string();
    let length = body.len();
    // It does not say that it will close the connection, and closes it.
    let closing = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    );
    let server = ModelServer::start_with(move |_| testkit::Reply::raw_http(closing.as_str())).await;
    let model = model(once(&server));
    for _ in 0..20 {
        let heard = ask(&model, false).await;
        assert_eq!(
            heard,
            Heard { parts: vec![ModelDelta::Text("Hi".into())], end: Ok(text("Hi")) }
        );
    }
    let connections: Vec<_> = server.requests().iter().map(|it| it.connection).collect();
    assert_eq!(connections, (0..20).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_kept_connection_that_was_reset_is_replaced_without_a_retry() {
    hanging_up_while_idle(|stream| stream.set_zero_linger().unwrap()).await;
}

/// As servers do that have kept a connection long enough.
#[tokio::test]
async fn a_kept_connection_that_was_closed_while_idle_is_replaced_without_a_retry() {
    hanging_up_while_idle(|_| {}).await;
}

async fn hanging_up_while_idle(prepare: fn(&TcpStream)) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let body = json!({"choices": [{"message": {"content": "Hi"}}]}).to_string();
    let length = body.len();
    let response = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    );
    let (ended, mut has_ended) = tokio::sync::mpsc::unbounded_channel();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = vec![0; 4096];
            assert_ne!(stream.read(&mut request).await.unwrap(), 0);
            stream.write_all(response.as_bytes()).await.unwrap();
            // Hangs up, but only once the client has read all of it.
            tokio::task::yield_now().await;
            tokio::time::sleep(Duration::from_millis(20)).await;
            prepare(&stream);
            drop(stream);
            ended.send(()).unwrap();
        }
    });
    let mut config = EndpointConfig::new(format!("http://{address}/v1"), "m");
    config.retry.retries = 0;
    let model = model(config);
    for _ in 0..5 {
        assert_eq!(ask(&model, false).await.reply(), text("Hi"));
        has_ended.recv().await;
    }
}

fn call(model: &Endpoint) -> toolwright_core::ModelStream {
    let conversation = Conversation::from_iter([Message::user("Well?")]);
    let (tools, mut memo) = (ToolDefinitions::default(), RequestCache::default());
    model.call(ModelRequest::new(&conversation, &tools, &mut memo).streamed())
}

#[tokio::test]
async fn nothing_is_sent_before_someone_listens() {
    let server = ModelServer::start(Script::new()).await;
    let model = model(once(&server));
    drop(call(&model));
    tokio::task::yield_now().await;
    assert_eq!(server.requests(), []);
}

#[tokio::test]
async fn who_stops_listening_closes_the_connection() {
    let events = said("Hi");
    let stall = testkit::Reply::raw_sse(events.as_str()).fault(Fault::StallAt(events.len()));
    let server = ModelServer::start(Script::new().reply(stall)).await;
    let model = model(once(&server));
    let mut coming = call(&model);
    assert_eq!(coming.next().await, Some(Ok(ModelDelta::Text("Hi".into()))));
    drop(coming);
    server.quiet().await;
}

#[tokio::test]
async fn parts_come_as_they_arrive() {
    // The second half is only sent once the client has the first: it hangs otherwise.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (heard, mut has_heard) = tokio::sync::mpsc::unbounded_channel::<()>();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let _ = stream.read(&mut vec![0; 4096]).await.unwrap();
        let head =
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
        stream.write_all(head.as_bytes()).await.unwrap();
        for word in ["a", "b", "c"] {
            stream.write_all(said(word).as_bytes()).await.unwrap();
            has_heard.recv().await.unwrap();
        }
        stream.write_all((stopped("stop") + DONE).as_bytes()).await.unwrap();
    });
    let model = model(EndpointConfig::new(format!("http://{address}/v1"), "m"));
    let mut coming = call(&model);
    for word in ["a", "b", "c"] {
        assert_eq!(coming.next().await, Some(Ok(ModelDelta::Text(word.into()))));
        heard.send(()).unwrap();
    }
    assert_eq!(coming.next().await, Some(Ok(ModelDelta::Response(text("abc")))));
    assert_eq!(coming.next().await, None);
}
