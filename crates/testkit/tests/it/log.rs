//! Every rule about what runs leave behind, kept and broken.

use serde_json::{Value, json};
use toolwright_testkit::check::{cut_stream, kept, ledger, log, stream};

/// The events of one run: a question, a note taken, notes deleted with leave, an answer.
fn run(id: &str) -> Vec<Value> {
    let call = |id: &str, tool: &str, args: &str| json!({"id": id, "type": "function", "function": {"name": tool, "arguments": args}});
    let calls = json!([
        call(&format!("{id}-n"), "take_note", r#"{"text":"milk  and tea"}"#),
        call(&format!("{id}-d"), "delete_notes", ""),
    ]);
    let result = |call: &str, status: &str| {
        let id = format!("{id}-{call}");
        let message = json!({"role": "tool", "tool_call_id": id, "content": "done"});
        json!({"type": "call_finished", "id": id, "status": status, "message": message})
    };
    let checked = |call: &str, tool: &str, effect: &str, args: Value| {
        let id = format!("{id}-{call}");
        json!({"type": "call_checked", "id": id, "tool": tool, "effect": effect, "arguments": args})
    };
    let started = |call: &str, tool: &str| json!({"type": "call_started", "id": format!("{id}-{call}"), "tool": tool});
    let of_round = [
        (0, json!({"type": "run_started", "conversation_id": "talk"})),
        (0, json!({"type": "message", "message": {"role": "user", "content": "go"}})),
        (1, json!({"type": "round_started"})),
        (
            1,
            json!({"type": "reply", "message": {"role": "assistant", "content": null, "tool_calls": calls}}),
        ),
        (
            1,
            json!({"type": "tool_calls", "tool_calls": [{"id": format!("{id}-n")}, {"id": format!("{id}-d")}]}),
        ),
        (1, checked("n", "take_note", "write", json!({"text": "milk  and tea"}))),
        (1, checked("d", "delete_notes", "destructive", json!({}))),
        (1, json!({"type": "decision_needed", "calls": [format!("{id}-d")]})),
        (
            1,
            json!({"type": "decision_made", "id": format!("{id}-d"), "decision": {"verdict": "allow"}}),
        ),
        (1, started("n", "take_note")),
        (1, result("n", "success")),
        (1, started("d", "delete_notes")),
        (1, result("d", "success")),
        (2, json!({"type": "round_started"})),
        (2, json!({"type": "reply", "message": {"role": "assistant", "content": "So be it."}})),
        (2, json!({"type": "done", "response": "So be it."})),
    ];
    let numbered = of_round.into_iter().enumerate().map(|(seq, (round, mut event))| {
        event["seq"] = json!(seq);
        event["run"] = json!(id);
        event["round"] = json!(round);
        event
    });
    numbered.collect()
}

/// The same events, numbered anew.
fn renumbered(mut events: Vec<Value>) -> Vec<Value> {
    events.iter_mut().enumerate().for_each(|(seq, event)| event["seq"] = json!(seq));
    events
}

/// The log of a run without one of its events.
fn without(kind: &str, nth: usize) -> Vec<String> {
    let mut events = run("a");
    let at = events.iter().enumerate().filter(|(_, event)| event["type"] == kind).nth(nth);
    events.remove(at.expect("an event of that kind").0);
    log(&renumbered(events))
}

#[track_caller]
fn assert_found(found: &[String], words: &str) {
    assert!(found.iter().any(|problem| problem.contains(words)), "{words:?} is not in {found:#?}");
}

const CLEAN: [&str; 0] = [];

#[test]
fn whole_runs_and_the_beginning_of_one_are_fine() {
    assert_eq!(log(&[]), CLEAN);
    let whole = [run("a"), run("b")].concat();
    assert_eq!(log(&whole), CLEAN);
    // A process may be killed after any event.
    for end in 0..=whole.len() {
        assert_eq!(log(&whole[..end]), CLEAN, "after {end} events");
    }
}

#[test]
fn numbers_are_dense_and_runs_do_not_mix() {
    let mut gap = run("a");
    gap.remove(2);
    assert_found(&log(&gap), "has the number 3");
    let mut mixed = run("a");
    mixed.splice(5..5, run("b"));
    assert_found(&log(&mixed), "goes on after another run began");
    assert_found(&log(&run("a")[1..]), r#"begins with "message""#);
    let mut backwards = run("a");
    backwards[15]["round"] = json!(1);
    assert_found(&log(&backwards), "is of round 1, after one of round 2");
    let mut pieces = run("a");
    pieces[13]["type"] = json!("content");
    assert_found(&log(&pieces), "is provisional and was stored");
}

#[test]
fn a_run_ends_once_and_before_the_next_begins() {
    let mut twice = run("a");
    twice.push(twice[15].clone());
    assert_found(&log(&renumbered(twice)), "has 2 terminal events");
    let mut more = run("a");
    more.push(json!({"type": "notice", "run": "a", "round": 2}));
    assert_found(&log(&renumbered(more)), "more behind one");
    let unfinished = [run("a")[..15].to_vec(), run("b")].concat();
    assert_found(&log(&unfinished), "has not ended, and another run");
    let mut answer = run("a");
    answer[15]["response"] = json!("No.");
    assert_found(&log(&answer), "answers otherwise than the last reply");
}

#[test]
fn every_call_has_one_result() {
    assert_found(&without("call_finished", 0), "never got its result");
    let mut twice = run("a");
    twice.insert(11, twice[10].clone());
    assert_found(&log(&renumbered(twice)), "finished as success after success");
    let mut nobody = run("a");
    nobody[10]["id"] = json!("x");
    assert_found(&log(&nobody), "no reply made it");
}

#[test]
fn nothing_starts_that_may_not() {
    assert_found(&without("call_checked", 0), "started without a check");
    assert_found(&without("decision_made", 0), "started without a decision");
    assert_found(&without("call_started", 0), "finished well and never began");
    let mut denied = run("a");
    denied[8]["decision"]["verdict"] = json!("deny");
    assert_found(&log(&denied), "started although it was denied");
    denied[12]["status"] = json!("denied");
    assert_found(&log(&denied), "denied, and yet it began");
    // Approved beforehand is not looked at, and what was repaired has to be.
    let mut repaired = run("a");
    let reply = repaired.iter().position(|event| event["type"] == "reply").unwrap();
    for call in repaired[reply]["message"]["tool_calls"].as_array_mut().unwrap() {
        call["source"] = json!("repaired");
    }
    assert_found(&log(&repaired), "started without a decision");
    repaired[8]["decision"]["verdict"] = json!("allow_reviewed");
    assert_eq!(log(&repaired), CLEAN);
    let mut again = run("a");
    again.insert(10, again[9].clone());
    assert_found(&log(&renumbered(again.clone())), "started 2 times, and its effect is write");
    // What only looks may look again.
    again[5]["effect"] = json!("read_only");
    assert_eq!(log(&renumbered(again)), CLEAN);
    let mut late = run("a");
    late.insert(13, late[11].clone());
    assert_found(&log(&renumbered(late)), "started after its result");
    let mut others = run("a");
    others.insert(6, others[5].clone());
    others[6]["arguments"] = json!({"text": "beer"});
    assert_found(&log(&renumbered(others)), "checked with other arguments");
}

#[test]
fn the_history_is_one_a_provider_takes() {
    // A result that never came is found twice: by the run's rules and by the provider's.
    assert_found(&without("call_finished", 1), "would be refused: messages[3]");
    let both = [run("a"), run("a")].concat();
    assert_found(&log(&both), "reuses the id");
    // What stands behind a digest is all there is.
    let mut digest = run("a");
    let messages = json!([{"role": "user", "content": "go"}, {"role": "tool", "tool_call_id": "x", "content": ""}]);
    digest.insert(13, json!({"type": "compacted", "run": "a", "round": 1, "messages": messages}));
    assert_found(&log(&renumbered(digest)), "which nobody made");
    // Broken arguments are mended when they are sent.
    let mut broken = run("a");
    broken[3]["message"]["tool_calls"][0]["function"] =
        json!({"name": "take a note!", "arguments": "{not json"});
    assert_eq!(log(&broken), CLEAN);
}

#[test]
fn the_ledger_and_the_log_tell_the_same() {
    let mut events = run("a");
    // Without the deletion, which makes any line go.
    events.truncate(11);
    assert_eq!(ledger(&["milk and tea"], &events), CLEAN);
    assert_found(&ledger::<&str>(&[], &events), "succeeded and left no line");
    assert_found(&ledger(&["milk and tea", "milk and tea"], &events), "2 times after 1 calls");
    assert_found(&ledger(&["milk and tea", "beer"], &events), "nobody meant to write it");
    assert_found(&ledger(&["milk and tea"], &events[..9]), "1 times after 0 calls");
    // Nobody knows how far a call got that was cut short.
    for lines in [&["milk and tea"][..], &[]] {
        assert_eq!(ledger(lines, &events[..10]), CLEAN);
    }
    assert_eq!(ledger::<&str>(&[], &run("a")), CLEAN);
    // Two calls may note the same.
    let both = [run("a"), run("b")].concat();
    assert_eq!(ledger(&["milk and tea", "milk and tea"], &both), CLEAN);
}

/// What a listener sees of [`run`], from its last round on.
fn shown() -> Vec<Value> {
    let mut events = run("a")[13..].to_vec();
    let piece = |data: &str| json!({"type": "content", "run": "a", "seq": 14, "data": data});
    events.splice(1..1, [piece("So "), piece("be it.")]);
    events
}

#[test]
fn a_stream_is_in_order_and_ends_once() {
    assert_eq!(stream(&shown()), CLEAN);
    for end in 0..shown().len() {
        let cut = shown()[..end].to_vec();
        assert_eq!(cut_stream(&cut), CLEAN);
        assert_found(&stream(&cut), "does not end with a terminal event");
    }
    let after = |change: fn(&mut Vec<Value>)| {
        let mut shown = shown();
        change(&mut shown);
        stream(&shown)
    };
    assert_found(&after(|it| drop(it.remove(3))), "has the number 15");
    assert_found(&after(|it| it[1]["seq"] = json!(13)), "has the number 13");
    assert_found(&after(|it| it.push(it[4].clone())), "is terminal, and more was shown");
    assert_found(&after(|it| drop(it.remove(2))), r#"the pieces were "So ""#);
    assert_found(&after(|it| it[2]["run"] = json!("b")), "is of another run");
}

#[test]
fn what_was_shown_is_there() {
    let stored = run("a");
    assert_eq!(kept(&shown(), &stored), CLEAN);
    assert_found(&kept(&shown(), &stored[..15]), "event 15 (done): was shown and is not stored");
    let mut other = stored.clone();
    other[14]["message"]["content"] = json!("Or not.");
    assert_found(&kept(&shown(), &other), "was shown, and stored as");
    // That nothing can be stored cannot be stored.
    let mut failed = shown();
    failed[4] = json!({"type": "error", "kind": "storage", "run": "a", "seq": 15});
    assert_eq!(kept(&failed, &stored[..15]), CLEAN);
}

/// A run whose only call is a run of another agent.
fn nesting() -> Vec<Value> {
    let mut events = run("a");
    let inner = run("b");
    // The first call is in the place of a note.
    let nested = inner.iter().map(
        |event| json!({"type": "nested", "run": "a", "round": 1, "id": "a-n", "event": event}),
    );
    let at = events.iter().position(|event| event["type"] == "call_started").unwrap() + 1;
    events.splice(at..at, nested);
    renumbered(events)
}

#[test]
fn a_run_within_a_run_is_held_to_the_same_and_ends_before_its_call() {
    let events = nesting();
    assert_eq!(log(&events), CLEAN);
    for end in 0..=events.len() {
        assert_eq!(log(&events[..end]), CLEAN, "after {end} events");
    }
    let place = |kind: &str| {
        events.iter().position(|event| event["event"]["type"] == kind).expect("an inner event")
    };
    let without = |kind: &str| {
        let mut events = nesting();
        events.remove(place(kind));
        log(&renumbered(events))
    };
    assert_found(&without("done"), "has not ended, and its call a-n has");
    assert_found(&without("run_started"), r#"of the call a-n begins with "message""#);
    assert_found(&without("reply"), "has the number");
    let mut other = nesting();
    other[place("reply")]["event"]["run"] = json!("c");
    assert_found(&log(&other), "shares the call a-n with another run");
    let mut pieces = nesting();
    pieces[place("round_started")]["event"]["type"] = json!("content");
    assert_found(&log(&pieces), "is provisional and was stored");
    // What tools did there, they did.
    let notes = ["milk and tea"];
    let found = ledger(&[notes[0], notes[0], notes[0]], &nesting());
    assert_found(&found, "stands there 3 times after 2 calls");
}
