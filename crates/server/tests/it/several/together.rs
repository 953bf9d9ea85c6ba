//! Asked on one, done on another, seen on a third.

use std::time::Duration;

use serde_json::json;
use toolwright_testkit::{Chunking, Reply, Script};

use super::{Servers, assert_whole, decide, delete, listen, log, path, summary, until};
use crate::{deciding::editing, harness::Request};

fn booking() -> Script {
    let arguments = json!({"ask": "table"}).to_string();
    Script::new()
        .reply(Reply::calls([("c1", "book", arguments.as_str())]))
        .reply(Reply::text("Done."))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_is_decided_about_on_another_server() {
    let servers = Servers::start(editing()).await;
    let (mut asked, id, shown) = servers.asked("call_preview").await;
    let mut third = listen(&servers.c, &id).await;
    let line = summary(&servers.b, &id).await;
    assert_eq!((&line["state"], &line["waiting"]), (&json!("running"), &json!(1)), "{line}");
    let listed = servers.b.get(&path(&id, "/decisions")).await.json();
    let listed = &listed["decisions"][0];
    assert_eq!((&listed["call_id"], &listed["fingerprint"]), (&shown["id"], &shown["fingerprint"]));
    assert_eq!(listed["always"].as_array().unwrap().len(), 1, "{listed}");

    let mut other = shown.clone();
    other["fingerprint"] = "00".into();
    let refused = decide(&servers.b, &id, &other, json!({"verdict": "allow"})).await;
    assert_eq!((refused.status, refused.code().as_str()), (409, "changed"));
    other["id"] = "c9".into();
    assert_eq!(decide(&servers.b, &id, &other, json!({"verdict": "allow"})).await.status, 404);
    let taken = decide(&servers.b, &id, &shown, json!({"verdict": "allow"})).await;
    assert_eq!(taken.status, 200, "{}", taken.text());
    assert_eq!(decide(&servers.c, &id, &shown, json!({"verdict": "deny"})).await.status, 404);

    asked.until("done").await;
    let heard = third.until("done").await;
    assert_eq!(heard[0].1["type"], "run_started", "from the beginning of the run that went on");
    assert_whole(&heard, &log(&servers.b, &id).await);
    let file = std::fs::read_to_string(servers.a.work().join("a.txt")).unwrap();
    assert_eq!(file, "new\n");
    until(async || summary(&servers.b, &id).await["state"] == "idle").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_denied_edited_and_allowed_for_good_on_another_server() {
    let servers = Servers::start(editing()).await;
    let (mut asked, id, shown) = servers.asked("call_preview").await;
    let better = json!({"file_path": "a.txt", "old_string": "old", "new_string": "better"});
    let edit = json!({"verdict": "edit", "arguments": better});
    assert_eq!(decide(&servers.b, &id, &shown, edit.clone()).await.status, 200);
    let shown = asked.until("call_preview").await.last().unwrap().1.clone();
    // The very same once more: it is asked about again, and can be decided about again.
    assert_eq!(decide(&servers.c, &id, &shown, edit).await.status, 200);
    let shown = asked.until("call_preview").await.last().unwrap().1.clone();
    let no = decide(&servers.b, &id, &shown, json!({"verdict": "always"})).await;
    assert_eq!(no.status, 422, "what somebody changed is no rule: {}", no.text());
    let denial = json!({"verdict": "deny", "reason": "not that file"});
    assert_eq!(decide(&servers.b, &id, &shown, denial).await.status, 200);
    asked.until("done").await;
    assert!(servers.model.requests()[1].body.to_string().contains("not that file"));

    let body = json!({"message": "Again", "conversation_id": id});
    let request = Request::new("POST", "/api/chat/stream").json(&body);
    let mut asked = crate::harness::Listening::to(servers.a.address, &request).await;
    let shown = asked.until("call_preview").await.last().unwrap().1.clone();
    let taken = decide(&servers.b, &id, &shown, json!({"verdict": "always"})).await;
    assert_eq!(taken.json()["rules"].as_array().unwrap().len(), 1, "{}", taken.text());
    asked.until("done").await;
    // Whoever drives knows the rule, and whoever was told of it does; once.
    for desk in [&servers.a, &servers.b] {
        let rules = desk.get("/api/approvals").await.json();
        assert_eq!(rules["rules"].as_array().unwrap().len(), 1, "{rules}");
    }
}

/// Of two who decide at the same time, one is first.
#[tokio::test(flavor = "multi_thread")]
async fn one_decision_is_taken() {
    let servers = Servers::start(editing()).await;
    let (mut asked, id, shown) = servers.asked("call_preview").await;
    until(async || {
        let listed = servers.a.get(&path(&id, "/decisions")).await.json();
        listed["decisions"].as_array().unwrap().len() == 1
    })
    .await;
    let (allow, deny) = (json!({"verdict": "allow"}), json!({"verdict": "deny"}));
    let (a, b, c) = tokio::join!(
        decide(&servers.a, &id, &shown, allow),
        decide(&servers.b, &id, &shown, deny.clone()),
        decide(&servers.c, &id, &shown, deny),
    );
    let mut all = [a.status, b.status, c.status];
    let wanted = if a.status == 200 { "success" } else { "denied" };
    all.sort_unstable();
    assert_eq!(all, [200, 404, 404]);
    let done = asked.until("done").await;
    assert_eq!(done.last().unwrap().1["tool_calls"][0]["status"], wanted);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_stopped_on_another_server() {
    let slow = Reply::text("Never.").delay(Duration::from_secs(3600));
    let servers = Servers::start(Script::new().reply(slow)).await;
    let (mut asked, id, _) = servers.asked("round_started").await;
    let mut third = listen(&servers.c, &id).await;
    third.until("round_started").await;
    let stop = path(&id, "/stop");
    assert_eq!(servers.b.post(&stop, &json!({})).await.status, 202);
    assert_eq!(asked.until("error").await.last().unwrap().1["kind"], "cancelled");
    assert_eq!(third.until("error").await.last().unwrap().1["kind"], "cancelled");
    until(async || servers.b.post(&stop, &json!({})).await.status == 404).await;
    assert_eq!(servers.c.post(&path("conv_none", "/stop"), &json!({})).await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_answered_on_another_server() {
    let mut servers = Servers::start(booking()).await;
    // What asks the user is not what is decided about.
    let setup = crate::harness::Setup {
        beforehand: toolwright_app::AutoApprove::Everything,
        workspace: false,
        ..servers.database.setup()
    };
    servers.a = crate::harness::Desk::start(setup, Some(servers.model.base_url())).await;
    let (mut asked, id, question) = servers.asked("question_asked").await;
    assert_eq!(summary(&servers.b, &id).await["waiting"], 1);
    let answer = async |desk: &crate::harness::Desk, question: &str, more: serde_json::Value| {
        let mut body = json!({"call_id": "c1", "question_id": question});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        desk.post(&path(&id, "/questions"), &body).await
    };
    let name = question["question_id"].as_str().unwrap();
    let wrong = json!({"action": "accept", "content": {"place": "roof", "guests": 99}});
    let refused = answer(&servers.b, name, wrong).await;
    assert_eq!(refused.status, 422, "{}", refused.text());
    assert!(refused.text().contains("Guests has to be at most 12"), "{}", refused.text());
    assert_eq!(answer(&servers.b, "q9", json!({"action": "decline"})).await.status, 404);
    let right = json!({"action": "accept", "content": {"place": "out"}});
    assert_eq!(answer(&servers.b, name, right).await.status, 204);
    let twice = answer(&servers.c, name, json!({"action": "decline"})).await;
    assert_eq!(twice.status, 404, "{}", twice.text());
    let events = asked.until("done").await;
    let answered = events.iter().find(|(_, it)| it["type"] == "question_answered").unwrap();
    assert_eq!(answered.1["answer"]["content"]["place"], "out", "{}", answered.1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_said_on_another_server_is_taken_up() {
    let servers = Servers::start(editing().reply(Reply::text("Third."))).await;
    let (mut asked, id, shown) = servers.asked("call_preview").await;
    let mut third = listen(&servers.c, &id).await;
    third.until("call_preview").await;
    let say = async |message: &str, mode: &str| {
        let body = json!({"message": message, "mode": mode});
        let said = servers.b.post(&path(&id, "/messages"), &body).await;
        assert_eq!(said.status, 202, "{}", said.text());
        said.json()["id"].as_str().unwrap().to_owned()
    };
    let steer = say("In French", "steer").await;
    third.until("queue_changed").await;
    let next = say("And now?", "next").await;
    let never = say("Never", "next").await;
    let waiting = servers.c.get(&path(&id, "/messages")).await.json();
    assert_eq!(waiting["messages"].as_array().unwrap().len(), 3, "{waiting}");
    assert_eq!(delete(&servers.c, &path(&id, &format!("/messages/{never}"))).await, 204);

    assert_eq!(decide(&servers.b, &id, &shown, json!({"verdict": "deny"})).await.status, 200);
    let first = asked.until("done").await;
    assert!(first.iter().any(|(_, it)| it["queued"] == steer.as_str()), "{first:?}");
    let mut heard = third.until("done").await;
    // The run that follows is the next question's, and whoever listens hears it.
    let shown = third.until("call_preview").await;
    assert!(shown.iter().any(|(_, it)| it["queued"] == next.as_str()), "{shown:?}");
    heard.extend(shown.clone());
    let deny = json!({"verdict": "deny"});
    assert_eq!(decide(&servers.c, &id, &shown.last().unwrap().1, deny).await.status, 200);
    heard.extend(third.until("done").await);
    until(async || summary(&servers.b, &id).await["state"] == "idle").await;
    let late = servers.b.post(&path(&id, "/messages"), &json!({"message": "Late"})).await;
    assert_eq!((late.status, late.code().as_str()), (409, "idle"));
    assert_eq!(servers.b.get(&path(&id, "/messages")).await.json()["messages"], json!([]));
}

/// The connections on which servers hear of each other break in the middle: nobody misses anything.
#[tokio::test(flavor = "multi_thread")]
async fn who_was_cut_off_hears_the_rest() {
    let servers = Servers::start(editing()).await;
    let (mut asked, id, shown) = servers.asked("call_preview").await;
    let mut third = listen(&servers.c, &id).await;
    let mut heard = third.until("call_preview").await;
    servers.database.cut_listening().await;
    assert_eq!(decide(&servers.b, &id, &shown, json!({"verdict": "allow"})).await.status, 200);
    servers.database.cut_listening().await;
    asked.until("done").await;
    heard.extend(third.until("done").await);
    assert_whole(&heard, &log(&servers.a, &id).await);
}

/// Whoever was with one server goes on with another, from where they were.
#[tokio::test(flavor = "multi_thread")]
async fn a_listener_moves_from_server_to_server() {
    let servers = Servers::start(editing()).await;
    let (mut asked, id, shown) = servers.asked("call_preview").await;
    let mut heard = Vec::new();
    let mut after: Option<String> = None;
    for (desk, kind) in [(&servers.b, "round_started"), (&servers.a, "tool_calls")] {
        let mut request = Request::new("GET", &path(&id, "/stream"));
        if let Some(after) = &after {
            request = request.header("Last-Event-ID", after);
        }
        let mut stream = crate::harness::Listening::to(desk.address, &request).await;
        heard.extend(stream.until(kind).await);
        after = heard.last().map(|(id, _)| id.clone());
    }
    let request = Request::new("GET", &path(&id, "/stream"));
    let request = request.header("Last-Event-ID", after.as_deref().unwrap());
    let mut stream = crate::harness::Listening::to(servers.c.address, &request).await;
    assert_eq!(decide(&servers.c, &id, &shown, json!({"verdict": "allow"})).await.status, 200);
    heard.extend(stream.until("done").await);
    asked.until("done").await;
    assert_whole(&heard, &log(&servers.a, &id).await);
}

/// What a model says is seen piece by piece on other servers, too.
#[tokio::test(flavor = "multi_thread")]
async fn pieces_are_shown_on_other_servers() {
    let words = "one two three four five six seven eight nine ten ".repeat(8);
    let slow = Reply::text(words).chunking(Chunking::PerEvent).pace(Duration::from_millis(50));
    let servers = Servers::start(Script::new().reply(slow)).await;
    let (mut asked, id, _) = servers.asked("round_started").await;
    let mut third = listen(&servers.c, &id).await;
    let heard = third.until("done").await;
    asked.until("done").await;
    let pieces = heard.iter().filter(|(id, _)| id.contains('.')).count();
    assert!(pieces > 0, "{heard:?}");
    assert_whole(&heard, &log(&servers.c, &id).await);
}
