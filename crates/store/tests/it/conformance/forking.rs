//! Conversations that begin as a copy of another's.

use toolwright_core::{
    BranchPoint, Conversation, ConversationId, Event, EventKind, RunId, RunTree,
};
use toolwright_store::{Store, StoreError};

use super::{
    attaching::{attached, picture},
    branching::{boundaries, end, loaded},
    on_both,
};
use crate::common::{
    place::Place,
    talk::{Talk, keep_in, stored},
};

on_both!(
    a_copy_up_to_any_point_loads_as_it_was_said,
    a_copy_stays_when_the_first_is_deleted,
    a_copy_of_what_was_written_elsewhere_stays_foreign,
    what_cannot_be_copied_is_refused,
    a_copy_follows_one_version_alone,
);

/// Copies up to a point, or to the end.
async fn copied(
    store: &Store,
    talk: &Talk,
    point: Option<&BranchPoint>,
    into: &str,
) -> Result<Talk, StoreError> {
    let copy = Talk::new(into);
    let mut number = 0;
    let name = || {
        number += 1;
        RunId::new(format!("copy_{into}_{number}"))
    };
    store.fork(&talk.id, point, &copy.id, name).await.map(|()| copy)
}

async fn a_copy_up_to_any_point_loads_as_it_was_said(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let mut points = Vec::new();
    for (question, results) in [("One?", &["a", "b"][..]), ("Two?", &[]), ("Three?", &["c"])] {
        let before = talk.history.clone();
        let reports = match results {
            [] => talk.chat(question, "Well."),
            _ => talk.ask(question, results, "Well."),
        };
        keep_in(&store, &talk, &reports).await;
        points.extend(boundaries(&before, &reports.concat()));
    }
    assert!(points.len() > 12);
    for (number, (point, history)) in points.iter().enumerate() {
        let into = format!("copy_{number}");
        let mut copy = copied(&store, &talk, Some(point), &into).await.expect("a point");
        assert_eq!(loaded(&store, &copy).await, *history, "{point:?}");
        whole(&stored(&store, &copy.id).await, &copy.id);
        // It goes on as any other.
        copy.history = history.clone();
        let more = copy.ask("And?", &["d"], "So.");
        keep_in(&store, &copy, &more).await;
        assert_eq!(loaded(&store, &copy).await, copy.history);
    }
    assert_eq!(loaded(&store, &talk).await, talk.history, "the first is as it was");
}

/// A plain line of runs that have ended, all of this conversation.
fn whole(events: &[Event], id: &ConversationId) {
    let mut tree = RunTree::new();
    events.iter().for_each(|event| tree.take(event));
    assert!(tree.is_line());
    let ends = events.iter().filter(|event| event.kind.is_terminal()).count();
    assert_eq!(ends, tree.runs().count());
    for event in events {
        let of = match &event.kind {
            EventKind::RunStarted { conversation_id, .. } => conversation_id,
            EventKind::Done(answer) => &answer.conversation_id,
            EventKind::Error(failure) => &failure.conversation_id,
            _ => continue,
        };
        assert_eq!(of, id);
    }
}

async fn a_copy_stays_when_the_first_is_deleted(place: Place) {
    let store = place.open().await;
    let (mut talk, picture) = (Talk::new("talk"), picture(7));
    let reports = attached(talk.chat("What is on the needle?", "A picture."), &picture);
    keep_in(&store, &talk, &reports).await;
    let copy = copied(&store, &talk, None, "copy").await.expect("it is there");
    let before = loaded(&store, &copy).await;
    store.delete(&talk.id).await.expect("it is free");
    assert_eq!(loaded(&store, &copy).await, before);
    let bytes = store.attachment(&copy.id, &picture.digest).await.expect("it can be read");
    assert_eq!(bytes.as_deref(), picture.bytes().map(|it| &**it));
    let found = store.search("needle", 10).await.expect("a search");
    let found: Vec<_> = found.iter().map(|hit| (&hit.summary.id, hit.run.as_str())).collect();
    assert_eq!(found, [(&copy.id, "copy_copy_1")]);
    // What was asked here can be asked again there.
    let asked = store.question(&copy.id, &"copy_copy_1".into()).await.expect("it can be read");
    assert_eq!(asked.expect("a question").content, "What is on the needle?");
}

async fn a_copy_of_what_was_written_elsewhere_stays_foreign(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    store.import(talk.chat("One?", "One.").concat()).await.expect("a log");
    let imported = loaded(&store, &talk).await;
    assert!(imported.is_foreign());
    let copy = copied(&store, &talk, None, "copy").await.expect("it is there");
    let said = loaded(&store, &copy).await;
    assert!(said.is_foreign());
    assert_eq!(said, imported);
    let asked = store.question(&copy.id, &"copy_copy_1".into()).await.expect("it can be read");
    assert_eq!(asked, None, "nobody asked it here");
}

async fn what_cannot_be_copied_is_refused(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let cut = talk.interrupted("One?", "look");
    keep_in(&store, &talk, &cut).await;
    let nowhere = BranchPoint::Event { run: "nobody".into(), seq: 0 };
    let between = end(&cut);
    for (point, says) in [
        (Some(&BranchPoint::Start), "nothing was said"),
        (Some(&nowhere), "no such point"),
        (Some(&between), "between calls and their results"),
        (None, "between calls and their results"),
    ] {
        match copied(&store, &talk, point, "copy").await.map(|copy| copy.id) {
            Err(StoreError::Point(why)) => assert!(why.contains(says), "{why}"),
            other => panic!("{point:?}: {other:?}"),
        }
    }
    let gone = copied(&store, &Talk::new("nobody"), None, "copy").await.map(|copy| copy.id);
    assert!(matches!(gone, Err(StoreError::NotFound(_))), "{gone:?}");
    let made = store.find("copy").await;
    assert!(matches!(made, Err(StoreError::NotFound(_))), "{made:?}");
}

async fn a_copy_follows_one_version_alone(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let one = talk.ask("One?", &["a"], "One.");
    let between = boundaries(&Conversation::new(), &one.concat());
    let (point, said) = between.iter().rev().nth(3).expect("a point in it").clone();
    let two = talk.chat("Two?", "Wrong.");
    let wrong = talk.history.clone();
    talk.go_back(point, &said);
    let again = talk.chat("Two, from the middle?", "Two.");
    for reports in [&one, &two, &again] {
        keep_in(&store, &talk, reports).await;
    }
    let newest = copied(&store, &talk, None, "newest").await.expect("the end");
    assert_eq!(loaded(&store, &newest).await, talk.history);
    whole(&stored(&store, &newest.id).await, &newest.id);
    let older = copied(&store, &talk, Some(&end(&two)), "older").await.expect("a point");
    assert_eq!(loaded(&store, &older).await, wrong);
}
