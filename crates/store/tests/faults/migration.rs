//! A process that dies while it brings a database to the newest format.

use std::sync::atomic::{AtomicU32, Ordering};

use fail::FailScenario;
use toolwright_store::Store;

use crate::common::{
    child::{Child, role, say},
    place::{Place, location},
    talk::{Talk, keep_in, nth_run, stored},
};

/// Opens a database, and dies at one of the steps.
#[tokio::test]
async fn child_that_dies_at_a_step() {
    let Some(told) = role() else { return };
    let (step, address) = told.split_once(' ').expect("a step and an address");
    let step: u32 = step.parse().expect("a number");
    let steps = AtomicU32::new(0);
    fail::cfg_callback("store::migrate", move || {
        if steps.fetch_add(1, Ordering::SeqCst) == step {
            std::process::abort();
        }
    })
    .expect("an action");
    Store::open(&location(address)).await.map(drop).expect("it opens");
    say("opened");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_is_of_one_format_or_the_next() {
    let scenario = FailScenario::setup();
    for step in 0.. {
        if outlives(&Place::sqlite(), step).await {
            assert_eq!(step, 9, "every step was tried");
            break;
        }
    }
    scenario.teardown();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_is_of_one_format_or_the_next() {
    let scenario = FailScenario::setup();
    for step in 0.. {
        if outlives(&Place::postgres().await, step).await {
            assert_eq!(step, 9, "every step was tried");
            break;
        }
    }
    scenario.teardown();
}

/// Whether the child came to its end; the database is good either way.
async fn outlives(place: &Place, step: u32) -> bool {
    // Twice, so that one dies over what the other left.
    let mut lived = true;
    for _ in 0..2 {
        let told = format!("{step} {}", place.address());
        let mut child = Child::run("migration::child_that_dies_at_a_step", &told);
        let opened = child.next();
        assert_eq!(child.ended_well(), opened.is_some());
        lived &= opened.is_some();
        if step > 0 {
            break;
        }
    }
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let reports = nth_run(&mut talk, 0);
    keep_in(&store, &talk, &reports).await;
    assert_eq!(stored(&store, &talk.id).await, reports.concat());
    assert_eq!(store.search("question", 5).await.expect("a search").len(), 1);
    lived
}
