//! Loading a conversation.

use serde_json::json;
use toolwright_core::{Conversation, Event, EventKind, Journal, Run, Timestamp};

use super::on_both;
use crate::common::{
    place::Place,
    talk::{Reports, Talk, event, keep, keep_in, stored},
};

on_both!(
    history_is_what_the_runs_said,
    an_unfinished_run_is_loaded_and_goes_on,
    any_prefix_loads,
    loading_starts_at_the_last_digest,
    a_digest_of_an_unfinished_run_is_not_history,
    what_somebody_changed_is_still_known,
    a_new_conversation_is_empty,
);

async fn history_is_what_the_runs_said(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let long = "0123456789".repeat(300);
    let mut reports = talk.ask("One?", &["a", "b", &long], "One.");
    reports.extend(talk.chat("Two?", "Two."));
    let mut silent = talk.begin("Silent?");
    for _ in 0..3 {
        silent.reply(&mut talk, toolwright_core::ModelResponse::text(" "));
    }
    reports.extend(silent.end(&mut talk));
    reports.extend(talk.ask("Three?", &["c"], "Three."));
    keep_in(&store, &talk, &reports).await;
    let loaded = store.acquire(&talk.id).await.expect("free").load().await.expect("it loads");
    assert_eq!(loaded.history, talk.history);
    assert_eq!(loaded.unfinished, None);
}

async fn an_unfinished_run_is_loaded_and_goes_on(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let first = talk.ask("One?", &["a"], "One.");
    keep_in(&store, &talk, &first).await;
    let history = talk.history.clone();
    let reports = talk.interrupted("Two?", "write");
    keep_in(&store, &talk, &reports).await;

    let held = store.acquire(&talk.id).await.expect("free");
    let loaded = held.load().await.expect("it loads");
    assert_eq!(loaded.history, history);
    let mut run = loaded.unfinished.expect("it has not ended");
    assert_eq!(run, Run::replay(history, &reports.concat()).expect("a log"));
    let events = run.abandoned(Timestamp(9)).expect("it had not ended");
    held.append(&events).await.expect("it is kept");
    let loaded = held.load().await.expect("it loads");
    assert_eq!(loaded.history, *run.conversation());
    assert_eq!(loaded.unfinished, None);
    let last = loaded.history.messages().last().expect("there are some");
    assert_eq!(last.role(), "tool", "the call got a result");
}

/// Wherever a log of reports ends, it loads as the run it is.
async fn any_prefix_loads(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let before = talk.ask("One?", &["a"], "One.");
    let history = talk.history.clone();
    let long = "0123456789".repeat(300);
    let reports = talk.ask("Two?", &["b", &long, "d"], "Two.");
    let held = store.acquire(&talk.id).await.expect("free");
    keep(&held, &before).await;
    let mut so_far: Vec<Event> = Vec::new();
    for report in &reports {
        held.append(report).await.expect("it is kept");
        so_far.extend(report.clone());
        let run = Run::replay(history.clone(), &so_far).expect("a log");
        let loaded = held.load().await.expect("it loads");
        if run.is_ended() {
            assert_eq!(loaded.unfinished, None);
            assert_eq!(loaded.history, *run.conversation());
        } else {
            assert_eq!(loaded.unfinished, Some(run));
            assert_eq!(loaded.history, history);
        }
    }
}

/// A run that replaces what came before it by a digest.
pub(super) fn compacting(talk: &mut Talk) -> Reports {
    let mut run = talk.begin("Shorter?");
    let digest = run.run.conversation().digest(0).expect("there is something to shorten");
    let events = run.run.compacted(digest, Timestamp(1)).expect("it waits for the model");
    run.reports.push(events);
    run.reply(talk, toolwright_core::ModelResponse::text("Shorter."));
    run.end(talk)
}

async fn loading_starts_at_the_last_digest(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let mut reports = talk.ask("One?", &["a"], "One.");
    reports.extend(talk.chat("Two?", "Two."));
    reports.extend(compacting(&mut talk));
    reports.extend(talk.ask("Three?", &["c"], "Three."));
    keep_in(&store, &talk, &reports).await;
    let held = store.acquire(&talk.id).await.expect("free");
    let loaded = held.load().await.expect("it loads");
    assert_eq!(loaded.history, talk.history);
    assert!(loaded.history.messages().iter().any(|it| it.content().contains("shortened")));
    // What the digest remembers of results that are gone is known, too.
    assert_eq!(
        loaded.history.origins().of(&json!("One?")),
        talk.history.origins().of(&json!("One?"))
    );

    reports = compacting(&mut talk);
    keep(&held, &reports).await;
    assert_eq!(held.load().await.expect("it loads").history, talk.history);
}

async fn a_digest_of_an_unfinished_run_is_not_history(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let mut reports = talk.ask("One?", &["a"], "One.");
    reports.extend(compacting(&mut talk));
    let history = talk.history.clone();
    let cut = compacting(&mut talk);
    let compacted = cut.iter().position(|report| {
        report.iter().any(|event| matches!(event.kind, EventKind::Compacted(_)))
    });
    let cut: Reports = cut[..=compacted.expect("it is there")].to_vec();
    reports.extend(cut.clone());
    keep_in(&store, &talk, &reports).await;
    let loaded = store.acquire(&talk.id).await.expect("free").load().await.expect("it loads");
    assert_eq!(loaded.history, history);
    let run = Run::replay(history, &cut.concat()).expect("a log");
    assert_eq!(loaded.unfinished, Some(run));
}

/// Wherever the log ends: the arguments that run are those that were shown, and once the run has
/// ended the result knows them.
async fn what_somebody_changed_is_still_known(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let typed = json!({"file": "two_99"});
    let mut run = talk.begin("Drop one.");
    run.edit(&mut talk, &typed);
    run.settle(&mut talk, "Dropped.");
    run.reply(&mut talk, toolwright_core::ModelResponse::text("Dropped."));
    let reports = run.end(&mut talk);
    let held = store.acquire(&talk.id).await.expect("free");
    let mut so_far: Vec<Event> = Vec::new();
    for report in &reports {
        held.append(report).await.expect("it is kept");
        so_far.extend(report.clone());
        let run = Run::replay(Conversation::new(), &so_far).expect("a log");
        let unfinished = (!run.is_ended()).then_some(run);
        assert_eq!(held.load().await.expect("it loads").unfinished, unfinished);
    }
    let history = held.load().await.expect("it loads").history;
    assert_eq!(history, talk.history);
    let result = history.results().next().expect("there is one");
    assert_eq!(result.outcome.edited_arguments.as_deref(), Some(&typed));
    assert_eq!(history.origins().of(&json!("two_99")), Some(toolwright_core::ValueOrigin::User));
}

async fn a_new_conversation_is_empty(place: Place) {
    let store = place.open().await;
    let loaded = store.acquire(&"new".into()).await.expect("free").load().await.expect("it loads");
    assert_eq!((loaded.history, loaded.unfinished), (Conversation::new(), None));
    // A log that ends in the middle of its first report is a log, too.
    let held = store.acquire(&"cut".into()).await.expect("free");
    let started = event(
        "run_cut",
        0,
        json!({"type": "run_started", "version": 2,
        "conversation_id": "cut", "model": "m", "limits": {"rounds": 5, "calls": 64}}),
    );
    held.append(std::slice::from_ref(&started)).await.expect("it is kept");
    let loaded = held.load().await.expect("it loads");
    assert!(loaded.unfinished.is_some());
    assert_eq!(stored(&store, &"cut".into()).await, [started]);
}
