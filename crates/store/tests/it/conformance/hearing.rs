//! What is told of what happens in the log.

use toolwright_core::{QueueMode, QueuedMessage, Timestamp, UserMessage};
use toolwright_store::{Instruction, News, Store, StoreNews, Withdrawal};

use super::on_both;
use crate::common::{
    place::Place,
    talk::{Talk, keep_in},
};

on_both!(
    everything_that_is_kept_is_told,
    what_waits_and_what_is_left_is_told,
    whoever_listens_slowly_is_told_that_something_was_missed,
    nobody_hears_from_a_store_that_is_gone,
);

/// Somebody who listens, and does so by now.
async fn listening(store: &Store) -> StoreNews {
    let mut news = store.news();
    if store.is_shared() {
        assert_eq!(news.next().await, Some(News::Missed), "listening begins");
    }
    news
}

async fn everything_that_is_kept_is_told(place: Place) {
    let store = place.open().await;
    let mut news = listening(&store).await;
    let mut talk = Talk::new("talk");
    let mut events = 0;
    for number in 0..3 {
        let reports = talk.ask(&format!("Question {number}?"), &["a", "b"], "Well.");
        for report in &reports {
            keep_in(&store, &talk, &vec![report.clone()]).await;
            let kept = report.iter().filter(|event| !event.kind.is_provisional()).count() as u64;
            if kept == 0 {
                continue;
            }
            events += kept;
            let expected = News::Kept { id: talk.id.clone(), events };
            assert_eq!(news.next().await, Some(expected));
        }
    }
}

async fn what_waits_and_what_is_left_is_told(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let going = talk.begin("Well?");
    keep_in(&store, &talk, &going.reports).await;
    let mut news = listening(&store).await;
    let id = talk.id.clone();
    let message = UserMessage::new("And then?");
    let waits = QueuedMessage { id: "m1".into(), mode: QueueMode::Next, at: Timestamp(7), message };
    store.queue(&id, waits).await.expect("it is kept");
    assert_eq!(news.next().await, Some(News::Queue { id: id.clone() }));
    let withdrawn = store.withdraw(&id, &"m1".into()).await.expect("it can be asked");
    assert_eq!(withdrawn, Withdrawal::Withdrawn);
    assert_eq!(news.next().await, Some(News::Queue { id: id.clone() }));
    store.instruct(&id, going.run.id(), &Instruction::Stop).await.expect("it is kept");
    assert_eq!(news.next().await, Some(News::Instructed { id: id.clone() }));
    // What changed nothing is not told: the next that is heard is what happened after it.
    let again = store.withdraw(&id, &"m1".into()).await.expect("it can be asked");
    assert_eq!(again, Withdrawal::Unknown);
    let nothing = store.instruct(&id, &"nobody".into(), &Instruction::Stop).await;
    nothing.expect("it can be asked");
    store.instruct(&id, going.run.id(), &Instruction::Stop).await.expect("it is kept");
    let message = UserMessage::new("Then?");
    let waits = QueuedMessage { id: "m2".into(), mode: QueueMode::Next, at: Timestamp(8), message };
    store.queue(&id, waits).await.expect("it is kept");
    assert_eq!(news.next().await, Some(News::Instructed { id: id.clone() }));
    assert_eq!(news.next().await, Some(News::Queue { id }));
}

async fn whoever_listens_slowly_is_told_that_something_was_missed(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let going = talk.begin("Well?");
    keep_in(&store, &talk, &going.reports).await;
    let (mut slow, mut quick) = (listening(&store).await, store.news());
    let told = 1_100;
    for _ in 0..told {
        store.instruct(&talk.id, going.run.id(), &Instruction::Stop).await.expect("it is kept");
        assert_eq!(quick.next().await, Some(News::Instructed { id: talk.id.clone() }));
    }
    assert_eq!(slow.next().await, Some(News::Missed));
    for _ in 0..1_024 {
        assert_eq!(slow.next().await, Some(News::Instructed { id: talk.id.clone() }));
    }
    let message = UserMessage::new("Then?");
    let waits = QueuedMessage { id: "m2".into(), mode: QueueMode::Next, at: Timestamp(8), message };
    store.queue(&talk.id, waits).await.expect("it is kept");
    assert_eq!(slow.next().await, Some(News::Queue { id: talk.id.clone() }));
}

async fn nobody_hears_from_a_store_that_is_gone(place: Place) {
    let store = place.open().await;
    let mut news = listening(&store).await;
    drop(store);
    assert_eq!(news.next().await, None);
}
