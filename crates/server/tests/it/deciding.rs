//! Calls that wait for a decision.

use serde_json::{Value, json};
use toolwright_app::AutoApprove;
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::harness::{Answer, Desk, Listening, Request, Setup};

const EDIT: &str = r#"{"file_path":"a.txt","old_string":"old","new_string":"new"}"#;

pub(crate) async fn desk(script: Script, beforehand: AutoApprove) -> (Desk, ModelServer) {
    let setup = Setup { workspace: true, beforehand, ..Setup::default() };
    let (desk, model) = Desk::with(setup, script).await;
    std::fs::write(desk.work().join("a.txt"), "old\n").unwrap();
    (desk, model)
}

pub(crate) fn editing() -> Script {
    let call = |id: &'static str| Reply::calls([(id, "edit", EDIT)]);
    Script::new()
        .reply(call("c1"))
        .reply(Reply::text("Done."))
        .reply(call("c2"))
        .reply(Reply::text("Again."))
}

/// A question that waits for a decision: its stream, its conversation and what is shown.
pub(crate) async fn waiting(desk: &Desk, body: Value) -> (Listening, String, Value) {
    let request = Request::new("POST", "/api/chat/stream").json(&body);
    let mut stream = Listening::to(desk.address, &request).await;
    let events = stream.until("call_preview").await;
    let id = match body["conversation_id"].as_str() {
        Some(id) => id.to_owned(),
        None => events[0].1["conversation_id"].as_str().unwrap().to_owned(),
    };
    let shown = events.last().unwrap().1.clone();
    (stream, id, shown)
}

pub(crate) async fn decide(desk: &Desk, id: &str, shown: &Value, more: Value) -> Answer {
    let mut body = json!({"call_id": shown["id"], "fingerprint": shown["fingerprint"]});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    desk.post(&format!("/api/conversations/{id}/decisions"), &body).await
}

fn file(desk: &Desk) -> String {
    std::fs::read_to_string(desk.work().join("a.txt")).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_allowed_runs() {
    let (desk, _model) = desk(editing(), AutoApprove::Nothing).await;
    let (mut stream, id, shown) = waiting(&desk, json!({"message": "Edit it, old as it is"})).await;
    assert!(shown["content"]["text"].as_str().unwrap().contains("-old\n+new"), "{shown}");
    assert_eq!(file(&desk), "old\n");
    let mut other = shown.clone();
    other["fingerprint"] = "00".into();
    let refused = decide(&desk, &id, &other, json!({"verdict": "allow"})).await;
    assert_eq!((refused.status, refused.code().as_str()), (409, "changed"));
    let taken = decide(&desk, &id, &shown, json!({"verdict": "allow"})).await;
    assert_eq!(taken.status, 200, "{}", taken.text());
    stream.until("done").await;
    assert_eq!(file(&desk), "new\n");
    let late = decide(&desk, &id, &shown, json!({"verdict": "allow"})).await;
    assert_eq!(late.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_denied_does_not() {
    let (desk, model) = desk(editing(), AutoApprove::Nothing).await;
    let (mut stream, id, shown) = waiting(&desk, json!({"message": "Edit it, old as it is"})).await;
    let denial = json!({"verdict": "deny", "reason": "not that file"});
    assert_eq!(decide(&desk, &id, &shown, denial).await.status, 200);
    let events = stream.until("done").await;
    assert_eq!(events.last().unwrap().1["tool_calls"][0]["status"], "denied");
    assert_eq!(file(&desk), "old\n");
    assert!(model.requests()[1].body.to_string().contains("not that file"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_always_allowed_is_not_asked_about_again() {
    let (desk, _model) = desk(editing(), AutoApprove::Nothing).await;
    let (mut stream, id, shown) = waiting(&desk, json!({"message": "Edit it, old as it is"})).await;
    let taken = decide(&desk, &id, &shown, json!({"verdict": "always"})).await;
    assert_eq!(taken.json()["rules"].as_array().unwrap().len(), 1, "{}", taken.text());
    stream.until("done").await;
    std::fs::write(desk.work().join("a.txt"), "old\n").unwrap();
    let body = json!({"message": "Again", "conversation_id": id});
    let events = desk.chat_with(body).await;
    assert_eq!(events.last().unwrap()["tool_calls"][0]["status"], "success");
    assert_eq!(file(&desk), "new\n");
    let rules = desk.get("/api/approvals").await.json();
    assert_eq!(rules["rules"].as_array().unwrap().len(), 1);
    let removal = format!("/api/approvals/{}", rules["rules"][0]["number"]);
    let removal = Request::new("DELETE", &removal);
    assert_eq!(crate::harness::ask(desk.address, &removal).await.status, 204);
    assert_eq!(crate::harness::ask(desk.address, &removal).await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn arguments_can_be_changed_and_are_shown_again() {
    let (desk, model) = desk(editing(), AutoApprove::Nothing).await;
    let (mut stream, id, shown) = waiting(&desk, json!({"message": "Edit it, old as it is"})).await;
    let better = json!({"file_path": "a.txt", "old_string": "old", "new_string": "better"});
    let edit = json!({"verdict": "edit", "arguments": better});
    assert_eq!(decide(&desk, &id, &shown, edit).await.status, 200);
    let events = stream.until("call_preview").await;
    let shown = &events.last().unwrap().1;
    assert!(shown["content"]["text"].as_str().unwrap().contains("+better"), "{shown}");
    assert_eq!(file(&desk), "old\n");
    assert_eq!(decide(&desk, &id, shown, json!({"verdict": "allow"})).await.status, 200);
    let done = stream.until("done").await;
    assert_eq!(done.last().unwrap().1["tool_calls"][0]["args"]["new_string"], "better");
    assert_eq!(file(&desk), "better\n");
    assert!(model.requests()[1].body.to_string().contains("better"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_approved_beforehand_does_not_wait() {
    let (desk, _model) = desk(editing(), AutoApprove::Everything).await;
    let events = desk.chat("Edit it, old as it is").await;
    assert_eq!(events.last().unwrap()["tool_calls"][0]["status"], "success");
    assert_eq!(file(&desk), "new\n");
}

/// A run that is stopped while it waits leaves nothing behind that could be decided.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_waits_for_a_run_that_was_stopped() {
    let (desk, _model) = desk(editing(), AutoApprove::Nothing).await;
    let (mut stream, id, shown) = waiting(&desk, json!({"message": "Edit it, old as it is"})).await;
    desk.post(&format!("/api/conversations/{id}/stop"), &json!({})).await;
    stream.until("error").await;
    let late = decide(&desk, &id, &shown, json!({"verdict": "allow"})).await;
    assert_eq!(late.status, 404);
    assert_eq!(file(&desk), "old\n");
}

/// What waits in a conversation, once it is so much: a call is shown a moment before it waits.
async fn listed(desk: &Desk, id: &str, count: usize) -> Value {
    loop {
        let list = desk.get(&format!("/api/conversations/{id}/decisions")).await.json();
        if list["decisions"].as_array().unwrap().len() == count {
            return list["decisions"].clone();
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_wait_together_and_are_decided_in_any_order() {
    let two = Reply::calls([
        ("c1", "edit", EDIT),
        ("c2", "write", r#"{"file_path":"b.txt","content":"b\n"}"#),
    ]);
    let script = Script::new().reply(two).reply(Reply::text("Done."));
    let (desk, _model) = desk(script, AutoApprove::Nothing).await;
    let (mut stream, id, first) = waiting(&desk, json!({"message": "Edit it, old as it is"})).await;
    let second = stream.until("call_preview").await.last().unwrap().1.clone();
    let decisions = listed(&desk, &id, 2).await;
    let place = desk.work().canonicalize().unwrap();
    for (decision, shown) in decisions.as_array().unwrap().iter().zip([&first, &second]) {
        assert_eq!(decision["call_id"], shown["id"]);
        assert_eq!(decision["fingerprint"], shown["fingerprint"]);
        let rule = decision["always"][0].as_str().unwrap();
        assert!(rule.starts_with("allow ") && rule.ends_with(place.to_str().unwrap()), "{rule}");
    }
    let summary = desk.get(&format!("/api/conversations/{id}")).await.json();
    assert_eq!(summary["waiting"], 2, "{summary}");

    assert_eq!(decide(&desk, &id, &second, json!({"verdict": "allow"})).await.status, 200);
    listed(&desk, &id, 1).await;
    let summary = &desk.get("/api/conversations").await.json()["conversations"][0];
    assert_eq!(summary["waiting"], 1, "{summary}");
    assert_eq!(decide(&desk, &id, &first, json!({"verdict": "deny"})).await.status, 200);
    let events = stream.until("done").await;
    let calls = &events.last().unwrap().1["tool_calls"];
    assert_eq!((&calls[0]["status"], &calls[1]["status"]), (&json!("denied"), &json!("success")));
    assert_eq!(file(&desk), "old\n");
    listed(&desk, &id, 0).await;
    let nobody = desk.get("/api/conversations/conv_nobody/decisions").await;
    assert_eq!(nobody.status, 404);
}
