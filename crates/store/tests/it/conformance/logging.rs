//! Appending and reading back.

use serde_json::json;
use toolwright_core::{Event, Journal, JournalErrorKind};
use toolwright_store::{Position, StoreError};

use super::on_both;
use crate::common::{
    place::Place,
    talk::{Talk, event, keep, stored},
};

on_both!(
    every_kind_of_event_comes_back_as_it_was,
    what_is_shown_and_not_kept_is_not_kept,
    events_are_read_in_pages,
    an_append_is_kept_whole_or_not_at_all,
    what_does_not_fit_is_refused,
    one_run_at_a_time,
    a_run_has_one_conversation,
    appends_of_which_nobody_waits_are_kept_in_order,
    strange_texts_come_back,
    reopening_finds_everything,
);

/// One event of every kind that is kept, in an order that a run could have.
fn one_of_each() -> Vec<Event> {
    let usage = json!({"prompt_tokens": 3, "completion_tokens": 4});
    let call = json!({"id": "a", "type": "function", "function": {"name": "look", "arguments": "{\"x\": 0.1}"}});
    let kinds = [
        json!({"type": "run_started", "version": 2, "conversation_id": "talk", "model": "m",
               "limits": {"rounds": 5, "calls": 64, "wall_clock_ms": 1500}, "review": "warn", "judge": true,
               "price": {"input": 0.1, "output": 0.3}}),
        json!({"type": "message", "message": {"role": "system", "content": "Be brief."}}),
        json!({"type": "message", "message": {"role": "user", "content": "How is it?\u{0}\u{1f600}"}}),
        json!({"type": "tools_offered", "tools": ["look"], "of": 2, "unavailable": [{"tool": "x", "reason": "is out of order"}]}),
        json!({"type": "round_started", "of": 5, "tool_choice": "auto"}),
        json!({"type": "model_retry", "attempt": 2, "wait_ms": 10, "reason": "busy"}),
        json!({"type": "model_fallback", "from": "m", "to": "n", "reason": "busy",
               "price": {"input": 0.2, "output": 0.4}, "usage": usage}),
        json!({"type": "reply", "message": {"role": "assistant", "content": null, "tool_calls": [call]},
               "finish": "tool_calls", "usage": usage}),
        json!({"type": "tool_calls", "tool_calls": [
            {"id": "a", "tool": "look", "args": {"x": 0.1}, "status": "pending", "source": "native"}]}),
        json!({"type": "call_checked", "id": "a", "tool": "look", "arguments": {"x": 0.1}, "effect": "destructive"}),
        json!({"type": "decision_needed", "calls": ["a"]}),
        json!({"type": "decision_made", "id": "a", "decision": {"verdict": "allow"}}),
        json!({"type": "call_started", "id": "a", "tool": "look"}),
        json!({"type": "call_progress", "id": "a", "data": "half"}),
        json!({"type": "policy_applied", "id": "a", "layer": "retry", "action": "again", "message": "tried again"}),
        json!({"type": "full_result", "id": "a", "text": "0123456789"}),
        json!({"type": "call_finished", "id": "a", "tool": "look", "status": "success",
               "message": {"role": "tool", "tool_call_id": "a", "name": "look", "content": "0123",
                           "status": "success", "data": null}, "elapsed_ms": 0.1}),
        json!({"type": "compacted", "replaced": 2, "messages": [{"role": "user", "content": "so far"}],
               "returned": [], "said": ["x"], "answered": ["look"]}),
        json!({"type": "answer_rejected", "guard": "unfinished", "reason": "a blank was left"}),
        json!({"type": "reviewed", "findings": [], "verdict": "passed"}),
        json!({"type": "limit_reached", "limit": "tokens", "message": "too many"}),
        json!({"type": "notice", "message": "by the way"}),
        json!({"type": "done", "response": "Well.", "tool_calls": [], "finish_reason": "stop",
               "tools_executed": 1, "usage": usage, "conversation_id": "talk"}),
    ];
    let mut events: Vec<_> = (0..).zip(kinds).map(|(seq, kind)| event("run", seq, kind)).collect();
    let failed = [
        json!({"type": "run_started", "version": 2, "conversation_id": "talk", "model": "m",
               "limits": {"rounds": 5, "calls": 64}}),
        json!({"type": "error", "kind": "cancelled", "message": "it was cancelled", "tool_calls": [],
               "usage": usage, "conversation_id": "talk"}),
    ];
    events.extend((0..).zip(failed).map(|(seq, kind)| event("again", seq, kind)));
    events
}

async fn every_kind_of_event_comes_back_as_it_was(place: Place) {
    let store = place.open().await;
    let events = one_of_each();
    let held = store.acquire(&"talk".into()).await.expect("nobody has it");
    held.append(&events).await.expect("they are kept");
    assert_eq!(stored(&store, &"talk".into()).await, events);
    let names: std::collections::BTreeSet<_> = events.iter().map(|it| it.kind.name()).collect();
    assert_eq!(names.len(), 23, "a kind is missing: {names:?}");
}

async fn what_is_shown_and_not_kept_is_not_kept(place: Place) {
    let store = place.open().await;
    let held = store.acquire(&"talk".into()).await.expect("nobody has it");
    let mut events = one_of_each();
    for kind in [
        json!({"type": "content", "data": "W"}),
        json!({"type": "reasoning", "data": "hm"}),
        json!({"type": "call_delta", "index": 0, "tool": "look"}),
    ] {
        events.insert(5, event("run", 5, kind.clone()));
        let provisional = [event("run", 0, kind)];
        held.append(&provisional).await.expect("there is nothing to keep");
    }
    held.append(&events).await.expect("they are kept");
    assert_eq!(stored(&store, &"talk".into()).await, one_of_each());
}

async fn events_are_read_in_pages(place: Place) {
    let store = place.open().await;
    let held = store.acquire(&"talk".into()).await.expect("nobody has it");
    let events = one_of_each();
    held.append(&events).await.expect("they are kept");
    let id = "talk".into();
    let page = store.events(&id, Some(Position(4)), 2).await.expect("it can be read");
    assert_eq!(page, [(Position(5), events[5].clone()), (Position(6), events[6].clone())]);
    assert!(store.events(&id, Some(Position(24)), 2).await.expect("it can be read").is_empty());
    for far in [u64::MAX, i64::MAX as u64, i64::MAX as u64 - 1] {
        assert!(store.events(&id, Some(Position(far)), 2).await.expect("fine").is_empty(), "{far}");
    }
    assert!(store.events(&id, None, 0).await.expect("it can be read").is_empty());
    let nobody = store.events(&"nobody".into(), None, 2).await;
    assert_eq!(nobody, Err(StoreError::NotFound("nobody".into())));
    // One that is held and was never written to is not there for anybody.
    let _held = store.acquire(&"empty".into()).await.expect("nobody has it");
    assert_eq!(
        store.events(&"empty".into(), None, 2).await,
        Err(StoreError::NotFound("empty".into()))
    );
    assert_eq!(
        store.list(&toolwright_store::ConversationPage::default()).await.expect("a list").len(),
        1
    );
}

async fn an_append_is_kept_whole_or_not_at_all(place: Place) {
    let store = place.open().await;
    let held = store.acquire(&"talk".into()).await.expect("nobody has it");
    let events = one_of_each();
    held.append(&events[..3]).await.expect("they are kept");
    let mut gap = events[3..8].to_vec();
    gap.remove(2);
    let error = held.append(&gap).await.expect_err("there is a gap");
    assert_eq!(error.kind, JournalErrorKind::Conflict);
    assert_eq!(stored(&store, &"talk".into()).await, events[..3]);
    held.append(&events[3..]).await.expect("they are kept");
    assert_eq!(stored(&store, &"talk".into()).await, events);
}

async fn what_does_not_fit_is_refused(place: Place) {
    let store = place.open().await;
    let held = store.acquire(&"talk".into()).await.expect("nobody has it");
    let events = one_of_each();
    let refused = async |events: &[Event], why: &str| {
        let error = held.append(events).await.expect_err(why);
        assert_eq!(error.kind, JournalErrorKind::Conflict, "{error}");
        assert!(error.message.contains(why), "{error}");
    };
    refused(&events[1..2], "never begun").await;
    held.append(&events[..2]).await.expect("they are kept");
    refused(&events[..1], "has not ended").await;
    refused(&events[1..2], "event 1 of run run stands where event 2 belongs").await;
    refused(&events[3..4], "event 3 of run run stands where event 2 belongs").await;
    held.append(&events[2..23]).await.expect("they are kept");
    refused(&[event("run", 23, json!({"type": "notice", "message": "late"}))], "ended").await;
    refused(&events[..1], "exists already").await;
    assert_eq!(stored(&store, &"talk".into()).await, events[..23]);
}

async fn one_run_at_a_time(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let first = talk.chat("One?", "One.");
    let second = talk.chat("Two?", "Two.");
    let held = store.acquire(&talk.id).await.expect("nobody has it");
    held.append(&first[0]).await.expect("it is kept");
    let error = held.append(&second[0]).await.expect_err("the first has not ended");
    assert_eq!(error.kind, JournalErrorKind::Conflict);
    for report in first[1..].iter().chain(&second) {
        held.append(report).await.expect("it is kept");
    }
    assert_eq!(stored(&store, &talk.id).await, [first.concat(), second.concat()].concat());
}

async fn a_run_has_one_conversation(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let reports = talk.chat("One?", "One.");
    let other = store.acquire(&"other".into()).await.expect("nobody has it");
    let error = other.append(&reports[0]).await.expect_err("it is another one's");
    assert_eq!(error.kind, JournalErrorKind::Conflict);
    keep(&store.acquire(&talk.id).await.expect("nobody has it"), &reports).await;
    let stolen = event(
        "run_talk_0",
        0,
        json!({"type": "run_started", "version": 2,
        "conversation_id": "other", "model": "m", "limits": {"rounds": 5, "calls": 64}}),
    );
    let error =
        other.append(std::slice::from_ref(&stolen)).await.expect_err("the run's name is taken");
    assert!(error.message.contains("exists already"), "{error}");
    // A whole run before it in the same append goes with it.
    let mut both = Talk::new("other").chat("Stray?", "Stray.").concat();
    both.push(stolen);
    other.append(&both).await.expect_err("the run's name is taken");
    assert_eq!(store.find("other").await, Err(StoreError::NotFound("other".into())));
    assert_eq!(store.search("stray", 5).await, Ok(Vec::new()));
    other.append(&both[..both.len() - 1]).await.expect("without it, it fits");
    assert_eq!(store.search("stray", 5).await.expect("a search").len(), 1);
}

async fn appends_of_which_nobody_waits_are_kept_in_order(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let reports = talk.ask("One?", &["a", "b", "c"], "One.");
    let held = store.acquire(&talk.id).await.expect("nobody has it");
    let (last, others) = reports.split_last().expect("there are some");
    others.iter().for_each(|report| drop(held.append(report)));
    held.append(last).await.expect("it is kept");
    assert_eq!(stored(&store, &talk.id).await, reports.concat());
}

async fn strange_texts_come_back(place: Place) {
    let store = place.open().await;
    let texts =
        ["\0", "\u{feff}\u{202e}", "'; DROP TABLE event; --", "\u{10ffff}", "a\r\nb\tc", "\\u0000"];
    for (number, text) in texts.iter().enumerate() {
        let mut talk = Talk::new(&format!("talk {number} ü/../%"));
        let reports = talk.ask(text, &[text], text);
        keep(&store.acquire(&talk.id).await.expect("nobody has it"), &reports).await;
        assert_eq!(stored(&store, &talk.id).await, reports.concat());
    }
    for id in ["", "a\0b", "a\nb", &"x".repeat(201)] {
        let refused = store.acquire(&id.into()).await.map(drop).expect_err("no id");
        assert!(matches!(refused, StoreError::Invalid(_)), "{refused:?}");
    }
}

async fn reopening_finds_everything(place: Place) {
    let mut talk = Talk::new("talk");
    let mut all = Vec::new();
    for number in 0..3 {
        let store = place.open().await;
        let reports = talk.ask(&format!("Question {number}?"), &["a"], "Yes.");
        keep(&store.acquire(&talk.id).await.expect("nobody has it"), &reports).await;
        all.extend(reports.concat());
        drop(store);
        assert_eq!(stored(&place.open().await, &talk.id).await, all);
    }
}
