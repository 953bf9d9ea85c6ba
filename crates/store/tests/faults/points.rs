//! Each step fails once, at each of its turns; what was acknowledged stays, and the store goes on.

use fail::FailScenario;
use toolwright_core::{Event, Journal};
use toolwright_store::{ConversationLease, Store, StoreError};

use crate::common::{
    place::Place,
    talk::{Talk, nth_run, stored},
};

const POINTS: [&str; 4] = ["store::append", "store::insert", "store::commit", "store::committed"];
const FAILURES: [&str; 4] = ["io", "full", "busy", "lost"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_survives_every_failure() {
    survives(Place::fast()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_survives_every_failure() {
    survives(Place::postgres().await).await;
}

async fn survives(place: Place) {
    let scenario = FailScenario::setup();
    let store = place.open().await;
    let mut failures = 0;
    for point in POINTS {
        for failure in FAILURES {
            // More turns than the conversation takes: the last ones meet no failure.
            for turn in (0..24).step_by(3) {
                let id = format!("{point} {failure} {turn}");
                let action = format!("{turn}*off->1*return({failure})->off");
                fail::cfg(point, &action).expect("an action");
                failures += write(&store, &id).await;
                fail::remove(point);
            }
        }
    }
    assert!(failures > 40, "only {failures} failures were met");
    scenario.teardown();
}

/// Writes a conversation whatever happens; how often something did.
async fn write(store: &Store, id: &str) -> usize {
    let mut talk = Talk::new(id);
    let mut failures = 0;
    let held = loop {
        match store.acquire(&talk.id).await {
            Ok(held) => break held,
            Err(_) => failures += 1,
        }
    };
    let mut kept = Vec::new();
    for report in nth_run(&mut talk, 0) {
        failures += insist(store, &held, &mut kept, &report).await;
    }
    assert_eq!(stored(store, &talk.id).await, kept);
    assert_eq!(held.load().await.expect("it loads").history, talk.history);
    failures
}

/// Appends until it is kept. What failed is there whole or not at all.
async fn insist(
    store: &Store,
    held: &ConversationLease,
    kept: &mut Vec<Event>,
    report: &[Event],
) -> usize {
    for failures in 0.. {
        let result = held.append(report).await;
        let found = match store.events(held.id(), None, usize::MAX).await {
            Ok(found) => found.into_iter().map(|(_, event)| event).collect(),
            Err(error) => {
                assert!(matches!(error, StoreError::NotFound(_)), "{error}");
                Vec::new()
            }
        };
        let all = [kept.clone(), report.to_vec()].concat();
        if found == all {
            *kept = all;
            return failures + usize::from(result.is_err());
        }
        assert!(result.is_err(), "it was acknowledged and is not there");
        assert_eq!(found, *kept, "a part of it is there");
    }
    unreachable!("it fails once")
}

/// A commit whose outcome is unknown is looked up: the events are there, once, and it is a success.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_vanishes_after_the_commit_is_asked_again() {
    let scenario = FailScenario::setup();
    let store = Place::postgres().await.open().await;
    for point in ["store::commit", "store::committed"] {
        let mut talk = Talk::new(point);
        let held = store.acquire(&talk.id).await.expect("free");
        let mut kept = Vec::new();
        for report in nth_run(&mut talk, 0) {
            fail::cfg(point, "2*return(lost)->off").expect("an action");
            held.append(&report).await.expect("it is sent again, or found");
            kept.extend(report);
        }
        fail::remove(point);
        assert_eq!(stored(&store, &talk.id).await, kept);
    }
    scenario.teardown();
}
