//! Servers that go: killed, or told to stop.

use std::time::Duration;

use serde_json::json;
use tokio::runtime::Runtime;
use toolwright_server::Limits;
use toolwright_testkit::{ModelServer, Reply, Script};

use super::{Database, assert_whole, decide, entrusted::store, listen, log, path, summary, until};
use crate::{
    deciding::editing,
    harness::{Desk, Listening, Request, Setup, ask},
};

pub(super) fn go(id: Option<&str>) -> Request {
    Request::new("POST", "/api/chat/stream")
        .json(&json!({"message": "The old must go", "conversation_id": id}))
}

/// A server in a world of its own, which can end at once: nothing in it gets to do anything any more.
pub(super) struct Doomed {
    pub(super) desk: Desk,
    world: Option<Runtime>,
}

impl Doomed {
    pub(super) async fn start(database: &Database, model: &ModelServer) -> Self {
        let world = Runtime::new().unwrap();
        let (setup, model) = (database.setup(), model.base_url().to_owned());
        let desk = world.spawn(async move { Desk::start(setup, Some(&model)).await });
        Self { desk: desk.await.unwrap(), world: Some(world) }
    }

    pub(super) fn kill(&mut self) {
        self.world.take().unwrap().shutdown_background();
    }
}

/// Killed while a call waits: another server says so, and goes on with it; who listens elsewhere hears all of it.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_dead_server_left_is_resumed_on_another() {
    let (database, model) = (Database::new().await, ModelServer::start(editing()).await);
    let mut a = Doomed::start(&database, &model).await;
    let limits = Limits { looking: Duration::from_millis(100), ..Setup::default().limits };
    let c = Setup { limits, ..database.setup() };
    let c = Desk::start(c, Some(model.base_url())).await;
    let b = database.desk(&model).await;
    std::fs::write(b.work().join("a.txt"), "old\n").unwrap();
    std::fs::write(a.desk.work().join("a.txt"), "old\n").unwrap();
    let mut asked = Listening::to(a.desk.address, &go(None)).await;
    let events = asked.until("call_preview").await;
    let id = events[0].1["conversation_id"].as_str().unwrap().to_owned();
    let mut third = listen(&c, &id).await;
    let mut heard = third.until("call_preview").await;
    a.kill();
    until(async || summary(&b, &id).await["state"] == "unfinished").await;
    // Whoever listens anywhere is told.
    let undriven = third.until("undriven").await.pop().unwrap().1;
    assert!(undriven["message"].as_str().unwrap().contains("resume it"), "{undriven}");
    let shown = &events.last().unwrap().1;
    let decided = decide(&b, &id, shown, json!({"verdict": "allow"})).await;
    assert_eq!(
        (decided.status, decided.code().as_str()),
        (409, "unfinished"),
        "{}",
        decided.text()
    );
    let said = b.post(&path(&id, "/messages"), &json!({"message": "And?"})).await;
    assert_eq!((said.status, said.code().as_str()), (409, "idle"));

    let request = Request::new("POST", &path(&id, "/resume")).json(&json!({}));
    let mut resumed = Listening::to(b.address, &request).await;
    let shown = resumed.until("call_preview").await.last().unwrap().1.clone();
    assert_eq!(summary(&c, &id).await["state"], "running");
    assert_eq!(decide(&c, &id, &shown, json!({"verdict": "allow"})).await.status, 200);
    resumed.until("done").await;
    heard.extend(third.until("done").await);
    assert_whole(&heard, &log(&c, &id).await);
    assert_eq!(heard.iter().filter(|(_, it)| it["type"] == "done").count(), 1);
}

/// Taken over while a call waits, by somebody who did not have to wait for a dead one: where it was asked, everybody hears
/// the rest.
#[tokio::test(flavor = "multi_thread")]
async fn what_another_server_took_over_is_heard_where_it_was_asked() {
    let (database, model) = (Database::new().await, ModelServer::start(editing()).await);
    let (a, b) = (database.desk(&model).await, database.desk(&model).await);
    for desk in [&a, &b] {
        std::fs::write(desk.work().join("a.txt"), "old\n").unwrap();
    }
    let mut asked = Listening::to(a.address, &go(None)).await;
    let mut first = asked.until("call_preview").await;
    let id = first[0].1["conversation_id"].as_str().unwrap().to_owned();
    let mut second = listen(&a, &id).await;
    let mut heard = second.until("call_preview").await;
    drop(store(&database).await.seize(&id.as_str().into()).await.unwrap());
    until(async || summary(&b, &id).await["state"] == "unfinished").await;

    let request = Request::new("POST", &path(&id, "/resume")).json(&json!({}));
    let mut resumed = Listening::to(b.address, &request).await;
    let shown = resumed.until("call_preview").await.last().unwrap().1.clone();
    assert_eq!(decide(&a, &id, &shown, json!({"verdict": "allow"})).await.status, 200);
    resumed.until("done").await;
    first.extend(asked.until("done").await);
    heard.extend(second.until("done").await);
    let log = log(&b, &id).await;
    assert_whole(&first, &log);
    assert_whole(&heard, &log);
}

/// Told to stop: it is not ready at once, what only waits for a person is left for another server, and streams end
/// with when to come back.
#[tokio::test(flavor = "multi_thread")]
async fn what_waits_for_a_person_is_left_to_another() {
    let (database, model) = (Database::new().await, ModelServer::start(editing()).await);
    let limits = Limits { drain_delay: Duration::from_secs(5), ..Setup::default().limits };
    let setup = Setup { limits, ..database.setup() };
    let mut a = Desk::start(setup, Some(model.base_url())).await;
    let b = database.desk(&model).await;
    for desk in [&a, &b] {
        std::fs::write(desk.work().join("a.txt"), "old\n").unwrap();
    }
    let mut asked = Listening::to(a.address, &go(None)).await;
    let events = asked.until("call_preview").await;
    let id = events[0].1["conversation_id"].as_str().unwrap().to_owned();
    until(async || summary(&a, &id).await["waiting"] == 1).await;
    assert_eq!(a.get("/api/health").await.status, 200);
    let address = a.address;
    let looking = tokio::spawn(async move {
        loop {
            let answer = crate::harness::ask(address, &Request::new("GET", "/api/health")).await;
            if answer.status != 200 {
                let live = Request::new("GET", "/api/health/live");
                return (answer, crate::harness::ask(address, &live).await.status);
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    });
    a.stop().await;
    let (ready, live) = looking.await.unwrap();
    assert_eq!((ready.status, ready.code().as_str(), live), (503, "draining", 200));
    assert!(asked.next().await.is_none(), "the run has not ended");
    assert!(asked.text().contains("\nretry: "), "{}", asked.text());

    until(async || summary(&b, &id).await["state"] == "unfinished").await;
    let request = Request::new("POST", &path(&id, "/resume")).json(&json!({}));
    let mut resumed = Listening::to(b.address, &request).await;
    let shown = resumed.until("call_preview").await.last().unwrap().1.clone();
    assert_eq!(decide(&b, &id, &shown, json!({"verdict": "allow"})).await.status, 200);
    let done = resumed.until("done").await;
    assert_eq!(done.last().unwrap().1["tool_calls"][0]["status"], "success");
    let log = log(&b, &id).await;
    assert_eq!(log.iter().filter(|(_, it)| it["type"] == "error").count(), 0, "{log:?}");
}

/// The same of a server with a file, which is started again.
#[tokio::test(flavor = "multi_thread")]
async fn what_waits_for_a_person_survives_a_restart() {
    let model = ModelServer::start(editing()).await;
    let setup = || Setup { workspace: true, ..Setup::default() };
    let mut desk = Desk::start(setup(), Some(model.base_url())).await;
    std::fs::write(desk.work().join("a.txt"), "old\n").unwrap();
    let mut asked = Listening::to(desk.address, &go(None)).await;
    let events = asked.until("call_preview").await;
    let id = events[0].1["conversation_id"].as_str().unwrap().to_owned();
    until(async || summary(&desk, &id).await["waiting"] == 1).await;
    desk.stop().await;
    let folder = std::mem::replace(&mut desk.folder, tempfile::tempdir().unwrap());
    let next = Desk::start_in(folder, setup(), Some(model.base_url())).await;
    until(async || summary(&next, &id).await["state"] == "unfinished").await;
    let request = Request::new("POST", &path(&id, "/resume")).json(&json!({}));
    let mut resumed = Listening::to(next.address, &request).await;
    let shown = resumed.until("call_preview").await.last().unwrap().1.clone();
    assert_eq!(decide(&next, &id, &shown, json!({"verdict": "allow"})).await.status, 200);
    resumed.until("done").await;
}

/// What is in the middle of something is ended with the server, and who listens elsewhere hears that.
#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_is_asked_is_not_waited_for() {
    let slow = Reply::text("Never.").delay(Duration::from_secs(3600));
    let (database, model) =
        (Database::new().await, ModelServer::start(Script::new().reply(slow)).await);
    let mut a = database.desk(&model).await;
    let b = database.desk(&model).await;
    let mut asked = Listening::to(a.address, &go(None)).await;
    let events = asked.until("round_started").await;
    let id = events[0].1["conversation_id"].as_str().unwrap().to_owned();
    let mut beside = listen(&b, &id).await;
    beside.until("round_started").await;
    a.stop().await;
    assert_eq!(asked.until("error").await.last().unwrap().1["kind"], "cancelled");
    assert_eq!(beside.until("error").await.last().unwrap().1["kind"], "cancelled");
}

/// Deleted at another server, or lost with the end of the log: whoever listens is let go, and told when they ask anew.
#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_is_gone_or_was_restored_lets_its_listeners_go() {
    let script = Script::new().reply(Reply::text("One.")).reply(Reply::text("Two."));
    let (database, model) = (Database::new().await, ModelServer::start(script).await);
    let limits = Limits { looking: Duration::from_millis(100), ..Setup::default().limits };
    let a = Desk::start(Setup { limits, ..database.setup() }, Some(model.base_url())).await;
    let b = database.desk(&model).await;
    let deleted = b.chat("One?").await[0]["conversation_id"].as_str().unwrap().to_owned();
    let answer = b.post("/api/chat/stream", &json!({"message": "Two?"})).await;
    let restored = answer.headers["x-conversation-id"].clone();
    let last = answer.events().last().unwrap().0.clone();
    let (mut first, mut second) = (listen(&a, &deleted).await, listen(&a, &restored).await);
    let request = Request::new("DELETE", &path(&deleted, ""));
    assert_eq!(ask(b.address, &request).await.status, 204);
    while first.next().await.is_some() {}
    // As a database is whose last commits were lost.
    let sql =
        format!("UPDATE toolwright.conversation SET events = events - 1 WHERE id = '{restored}'");
    database.sql(&sql).await;
    while second.next().await.is_some() {}
    let again = Request::new("GET", &path(&restored, "/stream")).header("Last-Event-ID", &last);
    let again = ask(a.address, &again).await;
    assert_eq!((again.status, again.code().as_str()), (409, "beyond_the_end"), "{}", again.text());
}
