//! [`log`]: what must hold for stored events, whoever was killed and whenever.

use serde_json::Value;

use super::calls::Calls;
use super::{Findings, history};

/// What is wrong with events as they were stored; empty when nothing is.
///
/// The events of a run stand in order, the runs of a conversation one after another. A run may be
/// unfinished, if it is the last of its conversation: that is what a killed process leaves.
pub fn log(events: &[Value]) -> Vec<String> {
    let mut found = Findings::default();
    for conversation in &conversations(events, &mut found) {
        conversation.check(&mut found);
    }
    found.0
}

/// The events of a conversation, run by run.
struct Conversation<'a> {
    id: &'a str,
    runs: Vec<Run<'a>>,
}

/// The events of a run.
pub(super) struct Run<'a> {
    id: &'a str,
    pub(super) events: Vec<&'a Value>,
}

pub(super) fn kind(event: &Value) -> &str {
    text(event, "type")
}

pub(super) fn text<'a>(event: &'a Value, key: &str) -> &'a str {
    event.get(key).and_then(Value::as_str).unwrap_or_default()
}

pub(super) fn is_terminal(event: &Value) -> bool {
    matches!(kind(event), "done" | "error")
}

pub(super) fn is_provisional(event: &Value) -> bool {
    match kind(event) {
        "nested" => event.get("event").is_some_and(is_provisional),
        kind => matches!(kind, "content" | "reasoning" | "call_delta"),
    }
}

/// The runs, each as far as its events stand together.
fn runs<'a>(events: &'a [Value], found: &mut Findings) -> Vec<Run<'a>> {
    let mut runs: Vec<Run<'a>> = Vec::new();
    for event in events {
        let id = text(event, "run");
        match runs.last_mut() {
            Some(run) if run.id == id => run.events.push(event),
            _ => {
                if runs.iter().any(|run| run.id == id) {
                    found.add(id, "goes on after another run began");
                }
                runs.push(Run { id, events: vec![event] });
            }
        }
    }
    runs
}

fn conversations<'a>(events: &'a [Value], found: &mut Findings) -> Vec<Conversation<'a>> {
    let mut all: Vec<Conversation<'a>> = Vec::new();
    for run in runs(events, found) {
        let first = run.events.first().copied().unwrap_or(&Value::Null);
        if kind(first) != "run_started" {
            found.add(run.id, format_args!("begins with {:?}", kind(first)));
        }
        let id = text(first, "conversation_id");
        match all.iter_mut().find(|it| it.id == id) {
            Some(conversation) => conversation.runs.push(run),
            None => all.push(Conversation { id, runs: vec![run] }),
        }
    }
    all
}

impl Conversation<'_> {
    fn check(&self, found: &mut Findings) {
        for (at, run) in self.runs.iter().enumerate() {
            run.check(found);
            if !run.has_ended() && at + 1 < self.runs.len() {
                found.add(run.id, "has not ended, and another run of its conversation followed");
            }
        }
        history::check(self.id, &self.newest(found), found);
    }

    /// The runs that lead to the end of the newest, each as far as it does: a run goes on from the end of the one
    /// before it, or from where it says.
    fn newest(&self, found: &mut Findings) -> Vec<Run<'_>> {
        let mut path = Vec::new();
        let mut next = self.runs.len().checked_sub(1).map(|at| (at, usize::MAX));
        while let Some((at, count)) = next {
            let Some(run) = self.runs.get(at) else { break };
            let events = run.events.iter().take(count).copied().collect();
            path.push(Run { id: run.id, events });
            let after = run.events.first().and_then(|it| it.get("after"));
            next = match after {
                None => at.checked_sub(1).map(|before| (before, usize::MAX)),
                Some(after) if text(after, "from") == "start" => None,
                Some(after) => {
                    let point = self.point(after).filter(|(place, _)| *place < at);
                    if point.is_none() {
                        found.add(run.id, "goes on from an event that is not there");
                    }
                    point
                }
            };
        }
        path.reverse();
        path
    }

    /// The run in which a point is, and how many of its events lead there.
    fn point(&self, after: &Value) -> Option<(usize, usize)> {
        let place = self.runs.iter().position(|it| it.id == text(after, "run"))?;
        let seq = usize::try_from(after.get("seq")?.as_u64()?).ok()?;
        (seq < self.runs.get(place)?.events.len()).then_some((place, seq + 1))
    }
}

impl Run<'_> {
    pub(super) fn has_ended(&self) -> bool {
        self.events.iter().any(|event| is_terminal(event))
    }

    /// The runs within it: each is one as any other, and has ended when its call has its result.
    fn check_nested(&self, found: &mut Findings) {
        let mut runs: Vec<(&str, Run<'_>)> = Vec::new();
        for event in &self.events {
            let call = text(event, "id");
            let known = runs.iter_mut().find(|(of, _)| *of == call);
            match (kind(event), known) {
                ("nested", Some((_, run))) => run.events.extend(event.get("event")),
                ("nested", None) => {
                    let inner = event.get("event").unwrap_or(&Value::Null);
                    runs.push((call, Run { id: text(inner, "run"), events: vec![inner] }));
                }
                ("call_finished", Some((_, run))) if !run.has_ended() => {
                    found.add(run.id, format_args!("has not ended, and its call {call} has"));
                }
                _ => {}
            }
        }
        for (call, run) in runs {
            let first = run.events.first().copied().unwrap_or(&Value::Null);
            if kind(first) != "run_started" {
                found.add(run.id, format_args!("of the call {call} begins with {:?}", kind(first)));
            }
            if run.events.iter().any(|event| text(event, "run") != run.id) {
                found.add(run.id, format_args!("shares the call {call} with another run"));
            }
            run.check(found);
        }
    }

    fn check(&self, found: &mut Findings) {
        let mut calls = Calls::default();
        let mut said = "";
        let mut round = 0;
        for (at, event) in self.events.iter().enumerate() {
            let place = format!("{} event {at} ({})", self.id, kind(event));
            if event.get("seq").and_then(Value::as_u64) != u64::try_from(at).ok() {
                found.add(&place, format_args!("has the number {}", event["seq"]));
            }
            if is_provisional(event) {
                found.add(&place, "is provisional and was stored");
            }
            let now = event.get("round").and_then(Value::as_u64).unwrap_or_default();
            if now < round {
                found.add(&place, format_args!("is of round {now}, after one of round {round}"));
            }
            round = now;
            // In single shot the results are put into words as the assistant's.
            let role = event.pointer("/message/role").and_then(Value::as_str);
            if matches!(kind(event), "reply" | "message") && role == Some("assistant") {
                let reply = event.pointer("/message/content").and_then(Value::as_str);
                said = reply.filter(|it| !it.trim().is_empty()).unwrap_or(said);
            }
            if kind(event) == "done" && text(event, "response") != said {
                found.add(&place, "answers otherwise than the last reply");
            }
            calls.see(&place, event, found);
        }
        self.check_nested(found);
        let terminals = self.events.iter().filter(|event| is_terminal(event)).count();
        let ends_so = self.events.last().is_some_and(|event| is_terminal(event));
        if terminals > 1 || (terminals == 1 && !ends_so) {
            found.add(self.id, format_args!("has {terminals} terminal events, or more behind one"));
        }
    }
}
