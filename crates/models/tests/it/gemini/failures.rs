//! What goes wrong: refusals, streams that break, and what is asked again.

use std::time::Duration;

use serde_json::{Value, json};
use toolwright_core::ModelErrorKind;
use toolwright_testkit::{
    BreakForm, Failure, Fault, ModelServer, Reply, RetryForm, Script, Spoken, SpokenApi,
};

use super::{NEW, config, hear, hear_whole, said, served, stopped};
use crate::support::{ask, in_runtime, model, text};

#[test]
fn what_a_refusal_means() {
    use ModelErrorKind::{Auth, NotFound, Quota, RateLimited, Request, Server, TooLong};
    for (failure, kind) in [
        (Failure::TooLong, TooLong),
        (Failure::Invalid, Request),
        (Failure::Key, Auth),
        (Failure::Forbidden, Auth),
        (Failure::NoModel, NotFound),
        (Failure::RateLimited, RateLimited),
        (Failure::Quota, Quota),
        (Failure::Server, Server),
        (Failure::Overloaded, Server),
    ] {
        for stream in [true, false] {
            let error = in_runtime(served(Reply::failure(failure), stream)).error();
            assert_eq!(error.kind, kind, "{failure:?}: {error}");
            assert_eq!(error.status, Some(failure.status(SpokenApi::Gemini)));
            assert_eq!(error.is_transient(), failure.passes());
            assert!(error.advice.is_some() || kind == Request, "{failure:?}");
        }
    }
    let error = in_runtime(served(Reply::failure(Failure::Key), true)).error();
    assert!(error.advice.unwrap().contains("GEMINI_API_KEY"));
    let error = in_runtime(served(Reply::failure(Failure::NoModel), true)).error();
    assert!(error.advice.unwrap().contains("/v1beta"));
}

#[test]
fn how_long_to_wait() {
    for form in [RetryForm::Words, RetryForm::Details, RetryForm::Usual] {
        let wait = Duration::from_millis(34_400);
        let reply = Reply::failure(Failure::RateLimited).retry_after(wait, form);
        let error = in_runtime(served(reply, true)).error();
        assert_eq!(error.retry_after, Some(wait), "{form:?}");
    }
}

/// Where a stream was asked for, refusals come in a list.
#[test]
fn a_refusal_in_a_list() {
    let error = json!([{"error": {"code": 429, "message": "Slowly.", "status": "RESOURCE_EXHAUSTED",
        "details": [{"retryDelay": "7s"}]}}]);
    let reply = Reply::status(429).body(error.to_string());
    let heard = in_runtime(served(reply, true)).error();
    assert_eq!((heard.kind, heard.status), (ModelErrorKind::RateLimited, Some(429)));
    assert_eq!(heard.retry_after, Some(Duration::from_secs(7)));
    let heard = hear_whole(&error).error();
    assert_eq!(
        (heard.kind, heard.status),
        (ModelErrorKind::RateLimited, Some(429)),
        "called a success"
    );
}

#[test]
fn an_error_in_the_middle() {
    for (failure, kind) in [
        (Failure::RateLimited, ModelErrorKind::RateLimited),
        (Failure::Server, ModelErrorKind::Server),
        (Failure::Overloaded, ModelErrorKind::Server),
        (Failure::TooLong, ModelErrorKind::TooLong),
    ] {
        let spoken = Spoken::text("So far so good").breaks(failure, BreakForm::Usual);
        let heard = in_runtime(served(Reply::spoken(spoken), true));
        assert_eq!(heard.parts.len(), 1, "what came before is heard");
        let error = heard.error();
        assert_eq!((error.kind, error.status), (kind, Some(failure.status(SpokenApi::Gemini))));
    }
    let bare = json!({"code": 503, "message": "Busy.", "status": "UNAVAILABLE"});
    for error in [bare.clone(), json!({"error": bare}), json!([{"error": bare}])] {
        let error = hear(&[said("So"), error]).error();
        assert_eq!((error.kind, error.status), (ModelErrorKind::Server, Some(503)));
        assert!(error.message.contains("Busy."), "{error}");
    }
}

#[test]
fn what_could_not_be_used_is_asked_for_again() {
    in_runtime(async {
        let malformed = Reply::json(stopped("MALFORMED_FUNCTION_CALL"));
        let script = Script::new()
            .reply(malformed)
            .reply(Reply::failure(Failure::RateLimited))
            .reply(Reply::json(json!({"usageMetadata": {}})))
            .reply(Reply::text("Hi"));
        let server = ModelServer::start(script).await;
        let mut config = config(&server, NEW);
        config.retry.retries = 3;
        let heard = ask(&model(config), true).await;
        assert_eq!(heard.retries(), [2, 3, 4]);
        assert_eq!(heard.reply().text, "Hi");
        server.assert_clean();
    });
}

#[test]
fn a_key_is_never_told() {
    let words = "API key secret-key not valid. Please pass a valid API key.";
    let reply = Reply::status(400).body(json!({"error": {"message": words}}).to_string());
    let error = in_runtime(served(reply, true)).error();
    assert!(!format!("{error:?}").contains("secret-key"), "{error:?}");
}

/// A stream that is cut anywhere before it said why it stopped is no reply.
#[test]
fn a_stream_that_is_cut() {
    let events = [said("One"), said(" two"), stopped("STOP")];
    let stream: String = events.iter().map(|it| format!("data: {it}\n\n")).collect();
    // The blank line behind an event ends it.
    let end = stream.len();
    in_runtime(async {
        for at in (0..stream.len()).step_by(5).chain([end - 1, end]) {
            let reply = Reply::raw_sse(stream.clone()).fault(Fault::CutAt(at));
            let heard = served(reply, true).await;
            match at < end {
                true => {
                    let kind = heard.end.as_ref().map_err(|it| it.kind);
                    assert_eq!(kind, Err(ModelErrorKind::BrokenReply), "cut at {at}");
                }
                false => assert_eq!(heard.reply(), text("One two"), "cut at {at}"),
            }
        }
        let unfinished: String =
            events.iter().take(2).map(|it| format!("data: {it}\n\n")).collect();
        let error = served(Reply::raw_sse(unfinished), true).await.error();
        assert_eq!(error.kind, ModelErrorKind::BrokenReply, "it never said why it stopped");
    });
}

#[test]
fn garbage_and_nothing() {
    let stream = format!("data: {}\n\n", said("Hi"));
    in_runtime(async {
        for reply in [
            Reply::raw_sse(""),
            Reply::raw_sse(": nothing\n\n"),
            Reply::raw_sse("data: {}\n\n".repeat(1000)),
            Reply::raw_sse(stream.clone()).fault(Fault::GarbageAt(stream.len())),
            Reply::raw_sse(stream.clone()).fault(Fault::GarbageAt(20)),
            Reply::status(200).body("<html>"),
            Reply::json(Value::Null),
        ] {
            assert_eq!(served(reply, true).await.error().kind, ModelErrorKind::BrokenReply);
        }
    });
}

/// Thoughts and text without end are given up on.
#[test]
fn more_than_any_reply_has_reason_to_hold() {
    let piece = "x".repeat(1 << 20);
    for thought in [true, false] {
        let event =
            json!({"candidates": [{"content": {"parts": [{"text": piece, "thought": thought}]}}]});
        let stream = format!("data: {event}\n\n").repeat(17);
        let error = in_runtime(served(Reply::raw_sse(stream), true)).error();
        assert_eq!(error.kind, ModelErrorKind::BrokenReply);
        assert!(error.message.contains("more text"), "{error}");
    }
    let call = json!({"functionCall": {"name": "f", "args": {}}});
    let event = json!({"candidates": [{"content": {"parts": vec![call; 50]}}]});
    let error = hear(&[event.clone(), event.clone(), event, stopped("STOP")]).error();
    assert!(error.message.contains("more calls"), "{error}");
}
