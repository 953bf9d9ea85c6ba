//! [`Finding`]: what was found in a text, and [`Report`], the same for programs.

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use toolwright_dialects::{Decoder, Dialect, ExtractedCall, Extraction};

/// What was found in a text.
pub(super) struct Finding {
    pub(super) found: Extraction,
}

impl Finding {
    /// What a decoder makes of these pieces.
    pub(super) fn of<'a>(mut decoder: Decoder, pieces: impl IntoIterator<Item = &'a str>) -> Self {
        let mut found = Extraction::default();
        for piece in pieces {
            found.extend(decoder.push(piece));
        }
        found.extend(decoder.finish());
        found.dialect = decoder.dialect();
        Self { found }
    }

    /// The same for programs; `id` is that of a case.
    pub(super) fn report<'a>(&'a self, id: Option<&'a str>) -> Report<'a> {
        Report {
            id,
            content: something(&self.found.content),
            reasoning: something(&self.found.reasoning),
            tool_calls: self.found.calls.iter().map(call).collect(),
            incomplete: self.found.incomplete,
            dialect: self.found.dialect,
            repaired: self.found.is_repaired(),
        }
    }
}

/// What was found in a text, for programs.
#[derive(Serialize)]
pub(super) struct Report<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    content: Option<&'a str>,
    reasoning: Option<&'a str>,
    tool_calls: Vec<CallReport<'a>>,
    incomplete: bool,
    dialect: Dialect,
    repaired: bool,
}

#[derive(Serialize)]
struct CallReport<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    name: &'a str,
    /// As they were found: a value would be limited in depth, and have its keys in another order.
    arguments: Option<Box<RawValue>>,
}

impl Report<'_> {
    /// On one line.
    pub(super) fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }
}

fn call(call: &ExtractedCall) -> CallReport<'_> {
    let arguments = RawValue::from_string(call.arguments.clone());
    // A decoder only hands out JSON; should it not, what it said is shown as text.
    let arguments = arguments.or_else(|_| to_raw_value(&call.arguments)).ok();
    CallReport { id: call.id.as_deref(), name: &call.name, arguments }
}

fn something(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.trim().is_empty())
}
