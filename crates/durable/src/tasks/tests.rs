//! One slice a conversation, and whoever comes back finds it.
#![allow(clippy::unwrap_used)]

use std::{
    sync::atomic::{AtomicBool, AtomicUsize},
    time::Duration,
};

use tokio::sync::Semaphore;
use toolwright_session::EngineFuture;

use super::*;

/// Slices that end one by one, as the test says.
struct Toy {
    begun: AtomicUsize,
    at_once: AtomicUsize,
    most: AtomicUsize,
    go: Semaphore,
    is_told: AtomicBool,
}

struct Shared(Arc<Toy>);

impl SliceDriver for Shared {
    fn slice(&self, slice: Slice) -> EngineFuture<Driven> {
        let toy = self.0.clone();
        Box::pin(async move {
            toy.begun.fetch_add(1, Ordering::SeqCst);
            let now = toy.at_once.fetch_add(1, Ordering::SeqCst) + 1;
            toy.most.fetch_max(now, Ordering::SeqCst);
            toy.go.acquire().await.unwrap().forget();
            toy.at_once.fetch_sub(1, Ordering::SeqCst);
            assert_ne!(slice.run.as_str(), "panics");
            Ok(Next::Follow { run: slice.run })
        })
    }

    fn drain(&self) {
        self.0.is_told.store(true, Ordering::SeqCst);
    }
}

fn toy() -> (Arc<Toy>, Arc<Tasks>) {
    let toy = Arc::new(Toy {
        begun: AtomicUsize::new(0),
        at_once: AtomicUsize::new(0),
        most: AtomicUsize::new(0),
        go: Semaphore::new(0),
        is_told: AtomicBool::new(false),
    });
    (toy.clone(), Tasks::new(Arc::new(Shared(toy))))
}

fn slice(run: &str) -> Slice {
    Slice::first(ConversationId::from("conv"), RunId::from(run))
}

fn begin(tasks: &Arc<Tasks>, run: &str) -> tokio::task::JoinHandle<Driven> {
    let (tasks, slice) = (tasks.clone(), slice(run));
    tokio::spawn(async move { tasks.drive(slice).await })
}

async fn until(what: impl Fn() -> bool) {
    while !what() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn who_hangs_up_leaves_the_slice_going_and_finds_it_again() {
    let (toy, tasks) = toy();
    let first = begin(&tasks, "a");
    until(|| toy.begun.load(Ordering::SeqCst) == 1).await;
    first.abort();
    let second = begin(&tasks, "a");
    let third = begin(&tasks, "a");
    until(|| tasks.attached.load(Ordering::SeqCst) == 2).await;
    toy.go.add_permits(1);
    let next = Ok(Next::Follow { run: RunId::from("a") });
    assert_eq!(second.await.unwrap(), next);
    assert_eq!(third.await.unwrap(), next);
    assert_eq!(toy.begun.load(Ordering::SeqCst), 1, "it ran once");
    tasks.none().await;
}

#[tokio::test]
async fn another_run_of_the_conversation_waits_for_the_one_nobody_waits_for() {
    let (toy, tasks) = toy();
    let first = begin(&tasks, "a");
    until(|| toy.begun.load(Ordering::SeqCst) == 1).await;
    first.abort();
    let second = begin(&tasks, "b");
    until(|| tasks.attached.load(Ordering::SeqCst) == 1).await;
    toy.go.add_permits(2);
    assert_eq!(second.await.unwrap(), Ok(Next::Follow { run: RunId::from("b") }));
    assert_eq!(toy.begun.load(Ordering::SeqCst), 2);
    assert_eq!(toy.most.load(Ordering::SeqCst), 1, "one at a time");
}

#[tokio::test]
async fn a_defect_is_an_error_and_the_next_is_driven() {
    let (toy, tasks) = toy();
    toy.go.add_permits(2);
    let error = tasks.drive(slice("panics")).await.unwrap_err();
    assert_eq!(error.to_string(), "what drives the run has a defect and broke off");
    assert_eq!(tasks.failed.load(Ordering::SeqCst), 1);
    assert!(tasks.drive(slice("a")).await.is_ok());
    assert_eq!(tasks.count(), 0);
}

#[tokio::test]
async fn none_begins_on_a_worker_that_goes_and_those_there_are_are_found() {
    let (toy, tasks) = toy();
    let first = begin(&tasks, "a");
    until(|| toy.begun.load(Ordering::SeqCst) == 1).await;
    tasks.drain();
    assert!(toy.is_told.load(Ordering::SeqCst));
    let other = Slice::first(ConversationId::from("other"), RunId::from("a"));
    let error = tasks.drive(other).await.unwrap_err();
    assert!(error.to_string().contains("about to end"), "{error}");
    first.abort();
    let again = begin(&tasks, "a");
    until(|| tasks.attached.load(Ordering::SeqCst) == 1).await;
    toy.go.add_permits(1);
    assert!(again.await.unwrap().is_ok());
    tasks.none().await;
}

/// Restate asks again and again: what nothing was done about is told once.
#[tokio::test]
async fn the_same_reason_is_told_once() {
    let (_, tasks) = toy();
    let told = || tasks.told().get(&ConversationId::from("conv")).cloned();
    let lacking = || -> Driven { Err(SliceError::new("no such task").with_advice("add it")) };
    assert!(tasks.is_news(&slice("run"), &sentence(&lacking().unwrap_err())));
    tasks.ended(&slice("run"), &lacking());
    assert_eq!(told().as_deref(), Some("no such task: add it"));
    assert!(!tasks.is_news(&slice("run"), &sentence(&lacking().unwrap_err())));
    assert!(tasks.is_news(&slice("run"), "the log does not answer"));
    tasks.ended(&slice("run"), &Ok(Next::Ended));
    assert_eq!(told(), None, "the next time it is news again");
}
