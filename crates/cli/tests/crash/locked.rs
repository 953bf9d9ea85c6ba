//! Somebody else has the database, or the conversation.

use std::time::Duration;

use rusqlite::Connection;
use serde_json::json;
use tokio::task::JoinSet;

use crate::{
    after,
    moments::ask,
    story::{ANSWER, Story},
    world::{World, conversation},
};

/// A program that holds the database, until it is dropped.
fn hold(world: &World) -> Connection {
    let db = Connection::open(world.data().join("toolwright.db")).unwrap();
    db.execute_batch("PRAGMA busy_timeout = 60000; BEGIN IMMEDIATE").unwrap();
    db
}

#[tokio::test]
async fn a_locked_database_is_waited_for_and_then_told() {
    let world = World::new("locked before the start").await;
    world.ask(Story::OneNote, None).await;
    let held = hold(&world);
    let left = world.ask(Story::OneNote, None).await;
    assert_eq!((left.code, left.shown.len()), (Some(1), 0), "{}", left.err);
    assert!(left.err.contains("the database is locked by another program"), "{}", left.err);
    drop(held);
    let left = world.ask(Story::OneNote, None).await;
    assert_eq!(left.code, Some(0), "{}", left.err);
    world.check().await;
    world.check_file();
}

/// The lock comes while the model answers, and while a tool works: then the effect is there, and
/// what came of it cannot be stored.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_locked_out_stops_and_can_be_gone_on_with() {
    let runs = ["llm_sent", "effect_done"].map(|moment| async move {
        let world = World::new(format!("locked at {moment}")).await;
        let mut process = world.start_until(moment, &ask(Story::OneNote));
        assert!(process.is_stopped().await);
        let held = hold(&world);
        process.go_on();
        let left = world.ended(process).await;
        let last = left.last();
        assert_eq!((left.code, &last["kind"]), (Some(1), &json!("storage")), "{}", left.err);
        assert_eq!(last["of"], "busy", "{}", world.about);
        drop(held);
        after::resume(&world).await;
    });
    JoinSet::from_iter(runs).join_all().await;
}

#[tokio::test]
async fn a_lock_that_is_given_back_in_time_does_no_harm() {
    let world = World::new("locked for a while").await;
    let mut process = world.start_until("llm_sent", &ask(Story::OneNote));
    assert!(process.is_stopped().await);
    let held = hold(&world);
    process.go_on();
    tokio::time::sleep(Duration::from_millis(300)).await;
    drop(held);
    let left = world.ended(process).await;
    assert_eq!(left.last()["response"], ANSWER, "{}", left.err);
    world.check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_has_one_run_at_a_time_and_says_whose() {
    let runs =
        ["user_saved", "intent_saved", "effect_done", "final_saved"].map(|moment| async move {
            let world = World::new(format!("a second process at {moment}")).await;
            let mut first = world.start_until(moment, &ask(Story::OneNote));
            assert!(first.is_stopped().await);
            let stored = world.check().await;
            let id = conversation(&stored).unwrap();
            let second = world.ask(Story::OneNote, Some(id)).await;
            let resumed = world.run(&["conversations", "resume", "--json", id]).await;
            for left in [second, resumed] {
                assert_eq!((left.code, left.shown.len()), (Some(1), 0), "{}", world.about);
                let holder = format!("{id} is in use by process {}", first.id());
                assert!(left.err.contains(&holder), "{}: {}", world.about, left.err);
            }
            first.go_on();
            let left = world.ended(first).await;
            assert_eq!(left.last()["response"], ANSWER, "{}", world.about);
            assert_eq!(world.notes().len(), 1, "{}", world.about);
            world.check().await;
        });
    JoinSet::from_iter(runs).join_all().await;
}

/// Both at once, nobody being stopped: each gets its turn or is turned away.
#[tokio::test(flavor = "multi_thread")]
async fn two_who_ask_at_once_never_act_twice() {
    let races = (0..8).map(|race| async move {
        let world = World::new(format!("race {race}")).await;
        world.ask(Story::Thanks, None).await;
        let stored = world.check().await;
        let id = conversation(&stored).unwrap();
        let (one, other) =
            tokio::join!(world.ask(Story::OneNote, Some(id)), world.ask(Story::OneNote, Some(id)));
        let answered = [&one, &other].into_iter().filter(|left| left.code == Some(0)).count();
        assert!(answered > 0, "{}: {one:?} {other:?}", world.about);
        for left in [one, other].iter().filter(|left| left.code != Some(0)) {
            assert_eq!(left.code, Some(1), "{}: {left:?}", world.about);
            assert!(left.err.contains("is in use"), "{}: {left:?}", world.about);
        }
        assert_eq!(world.notes().len(), answered, "{}", world.about);
        world.check().await;
    });
    JoinSet::from_iter(races).join_all().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_who_go_on_at_once_never_act_twice() {
    let races = (0..8).map(|race| async move {
        let world = World::new(format!("race {race} to go on")).await;
        let mut process = world.start_until("tool_started@3", &ask(Story::TwoNotes));
        assert!(process.is_stopped().await);
        world.killed(process).await;
        let stored = world.check().await;
        let resume = ["conversations", "resume", "--json", conversation(&stored).unwrap()];
        let (one, other) = tokio::join!(world.run(&resume), world.run(&resume));
        let acted = [&one, &other].into_iter().filter(|left| !left.shown.is_empty()).count();
        assert_eq!(acted, 1, "{}: {one:?} {other:?}", world.about);
        let stored = world.check().await;
        assert_eq!(stored.last().unwrap()["response"], ANSWER, "{}", world.about);
    });
    JoinSet::from_iter(races).join_all().await;
}
