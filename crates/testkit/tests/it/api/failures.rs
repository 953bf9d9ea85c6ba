//! What goes wrong, as each vendor tells it.

use std::time::Duration;

use serde_json::Value;
use toolwright_testkit::{Failure, Reply, RetryForm, SpokenApi};

use super::answer;

const WAIT: Duration = Duration::from_millis(1500);

#[tokio::test]
async fn every_failure_is_told_in_every_api() {
    for api in SpokenApi::ALL {
        for failure in Failure::ALL {
            let response = answer(Reply::failure(failure), api, true).await;
            assert_eq!(response.status, failure.status(api), "{api:?} {failure:?}");
            assert_eq!(response.header("content-type"), Some("application/json"));
            assert_eq!(response.text(), api.error(failure).body);
            let body = response.json();
            let message = match api {
                SpokenApi::Ollama => &body["error"],
                _ => &body["error"]["message"],
            };
            assert!(message.as_str().is_some_and(|it| !it.is_empty()), "{api:?} {failure:?}");
        }
    }
}

#[test]
fn failures_have_their_vendors_names() {
    let at = |api: SpokenApi, failure, place| {
        let body: Value = serde_json::from_str(&api.error(failure).body).unwrap();
        body.pointer(place).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    for (failure, openai, anthropic, google) in [
        (Failure::TooLong, "context_length_exceeded", "invalid_request_error", "INVALID_ARGUMENT"),
        (Failure::Key, "invalid_api_key", "authentication_error", "INVALID_ARGUMENT"),
        (Failure::Forbidden, "", "permission_error", "PERMISSION_DENIED"),
        (Failure::NoModel, "model_not_found", "not_found_error", "NOT_FOUND"),
        (Failure::RateLimited, "rate_limit_exceeded", "rate_limit_error", "RESOURCE_EXHAUSTED"),
        (Failure::Quota, "insufficient_quota", "rate_limit_error", "RESOURCE_EXHAUSTED"),
        (Failure::Server, "server_error", "api_error", "INTERNAL"),
        (Failure::Overloaded, "server_is_overloaded", "overloaded_error", "UNAVAILABLE"),
    ] {
        assert_eq!(at(SpokenApi::Chat, failure, "/error/code"), openai);
        assert_eq!(at(SpokenApi::Responses, failure, "/error/code"), openai);
        assert_eq!(at(SpokenApi::Messages, failure, "/error/type"), anthropic);
        assert_eq!(at(SpokenApi::Gemini, failure, "/error/status"), google);
    }
}

#[tokio::test]
async fn how_long_to_wait_is_said_in_the_ways_there_are() {
    for api in SpokenApi::ALL {
        for form in api.retry_forms() {
            let reply = Reply::failure(Failure::RateLimited).retry_after(WAIT, *form);
            let response = answer(reply, api, false).await;
            let header = |name| response.header(name).unwrap_or_default().to_owned();
            let text = response.text();
            match form {
                RetryForm::Seconds => assert_eq!(header("retry-after"), "1.5"),
                RetryForm::Millis => assert_eq!(header("retry-after-ms"), "1500"),
                RetryForm::Date => assert!(header("retry-after").ends_with("GMT")),
                RetryForm::Reset if api == SpokenApi::Messages => {
                    assert!(header("anthropic-ratelimit-requests-reset").ends_with('Z'));
                    assert_eq!(header("anthropic-ratelimit-requests-remaining"), "0");
                }
                RetryForm::Reset => assert_eq!(header("x-ratelimit-reset-requests"), "1500ms"),
                RetryForm::Words if api == SpokenApi::Gemini => {
                    assert!(text.contains("Please retry in 1.5s") && !text.contains("RetryInfo"));
                }
                RetryForm::Words => assert!(text.contains("try again in 1500ms")),
                RetryForm::Details => {
                    assert!(text.contains(r#""retryDelay":"1.5s""#) && !text.contains("retry in"));
                }
                other => panic!("{api:?} has {other:?}"),
            }
        }
    }
}

#[test]
fn what_does_not_pass_says_no_time() {
    let waits = |api: SpokenApi, failure: Failure, retry| {
        let error = api.error_after(failure, retry);
        let headers = error.headers.iter().any(|(name, _)| name.contains("retry"));
        headers || error.body.contains("RetryInfo") || error.body.contains("try again in")
    };
    for api in SpokenApi::ALL {
        assert!(!waits(api, Failure::Quota, None), "{api:?}");
        assert!(!waits(api, Failure::TooLong, None), "{api:?}");
        assert!(!waits(api, Failure::RateLimited, Some((WAIT, RetryForm::Silent))), "{api:?}");
        assert_eq!(waits(api, Failure::RateLimited, None), api != SpokenApi::Ollama, "{api:?}");
    }
}

#[test]
#[should_panic(expected = "retry_after() is for failure replies")]
fn only_a_failure_asks_to_wait() {
    let _ = Reply::text("x").retry_after(WAIT, RetryForm::Usual);
}
