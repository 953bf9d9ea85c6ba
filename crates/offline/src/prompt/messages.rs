//! [`Messages`]: a conversation as templates want it.

use jiff::civil::Date;
use minijinja::value::{Serde, Value};
use serde::Serialize;
use serde_json::Value as Json;
use toolwright_core::{Author, Call, Conversation, Message, ResultFormat, ToolSpec};

use super::{cut, spaced, turn};

/// How many of the person's turns are kept.
const TURNS: usize = 12;
/// How many of the last turns show their results at length.
const FRESH_TURNS: usize = 3;
/// How many characters of a fresh result are shown.
const FRESH: usize = 6_000;
/// How many characters of an older result are shown.
const OLD: usize = 600;

/// A conversation as templates want it.
pub(super) struct Messages {
    pub(super) all: Vec<Value>,
    /// What the person said.
    pub(super) said: Vec<String>,
    /// What tools returned.
    pub(super) found: Vec<String>,
}

#[derive(Serialize)]
struct Turn<'a> {
    role: &'a str,
    content: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Called>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
}

#[derive(Serialize)]
struct Called {
    r#type: &'static str,
    function: CalledFunction,
}

#[derive(Serialize)]
struct CalledFunction {
    name: String,
    arguments: Json,
}

impl Messages {
    /// Those of a conversation, with a system message that also says `told`. `plain` takes what opens or closes turns
    /// out of a text.
    pub(super) fn of(
        conversation: &Conversation,
        today: Option<Date>,
        told: &str,
        plain: &dyn Fn(&str) -> String,
    ) -> Self {
        let mut messages = Self { all: Vec::new(), said: Vec::new(), found: Vec::new() };
        let all = conversation.messages();
        let mut system: Vec<String> = all
            .iter()
            .filter_map(|message| match &**message {
                Message::System(said) => Some(said.clone()),
                _ => None,
            })
            .collect();
        system.extend(today.map(|it| it.strftime("Today is %Y-%m-%d (%A).").to_string()));
        system.extend(Some(told.to_owned()).filter(|it| !it.is_empty()));
        if !system.is_empty() {
            messages.put("system", plain(&system.join("\n\n")));
        }
        let fresh = turn(all, FRESH_TURNS);
        for (at, message) in all.iter().enumerate().skip(turn(all, TURNS)) {
            messages.message(message, if at < fresh { OLD } else { FRESH }, plain);
        }
        messages
    }

    fn message(&mut self, message: &Message, most: usize, plain: &dyn Fn(&str) -> String) {
        match message {
            Message::System(_) => {}
            Message::User(said) => {
                self.put("user", plain(&cut(&said.content, FRESH)));
                if matches!(said.origin, Author::Person | Author::Agent) {
                    self.said.push(said.content.clone());
                }
            }
            Message::Assistant(said) => {
                let tool_calls = said.calls.iter().map(|it| called(it, plain)).collect();
                let content = plain(&said.content);
                let turn = Turn { role: "assistant", content, tool_calls, name: None };
                self.all.push(Value::from(Serde(&turn)));
            }
            Message::Tool(result) => {
                let shown = match &result.outcome.words {
                    Some(words) => cut(&format!("{}{words}", ResultFormat::SUCCESS), most),
                    None => cut(&result.outcome.text, most),
                };
                let turn = Turn {
                    role: "tool",
                    content: plain(&shown),
                    tool_calls: Vec::new(),
                    name: Some(&result.name),
                };
                self.all.push(Value::from(Serde(&turn)));
                self.found.push(shown);
            }
        }
    }

    fn put(&mut self, role: &str, content: String) {
        let turn = Turn { role, content, tool_calls: Vec::new(), name: None };
        self.all.push(Value::from(Serde(&turn)));
    }
}

fn called(call: &Call, plain: &dyn Fn(&str) -> String) -> Called {
    // What is no JSON is shown as it was, with the refusal it got.
    let arguments = call.parse().unwrap_or_else(|_| Json::String(call.arguments.clone()));
    let arguments = plain_json(&arguments, plain);
    let function = CalledFunction { name: plain(&call.name), arguments };
    Called { r#type: "function", function }
}

/// JSON whose every text is so.
pub(super) fn plain_json(value: &Json, plain: &dyn Fn(&str) -> String) -> Json {
    match value {
        Json::String(text) => plain(text).into(),
        Json::Array(items) => items.iter().map(|it| plain_json(it, plain)).collect(),
        Json::Object(fields) => {
            fields.iter().map(|(key, it)| (plain(key), plain_json(it, plain))).collect()
        }
        other => other.clone(),
    }
}

/// What a model is told whose template has no place for tools.
pub(super) fn instructions(tools: &[std::sync::Arc<ToolSpec>]) -> String {
    if tools.is_empty() {
        return String::new();
    }
    let described = tools.iter().map(|spec| {
        spaced(&serde_json::json!({
            "name": spec.name, "description": spec.description, "parameters": spec.parameters,
        }))
    });
    let described: Vec<_> = described.collect();
    format!(
        "You may call functions. They are described here, one in each line:\n{}\nTo call one, write only:\n\
         <tool_call>\n{{\"name\": NAME, \"arguments\": {{…}}}}\n</tool_call>\nIf none of them helps, answer in words.",
        described.join("\n")
    )
}
