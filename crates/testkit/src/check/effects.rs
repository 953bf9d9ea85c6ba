//! [`effects`]: what tools of many processes really did, held against what was recorded of them.

use std::collections::HashMap;

use serde_json::Value;

use super::Findings;
use super::log::{kind, text};

/// What became of calls, and what is wrong with that.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct EffectAccount {
    /// Everything that must not be; empty when all is well.
    pub problems: Vec<String>,
    /// The calls that were started.
    pub started: usize,
    /// Those that succeeded.
    pub succeeded: usize,
    /// Those of which nobody knows the end, as whoever ran them was gone.
    pub interrupted: usize,
    /// Those among them that had begun nevertheless: what a model is told may have happened.
    pub begun_and_interrupted: usize,
    /// Calls that began more than once, as they are repeatable.
    pub repeated: usize,
}

/// Holds effects against the stored events of all conversations.
///
/// A line is `begin TOOL KEY` or `end TOOL KEY`, and the argument `key` of a call is its key: no two calls have the same.
/// The file lies outside every database. So what is not repeatable has happened at most once, and what is told as done
/// has, and nothing has happened that nobody meant to do.
pub fn effects<S: AsRef<str>>(lines: &[S], events: &[Value]) -> EffectAccount {
    let mut found = Findings::default();
    let mut account = EffectAccount::default();
    let mut happened = Happened::read(lines, &mut found);
    for call in calls(events, &mut found) {
        let (begun, ended) = happened.take(call.tool, &call.key);
        account.started += usize::from(call.started > 0);
        account.succeeded += usize::from(call.status == "success");
        account.interrupted += usize::from(call.status == "interrupted");
        account.begun_and_interrupted += usize::from(call.status == "interrupted" && begun > 0);
        account.repeated += usize::from(begun > 1);
        let place = format!("{} {}", call.tool, call.key);
        let is_repeatable = matches!(call.effect, "read_only" | "idempotent");
        if begun > 1 && !is_repeatable {
            found.add(&place, format_args!("is not repeatable, and began {begun} times"));
        }
        if call.started > 1 && !is_repeatable {
            found.add(
                &place,
                format_args!("is not repeatable, and was started {} times", call.started),
            );
        }
        if begun > 0 && call.started == 0 {
            found.add(&place, "began, and nothing says that it was to");
        }
        if call.status == "success" && ended == 0 {
            found.add(&place, format_args!("succeeded, and ended {ended} of {begun} times"));
        }
    }
    for (tool, key) in happened.rest() {
        found.add(&format!("{tool} {key}"), "happened, and nobody asked for it");
    }
    account.problems = found.0;
    account
}

/// How often each call began and ended.
struct Happened(HashMap<(String, String), (usize, usize)>);

impl Happened {
    fn read<S: AsRef<str>>(lines: &[S], found: &mut Findings) -> Self {
        let mut all: HashMap<_, (usize, usize)> = HashMap::new();
        for line in lines.iter().map(AsRef::as_ref) {
            match *line.split(' ').collect::<Vec<_>>() {
                ["begin", tool, key] => all.entry(named(tool, key)).or_default().0 += 1,
                ["end", tool, key] => all.entry(named(tool, key)).or_default().1 += 1,
                _ => found.add(&format!("{line:?}"), "is no line of an effect"),
            }
        }
        Self(all)
    }

    fn take(&mut self, tool: &str, key: &str) -> (usize, usize) {
        self.0.remove(&named(tool, key)).unwrap_or_default()
    }

    fn rest(self) -> Vec<(String, String)> {
        let mut rest: Vec<_> = self.0.into_keys().collect();
        rest.sort_unstable();
        rest
    }
}

fn named(tool: &str, key: &str) -> (String, String) {
    (tool.to_owned(), key.to_owned())
}

/// A call that passed every check.
struct Call<'a> {
    tool: &'a str,
    key: String,
    effect: &'a str,
    status: &'a str,
    started: usize,
}

fn calls<'a>(events: &'a [Value], found: &mut Findings) -> Vec<Call<'a>> {
    let mut at: HashMap<(&str, &str), usize> = HashMap::new();
    let mut keys: HashMap<(&str, String), usize> = HashMap::new();
    let mut all: Vec<Call<'a>> = Vec::new();
    for event in events {
        let place = (text(event, "run"), text(event, "id"));
        match (kind(event), at.get(&place).copied()) {
            ("call_checked", None) => {
                let key = event.pointer("/arguments/key").and_then(Value::as_str);
                let (tool, key) = (text(event, "tool"), key.unwrap_or_default().to_owned());
                if keys.insert((tool, key.clone()), all.len()).is_some() {
                    found.add(&format!("{tool} {key}"), "is the key of two calls");
                }
                at.insert(place, all.len());
                let effect = text(event, "effect");
                all.push(Call { tool, key, effect, status: "", started: 0 });
            }
            ("call_started", Some(at)) => {
                if let Some(call) = all.get_mut(at) {
                    call.started += 1;
                }
            }
            ("call_finished", Some(at)) => {
                if let Some(call) = all.get_mut(at) {
                    call.status = text(event, "status");
                }
            }
            _ => {}
        }
    }
    all
}
