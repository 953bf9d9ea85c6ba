//! Messages to a run that goes on: taken up while it does, or asked when it has ended.

use serde_json::{Value, json};
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::harness::{Answer, Desk, Listening, Request, Setup, ask};

const EDIT: &str = r#"{"file_path":"a.txt","old_string":"old","new_string":"new"}"#;

/// A run that waits for a decision, and so for as long as a test wants.
struct Going {
    desk: Desk,
    model: ModelServer,
    stream: Listening,
    id: String,
    shown: Value,
}

impl Going {
    /// The replies behind the call that waits.
    async fn start(replies: &[&str]) -> Self {
        let script = Script::new().reply(Reply::calls([("c1", "edit", EDIT)]));
        let script = replies.iter().fold(script, |script, text| script.reply(Reply::text(*text)));
        let setup = Setup { workspace: true, ..Setup::default() };
        let (desk, model) = Desk::with(setup, script).await;
        std::fs::write(desk.work().join("a.txt"), "old\n").unwrap();
        let request = Request::new("POST", "/api/chat/stream")
            .json(&json!({"message": "Edit it, old as it is"}));
        let mut stream = Listening::to(desk.address, &request).await;
        let events = stream.until("call_preview").await;
        let id = events[0].1["conversation_id"].as_str().unwrap().to_owned();
        let shown = events.last().unwrap().1.clone();
        Self { desk, model, stream, id, shown }
    }

    fn path(&self, rest: &str) -> String {
        format!("/api/conversations/{}{rest}", self.id)
    }

    async fn say(&self, body: Value) -> Answer {
        self.desk.post(&self.path("/messages"), &body).await
    }

    /// Says something that is taken; its name.
    async fn said(&self, message: &str, mode: &str) -> String {
        let answer = self.say(json!({"message": message, "mode": mode})).await;
        assert_eq!(answer.status, 202, "{}", answer.text());
        answer.json()["id"].as_str().unwrap().to_owned()
    }

    async fn waiting(&self) -> Vec<String> {
        waiting(&self.desk, &self.id).await
    }

    async fn withdraw(&self, message: &str) -> u16 {
        let request = Request::new("DELETE", &self.path(&format!("/messages/{message}")));
        ask(self.desk.address, &request).await.status
    }

    async fn allow(&self) {
        let (call, about) = (&self.shown["id"], &self.shown["fingerprint"]);
        let body = json!({"call_id": call, "fingerprint": about, "verdict": "allow"});
        let answer = self.desk.post(&self.path("/decisions"), &body).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }

    /// Everything that happens in the conversation, from its beginning.
    async fn listen(&self) -> Listening {
        let request = Request::new("GET", &self.path("/stream")).header("last-event-id", "0");
        Listening::to(self.desk.address, &request).await
    }
}

async fn waiting(desk: &Desk, id: &str) -> Vec<String> {
    let answer = desk.get(&format!("/api/conversations/{id}/messages")).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let messages = answer.json()["messages"].as_array().unwrap().clone();
    messages.iter().map(|it| it["message"]["content"].as_str().unwrap().to_owned()).collect()
}

/// What was taken up among these events: its name and whether it steers.
fn taken(events: &[(String, Value)]) -> Vec<(String, bool)> {
    let named = events.iter().filter_map(|(_, event)| {
        let name = event["queued"].as_str()?.to_owned();
        Some((name, event["message"]["steers"] == true))
    });
    named.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_steers_is_taken_up_behind_the_results() {
    let mut going = Going::start(&["Edited, briefly."]).await;
    let one = going.said("Be brief.", "steer").await;
    // Where nothing is said, it steers.
    let answer = going.say(json!({"message": "And kind."})).await;
    let two = answer.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(going.waiting().await, ["Be brief.", "And kind."]);
    going.allow().await;
    let events = going.stream.until("done").await;
    assert_eq!(taken(&events), [(one.clone(), true), (two, true)]);
    assert!(going.waiting().await.is_empty());
    assert_eq!(going.withdraw(&one).await, 409, "it was taken up");
    let sent = going.model.requests()[1].body["messages"].clone();
    let roles: Vec<_> = sent.as_array().unwrap().iter().rev().take(3).collect();
    assert_eq!(
        (&roles[0]["content"], &roles[1]["content"]),
        (&json!("And kind."), &json!("Be brief."))
    );
    assert_eq!(roles[2]["role"], "tool");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_for_the_end_is_asked_by_itself() {
    let mut going = Going::start(&["Edited.", "First.", "Second."]).await;
    let mut all = going.listen().await;
    let one = going.said("And then?", "next").await;
    let two = going.said("And after that?", "next").await;
    going.allow().await;
    let events = going.stream.until("done").await;
    assert!(taken(&events).is_empty(), "it waits for the end");
    for (name, answer) in [(one, "First."), (two, "Second.")] {
        all.until("done").await;
        let events = all.until("reply").await;
        assert_eq!(taken(&events), [(name, false)], "it is a question of its own");
        assert_eq!(events.last().unwrap().1["message"]["content"], answer);
    }
    all.until("done").await;
    assert!(going.waiting().await.is_empty());
    let line = going.desk.get(&going.path("")).await.json();
    assert_eq!(line["runs"], 3);
}

/// The run that goes on has its tools; what begins behind it has those that are on by then.
#[tokio::test(flavor = "multi_thread")]
async fn what_waits_is_asked_without_the_tools_that_were_switched_off_meanwhile() {
    let mut going = Going::start(&["Edited.", "First.", "Second."]).await;
    let mut all = going.listen().await;
    let body = json!({"message": "And then?", "mode": "next", "tools_off": ["edit"]});
    assert_eq!(going.say(body).await.status, 202);
    going.said("And after that?", "next").await;
    let wrong = json!({"message": "?", "mode": "next", "tools_off": ["a b"]});
    assert_eq!(going.say(wrong).await.status, 422);
    going.allow().await;
    going.stream.until("done").await;
    all.until("done").await;
    for _ in 0..2 {
        let events = all.until("done").await;
        let began = events.iter().find(|(_, it)| it["type"] == "run_started");
        assert_eq!(began.unwrap().1["tools_off"], json!(["edit"]), "{events:?}");
    }
    for (number, request) in going.model.requests().iter().enumerate() {
        let is_offered = request.body["tools"].to_string().contains("\"edit\"");
        assert_eq!(is_offered, number < 2, "{number}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_taken_back_is_not_taken_up() {
    let mut going = Going::start(&["Edited."]).await;
    let gone = going.said("Never mind.", "steer").await;
    let later = going.said("Nor this.", "next").await;
    assert_eq!(going.withdraw(&gone).await, 204);
    assert_eq!(going.withdraw(&gone).await, 404);
    assert_eq!(going.withdraw(&later).await, 204);
    assert!(going.waiting().await.is_empty());
    going.allow().await;
    let events = going.stream.until("done").await;
    assert!(taken(&events).is_empty());
    assert_eq!(going.model.requests().len(), 2);
}

/// Whoever else has the conversation open learns of it at once, also who comes later.
#[tokio::test(flavor = "multi_thread")]
async fn what_waits_is_told_to_everybody_who_listens() {
    let mut going = Going::start(&["Edited."]).await;
    let mut other = going.listen().await;
    other.until("call_preview").await;
    let one = going.said("Never mind.", "next").await;
    let told = other.next().await.unwrap();
    assert_eq!(told, (String::new(), json!({"type": "queue_changed"})));
    assert_eq!(going.withdraw(&one).await, 204);
    assert_eq!(other.next().await.unwrap().1["type"], "queue_changed");
    let mut later = going.listen().await;
    assert_eq!(later.next().await.unwrap().1["type"], "queue_changed");
    going.allow().await;
    // It has no place, and those of the events are what they were.
    let numbers = later.until("done").await.into_iter().filter(|(id, _)| !id.contains('.'));
    for (at, (id, event)) in numbers.enumerate() {
        assert_eq!(id, (at + 1).to_string(), "{event}");
    }
    // Whoever began the run listens to its stream.
    let own = going.stream.until("done").await;
    let told = own.iter().filter(|(_, event)| event["type"] == "queue_changed");
    assert!(told.count() > 0, "{own:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_taken_is_refused() {
    let mut going = Going::start(&["Edited."]).await;
    let nobody =
        going.desk.post("/api/conversations/conv_x/messages", &json!({"message": "?"})).await;
    assert_eq!(nobody.status, 404);
    assert_eq!(going.say(json!({"message": " \n"})).await.status, 422);
    assert_eq!(going.say(json!({"message": "?", "mode": "soon"})).await.status, 422);
    assert_eq!(going.say(json!({"message": "?", "when": "now"})).await.status, 422);
    assert_eq!(going.withdraw("msg_x%00").await, 404);
    for number in 0..50 {
        going.said(&format!("Number {number}."), "steer").await;
    }
    let full = going.say(json!({"message": "One more."})).await;
    assert_eq!((full.status, full.code().as_str()), (409, "queue_full"));
    going.allow().await;
    going.stream.until("done").await;
    let idle = going.say(json!({"message": "Hello?"})).await;
    assert_eq!((idle.status, idle.code().as_str()), (409, "idle"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_survives_the_server_and_is_taken_up_by_the_next_run() {
    let mut going = Going::start(&[]).await;
    let steer = going.said("Be brief.", "steer").await;
    let next = going.said("And then?", "next").await;
    going.desk.stop().await;
    // A run that waits for a decision is left as it is.
    let mut end = Vec::new();
    while let Some(event) = going.stream.next().await {
        end.push(event);
    }
    assert!(taken(&end).is_empty(), "nobody goes on with what was stopped");
    let folder = std::mem::replace(&mut going.desk.folder, tempfile::tempdir().unwrap());
    let replies = ["Again, briefly.", "Then nothing."];
    let script = replies.iter().fold(Script::new(), |it, text| it.reply(Reply::text(*text)));
    let model = ModelServer::start(script).await;
    let desk = Desk::start_in(folder, Setup::default(), Some(model.base_url())).await;
    assert_eq!(waiting(&desk, &going.id).await, ["Be brief.", "And then?"]);
    let path = format!("/api/conversations/{}/stream", going.id);
    let mut all = Listening::to(desk.address, &Request::new("GET", &path)).await;
    let events = desk.chat_with(json!({"message": "Again?", "conversation_id": going.id})).await;
    let events: Vec<_> = events.into_iter().map(|it| (String::new(), it)).collect();
    assert_eq!(taken(&events), [(steer, true)]);
    all.until("done").await;
    assert_eq!(taken(&all.until("done").await), [(next, false)]);
    assert!(waiting(&desk, &going.id).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_attached_comes_with_it() {
    let mut going = Going::start(&["A list."]).await;
    let file = json!({"name": "list.txt", "data": "bWlsaywgZWdncw=="});
    let body = json!({"message": "See this.", "attachments": [file]});
    assert_eq!(going.say(body).await.status, 202);
    going.allow().await;
    going.stream.until("done").await;
    let sent = going.model.requests()[1].body.to_string();
    assert!(sent.contains("milk, eggs"), "{sent}");
}
