//! Deleting a conversation.

use toolwright_store::{ConversationPage, StoreError};

use super::on_both;
use crate::common::{
    place::Place,
    talk::{Talk, keep, keep_in, stored},
};

on_both!(what_is_deleted_is_gone, a_conversation_at_work_is_not_deleted, a_name_can_be_used_again,);

async fn what_is_deleted_is_gone(place: Place) {
    let store = place.open().await;
    let (mut talk, mut other) = (Talk::new("talk"), Talk::new("other"));
    let reports = talk.ask("A needle?", &["needles"], "Needle.");
    keep_in(&store, &talk, &reports).await;
    let kept = other.ask("A needle?", &["needles"], "Needle.");
    keep_in(&store, &other, &kept).await;
    store.delete(&talk.id).await.expect("nobody has it");
    let gone = Err(StoreError::NotFound("talk".into()));
    assert_eq!(store.find("talk").await, gone);
    assert_eq!(store.events(&talk.id, None, 9).await.map(drop), gone.clone().map(drop));
    assert_eq!(store.delete(&talk.id).await, gone.map(drop));
    let hits = store.search("needle", 9).await.expect("a search");
    assert_eq!(hits.iter().map(|hit| &hit.summary.id).collect::<Vec<_>>(), [&other.id]);
    assert_eq!(store.list(&ConversationPage::default()).await.expect("a list").len(), 1);
    assert_eq!(stored(&store, &other.id).await, kept.concat());
}

async fn a_conversation_at_work_is_not_deleted(place: Place) {
    let (store, other) = (place.open().await, place.open().await);
    let mut talk = Talk::new("talk");
    let held = store.acquire(&talk.id).await.expect("free");
    let reports = talk.chat("Well?", "Well.");
    keep(&held, &reports).await;
    for store in [&store, &other] {
        let error = store.delete(&talk.id).await.expect_err("somebody is at work there");
        assert!(matches!(error, StoreError::InUse { .. }), "{error}");
    }
    keep(&held, &talk.chat("Still?", "Still.")).await;
    drop(held);
    other.delete(&talk.id).await.expect("nobody has it");
}

async fn a_name_can_be_used_again(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let reports = talk.ask("Well?", &["a"], "Well.");
    for _ in 0..3 {
        keep_in(&store, &talk, &reports).await;
        assert_eq!(stored(&store, &talk.id).await, reports.concat());
        store.delete(&talk.id).await.expect("nobody has it");
        let held = store.acquire(&talk.id).await.expect("free");
        assert!(held.load().await.expect("it loads").history.is_empty());
    }
}
