//! `Idempotency-Key` on everything that begins a run or goes on with one.

use serde_json::{Value, json};
use toolwright_app::AutoApprove;
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::{
    deciding::{decide, desk, editing},
    harness::{Answer, Desk, Listening, Request, Setup, ask},
};

fn keyed(path: &str, key: &str, body: &Value) -> Request {
    Request::new("POST", path).json(body).header("Idempotency-Key", key)
}

async fn runs(desk: &Desk) -> u64 {
    let list = desk.get("/api/conversations").await.json();
    let list = list["conversations"].as_array().unwrap();
    list.iter().map(|it| it["runs"].as_u64().unwrap()).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_begins_a_run_begins_it_once() {
    let texts = ["One.", "Two.", "Three.", "Four."];
    let script = texts.iter().fold(Script::new(), |it, text| it.reply(Reply::text(*text)));
    let setup = Setup { task: Some("demo"), ..Setup::default() };
    let (desk, model): (Desk, ModelServer) = Desk::with(setup, script).await;
    let first = desk.chat("Go").await;
    let id = first[0]["conversation_id"].as_str().unwrap();
    let said = json!([{"id": "m", "role": "user", "content": "Go"}]);
    let parts = json!([{"role": "user", "parts": [{"type": "text", "text": "Go"}]}]);
    for (path, body, asks) in [
        (format!("/api/conversations/{id}/retry"), json!({}), 1),
        ("/api/chat/ai-sdk".to_owned(), json!({"id": "one", "messages": parts}), 1),
        (
            "/api/chat/ag-ui".to_owned(),
            json!({"threadId": "two", "runId": "r", "messages": said}),
            1,
        ),
        ("/api/tools/list_notes/call".to_owned(), json!({}), 0),
    ] {
        let (asked, before) = (model.requests().len(), runs(&desk).await);
        let request = keyed(&path, &path, &body);
        let (a, b) = tokio::join!(ask(desk.address, &request), ask(desk.address, &request));
        let again = ask(desk.address, &request).await;
        let last = |answer: &Answer| {
            assert_eq!(answer.status, 200, "{path}: {}", answer.text());
            answer.events().last().unwrap().1.clone()
        };
        assert_eq!((last(&a), last(&b)), (last(&again), last(&again)), "{path}");
        assert_eq!(runs(&desk).await, before + 1, "{path}");
        assert_eq!(model.requests().len(), asked + asks, "{path}");
    }
    // The very same body is another request elsewhere.
    let other = keyed("/api/tools/delete_notes/call", "/api/tools/list_notes/call", &json!({}));
    let other = ask(desk.address, &other).await;
    assert_eq!((other.status, other.code().as_str()), (422, "key_taken"), "{}", other.text());
}

/// Where nothing is kept nobody can be told again, and nothing is done again.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_kept_is_done_once() {
    let (desk, model) = Desk::saying(Script::new().reply(Reply::text("One."))).await;
    let body = json!({"model": "toolwright", "messages": [{"role": "user", "content": "Go"}]});
    let request = keyed("/v1/chat/completions", "k", &body);
    assert_eq!(ask(desk.address, &request).await.status, 200);
    let again = ask(desk.address, &request).await;
    assert_eq!((again.status, again.code().as_str()), (409, "sent_before"), "{}", again.text());
    assert_eq!(model.requests().len(), 1);
}

/// The server went while the run waited for somebody: whoever sends the question again is told how it goes on.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_was_cut_short_is_told_and_resumed_once() {
    let (mut first, model) = desk(editing(), AutoApprove::Nothing).await;
    let question = keyed("/api/chat/stream", "k1", &json!({"message": "Edit it, old as it is"}));
    let mut asked = Listening::to(first.address, &question).await;
    let events = asked.until("call_preview").await;
    let id = events[0].1["conversation_id"].as_str().unwrap().to_owned();
    let decisions = format!("/api/conversations/{id}/decisions");
    while first.get(&decisions).await.json()["decisions"].as_array().unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    first.stop().await;
    let folder = std::mem::replace(&mut first.folder, tempfile::tempdir().unwrap());
    let setup = Setup { workspace: true, ..Setup::default() };
    let desk = Desk::start_in(folder, setup, Some(model.base_url())).await;
    let told = ask(desk.address, &question).await;
    assert_eq!((told.status, told.code().as_str()), (409, "unfinished"), "{}", told.text());
    assert!(told.text().contains(&format!("/api/conversations/{id}/resume")), "{}", told.text());

    let resume = keyed(&format!("/api/conversations/{id}/resume"), "k2", &json!({}));
    let mut resumed = Listening::to(desk.address, &resume).await;
    let shown = resumed.until("call_preview").await.last().unwrap().1.clone();
    // The same once more goes on with nothing, and hears the same run; so does the question.
    let mut again = Listening::to(desk.address, &resume).await;
    again.until("call_preview").await;
    let mut heard = Listening::to(desk.address, &question).await;
    heard.until("call_preview").await;
    assert_eq!(decide(&desk, &id, &shown, json!({"verdict": "allow"})).await.status, 200);
    for listening in [&mut resumed, &mut again, &mut heard] {
        let events = listening.until("done").await;
        assert_eq!(events.last().unwrap().1["response"], "Done.");
    }
    let again = ask(desk.address, &resume).await;
    assert_eq!(again.events().last().unwrap().1["response"], "Done.", "{}", again.text());
    assert_eq!(model.requests().len(), 2);
}
