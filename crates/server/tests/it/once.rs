//! `Idempotency-Key` on everything that begins a run or goes on with one.

use serde_json::{Value, json};
use toolwright_app::AutoApprove;
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::{
    deciding::{decide, desk, editing, waiting},
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

/// A message to a run that goes on is said once, while it waits and when it was taken up.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_said_to_a_run_is_said_once() {
    for mode in ["steer", "next"] {
        let (desk, model) = desk(editing(), AutoApprove::Nothing).await;
        let (mut stream, id, shown) =
            waiting(&desk, json!({"message": "Edit it, old as it is"})).await;
        let path = format!("/api/conversations/{id}/messages");
        let said = |text: &str| keyed(&path, "said", &json!({"message": text, "mode": mode}));
        let request = said("And then?");
        let (a, b) = tokio::join!(ask(desk.address, &request), ask(desk.address, &request));
        assert_eq!((a.status, b.status), (202, 202), "{} {}", a.text(), b.text());
        assert_eq!(a.json()["id"], b.json()["id"]);
        let waits = desk.get(&path).await.json();
        assert_eq!(waits["messages"].as_array().unwrap().len(), 1, "{mode}: {waits}");
        let other = ask(desk.address, &said("Something else")).await;
        assert_eq!((other.status, other.code().as_str()), (422, "key_taken"), "{}", other.text());
        assert_eq!(decide(&desk, &id, &shown, json!({"verdict": "allow"})).await.status, 200);
        stream.until("done").await;
        // It was taken up, and brought a second call that waits: it is not said again.
        let events = desk.get(&format!("/api/conversations/{id}/events")).await.json();
        let taken = |events: &Value| events.to_string().matches("\"queued\":").count();
        let again = ask(desk.address, &request).await;
        assert_eq!((again.status, &again.json()["id"]), (202, &a.json()["id"]), "{mode}");
        let waits = desk.get(&path).await.json();
        assert_eq!(waits["messages"].as_array().unwrap().len(), 0, "{mode}: {waits}");
        assert!(taken(&events) <= 1 && model.requests().len() <= 4, "{events}");
    }
}

/// Whatever may stand in a header is a key, or is refused as one: before anything is begun, and in words about keys.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_key_is_refused_as_a_key() {
    let (desk, model) = Desk::saying(Script::new().reply(Reply::text("One."))).await;
    let body = json!({"message": "Go"});
    let long = "k".repeat(201);
    for odd in ["a\tb", "clé", "\u{80}", "a\u{202e}b", "", &long] {
        let request = keyed("/api/chat/stream", odd, &body);
        let refused = ask(desk.address, &request).await;
        let (status, said) = (refused.status, refused.text().to_owned());
        assert_eq!((status, refused.code().as_str()), (400, "malformed"), "{odd:?}: {said}");
        assert!(said.contains("idempotency-key"), "{odd:?}: {said}");
    }
    assert_eq!((model.requests().len(), runs(&desk).await), (0, 0));
    let plain = keyed("/api/chat/stream", "a key: with {all} \\ of \"it\"~", &body);
    assert_eq!(ask(desk.address, &plain).await.status, 200);
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
