//! [`stream`]: what a listener was shown, and [`kept`]: whether all of it is really there.

use serde_json::Value;

use super::Findings;
use super::log::{is_provisional, is_terminal, kind, text};

/// What is wrong with the events of one run as a listener saw them to the end; empty when nothing
/// is. A run that is resumed begins where the last listener stopped.
pub fn stream(shown: &[Value]) -> Vec<String> {
    let mut found = check(shown);
    if !shown.last().is_some_and(is_terminal) {
        found.add("the stream", "does not end with a terminal event");
    }
    found.0
}

/// As [`stream`], for one that was cut off: it may end anywhere.
pub fn cut_stream(shown: &[Value]) -> Vec<String> {
    check(shown).0
}

/// What was shown as committed and is not stored, or not so; empty when everything is there.
///
/// The one thing that may be missing is the word that nothing can be stored. What is said before a run
/// could begin is of no run.
pub fn kept(shown: &[Value], stored: &[Value]) -> Vec<String> {
    let mut found = Findings::default();
    let of_runs = shown.iter().filter(|event| !event["run"].is_null());
    for event in of_runs.filter(|event| !is_provisional(event)) {
        let is_same = |it: &&Value| it["run"] == event["run"] && it["seq"] == event["seq"];
        let place = format!("{} event {} ({})", text(event, "run"), event["seq"], kind(event));
        match stored.iter().find(is_same) {
            _ if kind(event) == "error" && text(event, "kind") == "storage" => {}
            None => found.add(&place, "was shown and is not stored"),
            Some(stored) if stored != event => {
                found.add(&place, format_args!("was shown, and stored as {stored}"));
            }
            Some(_) => {}
        }
    }
    found.0
}

fn check(shown: &[Value]) -> Findings {
    let mut found = Findings::default();
    let mut next = shown.first().and_then(|event| event["seq"].as_u64());
    let mut pieces = String::new();
    for (at, event) in shown.iter().enumerate() {
        let place = format!("shown {at} ({})", kind(event));
        if event["run"] != shown.first().map_or(Value::Null, |first| first["run"].clone()) {
            found.add(&place, "is of another run");
        }
        if event["seq"].as_u64() != next {
            found.add(&place, format_args!("has the number {}, not {next:?}", event["seq"]));
        }
        next = next.map(|next| next + u64::from(!is_provisional(event)));
        if is_terminal(event) && at + 1 < shown.len() {
            found.add(&place, "is terminal, and more was shown");
        }
        match kind(event) {
            "content" => pieces.push_str(text(event, "data")),
            "round_started" | "model_fallback" => pieces.clear(),
            "reply" => whole(&place, event, &std::mem::take(&mut pieces), &mut found),
            _ => {}
        }
    }
    found
}

/// The pieces of a reply make up the reply. Calls that were found in the text are not part of it.
fn whole(place: &str, reply: &Value, pieces: &str, found: &mut Findings) {
    let calls = reply.pointer("/message/tool_calls").and_then(Value::as_array);
    let is_cut = calls.into_iter().flatten().any(|call| call.get("source").is_some());
    let said = reply.pointer("/message/content").and_then(Value::as_str).unwrap_or_default();
    if !is_cut && !pieces.is_empty() && pieces != said {
        found.add(place, format_args!("says {said:?}, and the pieces were {pieces:?}"));
    }
}
