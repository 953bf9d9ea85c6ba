//! [`RepeatedLines`]: lines of an answer that a result has, letter by letter.
//!
//! What a tool found, told as the tool says it, is what it found: nothing in such a line can be unsupported, however
//! it would be read by itself. That does not hold of tools that keep what they are told without anybody deciding
//! about it: what they say is what the model said to them (see [`Echoes`](super::echoes::Echoes)).

use std::collections::HashSet;

use serde_json::Value;
use toolwright_core::{Conversation, ToolCatalog, ToolEffect, ToolSpec, Verbatim};

use super::claimed::is_telling;

/// Lines of an answer that a result has, letter by letter, without the space around them.
#[derive(Default)]
pub(super) struct RepeatedLines<'a>(HashSet<&'a str>);

impl<'a> RepeatedLines<'a> {
    /// Those of an answer.
    pub(super) fn of(
        answer: &'a str,
        conversation: &Conversation,
        catalog: &dyn ToolCatalog,
    ) -> Self {
        let mut search =
            Search { wanted: answer.lines().map(str::trim).collect(), found: Self::default() };
        for result in conversation.results().filter(|it| it.outcome.status.is_ok()) {
            let Some(spec) = catalog.find(&result.name).filter(|it| tells_what_is(it)) else {
                continue;
            };
            let is_numbered = spec.verbatim == Some(Verbatim::Numbered);
            for text in [result.outcome.said(), result.outcome.unmarked()] {
                search.text(text, is_numbered);
            }
        }
        search.found
    }

    /// Whether this is one of them.
    pub(super) fn has(&self, line: &str) -> bool {
        self.0.contains(line)
    }

    /// Whether one of them says something.
    pub(super) fn tell(&self) -> bool {
        self.0.iter().any(|line| is_telling(line))
    }
}

/// Whether what a tool returns is more than what it was told.
fn tells_what_is(spec: &ToolSpec) -> bool {
    matches!(spec.effect, ToolEffect::ReadOnly | ToolEffect::Destructive)
}

struct Search<'a> {
    wanted: HashSet<&'a str>,
    found: RepeatedLines<'a>,
}

impl Search<'_> {
    fn text(&mut self, text: &str, is_numbered: bool) {
        for line in text.lines() {
            self.line(line);
            let behind = line.split_once('\t').filter(|_| is_numbered);
            behind.into_iter().for_each(|(_, line)| self.line(line));
        }
        // A list of values may be told as one of lines.
        if text.starts_with('[')
            && let Ok(Value::Array(items)) = serde_json::from_str(text)
        {
            for item in &items {
                let item = item.as_str().map_or_else(|| item.to_string(), str::to_owned);
                self.line(&format!("- {item}"));
            }
        }
    }

    fn line(&mut self, line: &str) {
        if let Some(line) = self.wanted.get(line.trim()) {
            self.found.0.insert(line);
        }
    }
}
