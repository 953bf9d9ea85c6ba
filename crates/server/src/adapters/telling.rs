//! What the protocols have in common: text that is opened before its first piece and closed behind
//! its last, what a result is to a client, and what came of holding the answer against the results.

use std::borrow::Cow;

use serde_json::{Value, json};
use toolwright_core::{Event, EventKind, Message, Verdict, truncate_line};

/// A text that comes in pieces.
#[derive(Default)]
pub(super) struct Text {
    /// Its number among the run's texts.
    number: u32,
    is_open: bool,
}

impl Text {
    /// Whether the next piece is the first.
    pub(super) fn opens(&mut self) -> bool {
        let opens = !self.is_open;
        if opens {
            self.number += 1;
            self.is_open = true;
        }
        opens
    }

    /// Whether there is something to close.
    pub(super) fn closes(&mut self) -> bool {
        std::mem::take(&mut self.is_open)
    }

    /// Its name.
    pub(super) fn id(&self, run: impl std::fmt::Display) -> String {
        format!("{run}-{}", self.number)
    }
}

/// What a tool returned: as data where there is some, and in words.
pub(super) fn result(message: &Message) -> (Value, &str) {
    let text = message.content();
    let data = match message {
        Message::Tool(result) => result.outcome.value().ok().map(Cow::into_owned),
        _ => None,
    };
    (data.unwrap_or_else(|| Value::from(text)), text)
}

/// The longest list of what no result has.
const FOUND: usize = 300;

/// What came of holding the answer that stands against the results.
#[derive(Clone, Default)]
pub(super) struct Reviewed {
    told: Option<Value>,
    line: Option<String>,
}

impl Reviewed {
    /// What a client is told, where an event says it. An answer that goes back to the model is not
    /// shown, so nothing is said about it.
    pub(super) fn add(&mut self, event: &Event) -> Option<&Value> {
        let EventKind::Reviewed { findings, checked, verdict, .. } = &event.kind else {
            return None;
        };
        if *verdict == Verdict::Returned {
            return None;
        }
        self.line = (*verdict == Verdict::NotSupported).then(|| {
            let found = Verdict::describe_findings(findings);
            format!("Not found in the tool results: {}", truncate_line(&found, FOUND))
        });
        self.told = Some(json!({
            "verdict": verdict.name(), "checked": checked, "findings": findings,
            "message": verdict.describe(*checked),
        }));
        self.told.as_ref()
    }

    /// What a client is told, once the run is over.
    pub(super) fn told(&self) -> Option<&Value> {
        self.told.as_ref()
    }

    /// A line for whoever only sees text, where the answer is not supported.
    pub(super) fn line(&self) -> Option<&str> {
        self.line.as_deref()
    }
}

/// What a protocol makes of a run in which one model broke off and another went on.
#[cfg(test)]
pub(super) fn fallen_back<T>(mut tell: impl FnMut(&Event) -> T) -> Vec<T> {
    let log = include_str!("../../../../web/tests/logs/model-fallback.jsonl");
    let events = log.lines().map(|line| serde_json::from_str(line).expect("an event"));
    events.map(|event: Event| tell(&event)).collect()
}
