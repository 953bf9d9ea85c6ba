//! What the broker says instead of an answer, in all its shapes.

use std::time::Duration;

use serde_json::{Value, json};
use toolwright_market::{Detail, MarketError, MarketErrorKind as Kind};

use super::{
    TCS, access,
    broker::{Answer, Broker},
    client, error_of,
};

/// The error that an answer is, and how often it was asked for.
async fn error_for(answer: Answer) -> (MarketError, usize) {
    let broker = Broker::saying([answer]).await;
    let error = error_of(client(&broker).quotes(&access(), &[TCS], Detail::Ltp).await);
    (error, broker.asked())
}

#[tokio::test]
async fn every_code_has_a_kind_and_advice() {
    for (code, status, kind, advice) in [
        ("DH-901", 401, Kind::Authentication, "make a new one at web.dhan.co"),
        ("DH-902", 403, Kind::NotSubscribed, "Data API plan"),
        ("DH-903", 400, Kind::Account, "Activate the segment"),
        ("DH-904", 429, Kind::RateLimited, "ask less often"),
        ("DH-905", 400, Kind::Input, "Check the security id"),
        ("DH-906", 400, Kind::Input, "Nothing here places orders"),
        ("DH-907", 400, Kind::NoData, "Check the security id"),
        ("DH-908", 500, Kind::Server, "ask again in a while"),
        ("DH-909", 502, Kind::Server, "ask again in a while"),
        ("DH-910", 500, Kind::Server, "ask again in a while"),
        ("DH-910", 400, Kind::Input, "Check the security id"),
        ("DH-911", 400, Kind::Account, "IP address"),
        ("DH-1111", 500, Kind::NoData, "nothing to list"),
        ("DH-999", 400, Kind::Input, "Check the security id"),
    ] {
        let body = json!({"errorType": "Some_Type", "errorCode": code, "errorMessage": "Words."});
        let (error, asked) = error_for(Answer::error(status, &body)).await;
        assert_eq!((error.kind, error.code.as_deref()), (kind, Some(code)), "{error}");
        assert!(error.message.contains(&format!("({code}: Words). ")), "{error}");
        assert!(error.message.contains(advice), "{code}: {error}");
        let repeated = matches!(code, "DH-908" | "DH-909");
        assert_eq!(asked, if repeated { 3 } else { 1 }, "{code}");
    }
}

#[tokio::test]
async fn every_number_has_a_kind_and_advice() {
    for (code, status, kind, advice) in [
        ("800", 500, Kind::Server, "ask again in a while"),
        ("804", 400, Kind::Input, "at most 1000"),
        ("805", 429, Kind::RateLimited, "ask less often"),
        ("806", 400, Kind::NotSubscribed, "Data API plan"),
        ("807", 401, Kind::Authentication, "has run out"),
        ("808", 401, Kind::Authentication, "make a new one"),
        ("809", 401, Kind::Authentication, "make a new one"),
        ("810", 401, Kind::Authentication, "client id is not valid"),
        ("811", 400, Kind::Input, "list of expiries"),
        ("812", 400, Kind::Input, "YYYY-MM-DD"),
        ("813", 400, Kind::Input, "Search for the instrument"),
        ("814", 400, Kind::Input, "Check the security id"),
    ] {
        for body in [json!({"data": {code: "Words"}, "status": "failed"}), json!({code: "Words"})] {
            let (error, _) = error_for(Answer::error(status, &body)).await;
            assert_eq!((error.kind, error.code.as_deref()), (kind, Some(code)), "{error}");
            assert!(error.message.contains(&format!("({code}: Words). ")), "{error}");
            assert!(error.message.contains(advice), "{code}: {error}");
        }
    }
}

#[tokio::test]
async fn every_shape_with_status_200_too() {
    let shapes: [(Value, Kind, Option<&str>); 8] = [
        (
            json!({"errorType": "T", "errorCode": "DH-901", "errorMessage": "m"}),
            Kind::Authentication,
            Some("DH-901"),
        ),
        (json!({"errorCode": "dh-901"}), Kind::Authentication, Some("DH-901")),
        (
            json!({"status": "failure", "errorCode": "DH-902", "errorMessage": null}),
            Kind::NotSubscribed,
            Some("DH-902"),
        ),
        (json!({"data": {"806": "m"}, "status": "failed"}), Kind::NotSubscribed, Some("806")),
        (json!({"805": "m"}), Kind::RateLimited, Some("805")),
        (
            json!({"data": {"errorCode": "DH-903"}, "status": "failed"}),
            Kind::Account,
            Some("DH-903"),
        ),
        (json!({"status": "failed"}), Kind::Unreadable, None),
        (json!({"status": "failure", "errorMessage": "m"}), Kind::Unreadable, None),
    ];
    for (body, kind, code) in shapes {
        let (error, asked) = error_for(Answer::json(&body)).await;
        assert_eq!((error.kind, error.code.as_deref(), asked), (kind, code, 1), "{body} {error}");
    }
}

#[tokio::test]
async fn a_status_without_a_body_that_says_more() {
    let page = "<html><body>502 Bad Gateway</body></html>";
    for (status, kind) in [
        (400, Kind::Input),
        (401, Kind::Authentication),
        (403, Kind::Account),
        (404, Kind::Unreadable),
        (429, Kind::RateLimited),
        (500, Kind::Server),
        (502, Kind::Server),
        (503, Kind::Server),
        (504, Kind::Server),
    ] {
        for body in [page, "", "{}", "null", "[1]", "{\"errorType\": null}"] {
            let (error, asked) = error_for(Answer::raw(status, body)).await;
            assert_eq!((error.kind, error.code.as_deref()), (kind, None), "{status} {body}");
            assert!(error.message.contains(&format!("(status {status}). ")), "{error}");
            assert!(!error.message.contains("html"), "{error}");
            assert_eq!(asked, if kind == Kind::Server { 3 } else { 1 });
        }
    }
}

#[tokio::test]
async fn how_long_to_wait() {
    let too_many = json!({"data": {"805": "Too many requests."}, "status": "failed"});
    let (error, asked) = error_for(Answer::error(429, &too_many)).await;
    assert_eq!((error.retry_after, asked), (Some(Duration::from_secs(60)), 1));
    let (error, _) = error_for(Answer::error(429, &too_many).header("retry-after", "90")).await;
    assert_eq!(error.retry_after, Some(Duration::from_secs(90)));
    let limit = json!({"errorCode": "DH-904"});
    let (error, asked) = error_for(Answer::error(429, &limit)).await;
    assert_eq!((error.retry_after, asked), (Some(Duration::from_secs(2)), 1));
    let (error, _) = error_for(Answer::error(429, &limit).header("retry-after", "7")).await;
    assert_eq!(error.retry_after, Some(Duration::from_secs(7)));
    let (error, _) = error_for(Answer::error(500, &json!({}))).await;
    assert_eq!(error.retry_after, None);
}

#[tokio::test]
async fn the_words_of_a_broker_are_kept_short_and_on_one_line() {
    let words = format!("Sorry.\r\n\u{1b}[31m  {}", "x".repeat(10_000));
    let body = json!({"errorCode": "DH-905", "errorMessage": words});
    let (error, _) = error_for(Answer::error(400, &body)).await;
    assert!(error.message.contains("(DH-905: Sorry. [31m xxx"), "{error}");
    assert!(error.message.len() < 800 && !error.message.contains(char::is_control), "{error}");
}

#[tokio::test]
async fn one_whole_message() {
    let body = json!({"errorType": "Invalid_Authentication", "errorCode": "DH-901",
        "errorMessage": "Client ID or user generated access token is invalid or expired."});
    let (error, _) = error_for(Answer::error(401, &body)).await;
    let message = "The broker did not accept the access token: it is wrong, or has run out (DH-901: \
        Client ID or user generated access token is invalid or expired). Asking again does not \
        help. Access tokens live 24 hours: make a new one at web.dhan.co (Profile, DhanHQ Trading \
        APIs) and give it with its client id (DHANHQ_ACCESS_TOKEN, DHANHQ_CLIENT_ID).";
    assert_eq!(error.to_string(), message);
}
