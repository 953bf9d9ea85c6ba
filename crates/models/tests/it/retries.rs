//! When a provider is asked again, how often, and after how long.

use std::time::{Duration, SystemTime};

use serde_json::json;
use toolwright_core::{ModelDelta, ModelErrorKind};
use toolwright_models::EndpointConfig;
use toolwright_testkit::{Fault, ModelServer, Reply, Script};

use crate::support::{Heard, ask, model, said, with_retries};

fn failing(status: u16, code: &str) -> Reply {
    let error = json!({"error": {"message": "no", "type": code, "code": code}});
    Reply::status(status).body(error.to_string())
}

/// What is heard when a server gives these replies, and how many it gave.
async fn heard_of(
    replies: impl IntoIterator<Item = Reply>,
    change: impl FnOnce(&mut EndpointConfig),
) -> (Heard, usize) {
    let script = replies.into_iter().fold(Script::new(), Script::reply);
    let server = ModelServer::start(script).await;
    let mut config = with_retries(&server, 2);
    change(&mut config);
    let heard = ask(&model(config), true).await;
    (heard, server.requests().len())
}

fn as_it_is(_: &mut EndpointConfig) {}

#[tokio::test]
async fn two_failures_and_then_a_reply() {
    let replies = [failing(500, "server_error"), failing(503, "overloaded"), Reply::text("Hi")];
    let (heard, asked) = heard_of(replies, as_it_is).await;
    assert_eq!((heard.retries(), asked), (vec![2, 3], 3));
    for (part, reason) in heard.parts.iter().zip(["500: no", "503: no"]) {
        let ModelDelta::Retry { wait_ms, reason: given, .. } = part else { panic!("{part:?}") };
        assert!(*wait_ms <= 2 && given.ends_with(reason), "{part:?}");
    }
    assert_eq!(heard.reply().text, "Hi");
}

#[tokio::test]
async fn three_failures_are_one_too_many() {
    let (heard, asked) = heard_of((0..4).map(|_| failing(500, "server_error")), as_it_is).await;
    assert_eq!((heard.retries(), asked), (vec![2, 3], 3));
    let error = heard.error();
    assert_eq!((error.kind, error.status), (ModelErrorKind::Server, Some(500)));
    assert_eq!(error.message, "the provider answered 500: no");
}

#[tokio::test]
async fn what_is_asked_again_and_what_is_not() {
    for (status, code, again) in [
        (400, "invalid_value", false),
        (400, "context_length_exceeded", false),
        (401, "invalid_api_key", false),
        (402, "", false),
        (403, "", false),
        (404, "model_not_found", false),
        (408, "", true),
        (409, "", true),
        (413, "", false),
        (422, "", false),
        (429, "rate_limit_exceeded", true),
        (429, "", true),
        (429, "insufficient_quota", false),
        (429, "billing_hard_limit_reached", false),
        (499, "", true),
        (500, "", true),
        (502, "", true),
        (503, "", true),
        (504, "", true),
        (529, "", true),
    ] {
        let (heard, asked) = heard_of([failing(status, code), Reply::text("Hi")], as_it_is).await;
        let times = if again { 2 } else { 1 };
        assert_eq!((asked, heard.end.is_ok()), (times, again), "{status} {code}");
    }
}

#[tokio::test]
async fn a_provider_may_say_whether_to_ask_again() {
    let no = failing(500, "server_error").header("x-should-retry", "false");
    let (heard, asked) = heard_of([no, Reply::text("Hi")], as_it_is).await;
    assert_eq!((heard.error().status, asked), (Some(500), 1));
    let yes = failing(400, "odd").header("x-should-retry", "true");
    let (heard, asked) = heard_of([yes, Reply::text("Hi")], as_it_is).await;
    assert_eq!((heard.reply().text.as_str(), asked), ("Hi", 2));
    let maybe = failing(400, "odd").header("x-should-retry", "maybe");
    let (heard, asked) = heard_of([maybe, Reply::text("Hi")], as_it_is).await;
    assert_eq!((heard.error().status, asked), (Some(400), 1));
}

#[tokio::test]
async fn a_provider_may_say_how_long_to_wait() {
    for (name, value, wait) in [
        ("retry-after-ms", "7", 7),
        ("retry-after-ms", "7.9", 7),
        ("retry-after", "0.02", 20),
        ("Retry-After", " 0.003 ", 3),
    ] {
        let limited = failing(429, "rate_limit_exceeded").header(name, value);
        let (heard, asked) = heard_of([limited, Reply::text("Hi")], as_it_is).await;
        let reason = "the provider answered 429: no".to_owned();
        assert_eq!(heard.parts[0], ModelDelta::Retry { attempt: 2, wait_ms: wait, reason });
        assert_eq!((heard.reply().text.as_str(), asked), ("Hi", 2));
    }
}

#[tokio::test]
async fn a_wait_that_says_nothing_is_not_obeyed() {
    for value in ["0", "-5", "soon", "", "NaN", "Wed, 21 Oct 2015 07:28:00 GMT"] {
        let limited = failing(503, "").header("retry-after", value);
        let (heard, asked) = heard_of([limited, Reply::text("Hi")], as_it_is).await;
        let ModelDelta::Retry { wait_ms: 0..=1, .. } = heard.parts[0] else { panic!("{heard:?}") };
        assert_eq!(asked, 2, "{value}");
    }
}

#[tokio::test]
async fn a_provider_that_asks_for_more_than_two_minutes_is_given_up() {
    // Rounded up: a date has no fractions of a second.
    let date = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(180));
    for (name, value) in
        [("retry-after", "121"), ("retry-after-ms", "120001"), ("retry-after", date.as_str())]
    {
        let limited = failing(429, "rate_limit_exceeded").header(name, value);
        let (heard, asked) = heard_of([limited, Reply::text("Hi")], as_it_is).await;
        assert_eq!((heard.retries(), asked), (vec![], 1), "{name}: {value}");
        let error = heard.error();
        assert_eq!(error.kind, ModelErrorKind::RateLimited);
        assert!(error.retry_after.unwrap() > Duration::from_secs(120), "{error:?}");
    }
}

#[tokio::test]
async fn the_longest_wait_is_configurable() {
    let limited = failing(429, "rate_limit_exceeded").header("retry-after", "1");
    let change =
        |config: &mut EndpointConfig| config.retry.longest_asked = Duration::from_millis(999);
    let (heard, asked) = heard_of([limited, Reply::text("Hi")], change).await;
    assert_eq!((heard.error().retry_after, asked), (Some(Duration::from_secs(1)), 1));
}

#[tokio::test]
async fn a_reply_that_breaks_before_it_says_anything_is_asked_for_again() {
    let role = "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n";
    for broken in [
        Reply::raw_http(""),
        Reply::raw_sse(""),
        Reply::raw_sse(role),
        Reply::raw_sse("data: {\"error\":{\"message\":\"boom\"}}\n\n"),
        Reply::raw_sse("data: {{{\n\n"),
        Reply::json(json!({"error": {"message": "slow down", "code": 429}})),
        Reply::json(json!({})),
        Reply::text("Hi").fault(Fault::CutAt(100)),
        Reply::text("Hi").fault(Fault::ResetAt(0)),
    ] {
        let what = format!("{broken:?}");
        let (heard, asked) = heard_of([broken, Reply::text("Hi")], as_it_is).await;
        assert_eq!((heard.retries(), asked), (vec![2], 2), "{what}");
        assert_eq!(heard.reply().text, "Hi");
    }
}

#[tokio::test]
async fn silence_is_asked_again() {
    let stalled = Reply::text("Hi").fault(Fault::StallAt(100));
    let change = |config: &mut EndpointConfig| config.idle = Duration::from_millis(50);
    let (heard, asked) = heard_of([stalled, Reply::text("Hi")], change).await;
    assert_eq!((heard.retries(), asked), (vec![2], 2));
    assert_eq!(heard.reply().text, "Hi");
}

#[tokio::test]
async fn nothing_is_asked_again_once_a_part_was_handed_on() {
    let words = said("Hi");
    let parts = [
        words.clone(),
        words.replace("content", "reasoning"),
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"name\":\"f\"}}]}}]}\n\n"
            .to_owned(),
    ];
    for part in parts {
        for broken in [
            Reply::raw_sse(part.as_str()),
            Reply::raw_sse(part.as_str()).fault(Fault::ResetAt(part.len())),
            Reply::raw_sse(part.as_str()).fault(Fault::CutAt(part.len())),
            Reply::raw_sse(format!("{part}data: {{{{{{\n\n")),
            Reply::raw_sse(format!("{part}data: {{\"error\":{{\"code\":503}}}}\n\n")),
            Reply::raw_sse(part.as_str()).fault(Fault::StallAt(part.len())),
        ] {
            // A reset may overtake what came before it; then nothing was handed on.
            let reset = format!("{broken:?}").contains("ResetAt");
            let change = |config: &mut EndpointConfig| config.idle = Duration::from_millis(50);
            let (heard, asked) = heard_of([broken, Reply::text("Hi")], change).await;
            if reset && asked == 2 {
                assert_eq!(heard.retries(), [2]);
                continue;
            }
            assert_eq!((heard.retries(), heard.parts.len(), asked), (vec![], 1, 1));
            heard.error();
        }
    }
}

#[tokio::test]
async fn each_attempt_starts_anew() {
    let usage = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":99}}\n\n";
    let kept = "data: {\"choices\":[{\"delta\":{\"reasoning_details\":[{\"x\":1}]}}]}\n\n";
    let broken = Reply::raw_sse(format!("{usage}{kept}"));
    let (heard, _) = heard_of([broken, Reply::text("Hi").without_usage()], as_it_is).await;
    assert_eq!(heard.reply(), toolwright_core::ModelResponse::text("Hi"));
}

#[tokio::test]
async fn every_attempt_sends_the_same() {
    let script =
        Script::new().reply(Reply::status(500)).reply(Reply::raw_http("")).reply(Reply::text("Hi"));
    let server = ModelServer::start(script).await;
    assert_eq!(ask(&model(with_retries(&server, 2)), true).await.reply().text, "Hi");
    let requests = server.requests();
    assert!(requests.iter().all(|it| it.raw == requests[0].raw), "the same body");
    assert!(requests.iter().all(|it| it.headers == requests[0].headers), "the same headers");
    server.assert_clean();
}

#[tokio::test]
async fn retries_are_about_a_tenth_of_all_requests() {
    let server = ModelServer::start_with(|_| Reply::status(500)).await;
    let model = model(with_retries(&server, 2));
    let mut again = Vec::new();
    for _ in 0..30 {
        again.push(ask(&model, true).await.retries().len());
    }
    // Ten to begin with, and one more for every ten requests.
    assert_eq!(again.iter().sum::<usize>(), 13, "{again:?}");
    assert_eq!(again.iter().take(5).sum::<usize>(), 10, "{again:?}");
    // Clones share what they may spend.
    let clone = model.clone();
    assert_eq!(ask(&clone, true).await.retries(), [0; 0]);
    assert_eq!(server.requests().len(), 31 + 13);
}
