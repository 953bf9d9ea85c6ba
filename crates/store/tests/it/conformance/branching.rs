//! Runs that go on from an earlier point.

use std::collections::HashMap;

use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use toolwright_core::{BranchPoint, Conversation, Event, EventKind, Journal, Run, RunId, RunTree};
use toolwright_store::{Store, StoreError};

use super::{loading::compacting, on_both};
use crate::common::{
    place::Place,
    talk::{Reports, Talk, keep, keep_in, stored},
};

on_both!(
    a_question_that_is_asked_again_follows_what_came_before_it,
    any_tree_of_runs_loads_as_it_was_said,
    a_point_between_calls_and_results_is_none,
    a_point_that_is_not_there_is_refused,
    branches_are_exported_and_imported,
    a_digest_of_another_branch_is_not_history,
    an_unfinished_run_on_a_branch_is_loaded,
);

/// The last event of a run.
pub(super) fn end(reports: &Reports) -> BranchPoint {
    let last = reports.iter().flatten().next_back().expect("it has events");
    BranchPoint::Event { run: last.run.clone(), seq: last.seq }
}

pub(super) async fn loaded(store: &Store, talk: &Talk) -> Conversation {
    let held = store.acquire(&talk.id).await.expect("free");
    held.load().await.expect("it loads").history
}

async fn a_question_that_is_asked_again_follows_what_came_before_it(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let one = talk.ask("One?", &["a"], "One.");
    let after_one = talk.history.clone();
    let two = talk.chat("Two?", "Wrong.");
    talk.go_back(end(&one), &after_one);
    let again = talk.chat("Two?", "Two.");
    let three = talk.chat("Three?", "Three.");
    for reports in [&one, &two, &again, &three] {
        keep_in(&store, &talk, reports).await;
    }
    let history = loaded(&store, &talk).await;
    assert_eq!(history, talk.history);
    assert!(history.messages().iter().all(|message| message.content() != "Wrong."));
    // As it was before anything was said, and whatever was open in between.
    talk.go_back(BranchPoint::Start, &Conversation::new());
    let fresh = talk.chat("One, differently?", "Well.");
    keep_in(&store, &talk, &fresh).await;
    assert_eq!(loaded(&place.open().await, &talk).await, talk.history);

    let runs = store.runs(&talk.id).await.expect("they are there");
    let ids: Vec<_> = runs.runs().cloned().collect();
    assert_eq!(runs.versions(&ids[1]), [&ids[1], &ids[2]]);
    assert_eq!(runs.versions(&ids[0]), [&ids[0], &ids[4]]);
    assert_eq!(runs.tip(&ids[0]), &ids[3], "the newest version, and what follows it");
    assert_eq!(runs.tip(&ids[1]), &ids[1]);
    assert_eq!(runs.origin(&ids[3]), Some(&end(&again)));
    assert!(!runs.is_line());

    // Which version something was said in, and what was answered last on the newest path.
    let found = store.search("wrong", 10).await.expect("a search");
    assert_eq!(found.iter().map(|hit| &hit.run).collect::<Vec<_>>(), [&ids[1]]);
    let summary = store.find("talk").await.expect("it is there");
    assert_eq!(summary.last_answer.as_deref(), Some("Well."));
    talk.go_back(end(&one), &after_one);
    keep_in(&store, &talk, &vec![talk.clone().begin("Two?").reports.concat()]).await;
    let summary = store.find("talk").await.expect("it is there");
    assert_eq!(summary.last_answer, None, "what is asked anew has no answer yet");
}

/// Runs that go on from anywhere: each loads with exactly what its own log says was said before, the point
/// it goes on from is where it was, and the tree that the database knows is that of the events.
async fn any_tree_of_runs_loads_as_it_was_said(place: Place) {
    let store = place.open().await;
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let shapes =
        prop::collection::vec((0_usize..4, any::<prop::sample::Index>(), any::<bool>()), 24);
    for number in 0..3 {
        let shape = shapes.new_tree(&mut runner).expect("a shape").current();
        let mut talk = Talk::new(&format!("talk_{number}"));
        let mut points = vec![(BranchPoint::Start, Conversation::new())];
        for (results, index, branches) in shape {
            if branches {
                let (point, history) = index.get(&points);
                talk.go_back(point.clone(), history);
            }
            let before = talk.history.clone();
            let results: Vec<_> = (0..results).map(|it| format!("result {it}")).collect();
            let results: Vec<&str> = results.iter().map(String::as_str).collect();
            let question = format!("Question {}?", talk.runs);
            let reports = match results.len() {
                0 => talk.chat(&question, "An answer."),
                _ => talk.ask(&question, &results, "An answer."),
            };
            keep_in(&store, &talk, &reports).await;
            assert_eq!(loaded(&store, &talk).await, talk.history);
            points.extend(boundaries(&before, &reports.concat()));
        }
        let held = store.acquire(&talk.id).await.expect("free");
        for (point, history) in &points {
            assert_eq!(held.history_at(point).await.expect("it is there"), *history);
        }
        let mut tree = RunTree::new();
        stored(&store, &talk.id).await.iter().for_each(|event| tree.take(event));
        let known = store.runs(&talk.id).await.expect("they are there");
        for run in tree.runs() {
            assert_eq!(known.origin(run), tree.origin(run));
            assert_eq!(known.tip(run), tree.tip(run));
        }
    }
}

/// The points of a run at which every call has its result, and what was said until there.
pub(super) fn boundaries(
    before: &Conversation,
    events: &[Event],
) -> Vec<(BranchPoint, Conversation)> {
    let prefixes = (1..=events.len()).map(|count| &events[..count]);
    let said = prefixes.filter_map(|prefix| {
        let run = Run::replay(before.clone(), prefix).expect("a log").into_conversation();
        let last = prefix.last().expect("it is not empty");
        let calls = run.messages().iter().map(|message| message.calls().len()).sum::<usize>();
        let point = BranchPoint::Event { run: last.run.clone(), seq: last.seq };
        (calls == run.results().count()).then_some((point, run))
    });
    said.collect()
}

async fn a_point_between_calls_and_results_is_none(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let events = talk.ask("One?", &["a", "b"], "One.").concat();
    keep_in(&store, &talk, &vec![events.clone()]).await;
    let good: HashMap<_, _> = boundaries(&Conversation::new(), &events).into_iter().collect();
    let held = store.acquire(&talk.id).await.expect("free");
    let mut refused = 0;
    for event in &events {
        let point = BranchPoint::Event { run: event.run.clone(), seq: event.seq };
        match (held.history_at(&point).await, good.get(&point)) {
            (Ok(history), Some(said)) => assert_eq!(history, *said),
            (Err(StoreError::Point(why)), None) => {
                assert!(why.contains("between calls and their results"), "{why}");
                refused += 1;
            }
            (other, _) => panic!("{point:?}: {other:?}"),
        }
    }
    assert!(refused > 2);
}

async fn a_point_that_is_not_there_is_refused(place: Place) {
    let store = place.open().await;
    let mut other = Talk::new("other");
    let foreign = other.chat("Other?", "Other.");
    keep_in(&store, &other, &foreign).await;
    let mut talk = Talk::new("talk");
    let reports = talk.chat("One?", "One.");
    keep_in(&store, &talk, &reports).await;
    let BranchPoint::Event { run, seq } = end(&reports) else { panic!("it has events") };
    let history = talk.history.clone();
    let held = store.acquire(&talk.id).await.expect("free");
    for point in [
        end(&foreign),
        BranchPoint::Event { run: run.clone(), seq: seq + 1 },
        BranchPoint::Event { run, seq: u64::MAX },
        BranchPoint::Event { run: RunId::from("run_nobody_has"), seq: 0 },
    ] {
        let refused = held.history_at(&point).await;
        assert!(matches!(refused, Err(StoreError::Point(_))), "{point:?}: {refused:?}");
        talk.go_back(point.clone(), &history);
        let begun = talk.begin("And?").reports;
        let refused = held.append(&begun[0]).await;
        assert!(refused.is_err(), "{point:?}");
        assert_eq!(held.load().await.expect("it loads").history, history, "nothing was kept");
    }
}

async fn branches_are_exported_and_imported(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let one = talk.chat("One?", "One.");
    let after_one = talk.history.clone();
    let two = talk.ask("Two?", &["a"], "Wrong.");
    talk.go_back(end(&one), &after_one);
    let again = talk.ask("Two?", &["b"], "Two.");
    let events = [one, two, again].concat().concat();
    let (early, late) = events.split_at(events.len() - 5);
    store.import(early.to_vec()).await.expect("a log");
    store.import(events.clone()).await.expect("a longer log");
    assert!(!late.is_empty());
    assert_eq!(stored(&store, &talk.id).await, events);
    let said = loaded(&store, &talk).await;
    let said: Vec<_> = said.messages().iter().map(|message| message.content()).collect();
    // Instructions from elsewhere are none.
    assert_eq!(said, ["One?", "One.", "Two?", "", "b", "Two."]);
    let rootless = events.iter().filter(|event| event.run != events[0].run).cloned().collect();
    let refused = place.open().await.import(renamed(rootless)).await;
    assert!(refused.is_err(), "{refused:?}");
}

/// The same runs of another conversation.
fn renamed(events: Vec<Event>) -> Vec<Event> {
    let rename = |mut event: Event| {
        event.run = RunId::new(format!("{}_again", event.run));
        if let EventKind::RunStarted { conversation_id, .. } = &mut event.kind {
            *conversation_id = "elsewhere".into();
        }
        event
    };
    events.into_iter().map(rename).collect()
}

async fn a_digest_of_another_branch_is_not_history(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let one = talk.chat("One?", "One.");
    let after_one = talk.history.clone();
    let two = compacting(&mut talk);
    talk.go_back(end(&one), &after_one);
    let again = talk.chat("Two, briefly?", "Two.");
    for reports in [&one, &two, &again] {
        keep_in(&store, &talk, reports).await;
    }
    assert_eq!(loaded(&store, &talk).await, talk.history);
    assert_eq!(talk.history.messages().len(), 5, "nothing was compacted on this branch");
}

async fn an_unfinished_run_on_a_branch_is_loaded(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let one = talk.chat("One?", "One.");
    let after_one = talk.history.clone();
    let two = talk.chat("Two?", "Wrong.");
    talk.go_back(end(&one), &after_one);
    let cut = talk.interrupted("Two?", "look");
    let held = store.acquire(&talk.id).await.expect("free");
    for reports in [&one, &two, &cut] {
        keep(&held, reports).await;
    }
    let state = held.load().await.expect("it loads");
    assert_eq!(state.history, after_one);
    let run = Run::replay(after_one, &cut.concat()).expect("a log");
    assert_eq!(state.unfinished, Some(run));
}
