//! Errors: what they mean, and whether the provider is asked again.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};
use toolwright_core::{ModelDelta, ModelErrorKind};
use toolwright_models::{EndpointConfig, RetryPolicy, Vendor};
use toolwright_testkit::{Failure, ModelServer, Reply, RetryForm, Script};

use super::{at, event, hear, hear_whole, served, start, stop, text};
use crate::support::{Heard, ask, in_runtime, model};

fn error(kind: &str) -> Value {
    json!({"type": "error", "error": {"type": kind, "message": "no"}, "request_id": "req_1"})
}

async fn heard_of(reply: Reply) -> (Heard, usize) {
    let script = Script::new().reply(reply).reply(Reply::text("Hi"));
    let server = ModelServer::start(script).await;
    let mut config = at(&server);
    let first_wait = Duration::from_millis(1);
    config.retry = RetryPolicy { retries: 1, first_wait, ..RetryPolicy::default() };
    let heard = ask(&model(config), true).await;
    (heard, server.requests().len())
}

#[tokio::test]
async fn each_error_with_what_becomes_of_it() {
    use ModelErrorKind::{Auth, NotFound, Quota, RateLimited, Request, Server, TooLong};
    for (status, kind, wanted, again) in [
        (400, "invalid_request_error", Request, false),
        (401, "authentication_error", Auth, false),
        (402, "billing_error", Quota, false),
        (403, "permission_error", Auth, false),
        (404, "not_found_error", NotFound, false),
        (409, "conflict_error", Server, true),
        (413, "request_too_large", TooLong, false),
        // Without a time at which it is lifted this is what the account may spend.
        (429, "rate_limit_error", RateLimited, false),
        (500, "api_error", Server, true),
        (504, "timeout_error", Server, true),
        (529, "overloaded_error", Server, true),
    ] {
        let (heard, asked) = heard_of(Reply::status(status).body(error(kind).to_string())).await;
        assert_eq!(asked, if again { 2 } else { 1 }, "{status} {kind}");
        if again {
            assert_eq!(heard.reply().text, "Hi");
            continue;
        }
        let error = heard.error();
        assert_eq!((error.kind, error.status), (wanted, Some(status)), "{status} {kind}");
        assert_eq!(error.message, format!("the provider answered {status}: no"));
    }
}

#[tokio::test]
async fn a_limit_that_says_when_it_is_lifted_is_waited_for() {
    for form in [RetryForm::Usual, RetryForm::Seconds] {
        let limited = Reply::failure(Failure::RateLimited);
        let (heard, asked) = heard_of(limited.retry_after(Duration::from_millis(7), form)).await;
        assert_eq!(asked, 2, "{form:?}");
        let ModelDelta::Retry { wait_ms, .. } = heard.parts[0] else { panic!("{heard:?}") };
        assert!((7..=8).contains(&wait_ms), "{wait_ms}");
    }
    let silent =
        Reply::failure(Failure::RateLimited).retry_after(Duration::ZERO, RetryForm::Silent);
    assert_eq!(heard_of(silent).await.1, 1);
}

#[tokio::test]
async fn a_conversation_that_is_too_long() {
    let words = "prompt is too long: 210000 tokens > 200000 maximum";
    let body =
        json!({"type": "error", "error": {"type": "invalid_request_error", "message": words}});
    let heard = served(Reply::status(400).body(body.to_string()), true).await;
    assert_eq!(heard.error().kind, ModelErrorKind::TooLong);
    let heard = served(Reply::failure(Failure::TooLong), true).await;
    assert_eq!(heard.error().kind, ModelErrorKind::TooLong);
}

#[test]
fn an_error_in_the_middle_ends_the_reply() {
    for (kind, wanted) in [
        ("overloaded_error", ModelErrorKind::Server),
        ("api_error", ModelErrorKind::Server),
        ("rate_limit_error", ModelErrorKind::RateLimited),
        ("invalid_request_error", ModelErrorKind::Request),
        ("something_new", ModelErrorKind::BrokenReply),
    ] {
        let heard = hear(start() + &text(0, &["Hi"]) + &event(error(kind)) + &stop("end_turn"));
        assert_eq!(heard.parts, [ModelDelta::Text("Hi".into())]);
        let told = heard.error();
        assert_eq!(
            (told.kind, told.message.as_str()),
            (wanted, "the provider reported an error: no")
        );
        assert_eq!(hear_whole(&error(kind)).error().kind, wanted);
    }
    // In the forms of those who stand between.
    for body in
        [json!({"error": {"message": "no"}}), json!({"error": "no"}), json!({"message": "no"})]
    {
        let told = hear(start() + &format!("data: {body}\n\n")).error();
        assert_eq!(told.message, "the provider reported an error: no", "{body}");
        assert_eq!(hear_whole(&body).error().message, "the provider reported an error: no");
    }
    let bare = hear(start() + &event(json!({"type": "error"}))).error();
    assert_eq!(bare.message, "the provider reported an error without a reason");
}

#[tokio::test]
async fn before_anything_was_said_it_is_asked_again() {
    let early = start() + &event(error("overloaded_error"));
    let (heard, asked) = heard_of(Reply::raw_sse(early)).await;
    assert_eq!((heard.reply().text.as_str(), asked), ("Hi", 2));
    let late = start() + &text(0, &["Well"]) + &event(error("overloaded_error"));
    let (heard, asked) = heard_of(Reply::raw_sse(late)).await;
    assert_eq!((heard.error().kind, asked), (ModelErrorKind::Server, 1));
}

/// Signs of life are none of a reply, if nothing else ever comes.
#[test]
fn pings_without_end_are_given_up_on() {
    let (error, sent) = in_runtime(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/v1", listener.local_addr().unwrap());
        let sent = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let _ = stream.read(&mut [0; 1 << 16]).await.unwrap();
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n".to_owned();
            stream.write_all((head + &start()).as_bytes()).await.unwrap();
            let pings = event(json!({"type": "ping"})).repeat(1000);
            let mut sent = 0;
            while stream.write_all(pings.as_bytes()).await.is_ok() {
                sent += pings.len();
            }
            sent
        });
        let mut config = EndpointConfig::of(Vendor::named("anthropic").unwrap(), "m");
        config.base_url = address;
        config.retry = RetryPolicy { retries: 0, ..RetryPolicy::default() };
        (ask(&model(config), true).await.error(), sent.await.unwrap())
    });
    assert!(error.message.contains("held nothing"), "{error}");
    assert!(sent < 48 << 20, "{sent}");
}

#[test]
fn more_than_any_reply_holds_is_refused() {
    let blocks: String = (0..5000).map(|index| text(index, &[])).collect();
    let body = start() + &blocks + &stop("end_turn");
    let error = in_runtime(served(Reply::raw_sse(body), true)).error();
    assert_eq!(error.kind, ModelErrorKind::BrokenReply);
    let long = "x".repeat(2 << 20);
    let call = json!([{"type": "tool_use", "id": "a", "name": "f", "input": {"x": long}}]);
    let error = hear_whole(&super::message(call, "tool_use")).error();
    assert_eq!(error.kind, ModelErrorKind::BrokenReply);
}
