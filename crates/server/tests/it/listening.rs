//! Listening, leaving and coming back.

use std::time::Duration;

use serde_json::{Value, json};
use toolwright_testkit::{Chunking, Reply, Script};

use crate::harness::{Desk, Listening, Request, ask};

fn listen(id: &str) -> Request {
    Request::new("GET", &format!("/api/conversations/{id}/stream"))
}

/// The whole stream of a run, and the same from behind each of its events.
#[tokio::test(flavor = "multi_thread")]
async fn whoever_comes_back_misses_nothing() {
    let script = Script::new()
        .reply(Reply::calls([("c1", "calculate_tip", r#"{"amount":10}"#)]))
        .reply(Reply::text("The tip is $1.50."))
        .chunking(Chunking::OneByte);
    let (desk, _model) = Desk::saying(script).await;
    let answer = desk.post("/api/chat/stream", &json!({"message": "A tip on $10?"})).await;
    let all = answer.events();
    let committed: Vec<_> = all.iter().filter(|(id, _)| !id.contains('.')).cloned().collect();
    let id = answer.headers["x-conversation-id"].clone();
    for (last, _) in &all {
        let position: u64 = last.split('.').next().unwrap().parse().unwrap();
        let next = if last.contains('.') { position } else { position + 1 };
        let rest: Vec<_> = committed.iter().skip(next as usize).cloned().collect();
        if rest.is_empty() {
            continue;
        }
        let mut again =
            Listening::to(desk.address, &listen(&id).header("Last-Event-ID", last)).await;
        let heard = again.until("done").await;
        // What was provisional is no longer there; what it became is.
        let heard: Vec<_> = heard.into_iter().filter(|(id, _)| !id.contains('.')).collect();
        assert_eq!(heard, rest, "after {last}");
    }
}

/// A log that has less than somebody was shown was restored: whoever listens on from there would never hear anything.
#[tokio::test(flavor = "multi_thread")]
async fn a_place_that_the_log_does_not_reach_is_refused() {
    let script = Script::new().reply(Reply::text("One.")).reply(Reply::text("Two."));
    let (desk, _model) = Desk::saying(script).await;
    let answer = desk.post("/api/chat/stream", &json!({"message": "Go"})).await;
    let id = answer.headers["x-conversation-id"].clone();
    let last: u64 = answer.events().last().unwrap().0.parse().unwrap();
    // Whoever has all there is hears what comes next.
    let mut rest =
        Listening::to(desk.address, &listen(&id).header("Last-Event-ID", &last.to_string())).await;
    let more = json!({"message": "And?", "conversation_id": id});
    assert_eq!(desk.post("/api/chat/stream", &more).await.status, 200);
    let last: u64 = rest.until("done").await.last().unwrap().0.parse().unwrap();
    let beyond = listen(&id).header("Last-Event-ID", &(last + 1).to_string());
    let beyond = ask(desk.address, &beyond).await;
    assert_eq!(
        (beyond.status, beyond.code().as_str()),
        (409, "beyond_the_end"),
        "{}",
        beyond.text()
    );
}

/// A conversation that is deleted has nothing more to say to anybody.
#[tokio::test(flavor = "multi_thread")]
async fn a_stream_of_a_conversation_that_is_deleted_ends() {
    let (desk, _model) = Desk::saying(Script::new().reply(Reply::text("One."))).await;
    let answer = desk.post("/api/chat/stream", &json!({"message": "Go"})).await;
    let id = answer.headers["x-conversation-id"].clone();
    let mut listening = Listening::to(desk.address, &listen(&id)).await;
    let request = Request::new("DELETE", &format!("/api/conversations/{id}"));
    assert_eq!(ask(desk.address, &request).await.status, 204);
    while listening.next().await.is_some() {}
}

/// H15: leaving stops nothing, and whoever comes back while the run goes on gets the rest of it, the
/// pieces too.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_goes_on_without_its_listener() {
    let script = Script::new()
        .reply(Reply::calls([("c1", "calculate_tip", r#"{"amount":10}"#)]))
        .reply(Reply::text("It goes on.").delay(Duration::from_millis(300)));
    let (desk, _model) = Desk::saying(script).await;
    let request = Request::new("POST", "/api/chat/stream").json(&json!({"message": "Go"}));
    let mut first = Listening::to(desk.address, &request).await;
    let begun = first.until("round_started").await;
    drop(first);
    let id = conversation(&desk).await;
    let last = &begun.last().unwrap().0;
    let mut second = Listening::to(desk.address, &listen(&id).header("Last-Event-ID", last)).await;
    let rest = second.until("done").await;
    let ids: Vec<_> = begun.iter().chain(&rest).map(|(id, _)| id.clone()).collect();
    let committed: Vec<_> = ids.iter().filter(|id| !id.contains('.')).collect();
    let expected: Vec<_> = (0..committed.len()).map(|it| it.to_string()).collect();
    assert_eq!(committed, expected.iter().collect::<Vec<_>>());
    let pieces: String =
        rest.iter().filter(|(_, it)| it["type"] == "content").map(|(_, it)| text(it)).collect();
    assert_eq!(pieces, "It goes on.");
}

fn text(event: &Value) -> &str {
    event["data"].as_str().unwrap()
}

async fn conversation(desk: &Desk) -> String {
    let list = desk.get("/api/conversations").await.json();
    list["conversations"][0]["id"].as_str().unwrap().to_owned()
}

/// Two tabs: a stream stays open from one run to the next, and both hear the same.
#[tokio::test(flavor = "multi_thread")]
async fn everybody_hears_the_same() {
    let script = Script::new()
        .reply(Reply::text("One."))
        .reply(Reply::text("Two."))
        .reply(Reply::text("Three."));
    let (desk, _model) = Desk::saying(script).await;
    let first = desk.chat("1").await;
    let id = first.last().unwrap()["conversation_id"].as_str().unwrap().to_owned();
    let last = format!("{}", first.last().unwrap()["seq"]);
    let from = listen(&id).header("Last-Event-ID", &last);
    let mut a = Listening::to(desk.address, &from).await;
    let mut b = Listening::to(desk.address, &from).await;
    for (question, answer) in [("2", "Two."), ("3", "Three.")] {
        let body = json!({"message": question, "conversation_id": id});
        let told = desk.post("/api/chat/stream", &body).await.events();
        let (in_a, in_b) = (a.until("done").await, b.until("done").await);
        assert_eq!(in_a, told);
        assert_eq!(in_b, told);
        assert_eq!(in_a.last().unwrap().1["response"], answer);
    }
}

/// Who names nothing hears what is new, from the beginning of the run that goes on.
#[tokio::test(flavor = "multi_thread")]
async fn a_newcomer_hears_the_run_that_goes_on() {
    let slow = Reply::text("Late.").delay(Duration::from_millis(500));
    let (desk, _model) = Desk::saying(Script::new().reply(slow)).await;
    let request = Request::new("POST", "/api/chat/stream").json(&json!({"message": "Go"}));
    let mut first = Listening::to(desk.address, &request).await;
    first.until("round_started").await;
    let mut second = Listening::to(desk.address, &listen(&conversation(&desk).await)).await;
    let heard = second.until("done").await;
    assert_eq!(heard[0].1["type"], "run_started");
}

#[tokio::test(flavor = "multi_thread")]
async fn nonsense_is_no_place() {
    let desk = Desk::demo().await;
    let id = desk.chat("Hi").await.last().unwrap()["conversation_id"].as_str().unwrap().to_owned();
    for nonsense in ["x", "1.2.3", "-1", "99999999999999999999999", "1.x"] {
        let request = listen(&id).header("Last-Event-ID", nonsense);
        let answer = ask(desk.address, &request).await;
        assert_eq!(answer.status, 422, "{nonsense}");
    }
    assert_eq!(desk.get("/api/conversations/conv_none/stream").await.status, 404);
}
