//! [`check`]: the messages that a conversation's events lead to, held against the provider's rules.

use serde_json::{Map, Value, json};

use super::log::{Run, kind};
use super::{Findings, messages, tools::well_named};

/// Adds what a strict server would refuse, if the next question were asked now.
pub(super) fn check(conversation: &str, runs: &[Run<'_>], found: &mut Findings) {
    let mut history = History::default();
    for event in runs.iter().flat_map(|run| &run.events) {
        history.fold(event);
    }
    // Whoever goes on with a run that was cut short gives every open call its result first.
    if runs.last().is_some_and(|run| !run.has_ended()) {
        history.open.iter_mut().for_each(|(id, result)| {
            result
                .get_or_insert_with(|| json!({"role": "tool", "tool_call_id": id, "content": ""}));
        });
    }
    history.close();
    history.messages.push(json!({"role": "user", "content": "the next question"}));
    let mut refused = Findings::default();
    messages::check(&history.messages, &mut refused);
    for problem in refused.0 {
        found.add(conversation, format_args!("the next question would be refused: {problem}"));
    }
}

#[derive(Default)]
struct History {
    messages: Vec<Value>,
    /// The calls of the newest reply and their results: these join in the order of the calls.
    open: Vec<(String, Option<Value>)>,
}

impl History {
    fn fold(&mut self, event: &Value) {
        let message = event.get("message").cloned().unwrap_or_default();
        match kind(event) {
            "message" => self.say(message),
            "reply" => self.reply(message),
            "call_finished" => self.settle(message),
            "compacted" => {
                self.close();
                let messages = event.get("messages").and_then(Value::as_array);
                self.messages = messages.into_iter().flatten().cloned().map(as_sent).collect();
            }
            _ => {}
        }
    }

    fn say(&mut self, message: Value) {
        self.close();
        self.messages.push(message);
    }

    fn reply(&mut self, message: Value) {
        let message = as_sent(message);
        let calls = message.get("tool_calls").and_then(Value::as_array);
        let ids = calls.into_iter().flatten().filter_map(|call| call.get("id")?.as_str());
        let open: Vec<_> = ids.map(|id| (id.to_owned(), None)).collect();
        let said = message.get("content").and_then(Value::as_str).unwrap_or_default();
        // Providers reject an assistant message that says nothing: it is no part of the history.
        if !open.is_empty() || !said.trim().is_empty() {
            self.say(message);
            self.open = open;
        }
    }

    fn settle(&mut self, message: Value) {
        let id = message.get("tool_call_id").and_then(Value::as_str).unwrap_or_default();
        match self.open.iter_mut().find(|(open, _)| open == id) {
            Some((_, result)) => *result = Some(message),
            // Left for the rules to find.
            None => self.messages.push(message),
        }
        if self.open.iter().all(|(_, result)| result.is_some()) {
            self.close();
        }
    }

    fn close(&mut self) {
        self.messages.extend(self.open.drain(..).filter_map(|(_, result)| result));
    }
}

/// A log keeps what the model wrote, byte for byte. Names and arguments that no server takes are
/// mended when they are sent, and what is sent is checked where it arrives.
fn as_sent(mut message: Value) -> Value {
    let calls = message.get_mut("tool_calls").and_then(Value::as_array_mut);
    for function in calls.into_iter().flatten().filter_map(|call| call.get_mut("function")) {
        let text = |key: &str| function.get(key).and_then(Value::as_str).unwrap_or_default();
        let is_object = |it: &str| serde_json::from_str::<Map<String, Value>>(it).is_ok();
        let name = Some(text("name")).filter(|it| well_named(it)).unwrap_or("unnamed");
        let arguments = Some(text("arguments")).filter(|it| is_object(it)).unwrap_or("{}");
        *function = json!({"name": name, "arguments": arguments});
    }
    message
}
