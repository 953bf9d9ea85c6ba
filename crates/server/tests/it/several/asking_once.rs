//! `Idempotency-Key`: asked once, however often it is sent, and to whichever server.

use serde_json::{Value, json};
use toolwright_core::Digest;
use toolwright_store::{KeyClaim, KeyState, Store, StoreLocation, Timeouts};
use toolwright_testkit::{Reply, Script};

use super::{KEY, Servers, log};
use crate::harness::{Answer, Desk, Request, Setup, ask};

fn script() -> Script {
    ["One.", "Two.", "Three."].iter().fold(Script::new(), |it, text| it.reply(Reply::text(*text)))
}

fn keyed(key: &str, body: &Value) -> Request {
    Request::new("POST", "/api/chat/stream").json(body).header("Idempotency-Key", key)
}

fn names(answer: &Answer) -> (String, String) {
    assert_eq!(answer.status, 200, "{}", answer.text());
    (answer.headers["x-conversation-id"].clone(), answer.headers["x-run-id"].clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_question_with_the_same_key_is_asked_once() {
    let servers = Servers::start(script()).await;
    let request = keyed("order-1", &json!({"message": "Go"}));
    let (a, b, c) = tokio::join!(
        ask(servers.a.address, &request),
        ask(servers.b.address, &request),
        ask(servers.c.address, &request),
    );
    assert_eq!(names(&a), names(&b));
    assert_eq!(names(&a), names(&c));
    // Long after, and from its beginning.
    let again = ask(servers.b.address, &request).await;
    assert_eq!(names(&a), names(&again));
    let (id, _) = names(&a);
    let log = log(&servers.c, &id).await;
    for answer in [&a, &b, &c, &again] {
        let heard = answer.events();
        assert_eq!(heard[0].1["type"], "run_started");
        assert_eq!(heard.last().unwrap().1["response"], "One.");
        super::assert_whole(&heard, &log);
    }
    assert_eq!(servers.model.requests().len(), 1);

    let other = ask(servers.c.address, &keyed("order-1", &json!({"message": "Stop"}))).await;
    assert_eq!((other.status, other.code().as_str()), (422, "key_taken"), "{}", other.text());
    let next = ask(servers.c.address, &keyed("order-2", &json!({"message": "Go"}))).await;
    assert_ne!(names(&next), names(&again));

    // What was deleted does not come back.
    let asked = servers.model.requests().len();
    assert_eq!(super::delete(&servers.a, &super::path(&id, "")).await, 204);
    let again = ask(servers.b.address, &request).await;
    assert_eq!((again.status, again.code().as_str()), (422, "key_taken"), "{}", again.text());
    assert_eq!(servers.model.requests().len(), asked);
}

/// In a conversation that is there the key holds as well, and the question stands in it once.
#[tokio::test(flavor = "multi_thread")]
async fn a_question_in_a_conversation_is_asked_once() {
    let servers = Servers::start(script()).await;
    let first = ask(servers.a.address, &keyed("k1", &json!({"message": "Go"}))).await;
    let (id, _) = names(&first);
    let request = keyed("k2", &json!({"message": "And?", "conversation_id": id}));
    let second = ask(servers.b.address, &request).await;
    assert_eq!(names(&second), names(&ask(servers.c.address, &request).await));
    let asked = log(&servers.a, &id).await;
    assert_eq!(asked.iter().filter(|(_, it)| it["type"] == "run_started").count(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_has_a_length_and_is_one() {
    let desk = Desk::start(Setup::default(), None).await;
    let body = json!({"message": "A tip on $10?"});
    for wrong in ["", &"x".repeat(201)] {
        let answer = ask(desk.address, &keyed(wrong, &body)).await;
        assert_eq!(answer.status, 400, "{wrong}: {}", answer.text());
    }
    // A server with a file does the same.
    let first = ask(desk.address, &keyed(&"x".repeat(200), &body)).await;
    assert_eq!(names(&first), names(&ask(desk.address, &keyed(&"x".repeat(200), &body)).await));
    let other = ask(desk.address, &keyed(&"x".repeat(200), &json!({"message": "B"}))).await;
    assert_eq!(other.status, 422);
}

/// Whoever came first died between taking the key and asking: whoever sends it again asks, under the same names.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_not_begun_begins_when_it_is_sent_again() {
    let servers = Servers::start(script()).await;
    let location: StoreLocation = servers.database.url.parse().unwrap();
    let key = KEY.parse().unwrap();
    let store = Store::open_keyed(&location, Timeouts::default(), key).await.unwrap();
    let body = json!({"message": "Go"});
    let claim = KeyClaim {
        owner: String::new(),
        key: "k1".to_owned(),
        digest: Digest::of(format!("/api/chat/stream\0{body}").as_bytes()),
        conversation: "conv_of_the_dead".into(),
        run: "run_of_the_dead".into(),
    };
    assert_eq!(store.claim_key(&claim).await.unwrap(), KeyState::New);
    let answer = ask(servers.b.address, &keyed("k1", &body)).await;
    assert_eq!(names(&answer), ("conv_of_the_dead".to_owned(), "run_of_the_dead".to_owned()));
    assert_eq!(answer.events().last().unwrap().1["response"], "One.");
}
