//! The end of the server, and what is found afterwards.

use std::time::Duration;

use serde_json::json;
use toolwright_testkit::{Reply, Script};

use crate::harness::{Desk, Listening, Request, Setup};

/// Runs are ended in good order, every stream has its end, and what is kept says so.
#[tokio::test(flavor = "multi_thread")]
async fn runs_end_with_the_server() {
    let script = (0..8).fold(Script::new(), |script, _| {
        script.reply(Reply::text("Never.").delay(Duration::from_secs(3600)))
    });
    let (mut desk, _model) = Desk::saying(script).await;
    let mut going = Vec::new();
    for _ in 0..8 {
        let request = Request::new("POST", "/api/chat/stream").json(&json!({"message": "Wait"}));
        let mut listening = Listening::to(desk.address, &request).await;
        listening.until("round_started").await;
        going.push(listening);
    }
    let list = desk.get("/api/conversations").await.json();
    let id = list["conversations"][0]["id"].as_str().unwrap().to_owned();
    let request = Request::new("GET", &format!("/api/conversations/{id}/stream"));
    let mut beside = Listening::to(desk.address, &request).await;
    beside.until("round_started").await;
    desk.stop().await;
    for listening in &mut going {
        let end = listening.until("error").await;
        assert_eq!(end.last().unwrap().1["kind"], "cancelled");
        assert!(listening.next().await.is_none());
    }
    assert_eq!(beside.until("error").await.last().unwrap().1["kind"], "cancelled");
    assert!(beside.next().await.is_none());
    let folder = std::mem::replace(&mut desk.folder, tempfile::tempdir().unwrap());
    let next = Desk::start_in(folder, Setup::default(), None).await;
    let list = next.get("/api/conversations").await.json();
    let list = list["conversations"].as_array().unwrap();
    assert_eq!(list.len(), 8);
    assert!(list.iter().all(|it| it["state"] == "idle"));
}
