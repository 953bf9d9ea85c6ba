//! What waits is committed together.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
    mpsc,
};

use fail::FailScenario;
use futures_util::future::join_all;
use serde_json::json;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use toolwright_core::{Journal, JournalErrorKind};
use toolwright_store::StoreError;

use crate::common::{
    place::Place,
    talk::{Talk, event, keep, nth_run, stored},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_file_commits_together_what_waits() {
    together(Place::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_server_commits_together_what_waits() {
    together(Place::postgres().await).await;
}

/// Sixty-four runs begin while a commit is under way: all of them are in the next one, and the one
/// that is refused takes nobody with it.
async fn together(place: Place) {
    let scenario = FailScenario::setup();
    let store = place.open().await;
    let mut runs = Vec::new();
    for number in 0..65 {
        let mut talk = Talk::new(&format!("talk{number}"));
        let reports = nth_run(&mut talk, 0);
        runs.push((store.acquire(&talk.id).await.expect("free"), reports));
    }
    let lately = store.acquire(&"late".into()).await.expect("free");
    let (commits, mut reached, go) = gate();
    let ((first, reports), others) = runs.split_first().expect("there are some");
    let first = first.append(&reports[0]);
    reached.recv().await.expect("it comes to the commit");
    let waiting: Vec<_> = others.iter().map(|(held, reports)| held.append(&reports[0])).collect();
    let refused = others[0].0.append(&others[0].1[2]);
    // One that fails only when some of it is written already: its second run has a name that the
    // first commit took.
    let mut late = Talk::new("late").chat("Well?", "Well.").concat();
    late.push(event(
        "run_talk0_0",
        0,
        json!({"type": "run_started", "version": 2,
        "conversation_id": "late", "model": "m", "limits": {"rounds": 5, "calls": 64}}),
    ));
    let late = lately.append(&late);
    go.send(()).expect("it waits");

    first.await.expect("it is kept");
    join_all(waiting).await.into_iter().for_each(|it| it.expect("it is kept"));
    let error = refused.await.expect_err("it does not fit");
    assert_eq!(error.kind, JournalErrorKind::Conflict);
    let error = late.await.expect_err("it does not fit");
    assert_eq!(error.kind, JournalErrorKind::Conflict);
    assert_eq!(store.find("late").await, Err(StoreError::NotFound("late".into())));
    assert_eq!(commits.load(Ordering::SeqCst), 2, "64 appends, one commit");
    keep(&lately, &Talk::new("late").chat("Well?", "Well.")).await;
    for (held, reports) in &runs {
        assert_eq!(stored(&store, held.id()).await, reports[0]);
    }
    scenario.teardown();
}

/// Counts commits, and stops the first until it is told to go.
fn gate() -> (Arc<AtomicUsize>, UnboundedReceiver<()>, mpsc::Sender<()>) {
    let commits = Arc::new(AtomicUsize::new(0));
    let (reach, reached) = unbounded_channel();
    let (go, gone) = mpsc::channel();
    let (counter, gone) = (commits.clone(), Mutex::new(gone));
    fail::cfg_callback("store::commit", move || {
        if counter.fetch_add(1, Ordering::SeqCst) == 0 {
            reach.send(()).expect("the test waits");
            gone.lock().expect("nobody panicked").recv().expect("the test goes on");
        }
    })
    .expect("an action");
    (commits, reached, go)
}
