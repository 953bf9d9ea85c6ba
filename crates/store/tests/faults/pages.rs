//! A database that may have one page more each time, until everything fits.

use fail::FailScenario;
use toolwright_core::{Journal, JournalErrorKind};
use toolwright_store::StoreError;

use crate::common::{
    place::Place,
    talk::{Talk, nth_run, stored},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whichever_page_is_missing_nothing_acknowledged_is_lost() {
    let scenario = FailScenario::setup();
    let mut pages = 1;
    loop {
        let place = Place::fast();
        fail::cfg("store::pages", &format!("return({pages})")).expect("an action");
        let opened = toolwright_store::Store::open(&place.location).await;
        let was_full = match opened {
            Ok(store) => fill(&store).await,
            Err(error) => {
                assert!(matches!(error, StoreError::Full(_)), "{error:?}");
                fail::remove("store::pages");
                fill(&place.open().await).await;
                true
            }
        };
        if !was_full {
            break;
        }
        pages += 1;
    }
    assert!(pages > 20, "all was well with {pages} pages");
    scenario.teardown();
}

/// Writes until there is no room, makes room, and goes on; whether there was no room.
async fn fill(store: &toolwright_store::Store) -> bool {
    let mut talk = Talk::new("talk");
    let mut was_full = false;
    let held = match store.acquire(&talk.id).await {
        Ok(held) => held,
        Err(error) => {
            assert!(matches!(error, StoreError::Full(_)), "{error:?}");
            was_full = true;
            fail::remove("store::pages");
            store.acquire(&talk.id).await.expect("there is room again")
        }
    };
    let mut kept = Vec::new();
    for number in 0..8 {
        for report in nth_run(&mut talk, number) {
            if let Err(error) = held.append(&report).await {
                assert_eq!(error.kind, JournalErrorKind::Full, "{error}");
                let found = store.events(held.id(), None, usize::MAX).await.unwrap_or_default();
                assert_eq!(found.len(), kept.len(), "reading goes on");
                held.append(&report).await.expect_err("there is still no room");
                assert!(!was_full, "there was room again");
                was_full = true;
                fail::remove("store::pages");
                held.append(&report).await.expect("there is room again");
            }
            kept.extend(report);
        }
    }
    fail::remove("store::pages");
    assert_eq!(stored(store, &talk.id).await, kept);
    assert_eq!(held.load().await.expect("it loads").history, talk.history);
    was_full
}
