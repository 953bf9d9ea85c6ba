//! Giving a conversation a title of somebody's own.

use std::slice;

use toolwright_core::Journal;
use toolwright_store::{
    ConversationPage, ConversationStatus, ConversationSummary, Position, StoreError,
};

use super::on_both;
use crate::common::{
    place::Place,
    talk::{Talk, keep_in, stored},
};

on_both!(
    a_name_stays,
    a_name_is_given_while_a_run_goes_on,
    a_name_is_one_line_of_some_length,
    only_what_is_there_has_a_name,
    a_name_is_nothing_that_happened,
    the_next_place_is_known,
);

async fn a_name_stays(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let reports = talk.ask("How is it?", &["fine"], "Fine.");
    keep_in(&store, &talk, &reports).await;
    let before = store.find("talk").await.expect("it is there");
    assert_eq!(before.title, "How is it?");
    let named = ConversationSummary { title: "Größe \u{1f600}".into(), ..before.clone() };
    assert_eq!(store.rename(&talk.id, "Größe \u{1f600}").await.as_ref(), Ok(&named));
    assert_eq!(store.find("talk").await.as_ref(), Ok(&named));
    assert_eq!(store.list(&ConversationPage::default()).await, Ok(vec![named]));

    let reports = talk.chat("And now?", "Better.");
    keep_in(&store, &talk, &reports).await;
    // Opened again, too.
    let after = place.open().await.find("talk").await.expect("it is there");
    assert_eq!((after.title.as_str(), after.runs), ("Größe \u{1f600}", 2));
    assert_eq!(store.rename(&talk.id, "Other").await.map(|it| it.title), Ok("Other".into()));
}

async fn a_name_is_given_while_a_run_goes_on(place: Place) {
    let (store, other) = (place.open().await, place.open().await);
    let mut talk = Talk::new("talk");
    let reports = talk.ask("How is it?", &["a", "b", "c"], "Fine.");
    let held = store.acquire(&talk.id).await.expect("free");
    for (number, report) in reports.iter().enumerate() {
        let append = held.append(report);
        let name = format!("Name {number}");
        if number == 0 {
            // There is nothing to name before.
            append.await.expect("it is kept");
            other.rename(&talk.id, &name).await.expect("it is there");
        } else {
            let (kept, named) = tokio::join!(append, other.rename(&talk.id, &name));
            kept.expect("it is kept");
            let named = named.expect("it is there");
            assert_eq!(named.title, name);
            if number + 1 < reports.len() {
                assert_eq!(named.state, ConversationStatus::Running);
            }
        }
        assert_eq!(store.find("talk").await.expect("it is there").title, name);
    }
    drop(held);
    assert_eq!(stored(&store, &talk.id).await, reports.concat());
}

async fn a_name_is_one_line_of_some_length(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let reports = talk.chat("How is it?", "Fine.");
    keep_in(&store, &talk, &reports).await;
    for (given, kept) in [
        ("  A \t name\r\n\0 of  mine ", "A name of mine"),
        ("x", "x"),
        (&"ü".repeat(200), &*"ü".repeat(200)),
        (&format!(" {} ", "ü".repeat(200)), &"ü".repeat(200)),
        ("'); DROP TABLE event; --", "'); DROP TABLE event; --"),
    ] {
        let renamed = store.rename(&talk.id, given).await;
        assert_eq!(renamed.map(|it| it.title).as_deref(), Ok(kept), "{given:?}");
    }
    for (given, found) in [("", 0), (" \n\0\t", 0), (&*"x".repeat(201), 201)] {
        let refused = Err(StoreError::Title { most: 200, found });
        assert_eq!(store.rename(&talk.id, given).await, refused, "{given:?}");
    }
    let kept = store.find("talk").await.expect("it is there").title;
    assert_eq!(kept, "'); DROP TABLE event; --");
}

async fn only_what_is_there_has_a_name(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk_2");
    let reports = talk.chat("How is it?", "Fine.");
    keep_in(&store, &talk, &reports).await;
    // One that was held and never written to is not there either.
    drop(store.acquire(&"empty".into()).await.expect("free"));
    for id in ["talk", "talk_", "other", "", "empty"] {
        let missing = Err(StoreError::NotFound(id.to_owned()));
        assert_eq!(store.rename(&id.into(), "Name").await, missing, "{id}");
    }
    assert_eq!(store.find("talk_2").await.expect("it is there").title, "How is it?");
    store.delete(&talk.id).await.expect("nobody has it");
    let missing = Err(StoreError::NotFound("talk_2".into()));
    assert_eq!(store.rename(&talk.id, "Name").await, missing);
}

async fn a_name_is_nothing_that_happened(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let reports = talk.chat("How is it?", "Fine.");
    keep_in(&store, &talk, &reports).await;
    let before = store.find("talk").await.expect("it is there");
    store.rename(&talk.id, "Needle").await.expect("it is there");
    let after = store.find("talk").await.expect("it is there");
    assert_eq!(ConversationSummary { title: before.title.clone(), ..after }, before);
    let events = store.events(&talk.id, None, 99).await.expect("it can be read");
    let events: Vec<_> = events.into_iter().map(|(_, event)| event).collect();
    assert_eq!(events, reports.concat());
    // What is there already is left as it is; elsewhere it is called by its question again.
    store.import(events.clone()).await.expect("a log");
    assert_eq!(store.find("talk").await.expect("it is there").title, "Needle");
    store.delete(&talk.id).await.expect("nobody has it");
    store.import(events).await.expect("a log");
    assert_eq!(store.find("talk").await, Ok(before));
}

async fn the_next_place_is_known(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let held = store.acquire(&talk.id).await.expect("free");
    assert_eq!(held.next().await, Ok(Position(0)));
    let mut reports = talk.ask("One?", &["a", "b"], "One.");
    reports.extend(talk.chat("Two?", "Two."));
    reports.extend(talk.interrupted("Three?", "write"));
    let mut numbered = Vec::new();
    for event in reports.iter().flatten() {
        numbered.push((held.next().await.expect("it is held"), event.clone()));
        held.append(slice::from_ref(event)).await.expect("it is kept");
    }
    assert_eq!(store.events(&talk.id, None, 999).await.as_ref(), Ok(&numbered));
    drop(held);
    let held = store.acquire(&talk.id).await.expect("free");
    assert_eq!(held.next().await, Ok(Position(numbered.len() as u64)));
}
