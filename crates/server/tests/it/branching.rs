//! Questions that are asked anew, or from an earlier point; conversations that begin as a copy of another's.

use serde_json::{Value, json};
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::harness::{Desk, Request, ask};

fn script(texts: &[&str]) -> Script {
    texts.iter().fold(Script::new(), |it, text| it.reply(Reply::text(*text)))
}

/// What the model was sent last.
fn sent(model: &ModelServer) -> String {
    model.requests().last().unwrap().body["messages"].to_string()
}

/// The run of a question, and its conversation.
fn ids(events: &[Value]) -> (String, String) {
    let last = events.last().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&last["run"]), text(&last["conversation_id"]))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_asked_again_without_the_old_answer() {
    let (desk, model) = Desk::saying(script(&["Wrong.", "Right.", "Fine.", "Edited."])).await;
    let (first, id) = ids(&desk.chat("Which one?").await);
    let again = desk.post(&format!("/api/conversations/{id}/retry"), &json!({})).await;
    let again: Vec<_> = again.events().into_iter().map(|(_, event)| event).collect();
    assert_eq!(again.last().unwrap()["response"], "Right.");
    assert_eq!(sent(&model).matches("Which one?").count(), 1);
    assert!(!sent(&model).contains("Wrong."), "{}", sent(&model));
    // What follows goes on from there.
    let next = desk.chat_with(json!({"message": "Thanks", "conversation_id": id})).await;
    assert!(sent(&model).contains("Right.") && !sent(&model).contains("Wrong."));
    // The first version is still there, and what is found says in which it is.
    let found = desk.get("/api/conversations?q=wrong").await.json();
    assert_eq!(found["conversations"][0]["run"], first.as_str());
    // Another question in the place of an earlier one.
    let (run, _) = ids(&next);
    let body = json!({"message": "Really?", "conversation_id": id, "instead_of": run});
    assert_eq!(desk.chat_with(body).await.last().unwrap()["response"], "Edited.");
    assert!(sent(&model).contains("Right.") && !sent(&model).contains("Thanks"));
    model.assert_clean();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_goes_on_from_an_earlier_point() {
    let call = [("a", "get_weather", r#"{"location":"Rome"}"#)];
    let script = Script::new()
        .reply(Reply::calls(call))
        .reply(Reply::text("Sunny."))
        .reply(Reply::text("Later."))
        .reply(Reply::text("From the middle."))
        .reply(Reply::text("From the first."));
    let (desk, model) = Desk::saying(script).await;
    let events = desk.chat_with(json!({"message": "Weather in Rome?", "task": "demo"})).await;
    let (run, id) = ids(&events);
    desk.chat_with(json!({"message": "And then?", "conversation_id": id})).await;
    let result = events.iter().find(|it| it["type"] == "call_finished").unwrap();
    let after = json!({"run": run, "seq": result["seq"].as_f64()});
    let body = json!({"message": "In Celsius?", "conversation_id": id, "after": after});
    assert_eq!(desk.chat_with(body).await.last().unwrap()["response"], "From the middle.");
    let said = sent(&model);
    assert!(said.contains("get_weather") && !said.contains("Sunny.") && !said.contains("Later."));
    let body = json!({"message": "So?", "conversation_id": id, "after": {"run": run}});
    desk.chat_with(body).await;
    assert!(sent(&model).contains("Sunny.") && !sent(&model).contains("In Celsius?"));
    model.assert_clean();
    // Between a call and its result there is nothing to go on from.
    let between = events.iter().find(|it| it["type"] == "call_started").unwrap();
    let unknown = json!("run_nobody");
    for (body, status) in [
        (json!({"conversation_id": id, "after": {"run": run, "seq": between["seq"]}}), 422),
        (json!({"conversation_id": id, "after": {"run": run, "seq": 10_000}}), 422),
        (json!({"conversation_id": id, "after": {"run": run, "seq": -1}}), 422),
        (json!({"conversation_id": id, "after": {"run": unknown}}), 404),
        (json!({"conversation_id": id, "instead_of": unknown}), 404),
        (json!({"conversation_id": id, "instead_of": "\0"}), 404),
        (json!({"conversation_id": id, "instead_of": run, "after": {"run": run}}), 422),
        (json!({"instead_of": run}), 422),
        (json!({"after": {"run": run}}), 422),
    ] {
        let mut body = body;
        body["message"] = "x".into();
        let answer = desk.post("/api/chat/stream", &body).await;
        assert_eq!(answer.status, status, "{body}: {}", answer.text());
    }
    let again =
        desk.post(&format!("/api/conversations/{id}/retry"), &json!({"run": unknown})).await;
    assert_eq!(again.status, 404, "{}", again.text());
    assert!(again.text().contains("there is no such run here"), "{}", again.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_point_that_is_not_there_is_told_as_such() {
    // Nothing is imported where somebody names a point, and nobody is told so.
    let (desk, _) = Desk::saying(script(&["One."])).await;
    let (run, id) = ids(&desk.chat("First?").await);
    let after = json!({"run": run, "seq": 77});
    let forked = json!({"after": after});
    let asked = json!({"message": "And?", "conversation_id": id, "after": after});
    for (path, body) in
        [(format!("/api/conversations/{id}/fork"), forked), ("/api/chat/stream".to_owned(), asked)]
    {
        let answer = desk.post(&path, &body).await;
        assert_eq!(answer.status, 422, "{path}: {}", answer.text());
        let error = &answer.json()["error"];
        assert_eq!(error["message"], "there is no such point in the conversation", "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fork_is_a_conversation_of_its_own() {
    let (desk, model) = Desk::saying(script(&["One.", "Two.", "Three."])).await;
    let (first, id) = ids(&desk.chat("First?").await);
    desk.chat_with(json!({"message": "Second?", "conversation_id": id})).await;
    let path = format!("/api/conversations/{id}/fork");
    let forked = desk.post(&path, &json!({"after": {"run": first}})).await;
    assert_eq!(forked.status, 201, "{}", forked.text());
    let fork = forked.json();
    assert_eq!(
        (&fork["title"], &fork["runs"], &fork["state"]),
        (&"First?".into(), &1.into(), &"idle".into())
    );
    let new = fork["id"].as_str().unwrap();
    assert_ne!(new, id);
    let whole = desk.post(&path, &json!({})).await.json();
    assert_eq!(whole["runs"], 2);
    // It is there when the first is gone, and goes on.
    let gone =
        ask(desk.address, &Request::new("DELETE", &format!("/api/conversations/{id}"))).await;
    assert_eq!(gone.status, 204);
    desk.chat_with(json!({"message": "Third?", "conversation_id": new})).await;
    let said = sent(&model);
    assert!(
        said.contains("First?") && said.contains("One.") && !said.contains("Second?"),
        "{said}"
    );
    for (id, body, status) in [
        (new, json!({"after": {"run": "run_nobody"}}), 404),
        (new, json!({"after": {}}), 422),
        (new, json!({"since": 1}), 422),
        ("conv_nobody", json!({}), 404),
    ] {
        let answer = desk.post(&format!("/api/conversations/{id}/fork"), &body).await;
        assert_eq!(answer.status, status, "{body}: {}", answer.text());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_has_every_version() {
    let (desk, _model) = Desk::saying(script(&["Wrong.", "Right."])).await;
    let (_, id) = ids(&desk.chat("Which one?").await);
    desk.post(&format!("/api/conversations/{id}/retry"), &json!({})).await;
    let export = desk.get(&format!("/api/conversations/{id}/export")).await.json();
    let events = desk.get(&format!("/api/conversations/{id}/events")).await.json();
    assert!(events["events"].to_string().contains("\"after\""));
    let (other, model) = Desk::saying(script(&["So."])).await;
    let import = json!({"toolwright": export["toolwright"], "events": export["events"]});
    let imported = other.post("/api/conversations/import", &import).await;
    assert_eq!(imported.status, 200, "{}", imported.text());
    assert_eq!(other.get(&format!("/api/conversations/{id}/events")).await.json(), events);
    other.chat_with(json!({"message": "And?", "conversation_id": id})).await;
    assert!(sent(&model).contains("Right.") && !sent(&model).contains("Wrong."));
}
