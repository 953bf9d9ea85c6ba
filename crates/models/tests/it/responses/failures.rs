//! Refusals, and replies that fail or break off.

use std::time::Duration;

use serde_json::{Value, json};
use toolwright_core::ModelErrorKind::{
    self, Auth, BrokenReply, NotFound, Quota, RateLimited, Request, Server, TooLong,
};
use toolwright_models::Api;
use toolwright_testkit::{Fault, ModelServer, Reply, Script};

use super::{
    added, argued, broken, call, completed, hear, hear_whole, message, opened, response, said,
    served, stream,
};
use crate::support::{ask, in_runtime, model, text, with_retries};

fn refusal(status: u16, code: Value, message: &str) -> Reply {
    let error =
        json!({"message": message, "type": "invalid_request_error", "param": null, "code": code});
    Reply::status(status).body(json!({"error": error}).to_string())
}

#[test]
fn refusals_by_status() {
    let cases = [
        (401, json!("invalid_api_key"), "Incorrect API key provided.", Auth),
        (403, json!(null), "Country not supported", Auth),
        (404, json!("model_not_found"), "The model `m` does not exist", NotFound),
        (400, json!("context_length_exceeded"), "Your input exceeds the context window", TooLong),
        (
            400,
            json!("invalid_encrypted_content"),
            "The encrypted content could not be verified.",
            Request,
        ),
        (400, json!("content_filter"), "The response was filtered", Request),
        (429, json!("rate_limit_exceeded"), "Rate limit reached", RateLimited),
        (429, json!("insufficient_quota"), "You exceeded your current quota", Quota),
        (500, json!("server_error"), "The server had an error", Server),
        (503, json!("server_is_overloaded"), "Overloaded", Server),
        (529, json!(null), "Overloaded", Server),
    ];
    for (status, code, words, kind) in cases {
        let error = in_runtime(served(refusal(status, code, words), true)).error();
        assert_eq!(error.kind, kind, "{error}");
        assert!(error.message.contains(words), "{error}");
        assert_eq!(error.status, Some(status));
    }
}

#[tokio::test]
async fn the_provider_says_when_to_ask_again() {
    let limited = || refusal(429, json!("rate_limit_exceeded"), "Please try again in 20ms.");
    let replies = [
        limited(),
        limited().header("retry-after-ms", "3"),
        limited().header("retry-after", "0"),
        refusal(503, json!("slow_down"), "Slow down"),
    ];
    for reply in replies {
        let script = Script::new().reply(reply).reply(Reply::text("Hi"));
        let server = ModelServer::start(script).await;
        let heard = ask(&model(with_retries(&server, 1).with_api(Api::Responses)), true).await;
        assert_eq!(heard.retries(), [2]);
        assert_eq!(heard.reply().text, "Hi");
        server.assert_clean();
    }
    let error = served(limited(), true).await.error();
    assert_eq!(error.retry_after, Some(Duration::from_millis(20)));
}

/// What is heard of a failure, before and behind a piece of text.
fn failed(events: &[Value], kind: ModelErrorKind, words: &str) {
    let begun =
        [json!({"type": "response.created", "response": response("in_progress", json!([]))})];
    for before in [&begun[..], &[said(0, "Hi")]] {
        let error = hear(stream(&[before, events].concat())).error();
        assert_eq!(error.kind, kind, "{error}");
        assert!(error.message.contains(words), "{error}");
    }
}

#[test]
fn failures_in_the_middle() {
    let response = |code: &str, words: &str| {
        let mut response = response("failed", json!([]));
        response["error"] = json!({"code": code, "message": words});
        json!({"type": "response.failed", "response": response})
    };
    let flat = |code: Value, words: &str| json!({"type": "error", "code": code, "message": words, "param": null});
    let nested = json!({"type": "error", "error": {"type": "insufficient_quota",
        "code": "insufficient_quota", "message": "quota", "param": null}});
    failed(&[nested, response("insufficient_quota", "quota")], Quota, "quota");
    failed(&[flat(json!("server_error"), "boom")], Server, "boom");
    failed(&[flat(json!(null), "boom")], BrokenReply, "boom");
    failed(&[response("server_error", "boom")], Server, "boom");
    failed(&[response("rate_limit_exceeded", "try again in 1.5s")], RateLimited, "try again");
    failed(&[response("context_length_exceeded", "too much")], TooLong, "too much");
    failed(&[response("cyber_policy", "no")], Request, "no");
    failed(&[response("something_new", "what")], BrokenReply, "what");
    let cancelled = json!({"type": "response.cancelled", "response": {"status": "cancelled"}});
    failed(&[cancelled], Server, "cancelled");
    failed(&[json!({"type": "response.failed"})], BrokenReply, "without a reason");
    // Other servers' errors.
    failed(&[json!({"error": {"message": "boom", "code": 500}})], Server, "boom");
    failed(&[json!({"object": "error", "message": "boom", "code": 400})], Request, "boom");
}

#[test]
fn a_failure_that_is_called_a_success() {
    let mut body = response("failed", json!([]));
    body["error"] = json!({"code": "server_error", "message": "boom"});
    assert_eq!(hear_whole(&body).error().kind, Server);
    assert_eq!(hear_whole(&response("cancelled", json!([]))).error().kind, Server);
    let body = json!({"error": {"message": "boom", "code": "invalid_prompt"}});
    assert_eq!(hear_whole(&body).error().kind, Request);
}

#[tokio::test]
async fn a_failure_before_the_first_word_is_worth_another_attempt() {
    let mut failed = response("failed", json!([]));
    failed["error"] = json!({"code": "rate_limit_exceeded", "message": "Please try again in 2ms."});
    let failed = stream(&[json!({"type": "response.failed", "response": failed})]);
    let script = Script::new().reply(Reply::raw_sse(failed)).reply(Reply::text("Hi"));
    let server = ModelServer::start(script).await;
    let heard = ask(&model(with_retries(&server, 1).with_api(Api::Responses)), true).await;
    assert_eq!(heard.retries(), [2]);
    assert_eq!(heard.reply().text, "Hi");
}

#[test]
fn streams_that_break_off() {
    let events = [
        added(0, opened(message(0, ""))),
        said(0, "Hi"),
        added(1, opened(call(1, "a", "f", ""))),
        argued(1, "{}"),
    ];
    for length in 0..=events.len() {
        broken(hear(stream(&events[..length])));
    }
    let whole = stream(&[said(0, "Hi"), completed(json!([]))]);
    let end = whole.len();
    for at in [0, 30, end / 2, end - 30] {
        for fault in [Fault::CutAt(at), Fault::ResetAt(at)] {
            let reply = Reply::raw_sse(whole.clone()).fault(fault);
            assert!(in_runtime(served(reply, true)).end.is_err(), "{fault:?}");
        }
    }
    // Behind the end it does no harm.
    let reply = Reply::raw_sse(whole.clone()).fault(Fault::CutAt(end));
    assert_eq!(in_runtime(served(reply, true)).reply(), text("Hi"));
    let reply = Reply::raw_sse(whole).fault(Fault::CommentsAt(end));
    assert_eq!(in_runtime(served(reply, true)).reply(), text("Hi"));
}

#[test]
fn more_than_any_reply_has_reason_to_hold() {
    let refused = |events: String, words: &str| {
        let error = in_runtime(served(Reply::raw_sse(events), true)).error();
        assert_eq!(error.kind, BrokenReply);
        assert!(error.message.contains(words), "{error}");
    };
    let calls: Vec<_> =
        (0..500).map(|at| added(at, call(at, &format!("{at}"), "f", "{}"))).collect();
    refused(stream(&calls), "more calls than");
    let items: Vec<_> = (0..2000).map(|at| added(at, json!({"type": "x"}))).collect();
    refused(stream(&items), "more items than");
    let piece = argued(0, &"x".repeat(100_000));
    let begun = [added(0, opened(call(0, "a", "f", "")))];
    refused(stream(&[&begun[..], &vec![piece.clone(); 12]].concat()), "more text than");
    refused(stream(&vec![piece; 12]), "more text than");
    let seal = "x".repeat(5 << 20);
    let sealed = |at: usize| super::done(at, super::reasoning(at, &[], &seal));
    refused(stream(&(0..4).map(sealed).collect::<Vec<_>>()), "more to keep than");
}
