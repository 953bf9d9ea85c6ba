//! Everything that can be wrong with a provider ends in one failure that says what to do.

use serde_json::json;
use toolwright_core::{FailureKind, ModelErrorKind, ModelRequest, ModelStream, Status};
use toolwright_runtime::Agent;
use toolwright_testkit::{Fault, ModelServer, Reply, Script};

use crate::support::{Played, agent, echo, model, play, serve};

/// A failure of the model, of this kind, that says what happened and what to do.
#[track_caller]
fn assert_failed(played: &Played, kind: ModelErrorKind, words: &str) {
    let failure = played.failure();
    assert_eq!(failure.kind, FailureKind::Model(kind), "{failure:?}");
    assert!(failure.message.contains(words), "{}", failure.message);
    assert!(!failure.message.contains('\n'), "one line: {}", failure.message);
    assert!(failure.advice.as_ref().is_some_and(|advice| !advice.is_empty()), "{failure:?}");
    assert!(!format!("{failure:?}").contains("sk-test"), "no key: {failure:?}");
}

async fn ask(server: &ModelServer) -> Played {
    play(agent(server).tool(echo("look")).build().unwrap().run("Well?")).await
}

fn count(played: &Played, kind: &str) -> usize {
    played.kinds().iter().filter(|it| *it == kind).count()
}

#[tokio::test]
async fn a_connection_that_is_refused() {
    // A port that was free a moment ago.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    let played = play(Agent::builder(model(&base_url)).build().unwrap().run("Well?")).await;
    assert_failed(&played, ModelErrorKind::Connection, "127.0.0.1");
    assert_eq!(count(&played, "model_retry"), 2);
}

#[tokio::test]
async fn a_key_that_is_refused_is_not_tried_again() {
    let server = serve(Script::new().key("another")).await;
    let played = ask(&server).await;
    assert_failed(&played, ModelErrorKind::Auth, "Incorrect API key provided.");
    assert_eq!((count(&played, "model_retry"), server.requests().len()), (0, 1));
}

#[tokio::test]
async fn a_storm_of_429() {
    let server = ModelServer::start_with(|_| {
        let body = json!({"error": {"message": "Slow down.", "type": "rate_limit_error"}});
        Reply::status(429).body(body.to_string()).header("retry-after-ms", "1")
    })
    .await;
    let played = ask(&server).await;
    assert_failed(&played, ModelErrorKind::RateLimited, "429: Slow down.");
    assert_eq!((count(&played, "model_retry"), server.requests().len()), (2, 3));
}

#[tokio::test]
async fn a_storm_of_500() {
    let server = ModelServer::start_with(|_| Reply::status(500).body("<html>Oops</html>")).await;
    let played = ask(&server).await;
    assert_failed(&played, ModelErrorKind::Server, "500");
    assert_eq!((count(&played, "model_retry"), server.requests().len()), (2, 3));
}

#[tokio::test]
async fn a_storm_that_ends_is_a_delay() {
    let script = Script::new()
        .reply(Reply::status(503))
        .reply(Reply::status(429).header("retry-after-ms", "1"))
        .reply(Reply::text("Here I am."));
    let server = serve(script).await;
    let played = ask(&server).await;
    server.assert_clean();
    assert_eq!(played.answer().response, "Here I am.");
    assert_eq!(count(&played, "model_retry"), 2);
}

#[tokio::test]
async fn half_a_stream_keeps_what_was_said() {
    let said =
        |text: &str| format!("data: {}\n\n", json!({"choices": [{"delta": {"content": text}}]}));
    let half = said("It was ") + &said("a dark ");
    let error = json!({"error": {"message": "out of memory", "code": 500}});
    for (reply, kind, words) in [
        (Reply::raw_sse(half.clone()), ModelErrorKind::BrokenReply, "broke off"),
        (
            Reply::raw_sse(half.clone()).fault(Fault::CutAt(usize::MAX)),
            ModelErrorKind::BrokenReply,
            "broke off",
        ),
        (Reply::raw_sse(half.clone() + "data: {{{\n\n"), ModelErrorKind::BrokenReply, "broke off"),
        (
            Reply::raw_sse(half.clone() + &format!("data: {error}\n\n")),
            ModelErrorKind::Server,
            "out of memory",
        ),
    ] {
        let server = serve(Script::new().reply(reply)).await;
        let played = ask(&server).await;
        assert_failed(&played, kind, words);
        assert_eq!(played.failure().response, "It was a dark ");
        assert_eq!(count(&played, "model_retry"), 0, "what was said cannot be unsaid");
        server.assert_clean();
    }
}

#[tokio::test]
async fn a_run_that_breaks_in_its_second_round_keeps_the_first() {
    let script = Script::new()
        .reply(Reply::calls([("a", "look", "{}")]))
        .reply(Reply::text("It was a dark and stormy night").fault(Fault::CutAt(1000)));
    let server = serve(script).await;
    let played = ask(&server).await;
    server.assert_clean();
    assert_failed(&played, ModelErrorKind::BrokenReply, "");
    assert_eq!(played.calls(), [("look", Status::Ok)]);
    assert_eq!(played.text_of("a"), "{}");
}

#[tokio::test]
async fn garbage_in_place_of_a_reply() {
    for (reply, kind) in [
        (Reply::raw_sse("data: \u{0}\u{1}{{{\n\n"), ModelErrorKind::BrokenReply),
        (Reply::raw_sse("<html>"), ModelErrorKind::BrokenReply),
        (Reply::raw_sse(""), ModelErrorKind::BrokenReply),
        (Reply::json(json!([])), ModelErrorKind::BrokenReply),
        (Reply::json(json!({"choices": []})), ModelErrorKind::BrokenReply),
        (Reply::raw_http("SSH-2.0-OpenSSH_9.6\r\n"), ModelErrorKind::Connection),
        (Reply::raw_http(""), ModelErrorKind::Connection),
        (Reply::status(404), ModelErrorKind::NotFound),
        (Reply::status(400).body(r#"{"detail":"no"}"#), ModelErrorKind::Request),
    ] {
        let server = ModelServer::start_with({
            let reply = reply.clone();
            move |_| reply.clone()
        })
        .await;
        let played = ask(&server).await;
        let failure = played.failure();
        assert_eq!(failure.kind, FailureKind::Model(kind), "{reply:?}: {failure:?}");
        assert!(!failure.message.is_empty() && !failure.message.contains('\n'), "{failure:?}");
    }
}

/// Ends without a word.
struct Mute;

impl toolwright_core::Model for Mute {
    fn name(&self) -> &str {
        "mute"
    }

    fn call(&self, _: ModelRequest<'_>) -> ModelStream {
        Box::pin(futures_util::stream::empty())
    }
}

#[tokio::test]
async fn a_model_whose_stream_just_ends() {
    let played = play(Agent::builder(Mute).build().unwrap().run("Well?")).await;
    assert_failed(&played, ModelErrorKind::BrokenReply, "ended before it was complete");
}

#[tokio::test]
async fn calls_without_a_name_or_with_odd_ids_do_no_harm() {
    let script = Script::new()
        .reply(Reply::calls([("", "look", "{}"), ("x", "", "{}"), ("x", "look", r#"{"n":2}"#)]))
        .reply(Reply::calls([("x", "look", r#"{"n":3}"#)]))
        .reply(Reply::text("Seen."));
    let server = serve(script).await;
    let played = ask(&server).await;
    server.assert_clean();
    assert_eq!(played.answer().response, "Seen.");
    assert_eq!(played.calls(), [("look", Status::Ok); 3]);
    assert_eq!(count(&played, "notice"), 1);
}
