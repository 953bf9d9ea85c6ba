//! Errors of providers: what is said about them, and what must not be.

use std::{
    fmt::{self, Write},
    sync::{Arc, Mutex},
};

use serde_json::json;
use toolwright_core::{ModelDelta, ModelError, ModelErrorKind};
use toolwright_models::{Endpoint, EndpointConfig};
use toolwright_testkit::{ModelServer, Reply, Script};
use tracing::{Metadata, Subscriber, field::Field, span};

use crate::support::{ask, event, model, once, said, served, with_retries};

async fn error_of(status: u16, body: &str) -> ModelError {
    served(Reply::status(status).body(body), true).await.error()
}

#[tokio::test]
async fn the_words_are_found_in_every_form() {
    for body in [
        r#"{"error":{"message":"the words","type":"invalid_request_error","param":"x","code":"y"}}"#,
        r#"{"error":{"message":"the words","type":null,"param":null,"code":null}}"#,
        r#"{"error":{"code":400,"message":"the words","type":"t"}}"#,
        r#"{"error":"the words"}"#,
        r#"{"detail":"the words"}"#,
        r#"{"detail":[{"loc":["body"],"msg":"the words","type":"missing"}]}"#,
        r#"{"object":"error","message":"the words","type":"BadRequestError","param":null,"code":400}"#,
        r#"{"message":"the words"}"#,
        r#"[{"error":{"code":400,"message":"the words","status":"INVALID_ARGUMENT"}}]"#,
        "the words",
        "\n the words \n",
        "\"the words\"",
    ] {
        let error = error_of(400, body).await;
        let mut wanted =
            ModelError::new(ModelErrorKind::Request, "the provider answered 400: the words");
        wanted.status = Some(400);
        assert_eq!(error, wanted, "{body}");
    }
    let several = r#"{"detail":[{"msg":"one"},{"msg":"two"},{"loc":[]}]}"#;
    assert_eq!(error_of(422, several).await.message, "the provider answered 422: one; two");
}

#[tokio::test]
async fn without_words_the_status_is_all_there_is_to_say() {
    for body in [
        "",
        "{}",
        "null",
        "[]",
        "7",
        "{\"error\":null}",
        "{\"error\":{}}",
        "{\"error\":{\"message\":\" \"}}",
        "<!DOCTYPE html><html><body>Bad Request</body></html>",
        "  <html></html>",
        "\u{feff}",
    ] {
        let error = error_of(400, body).await;
        assert!(error.message.starts_with("the provider answered 400"), "{body}: {error}");
        assert!(!error.message.contains('<'), "{error}");
    }
}

#[tokio::test]
async fn long_words_are_cut() {
    let error = error_of(400, &"é".repeat(100_000)).await;
    assert!(error.message.chars().count() < 600, "{}", error.message.len());
}

#[tokio::test]
async fn each_kind_with_its_advice() {
    use ModelErrorKind::{Auth, NotFound, Quota, RateLimited, Request, Server, TooLong};
    for (status, code, kind, advice) in [
        (400, "invalid_value", Request, None),
        (400, "context_length_exceeded", TooLong, Some("too long")),
        (401, "invalid_api_key", Auth, Some("OPENAI_API_KEY")),
        (402, "", Quota, Some("credit")),
        (403, "", Auth, Some("OPENAI_API_KEY")),
        (404, "model_not_found", NotFound, Some("TOOLWRIGHT_MODEL")),
        (408, "", Server, Some("again")),
        (409, "", Server, Some("again")),
        (413, "", TooLong, Some("too long")),
        (422, "", Request, None),
        (429, "rate_limit_exceeded", RateLimited, Some("wait")),
        (429, "insufficient_quota", Quota, Some("billing")),
        (429, "billing_hard_limit_reached", Quota, Some("billing")),
        (500, "server_error", Server, Some("again")),
        (529, "", Server, Some("again")),
    ] {
        for field in ["code", "type"] {
            let body = json!({"error": {"message": "no", field: code}}).to_string();
            let error = error_of(status, &body).await;
            assert_eq!((error.kind, error.status), (kind, Some(status)), "{status} {code}");
            let given = error.advice.as_deref();
            let fits = match advice {
                Some(word) => given.is_some_and(|given| given.contains(word)),
                None => given.is_none(),
            };
            assert!(fits, "{status} {code}: {given:?}");
        }
    }
    let both = json!({"error": {"message": "no", "type": "insufficient_quota", "code": "x"}});
    assert_eq!(error_of(429, &both.to_string()).await.kind, Quota);
}

#[tokio::test]
async fn success_without_a_reply_is_an_error() {
    for (status, kind) in [
        (201, ModelErrorKind::Server),
        (202, ModelErrorKind::Server),
        (301, ModelErrorKind::NotFound),
        (302, ModelErrorKind::NotFound),
        (307, ModelErrorKind::NotFound),
    ] {
        let error = served(Reply::status(status), true).await.error();
        assert_eq!((error.kind, error.status), (kind, Some(status)));
    }
}

const KEY: &str = "sk-canary-4f1d0c9e8b7a";

#[track_caller]
fn keeps_it(said: impl fmt::Debug) {
    let said = format!("{said:?}");
    assert!(!said.contains("canary"), "{said}");
}

#[track_caller]
fn all_keep_it(error: &ModelError) {
    keeps_it(error);
    keeps_it(error.to_string());
    keeps_it(serde_json::to_string(error).unwrap());
}

#[tokio::test]
async fn the_key_is_never_said() {
    let logged = Logged::default();
    let _guard = tracing::subscriber::set_default(logged.clone());
    let words = format!("wrong key {KEY}: Bearer {KEY}!");
    let long = format!("{}{KEY}", "x".repeat(490));
    for words in [&words, &long] {
        let body = json!({"error": {"message": words}});
        let replies = [
            Reply::status(401).body(body.to_string()),
            Reply::status(400).body(words.as_str()),
            Reply::json(body.clone()),
            Reply::raw_sse(said("Hi") + &event(&body)),
            Reply::raw_sse(said("Hi") + &format!("{body}\n")),
        ];
        for reply in replies {
            let server = ModelServer::start(Script::new().reply(reply)).await;
            all_keep_it(&ask(&model(once(&server).with_key(KEY)), true).await.error());
            let sent = server.requests()[0].header("authorization").map(str::to_owned);
            assert_eq!(sent, Some(format!("Bearer {KEY}")));
        }
        let script = (0..3).fold(Script::new(), |script, _| {
            script.reply(Reply::status(500).body(body.to_string()))
        });
        let server = ModelServer::start(script).await;
        let heard = ask(&model(with_retries(&server, 2).with_key(KEY)), true).await;
        assert!(matches!(heard.parts[..], [ModelDelta::Retry { .. }, ModelDelta::Retry { .. }]));
        keeps_it(heard);
    }
    let log = logged.0.lock().unwrap().clone();
    assert!(log.contains("asked again"), "the log is looked at: {log}");
    keeps_it(log);
}

#[tokio::test]
async fn a_key_in_another_header_is_never_said() {
    for (name, value) in [("api-key", KEY.to_owned()), ("X-Auth", format!("Bearer {KEY}"))] {
        let body = json!({"error": {"message": format!("wrong key {KEY}")}}).to_string();
        let script = Script::new().reply(Reply::status(401).body(body));
        let server = ModelServer::start(script).await;
        let mut config = once(&server);
        config.extra_headers.push((name.into(), value));
        let error = ask(&model(config), true).await.error();
        all_keep_it(&error);
        assert_eq!(error.message, "the provider answered 401: wrong key [redacted]");
    }
}

#[test]
fn a_configuration_does_not_show_its_key() {
    let mut config = EndpointConfig::new("http://127.0.0.1:1/v1", "m").with_key(KEY);
    config.extra_headers.push(("api-key".into(), KEY.into()));
    let shown = format!("{config:?}");
    assert!(shown.contains("http://127.0.0.1:1/v1") && shown.contains("[hidden]"), "{shown}");
    keeps_it(&config);
    // A key that cannot be sent is not shown either.
    config.api_key = Some(format!("{KEY}\n{KEY}"));
    all_keep_it(&Endpoint::new(config).err().expect("not a header"));
}

#[test]
fn what_cannot_be_an_address_is_refused() {
    for base in ["", "localhost:8000", "/v1", "ftp://host/v1", "http://", "http://a b/v1"] {
        let error = Endpoint::new(EndpointConfig::new(base, "m")).err().expect(base);
        assert_eq!(error.kind, ModelErrorKind::NotConfigured, "{base}");
        assert!(error.advice.unwrap().contains("http://HOST:PORT/v1"));
    }
    let mut config = EndpointConfig::new("http://127.0.0.1:1/v1", "m");
    config.extra_headers.push(("not a name".into(), "x".into()));
    let error = Endpoint::new(config).err().expect("not a header");
    assert_eq!(error.kind, ModelErrorKind::NotConfigured);
}

/// Everything that is logged, at every level.
#[derive(Clone, Default)]
struct Logged(Arc<Mutex<String>>);

impl Subscriber for Logged {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("toolwright")
    }
    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }
    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
    fn event(&self, event: &tracing::Event<'_>) {
        let mut log = self.0.lock().unwrap();
        event.record(&mut |field: &Field, value: &dyn fmt::Debug| {
            writeln!(log, "{field}: {value:?}").unwrap();
        });
    }
    fn enter(&self, _: &span::Id) {}
    fn exit(&self, _: &span::Id) {}
}
