//! [`violations`]: everything a strict server would refuse in a chat request; and what must hold for
//! everything that runs leave behind, however they ended.
//!
//! Real servers differ in what they let pass. These checks are the strictest of them all, so that
//! a client whose requests are clean here is understood everywhere.
//!
//! What runs leave behind are three accounts of the same thing: what a listener was shown
//! ([`stream`], [`cut_stream`]), what was stored ([`log`]), and what really happened ([`ledger`], [`effects`]).
//! [`kept`] holds the first against the second.

mod calls;
mod duplicates;
mod effects;
mod history;
mod ledger;
mod log;
mod messages;
mod stream;
mod tools;

use serde_json::{Map, Value};

pub use effects::{EffectAccount, effects};
pub use ledger::ledger;
pub use log::log;
pub use stream::{cut_stream, kept, stream};

/// What is wrong with `body` as a `POST /chat/completions` request; empty when nothing is.
///
/// Each line names the place first (`messages[2].tool_calls[0].id: …`), so a failing test says
/// where to look.
pub fn violations(body: &[u8]) -> Vec<String> {
    let mut found = Findings::default();
    match parse(body, &mut found) {
        Ok(Value::Object(request)) => request_rules(&request, &mut found),
        Ok(_) => found.add("body", "is not a JSON object"),
        Err(reason) => found.add("body", reason),
    }
    found.0
}

/// The violations so far, in the order they were met.
#[derive(Default)]
struct Findings(Vec<String>);

impl Findings {
    fn add(&mut self, place: &str, what: impl std::fmt::Display) {
        self.0.push(format!("{place}: {what}"));
    }
}

fn parse(body: &[u8], found: &mut Findings) -> Result<Value, String> {
    let text = std::str::from_utf8(body).map_err(|error| format!("is not UTF-8: {error}"))?;
    // Lone surrogates need no check of their own: serde_json refuses the escape.
    let value = serde_json::from_str(text).map_err(|error| format!("is not JSON: {error}"))?;
    // A `Value` keeps the last of two equal keys, so duplicates are looked for in the text.
    duplicates::find(text, found);
    Ok(value)
}

fn request_rules(request: &Map<String, Value>, found: &mut Findings) {
    match request.get("model") {
        Some(Value::String(model)) if !model.is_empty() => {}
        _ => found.add("model", "must be a nonempty string"),
    }
    match request.get("messages") {
        Some(Value::Array(messages)) if !messages.is_empty() => messages::check(messages, found),
        _ => found.add("messages", "must be a nonempty array"),
    }
    tools::check(request, found);
    streaming(request, found);
}

fn streaming(request: &Map<String, Value>, found: &mut Findings) {
    let stream = request.get("stream");
    if stream.is_some_and(|stream| !stream.is_boolean()) {
        found.add("stream", "must be a boolean");
    }
    let Some(options) = request.get("stream_options") else { return };
    if !options.is_object() {
        found.add("stream_options", "must be an object");
    }
    if stream != Some(&Value::Bool(true)) {
        found.add("stream_options", "is only allowed with stream true");
    }
}
