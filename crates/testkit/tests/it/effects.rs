//! What tools of many processes did, held against what was recorded of them.

use serde_json::{Value, json};
use toolwright_testkit::check::effects;

/// A call of a tool, as far as it came.
fn call(tool: &str, effect: &str, started: usize, status: Option<&str>) -> Vec<Value> {
    let key = format!("{tool}-1");
    let event = |kind: &str| json!({"run": "r", "id": key, "type": kind, "tool": tool});
    let mut events = vec![event("call_checked")];
    events[0]["arguments"] = json!({"key": key, "ms": 1});
    events[0]["effect"] = json!(effect);
    events.extend((0..started).map(|_| event("call_started")));
    events.extend(status.map(|status| {
        let mut it = event("call_finished");
        it["status"] = json!(status);
        it
    }));
    events
}

#[track_caller]
fn assert_wrong(lines: &[&str], events: &[Value], what: &str) {
    let problems = effects(lines, events).problems;
    assert!(problems.iter().any(|it| it.contains(what)), "{what:?} is not among {problems:?}");
}

#[test]
fn what_happened_once_and_is_told_so_is_well() {
    let events = call("pay", "write", 1, Some("success"));
    let account = effects(&["begin pay pay-1", "end pay pay-1"], &events);
    assert_eq!(account.problems, Vec::<String>::new());
    assert_eq!((account.started, account.succeeded, account.repeated), (1, 1, 0));
}

#[test]
fn what_is_not_repeatable_happens_at_most_once() {
    let events = call("pay", "write", 1, Some("interrupted"));
    for lines in [&[][..], &["begin pay pay-1"], &["begin pay pay-1", "end pay pay-1"]] {
        let account = effects(lines, &events);
        assert_eq!(account.problems, Vec::<String>::new());
        assert_eq!(account.interrupted, 1);
        assert_eq!(account.begun_and_interrupted, usize::from(!lines.is_empty()));
    }
    assert_wrong(&["begin pay pay-1", "begin pay pay-1"], &events, "began 2 times");
    assert_wrong(&[], &call("pay", "destructive", 2, Some("interrupted")), "started 2 times");
}

#[test]
fn what_is_repeatable_may_happen_again() {
    let events = call("put", "idempotent", 2, Some("success"));
    let account = effects(&["begin put put-1", "begin put put-1", "end put put-1"], &events);
    assert_eq!(account.problems, Vec::<String>::new());
    assert_eq!(account.repeated, 1);
}

#[test]
fn what_is_told_as_done_was_done_and_nothing_else_was() {
    let events = call("pay", "write", 1, Some("success"));
    assert_wrong(&[], &events, "succeeded, and ended 0 of 0 times");
    assert_wrong(&["begin pay pay-1"], &events, "succeeded, and ended 0 of 1 times");
    assert_wrong(&["begin pay pay-2"], &events, "nobody asked for it");
    assert_wrong(
        &["begin pay pay-1"],
        &call("pay", "write", 0, None),
        "nothing says that it was to",
    );
    assert_wrong(&["paid"], &events, "is no line of an effect");
    let twice: Vec<_> = [events.clone(), events].concat();
    assert_eq!(effects(&["begin pay pay-1", "end pay pay-1"], &twice).problems.len(), 1);
}
