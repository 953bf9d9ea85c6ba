//! Errors that come where a reply belongs.

use serde_json::{Value, json};
use toolwright_core::{ModelDelta, ModelErrorKind};

use crate::support::{DONE, choice, event, hear, hear_whole, said, stopped};

fn both(error: &Value) -> [String; 2] {
    let event = event(error);
    [event.clone() + DONE, said("Hi") + &event + &stopped("stop") + DONE]
}

#[test]
fn an_error_in_every_form_ends_the_reply() {
    let forms: [(Value, ModelErrorKind, &str); 11] = [
        (
            json!({"error": {"message": "too long", "code": "context_length_exceeded"}}),
            ModelErrorKind::TooLong,
            "the provider reported an error: too long",
        ),
        (
            json!({"error": {"message": "bad", "type": "invalid_request_error", "code": null}}),
            ModelErrorKind::Request,
            "the provider reported an error: bad",
        ),
        (
            json!({"error": {"message": "boom", "type": "server_error", "code": null, "param": null}}),
            ModelErrorKind::Server,
            "the provider reported an error: boom",
        ),
        (
            json!({"error": {"message": "boom", "code": 502, "metadata": {"provider_name": "P"}}}),
            ModelErrorKind::Server,
            "the provider answered 502: boom",
        ),
        (
            json!({"error": {"message": "slow down", "code": 429}}),
            ModelErrorKind::RateLimited,
            "the provider answered 429: slow down",
        ),
        (
            json!({"error": {"message": "no credit", "code": "insufficient_quota"}}),
            ModelErrorKind::Quota,
            "the provider reported an error: no credit",
        ),
        (
            json!({"error": "boom"}),
            ModelErrorKind::BrokenReply,
            "the provider reported an error: boom",
        ),
        (
            json!({"object": "error", "message": "boom", "type": "BadRequestError", "code": 400}),
            ModelErrorKind::Request,
            "the provider answered 400: boom",
        ),
        (
            json!({"object": "error", "message": null}),
            ModelErrorKind::BrokenReply,
            "the provider reported an error without a reason",
        ),
        (
            json!({"message": "boom"}),
            ModelErrorKind::BrokenReply,
            "the provider reported an error: boom",
        ),
        (
            json!({
                "choices": [{"index": 0, "delta": {"content": ""}, "finish_reason": "error"}],
                "error": {"code": 503, "message": "gone"},
            }),
            ModelErrorKind::Server,
            "the provider answered 503: gone",
        ),
    ];
    for (body, kind, message) in forms {
        for events in both(&body) {
            let heard = hear(events);
            let error = heard.error();
            assert_eq!((error.kind, error.message.as_str()), (kind, message), "{body}");
        }
        let error = hear_whole(&body).error();
        assert_eq!((error.kind, error.message.as_str()), (kind, message), "{body}");
    }
}

#[test]
fn an_error_wins_wherever_it_stands_in_its_chunk() {
    // Two orders, written by hand: a map sorts its keys.
    for chunk in [
        r#"{"choices":[{"delta":{"content":""},"finish_reason":"error"}],"error":{"message":"gone","code":503}}"#,
        r#"{"error":{"message":"gone","code":503},"choices":[{"delta":{"content":""},"finish_reason":"error"}]}"#,
        r#"{"choices":[{"finish_reason":"error","error":{"message":"gone","code":503}}]}"#,
        r#"{"choices":[{"error":{"message":"gone","code":503},"finish_reason":"error"}]}"#,
        r#"{"object":"error","message":"gone","code":503}"#,
        r#"{"code":503,"message":"gone","object":"error"}"#,
    ] {
        let heard = hear(format!("{}data: {chunk}\n\n{DONE}", said("Hi")));
        assert_eq!(heard.parts, [ModelDelta::Text("Hi".into())]);
        assert_eq!(heard.error().message, "the provider answered 503: gone", "{chunk}");
    }
}

#[test]
fn an_event_named_error() {
    let events = format!("event: error\ndata: {}\n\n", json!({"error": {"message": "boom"}}));
    assert_eq!(hear(said("Hi") + &events).error().message, "the provider reported an error: boom");
    let events = format!("event: error\ndata: {}\n\n", json!({"message": "boom"}));
    assert_eq!(
        hear(said("Hi") + &events + DONE).error().message,
        "the provider reported an error: boom"
    );
    let words = hear(said("Hi") + "event: error\ndata: out of memory\n\n" + DONE).error();
    assert_eq!(words.kind, ModelErrorKind::BrokenReply);
}

#[test]
fn a_bare_line_of_json() {
    for line in [
        r#"{"error":{"message":"boom"}}"#,
        r#"{"error": "boom"}"#,
        r#"{"object":"error","message":"boom"}"#,
    ] {
        for end in ["\n", "\n\n", ""] {
            let error = hear(said("Hi") + line + end).error();
            assert_eq!(error.message, "the provider reported an error: boom", "{line}");
        }
    }
}

#[test]
fn reasons_to_stop_that_are_errors() {
    for reason in ["error", "insufficient_system_resource"] {
        let error = hear(said("Hi") + &stopped(reason) + DONE).error();
        assert_eq!(error.kind, ModelErrorKind::Server);
        assert_eq!(error.message, format!("the provider broke off the reply ({reason})"));
    }
}

#[test]
fn an_error_that_is_null_is_none() {
    let chunk = json!({
        "error": null,
        "choices": [{"delta": {"content": "Hi"}, "finish_reason": "stop", "error": null}],
    });
    assert_eq!(hear(event(&chunk) + DONE).reply().text, "Hi");
    let last = json!({"delta": {}, "finish_reason": "stop", "error": null});
    assert_eq!(hear(said("Hi") + &choice(&last)).reply().text, "Hi");
}

#[test]
fn data_that_is_no_json_as_documented_is_broken() {
    for data in ["{{{", "nothing", "[1]", "7", "null", "\"text\"", "{} {}"] {
        let heard = hear(format!("{}data: {data}\n\n{}{DONE}", said("Hi"), stopped("stop")));
        assert_eq!(heard.error().kind, ModelErrorKind::BrokenReply, "{data}");
    }
}
