//! Taking logs from elsewhere.

use std::collections::HashMap;

use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use serde_json::json;
use toolwright_core::{BranchPoint, Conversation, Event, Journal, RunId, RunTree};
use toolwright_store::{ConversationPage, ImportReport, Store, StoreError};

use super::on_both;
use crate::common::{
    place::{PATIENCE, Place},
    talk::{Talk, event, keep, keep_in, stored},
};

on_both!(
    what_was_exported_can_be_imported,
    importing_twice_changes_nothing,
    a_longer_log_adds_what_is_new,
    something_else_under_the_same_name_is_refused,
    what_is_no_log_is_refused,
    a_conversation_at_work_is_left_alone,
    what_others_wrote_is_foreign,
    two_copies_that_both_went_on_hang_together_alike,
);

fn talks() -> Vec<(Talk, Vec<Event>)> {
    ["a", "b", "c"]
        .iter()
        .map(|id| {
            let mut talk = Talk::new(id);
            let mut events = talk.ask("One?", &["needle", "b"], "One.").concat();
            events.extend(talk.chat("Two?", "Two.").concat());
            (talk, events)
        })
        .collect()
}

/// What is left of a conversation that was written elsewhere: all that was said, by nobody here.
fn foreign(history: &Conversation) -> Conversation {
    let messages = history.messages().iter().filter_map(|message| message.foreign());
    messages.map(|message| (*message).clone()).collect()
}

async fn what_was_exported_can_be_imported(place: Place) {
    let store = place.open().await;
    let talks = talks();
    let events: Vec<_> = talks.iter().flat_map(|(_, events)| events.clone()).collect();
    let done = store.import(events.clone()).await.expect("they are logs");
    let all = ImportReport { conversations: 3, runs: 6, events: events.len(), known: 0 };
    assert_eq!(done, all);
    for (talk, events) in &talks {
        assert_eq!(stored(&store, &talk.id).await, *events);
        let held = store.acquire(&talk.id).await.expect("free");
        assert_eq!(held.load().await.expect("it loads").history, foreign(&talk.history));
    }
    assert_eq!(store.search("needle", 10).await.expect("a search").len(), 3);
    // The same as if it had happened here.
    let other = Place::fast();
    let other = other.open().await;
    for (talk, events) in &talks {
        keep_in(&other, talk, &vec![events.clone()]).await;
    }
    let list =
        async |store: &toolwright_store::Store| store.list(&ConversationPage::default()).await;
    assert_eq!(list(&store).await, list(&other).await);
    assert_eq!(store.import(Vec::new()).await, Ok(ImportReport::default()));
}

async fn importing_twice_changes_nothing(place: Place) {
    let store = place.open().await;
    let events: Vec<_> = talks().into_iter().flat_map(|(_, events)| events).collect();
    store.import(events.clone()).await.expect("they are logs");
    let again = store.import(events.clone()).await.expect("they are known");
    assert_eq!(again, ImportReport { known: events.len(), ..ImportReport::default() });
    assert_eq!(store.search("needle", 10).await.expect("a search").len(), 3);
}

async fn a_longer_log_adds_what_is_new(place: Place) {
    let store = place.open().await;
    let (talk, events) = talks().remove(0);
    for length in [1, 4, 4, 9, 2, events.len() - 1, events.len()] {
        let before = store.events(&talk.id, None, 99).await.map_or(0, |it| it.len());
        let done = store.import(events[..length].to_vec()).await.expect("a longer log");
        assert_eq!(done.events, length.saturating_sub(before));
        assert_eq!(done.known, length.min(before));
        assert_eq!(stored(&store, &talk.id).await, events[..length.max(before)]);
    }
    let held = store.acquire(&talk.id).await.expect("free");
    assert_eq!(held.load().await.expect("it loads").history, foreign(&talk.history));
    // A log that goes on here goes on.
    let mut talk = talk;
    keep(&held, &talk.chat("Three?", "Three.")).await;
}

async fn something_else_under_the_same_name_is_refused(place: Place) {
    let store = place.open().await;
    let mut talks = talks();
    let (talk, events) = talks.remove(1);
    store.import(events[..6].to_vec()).await.expect("they are logs");
    let mut other = events.clone();
    other[2].at = toolwright_core::Timestamp(7);
    let mut reworded = events.clone();
    let text = json!({"type": "message", "message": {"role": "user", "content": "Two?"}});
    reworded[2].kind = serde_json::from_value(text).expect("a kind");
    assert_ne!(reworded, events);
    let error = store.import(reworded).await.expect_err("it says something else");
    assert!(matches!(error, StoreError::Conflict(_)), "{error}");
    let new = talks.remove(0);
    let both = [new.1.clone(), other].concat();
    let error = store.import(both).await.expect_err("it says something else");
    assert!(matches!(&error, StoreError::Conflict(why) if why.contains("event 2")), "{error}");
    assert_eq!(stored(&store, &talk.id).await, events[..6]);
    let none = store.events(&new.0.id, None, 1).await;
    assert_eq!(none, Err(StoreError::NotFound("a".into())), "nothing is imported");
    // The same run in another conversation.
    let mut stolen = new.1.clone();
    stolen.iter_mut().for_each(|event| event.run = "run_b_0".into());
    let stolen: Vec<_> = stolen.into_iter().take(3).collect();
    let error = store.import(stolen).await.expect_err("the run is another one's");
    assert!(matches!(error, StoreError::Conflict(_)), "{error}");
    // A run that cannot begin, because another one here has not ended.
    let second = event(
        "other",
        0,
        json!({"type": "run_started", "version": 2,
        "conversation_id": "b", "model": "m", "limits": {"rounds": 5, "calls": 64}}),
    );
    let error = store.import(vec![second]).await.expect_err("one run at a time");
    assert!(matches!(error, StoreError::Conflict(_)), "{error}");
    let list = store.list(&ConversationPage::default()).await.expect("a list");
    assert_eq!(list.len(), 1, "{list:?}");
}

async fn what_is_no_log_is_refused(place: Place) {
    let store = place.open().await;
    let (_, events) = talks().remove(0);
    let first_run = events.iter().filter(|event| event.run.as_str() == "run_a_0").count();
    let refused = async |change: &dyn Fn(&mut Vec<Event>), why: &str| {
        let mut events = events.clone();
        change(&mut events);
        let error = store.import(events).await.expect_err(why);
        assert!(matches!(&error, StoreError::Invalid(_)), "{error:?}");
        assert!(error.to_string().contains(why), "{error}");
    };
    refused(&|events| drop(events.remove(0)), "run_started").await;
    refused(&|events| drop(events.remove(3)), "stands where").await;
    refused(&|events| events.swap(2, 3), "stands where").await;
    refused(&|events| drop(events.remove(first_run - 1)), "has not ended").await;
    let later = json!({"type": "run_started", "version": 3, "conversation_id": "a", "model": "m",
        "limits": {"rounds": 5, "calls": 64}});
    refused(&|events| events[0] = event("run_a_0", 0, later.clone()), "version 3").await;
    refused(
        &|events| {
            let (run, seq) = (events[first_run - 1].run.to_string(), first_run as u64);
            let late = json!({"type": "notice", "message": "late"});
            events.insert(first_run, event(&run, seq, late));
        },
        "behind its end",
    )
    .await;
    // A run that ended with a call open: no provider would take such a history.
    refused(
        &|events| {
            let started = events.iter().position(|it| it.kind.name() == "call_started");
            let mut end = events[first_run - 1].clone();
            events.truncate(started.expect("there is a call"));
            end.seq = events.len() as u64;
            events.push(end);
        },
        "has no result",
    )
    .await;
    assert!(store.list(&ConversationPage::default()).await.expect("a list").is_empty());
}

async fn a_conversation_at_work_is_left_alone(place: Place) {
    let store = place.open().await;
    let (talk, events) = talks().remove(0);
    let held = store.acquire(&talk.id).await.expect("free");
    let error = store.import(events.clone()).await.expect_err("somebody is at work there");
    assert!(matches!(error, StoreError::InUse { .. }), "{error}");
    held.append(&events).await.expect("and is not disturbed");
    // Nothing is to be added, so nobody is disturbed.
    store.import(events.clone()).await.expect("all is known");
    drop(held);
}

/// Imported, or written with another key: in either case it is told, in history and in the run that
/// has not ended.
async fn what_others_wrote_is_foreign(place: Place) {
    let store = place.open().await;
    let is_foreign = async |store: &Store, talk: &Talk| {
        let held = store.acquire(&talk.id).await.expect("free");
        let loaded = held.load().await.expect("it loads");
        let run = loaded.unfinished.expect("a run that has not ended");
        (loaded.history.is_foreign(), run.conversation().is_foreign())
    };
    let mut own = Talk::new("own");
    let mut events = own.chat("One?", "One.");
    events.extend(own.interrupted("Well?", "write"));
    keep_in(&store, &own, &events).await;
    assert_eq!(is_foreign(&store, &own).await, (false, false));

    let mut theirs = Talk::new("theirs");
    let mut events = theirs.chat("One?", "One.").concat();
    events.extend(theirs.interrupted("Well?", "write").concat());
    store.import(events).await.expect("a log");
    assert_eq!(is_foreign(&store, &theirs).await, (true, true));

    let key = "0f".repeat(32).parse().expect("a key");
    let other = Store::open_keyed(&place.location, PATIENCE, key).await.expect("it opens");
    assert_eq!(is_foreign(&other, &own).await, (true, true));
    assert_eq!(is_foreign(&store, &own).await, (false, false));
}

/// What somebody does with one of the two copies.
#[derive(Clone, Debug)]
enum Move {
    /// Goes on from the end.
    Ask,
    /// Goes on from the end of any run.
    AskFrom(prop::sample::Index),
    /// Takes in what the other one has.
    TakeIn,
}

/// Two copies of a conversation, used by turns and brought together now and then: a run goes on from where it went
/// on when it was asked, in either copy, whoever was first.
async fn two_copies_that_both_went_on_hang_together_alike(place: Place) {
    let other = Place::fast();
    let stores = [place.open().await, other.open().await];
    let moves = prop_oneof![
        3 => Just(Move::Ask),
        2 => any::<prop::sample::Index>().prop_map(Move::AskFrom),
        2 => Just(Move::TakeIn),
    ];
    let moves = prop::collection::vec((any::<bool>(), moves), 20);
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    for number in 0..4 {
        let mut talk = Talk::new(&format!("talk_{number}"));
        let mut origins = HashMap::new();
        let first = talk.chat("First?", "First.");
        origins.insert(first[0][0].run.clone(), BranchPoint::Start);
        keep_in(&stores[0], &talk, &first).await;
        take_in(&stores[1], &stores[0], &talk).await;
        for (side, step) in moves.new_tree(&mut runner).expect("moves").current() {
            let (here, there) = (&stores[usize::from(side)], &stores[usize::from(!side)]);
            let tree = here.runs(&talk.id).await.expect("they are there");
            let from = match step {
                Move::Ask => None,
                Move::AskFrom(index) => {
                    let runs: Vec<RunId> = tree.runs().cloned().collect();
                    tree.end_of(index.get(&runs))
                }
                Move::TakeIn => {
                    take_in(here, there, &talk).await;
                    continue;
                }
            };
            let begins = from.clone().unwrap_or_else(|| tree.end());
            match from {
                Some(point) => talk.go_back(point, &Conversation::new()),
                None => talk.history = Conversation::new(),
            }
            let asked = talk.chat("More?", "More.");
            origins.insert(asked[0][0].run.clone(), begins);
            keep_in(here, &talk, &asked).await;
        }
        take_in(&stores[0], &stores[1], &talk).await;
        take_in(&stores[1], &stores[0], &talk).await;
        for store in &stores {
            assert_eq!(hanging(&store.runs(&talk.id).await.expect("they are there")), origins);
            // And so says the log, which is what everybody else is shown.
            let mut told = RunTree::new();
            stored(store, &talk.id).await.iter().for_each(|event| told.take(event));
            assert_eq!(hanging(&told), origins);
        }
        assert_eq!(take_in(&stores[0], &stores[1], &talk).await.events, 0);
    }
}

async fn take_in(here: &Store, there: &Store, talk: &Talk) -> ImportReport {
    here.import(stored(there, &talk.id).await).await.expect("a copy of the same")
}

fn hanging(tree: &RunTree) -> HashMap<RunId, BranchPoint> {
    let origin = |run: &RunId| (run.clone(), tree.origin(run).expect("it is there").clone());
    tree.runs().map(origin).collect()
}
