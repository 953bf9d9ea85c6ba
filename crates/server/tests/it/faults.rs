//! H20: a fault of ours costs one request, or one run; never the server.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use serde_json::{Value, json};
use toolwright_core::{Event, Observer};

use crate::harness::{Desk, Setup, kinds};

/// Somebody who panics at the first event of this kind, and only then.
struct Fault {
    kind: &'static str,
    is_over: AtomicBool,
}

impl Observer for Fault {
    fn observe(&self, event: &Event) {
        let event = serde_json::to_value(event).unwrap();
        if event["type"] == self.kind && !self.is_over.swap(true, Ordering::SeqCst) {
            panic!("a test's fault with a secret: sk-fault");
        }
    }
}

async fn faulty(kind: &'static str) -> Desk {
    let fault = Arc::new(Fault { kind, is_over: AtomicBool::new(false) });
    Desk::start(Setup { observers: vec![fault], ..Setup::default() }, None).await
}

/// The one conversation there is.
async fn only(desk: &Desk) -> Value {
    let list = desk.get("/api/conversations").await.json();
    let all = list["conversations"].as_array().unwrap();
    assert_eq!(all.len(), 1, "{list}");
    all[0].clone()
}

/// The conversation is free again, and goes on.
async fn goes_on(desk: &Desk) {
    let conversation = only(desk).await;
    assert_eq!(conversation["state"], "unfinished", "{conversation}");
    let again = json!({"message": "A tip on $10?", "conversation_id": conversation["id"]});
    let events = desk.chat_with(again).await;
    assert_eq!(kinds(&events).last(), Some(&"done"), "{events:?}");
    assert_eq!(only(desk).await["state"], "idle");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_in_a_handler_is_one_answer() {
    // The first event is waited for by whoever answers the request.
    let desk = faulty("run_started").await;
    let answer = desk.post("/api/chat/stream", &json!({"message": "A tip on $10?"})).await;
    assert_eq!((answer.status, answer.code().as_str()), (500, "internal"), "{}", answer.text());
    let told = answer.text();
    assert!(told.contains("under fault_"), "{told}");
    assert!(!told.contains("sk-fault") && !told.contains(".rs"), "{told}");
    // What stands on every answer stands on this one, too.
    assert_eq!(answer.headers.get("x-content-type-options").map(String::as_str), Some("nosniff"));
    assert_eq!(desk.get("/api/health").await.status, 200);
    goes_on(&desk).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_in_a_run_is_the_end_of_its_stream() {
    let desk = faulty("reply").await;
    let events = desk.chat("A tip on $10?").await;
    let last = events.last().unwrap();
    assert_eq!((&last["type"], &last["kind"]), (&json!("error"), &json!("interrupted")), "{last}");
    assert_eq!(kinds(&events).iter().filter(|kind| ["done", "error"].contains(kind)).count(), 1);
    assert!(!last.to_string().contains("sk-fault"), "{last}");
    assert_eq!(desk.get("/api/health").await.status, 200);
    goes_on(&desk).await;
}

/// Where nobody is told of the run's end by an event, the answer says it.
#[tokio::test(flavor = "multi_thread")]
async fn a_fault_in_a_completion_is_one_answer() {
    let desk = faulty("reply").await;
    let messages = json!([{"role": "user", "content": "A tip on $10?"}]);
    let body = json!({"model": "toolwright", "messages": messages});
    let answer = desk.post("/v1/chat/completions", &body).await;
    assert_eq!((answer.status, answer.code().as_str()), (500, "internal"), "{}", answer.text());
    let answer = desk.post("/v1/chat/completions", &body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}
