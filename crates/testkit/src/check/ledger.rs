//! [`ledger`]: what tools really did, held against what was recorded of them.

use serde_json::Value;

use super::Findings;
use super::log::{kind, text};

/// What is wrong with notes that were taken, one a line, in the light of the stored events; empty
/// when nothing is.
///
/// The file is written by the tool `take_note` alone and lies outside every database, so it tells
/// what happened: nothing without a recorded intent, nothing twice, and everything that was
/// reported as done. Where `delete_notes` ran, lines may be missing.
pub fn ledger<S: AsRef<str>>(lines: &[S], events: &[Value]) -> Vec<String> {
    let mut found = Findings::default();
    let events: Vec<_> = events.iter().map(innermost).collect();
    let notes = notes(&events);
    let began = |tool: &str| {
        events.iter().any(|event| kind(event) == "call_started" && text(event, "tool") == tool)
    };
    let may_lack = began("delete_notes");
    for note in &notes {
        let count = lines.iter().filter(|line| line.as_ref() == note.text).count();
        // Two calls may note the same.
        let alike = notes.iter().filter(|it| it.text == note.text && it.is_started).count();
        if count > alike {
            let place = format!("{:?}", note.text);
            found.add(&place, format_args!("stands there {count} times after {alike} calls"));
        }
        if note.is_done && count == 0 && !may_lack {
            found.add(note.id, format_args!("succeeded and left no line {:?}", note.text));
        }
    }
    for line in lines.iter().map(AsRef::as_ref) {
        if !notes.iter().any(|note| note.text == line) {
            found.add(&format!("{line:?}"), "stands there, and nobody meant to write it");
        }
    }
    found.0.dedup();
    found.0
}

/// A call of `take_note` that passed every check.
struct Note<'a> {
    run: &'a str,
    id: &'a str,
    text: String,
    is_started: bool,
    is_done: bool,
}

/// What happened, in whatever run within the run.
fn innermost(event: &Value) -> &Value {
    match event.get("event").filter(|_| kind(event) == "nested") {
        Some(inner) => innermost(inner),
        None => event,
    }
}

fn notes<'a>(events: &[&'a Value]) -> Vec<Note<'a>> {
    let mut notes: Vec<Note<'a>> = Vec::new();
    for event in events {
        let (run, id) = (text(event, "run"), text(event, "id"));
        let known = notes.iter_mut().find(|note| (note.run, note.id) == (run, id));
        match (kind(event), known) {
            ("call_checked", None) if text(event, "tool") == "take_note" => {
                let said =
                    event.pointer("/arguments/text").and_then(Value::as_str).unwrap_or_default();
                let text = said.split_whitespace().collect::<Vec<_>>().join(" ");
                notes.push(Note { run, id, text, is_started: false, is_done: false });
            }
            ("call_started", Some(note)) => note.is_started = true,
            ("call_finished", Some(note)) => note.is_done = text(event, "status") == "success",
            _ => {}
        }
    }
    notes
}
