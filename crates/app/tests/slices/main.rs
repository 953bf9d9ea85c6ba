//! Runs that are driven in slices, through the real loop: on PostgreSQL and on SQLite, by one process's worth of agents
//! or by two, woken too often and too seldom.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod faults;
mod people;
mod travelling;
mod wire;
mod world;

use serde_json::json;
use toolwright_core::{QueueMode, Status};
use toolwright_session::Next;
use toolwright_testkit::{Reply, Script};

use crate::world::{World, on_both};

/// Three rounds with tools that only look, and tools that act.
fn rounds() -> Script {
    Script::new()
        .reply(Reply::calls([("a", "look", r#"{"at":1}"#), ("b", "look", r#"{"at":2}"#)]))
        .reply(Reply::calls([("c", "pay", r#"{"to":"Ann"}"#)]))
        .reply(Reply::calls([("d", "pay", r#"{"to":"Bob"}"#), ("e", "look", r#"{"at":3}"#)]))
        .reply(Reply::text("All paid."))
}

#[tokio::test]
async fn a_run_in_slices_says_and_does_what_one_in_process_does() {
    on_both(async |place| {
        let alone = World::start(place, rounds()).await;
        let local = alone.local("Pay.").await;
        let (said, done) = (alone.said(&local).await, alone.ledger.all());

        let world = World::start(place, rounds()).await;
        let (id, run) = world.ask("Pay.").await;
        assert_eq!(world.drive(&id, &run).await, Next::Ended);
        assert_eq!(world.said(&id).await, said);
        assert_eq!(world.ledger.all(), done);
        assert_eq!(world.last(&id).await, "done");
        assert!(world.slices_driven() > 1, "it was left and gone on with");
    })
    .await;
}

#[tokio::test]
async fn woken_too_often_by_two_processes_nothing_is_done_twice() {
    on_both(async |place| {
        let world = World::start(place, rounds()).await.with_another().await;
        let (id, run) = world.ask("Pay.").await;
        assert_eq!(world.drive_in_a_crowd(&id, &run).await, Next::Ended);
        let done = world.ledger.all();
        assert_eq!(done["pay Ann"], 1);
        assert_eq!(done["pay Bob"], 1);
        assert_eq!(world.requests(), 4, "no model was asked twice");
        // Whoever is woken afterwards finds nothing to do.
        let events = world.events(&id).await.len();
        assert_eq!(world.drive(&id, &run).await, Next::Ended);
        assert_eq!(world.events(&id).await.len(), events);
    })
    .await;
}

#[tokio::test]
async fn what_is_said_meanwhile_steers_it_and_what_waits_behind_it_is_the_next_run() {
    on_both(async |place| {
        let script = Script::new()
            .reply(Reply::calls([("h", "hold", "{}")]))
            .reply(Reply::text("In French, then."))
            .reply(Reply::text("And butter."));
        let world = World::start(place, script).await;
        let (id, run) = world.ask("Order bread.").await;
        let saying = async {
            world.ledger.held().await;
            world.say(&id, QueueMode::Next, "And butter?").await;
            world.say(&id, QueueMode::Steer, "In French.").await;
            world.ledger.let_go();
        };
        let (next, ()) = tokio::join!(world.drive_one(&id, &run), saying);
        let Next::Follow { run: following } = next else { panic!("{next:?}") };
        // Whoever asks again, as an engine does that lost the answer, is told the same.
        assert_eq!(world.drive_one(&id, &run).await, Next::Follow { run: following.clone() });
        assert_eq!(world.drive(&id, &following).await, Next::Ended);
        let said = world.said(&id).await;
        let texts: Vec<_> =
            said.iter().filter(|it| it.0 == "user").map(|it| it.1.as_str()).collect();
        assert_eq!(texts, ["Order bread.", "In French.", "And butter?"]);
        assert_eq!(said.last().unwrap().1, "And butter.");
        assert_eq!(world.drive(&id, &run).await, Next::Ended);
    })
    .await;
}

#[tokio::test]
async fn what_this_process_does_not_have_is_named() {
    let world = World::start("sqlite", rounds()).await;
    for (spec, named) in [
        (json!({"task": "gardening"}), "there is no task `gardening`"),
        (json!({"model": "offline:/etc/passwd"}), "no such model is offered here"),
        (json!({"credential": {"pack": "bank", "text": "hush-hush"}}), "the pack `bank`"),
        (json!({"patience": 1}), "another version"),
    ] {
        let (id, run) = world.ask_with("Pay.", Some(spec)).await;
        let error = world.try_slice(&id, &run).await.unwrap_err();
        let told = error.to_string();
        assert!(told.contains(named), "{told}");
        assert!(told.contains(run.as_str()), "{told}");
        assert!(!told.contains("hush-hush"));
        assert!(toolwright_core::ActionableError::advice(&error).is_some());
        // Another process may have it: nothing was done, and nothing is lost.
        assert_eq!(world.last(&id).await, "message");
    }
    assert!(world.ledger.all().is_empty());
}

#[tokio::test]
async fn who_is_about_to_end_leaves_runs_at_the_next_boundary() {
    on_both(async |place| {
        let script = Script::new()
            .reply(Reply::calls([("h", "hold", "{}")]))
            .reply(Reply::calls([("c", "pay", r#"{"to":"Ann"}"#)]))
            .reply(Reply::text("Paid."));
        let world = World::start(place, script).await.with_another().await;
        let (id, run) = world.ask("Pay.").await;
        let draining = async {
            world.ledger.held().await;
            world.drain(0);
            world.ledger.let_go();
        };
        let (next, ()) = tokio::join!(world.slice_on(0, &id, &run), draining);
        assert!(matches!(next.unwrap(), Next::Again { .. }));
        assert_eq!(world.last(&id).await, "call_finished", "the tool came to its end");
        assert!(
            world.slice_on(0, &id, &run).await.unwrap_err().to_string().contains("another one")
        );
        // Another goes on.
        assert!(matches!(world.slice_on(1, &id, &run).await, Ok(Next::Again { .. } | Next::Ended)));
        assert_eq!(world.drive_on(1, &id, &run).await, Next::Ended);
        let statuses = world.statuses(&id).await;
        assert!(statuses.iter().all(|it| *it == Status::Ok), "{statuses:?}");
        assert_eq!(world.ledger.all()["pay Ann"], 1);
    })
    .await;
}
