//! Who may write to a conversation.

use toolwright_core::{Journal, JournalErrorKind};
use toolwright_store::{ConversationPage, ConversationStatus, StoreError};

use super::on_both;
use crate::common::{
    child::{Child, role, say},
    place::{Place, location, opened},
    talk::{Talk, keep, keep_in, stored},
};

on_both!(
    a_conversation_has_one_holder,
    a_conversation_has_one_holder_however_many_want_it,
    a_lease_outlives_none_of_its_clones,
    appends_under_way_keep_the_lease,
    the_dead_hold_nothing,
    a_running_conversation_is_told_from_an_unfinished_one,
    whoever_lost_the_conversation_cannot_write,
    what_nobody_holds_can_be_seized,
);

async fn a_conversation_has_one_holder(place: Place) {
    let (store, other) = (place.open().await, place.open().await);
    let held = store.acquire(&"talk".into()).await.expect("nobody has it");
    for store in [&store, &other] {
        let error = store.acquire(&"talk".into()).await.map(drop).expect_err("it is held");
        let StoreError::InUse { id, holder } = &error else { panic!("{error:?}") };
        assert_eq!(id.as_str(), "talk");
        let holder = holder.as_ref().expect("it is known");
        assert_eq!(holder.process, std::process::id().to_string());
        assert!(holder.since.is_some(), "{holder:?}");
        assert!(error.to_string().contains("in use by process"), "{error}");
    }
    other.acquire(&"another".into()).await.expect("that one is free");
    drop(held);
    other.acquire(&"talk".into()).await.expect("it is free again");
}

async fn a_conversation_has_one_holder_however_many_want_it(place: Place) {
    use std::sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    };
    let inside = Arc::new(AtomicBool::new(false));
    let mut workers = Vec::new();
    for _ in 0..4 {
        let (store, inside) = (place.open().await, inside.clone());
        workers.push(tokio::spawn(async move {
            let mut rounds = 0;
            while rounds < 15 {
                match store.acquire(&"talk".into()).await {
                    Ok(held) => {
                        assert!(!inside.swap(true, Ordering::SeqCst), "two hold it");
                        tokio::task::yield_now().await;
                        inside.store(false, Ordering::SeqCst);
                        drop(held);
                        rounds += 1;
                    }
                    Err(error) => assert!(matches!(error, StoreError::InUse { .. }), "{error}"),
                }
            }
        }));
    }
    for worker in workers {
        worker.await.expect("it ends well");
    }
}

async fn a_lease_outlives_none_of_its_clones(place: Place) {
    let (store, other) = (place.open().await, place.open().await);
    let held = store.acquire(&"talk".into()).await.expect("nobody has it");
    let clone = held.clone();
    drop((held, store));
    other.acquire(&"talk".into()).await.map(drop).expect_err("the clone has it");
    drop(clone);
    other.acquire(&"talk".into()).await.expect("it is free again");
}

async fn appends_under_way_keep_the_lease(place: Place) {
    let (store, other) = (place.open().await, place.open().await);
    let mut talk = Talk::new("talk");
    let reports = talk.ask("One?", &["a"], "One.");
    let held = store.acquire(&talk.id).await.expect("nobody has it");
    reports.iter().for_each(|report| drop(held.append(report)));
    drop((held, store));
    let next = loop {
        // Until all is kept, nobody else gets it.
        match other.acquire(&talk.id).await {
            Ok(held) => break held,
            Err(error) => assert!(matches!(error, StoreError::InUse { .. }), "{error:?}"),
        }
    };
    assert_eq!(next.load().await.expect("it loads").history, talk.history);
}

/// Holds a conversation and stays in the middle of a run, until killed.
#[tokio::test]
async fn child_that_holds() {
    let Some(address) = role() else { return };
    let store = opened(&location(&address)).await.expect("the log opens");
    let mut talk = Talk::new("talk");
    let held = store.acquire(&talk.id).await.expect("nobody has it");
    keep(&held, &talk.interrupted("Well?", "write")).await;
    say("held");
    std::future::pending::<()>().await;
}

async fn the_dead_hold_nothing(place: Place) {
    let store = place.open().await;
    let mut child = Child::run("conformance::leases::child_that_holds", &place.address());
    assert_eq!(child.next().as_deref(), Some("held"));
    let error = store.acquire(&"talk".into()).await.map(drop).expect_err("the child has it");
    assert!(error.to_string().contains(&format!("process {}", child.id())), "{error}");
    let listed = store.find("talk").await.expect("it is there");
    assert_eq!(listed.state, ConversationStatus::Running);
    child.kill();
    let held = loop {
        match store.acquire(&"talk".into()).await {
            Ok(held) => break held,
            // The server has yet to notice; the kernel already has.
            Err(error) => assert!(
                matches!(place.location, toolwright_store::StoreLocation::Postgres(_)),
                "{error}"
            ),
        }
    };
    let mut run = held.load().await.expect("it loads").unfinished.expect("it was in a run");
    let events = run.recover(toolwright_core::Timestamp(9)).expect("it goes on");
    held.append(&events).await.expect("the run goes on here");
}

async fn a_running_conversation_is_told_from_an_unfinished_one(place: Place) {
    let (store, other) = (place.open().await, place.open().await);
    let mut talk = Talk::new("talk");
    let held = store.acquire(&talk.id).await.expect("nobody has it");
    keep(&held, &talk.interrupted("Well?", "look")).await;
    let mut idle = Talk::new("idle");
    let reports = idle.chat("Well?", "Well.");
    keep_in(&store, &idle, &reports).await;
    for store in [&store, &other] {
        let state = async |id| store.find(id).await.expect("it is there").state;
        assert_eq!(state("talk").await, ConversationStatus::Running);
        assert_eq!(state("idle").await, ConversationStatus::Idle);
    }
    drop(held);
    let free = store.acquire(&talk.id).await.expect("it is free");
    drop((free, store));
    let list = loop {
        // Giving it back takes a moment to reach a server.
        let list = other.list(&ConversationPage::default()).await.expect("a list");
        if list.iter().all(|it| it.state != ConversationStatus::Running) {
            break list;
        }
    };
    assert_eq!(
        list.iter().find(|it| it.id == talk.id).map(|it| it.state),
        Some(ConversationStatus::Unfinished)
    );
}

async fn whoever_lost_the_conversation_cannot_write(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let reports = talk.ask("One?", &["a"], "One.");
    let held = store.acquire(&talk.id).await.expect("nobody has it");
    held.append(&reports[0]).await.expect("it is kept");
    // As if the lease had been lost and somebody else had taken it.
    match &place.location {
        toolwright_store::StoreLocation::Sqlite(path) => {
            let leases = path.parent().expect("a folder").join("leases");
            std::fs::remove_file(leases.join("talk")).expect("it is there");
        }
        toolwright_store::StoreLocation::Postgres(address) => {
            let (client, connection) =
                tokio_postgres::connect(address, tokio_postgres::NoTls).await.expect("it is there");
            tokio::spawn(connection);
            let end = "SELECT pg_terminate_backend(pid) FROM pg_locks
                WHERE locktype = 'advisory' AND database =
                    (SELECT oid FROM pg_database WHERE datname = current_database())";
            let sneak = "UPDATE toolwright.conversation SET epoch = nextval('toolwright.epoch')";
            client.batch_execute(&format!("{sneak}; {end}")).await.expect("it is cut off");
        }
    }
    let other = place.open().await;
    let taken = async {
        loop {
            match other.acquire(&talk.id).await {
                Ok(taken) => break taken,
                // The first holder connected again and has its lock back, but not the epoch.
                Err(_) => tokio::time::sleep(std::time::Duration::from_millis(20)).await,
            }
        }
    };
    let error = match &place.location {
        toolwright_store::StoreLocation::Sqlite(_) => {
            let taken = taken.await;
            let error = held.append(&reports[1]).await.expect_err("it is in other hands");
            keep(&taken, &reports[1..].to_vec()).await;
            error
        }
        toolwright_store::StoreLocation::Postgres(_) => {
            let error = held.append(&reports[1]).await.expect_err("it is in other hands");
            drop(held);
            keep(&taken.await, &reports[1..].to_vec()).await;
            error
        }
    };
    assert_eq!(error.kind, JournalErrorKind::NotHeld);
    assert_eq!(stored(&store, &talk.id).await, reports.concat());
}

/// What somebody alive holds a file keeps for them; what several machines share is taken.
async fn what_nobody_holds_can_be_seized(place: Place) {
    let (store, other) = (place.open().await, place.open().await);
    let mut talk = Talk::new("talk");
    let reports = talk.ask("One?", &["a"], "One.");
    let held = store.seize(&talk.id).await.expect("nobody has it");
    held.append(&reports[0]).await.expect("it is kept");
    match other.seize(&talk.id).await {
        Ok(seized) => {
            assert!(store.is_shared());
            held.append(&reports[1]).await.expect_err("it is in other hands");
            keep(&seized, &reports[1..].to_vec()).await;
        }
        Err(error) => {
            assert!(!store.is_shared() && matches!(error, StoreError::InUse { .. }), "{error}");
            drop(held);
            let seized = other.seize(&talk.id).await.expect("nobody has it");
            keep(&seized, &reports[1..].to_vec()).await;
        }
    }
    assert_eq!(stored(&store, &talk.id).await, reports.concat());
}
