//! Questions of tools that wait for the user.

use serde_json::{Value, json};
use toolwright_app::AutoApprove;
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::harness::{Answer, Desk, Listening, Request, Setup};

fn booking(ask: &str) -> Script {
    let arguments = json!({"ask": ask}).to_string();
    Script::new()
        .reply(Reply::calls([("c1", "book", arguments.as_str())]))
        .reply(Reply::text("Done."))
}

async fn desk(ask: &str) -> (Desk, ModelServer) {
    // What was approved beforehand answers nothing.
    let setup = Setup { beforehand: AutoApprove::Everything, ..Setup::default() };
    Desk::with(setup, booking(ask)).await
}

/// A run whose tool waits for the user: its stream, its conversation and what it asks.
async fn waiting(desk: &Desk) -> (Listening, String, Value) {
    let request = Request::new("POST", "/api/chat/stream").json(&json!({"message": "Book"}));
    let mut stream = Listening::to(desk.address, &request).await;
    let events = stream.until("question_asked").await;
    let id = events[0].1["conversation_id"].as_str().unwrap().to_owned();
    let asked = events.last().unwrap().1.clone();
    (stream, id, asked)
}

async fn answer(desk: &Desk, id: &str, asked: &Value, more: Value) -> Answer {
    let mut body = json!({"call_id": asked["id"], "question_id": asked["question_id"]});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    desk.post(&format!("/api/conversations/{id}/questions"), &body).await
}

fn said(model: &ModelServer) -> Value {
    let body = &model.requests()[1].body;
    let result = body["messages"].as_array().unwrap().iter().find(|it| it["role"] == "tool");
    serde_json::from_str(result.unwrap()["content"].as_str().unwrap()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_checked_and_reaches_the_tool() {
    let (desk, model) = desk("table").await;
    let (mut stream, id, asked) = waiting(&desk).await;
    let question = &asked["question"];
    assert_eq!((&asked["tool"], &question["asker"]), (&json!("book"), &json!("Tables & Co")));
    assert_eq!(question["fields"][0]["options"][0], json!({"value": "in", "title": "Inside"}));
    // What is not valid is told, and the question goes on waiting.
    let wrong = json!({"action": "accept", "content": {"place": "roof", "guests": 99}});
    let refused = answer(&desk, &id, &asked, wrong).await;
    assert_eq!((refused.status, refused.code().as_str()), (422, "invalid"));
    assert!(refused.text().contains("Guests has to be at most 12"), "{}", refused.text());
    for (name, other) in [("question_id", "q2"), ("id", "c2")] {
        let mut stale = asked.clone();
        stale[name] = other.into();
        let refused = answer(&desk, &id, &stale, json!({"action": "decline"})).await;
        assert_eq!(refused.status, 404, "{name}");
    }
    let content = json!({"place": "out", "email": null, "extras": ["cake"]});
    let taken = answer(&desk, &id, &asked, json!({"action": "accept", "content": content})).await;
    assert_eq!(taken.status, 204, "{}", taken.text());
    let events = stream.until("done").await;
    assert!(events.iter().any(|(_, it)| it["type"] == "question_answered"));
    let content = json!({"place": "out", "guests": 2, "quiet": true, "extras": ["cake"]});
    assert_eq!(said(&model), json!({"action": "accept", "content": content}));
    let late = answer(&desk, &id, &asked, json!({"action": "decline"})).await;
    assert_eq!(late.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn it_can_be_declined_and_closed() {
    for action in ["decline", "cancel"] {
        let (desk, model) = desk("url").await;
        let (mut stream, id, asked) = waiting(&desk).await;
        assert_eq!(asked["question"]["host"], "tables.example");
        assert_eq!(answer(&desk, &id, &asked, json!({"action": action})).await.status, 204);
        stream.until("done").await;
        assert_eq!(said(&model), json!({"action": action}));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_comes_back_is_told_and_what_was_stopped_does_not_wait() {
    let (desk, _model) = desk("yes").await;
    let (stream, id, asked) = waiting(&desk).await;
    drop(stream);
    let log = desk.get(&format!("/api/conversations/{id}/events")).await.json();
    assert!(log.to_string().contains("question_asked"), "{log}");
    desk.post(&format!("/api/conversations/{id}/stop"), &json!({})).await;
    let gone = async {
        loop {
            let late = answer(&desk, &id, &asked, json!({"action": "accept"})).await;
            if late.status == 404 {
                break;
            }
            assert_eq!(late.status, 204);
        }
    };
    tokio::time::timeout(crate::harness::PATIENCE, gone).await.unwrap();
}

fn data(text: &str) -> Vec<Value> {
    crate::harness::events(text).into_iter().map(|(_, event)| event).collect()
}

/// A client of AG-UI is interrupted for each question in turn, and misses nothing meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn ag_ui_is_interrupted_for_a_question() {
    let (desk, model) = desk("twice").await;
    let mut body = json!({
        "threadId": "thread-0123456789", "runId": "run-1",
        "messages": [{"id": "m1", "role": "user", "content": "Book"}],
    });
    let mut events = data(&desk.post("/api/chat/ag-ui", &body).await.text());
    for name in ["Ann", "Bo"] {
        let interrupt = &events.last().unwrap()["outcome"]["interrupts"][0];
        assert_eq!(interrupt["reason"], "question", "{events:?}");
        assert_eq!(interrupt["responseSchema"]["required"], json!(["name"]));
        let (id, asked) = (interrupt["id"].clone(), interrupt["message"].as_str().unwrap());
        assert!(asked.starts_with("book asks: Who comes "), "{asked}");
        let nothing = json!([{"interruptId": id, "status": "resolved", "payload": {}}]);
        body["resume"] = nothing;
        assert_eq!(desk.post("/api/chat/ag-ui", &body).await.status, 422);
        body["resume"] =
            json!([{"interruptId": id, "status": "resolved", "payload": {"name": name}}]);
        events = data(&desk.post("/api/chat/ag-ui", &body).await.text());
    }
    let types: Vec<_> = events.iter().map(|it| it["type"].as_str().unwrap()).collect();
    assert!(types.contains(&"TOOL_CALL_RESULT"), "{types:?}");
    assert_eq!(events.last().unwrap()["outcome"]["type"], "success");
    assert!(said(&model).to_string().contains("Bo"));
}

#[tokio::test(flavor = "multi_thread")]
async fn ag_ui_declines_by_cancelling() {
    let (desk, model) = desk("yes").await;
    let mut body = json!({
        "threadId": "thread-0123456789", "runId": "run-1",
        "messages": [{"id": "m1", "role": "user", "content": "Book"}],
    });
    let events = data(&desk.post("/api/chat/ag-ui", &body).await.text());
    let id = events.last().unwrap()["outcome"]["interrupts"][0]["id"].clone();
    for odd in ["question#", "question#q1", "question#q1#x#c1", "question#q9#3#c1"] {
        body["resume"] = json!([{"interruptId": odd, "status": "resolved"}]);
        assert_eq!(desk.post("/api/chat/ag-ui", &body).await.status, 404, "{odd}");
    }
    body["resume"] = json!([{"interruptId": id, "status": "cancelled"}]);
    let events = data(&desk.post("/api/chat/ag-ui", &body).await.text());
    assert_eq!(events.last().unwrap()["outcome"]["type"], "success", "{events:?}");
    assert_eq!(said(&model), json!({"action": "decline"}));
}

/// Clients of the AI SDK are told in a part of its own, and answer as they decide.
#[tokio::test(flavor = "multi_thread")]
async fn the_ai_sdk_is_told_of_a_question() {
    let (desk, model) = desk("yes").await;
    let body = json!({
        "id": "abcdefgh12345678", "trigger": "submit-message",
        "messages": [{"id": "m1", "role": "user", "parts": [{"type": "text", "text": "Book"}]}],
    });
    let request = Request::new("POST", "/api/chat/ai-sdk").json(&body);
    let mut stream = Listening::to(desk.address, &request).await;
    let events = stream.until("data-question").await;
    let part = &events.last().unwrap().1["data"];
    assert_eq!(part["question"]["message"], "Shall I book the last table?");
    let asked = json!({"id": part["toolCallId"], "question_id": part["questionId"]});
    let taken = answer(&desk, "abcdefgh12345678", &asked, json!({"action": "accept"})).await;
    assert_eq!(taken.status, 204, "{}", taken.text());
    stream.until("finish").await;
    assert_eq!(said(&model), json!({"action": "accept", "content": {}}));
}

/// A client of OpenAI's API cannot be asked: it is declined at once.
#[tokio::test(flavor = "multi_thread")]
async fn a_completion_declines() {
    let (desk, model) = desk("yes").await;
    let body = json!({
        "model": "toolwright", "messages": [{"role": "user", "content": "Book"}],
    });
    let answer = desk.post("/v1/chat/completions", &body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(said(&model), json!({"action": "decline"}));
}
