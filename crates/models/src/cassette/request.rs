//! [`Request`]: what a model is asked, in a form that every provider's own is made from.

use std::collections::HashMap;

use serde_json::{Map, Value, json};
use toolwright_core::{
    Author, CallSource, Conversation, Digest, Message, ModelOptions, ModelRequest, ToolDefinitions,
};
use toolwright_redact::Secrets;

use super::scrub::scrub;

/// How many digits of a tool's digest are written: enough to notice that it changed.
const DIGITS: usize = 16;

/// What a model is asked. Ids of calls are numbers here: what they are is the provider's to choose, and says
/// nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Request {
    /// The messages, as far as a model is sent them.
    pub(super) messages: Vec<Value>,
    /// Tools, choice, options and form of the answer. What is not known of them is not there, and is not
    /// compared.
    pub(super) settings: Map<String, Value>,
}

impl Request {
    /// What is asked, without the secrets.
    pub(super) fn of(request: &ModelRequest<'_>, secrets: &Secrets) -> Self {
        let settings = json!({
            "tools": tools(request.tools),
            "choice": request.choice,
            "options": options(request.options),
            "output": request.output,
        });
        let settings = match scrub(secrets, settings) {
            Value::Object(settings) => settings,
            _ => Map::new(),
        };
        Self { messages: messages(request.conversation, secrets), settings }
    }

    /// Whether this, which was recorded, is what is asked now.
    pub(super) fn is(&self, now: &Self) -> bool {
        self.messages == now.messages
            && self.settings.iter().all(|(name, value)| now.settings.get(name) == Some(value))
    }

    /// How many messages both begin with.
    pub(super) fn common(&self, other: &Self) -> usize {
        let pairs = self.messages.iter().zip(&other.messages);
        pairs.take_while(|(one, other)| one == other).count()
    }
}

/// The messages, as far as a model is sent them.
pub(super) fn messages(conversation: &Conversation, secrets: &Secrets) -> Vec<Value> {
    let mut ids = HashMap::new();
    let all = conversation.messages().iter();
    all.map(|message| scrub(secrets, neutral(message, &mut ids))).collect()
}

fn neutral(message: &Message, ids: &mut HashMap<String, usize>) -> Value {
    let mut number = |id: &str| {
        let next = ids.len() + 1;
        *ids.entry(id.to_owned()).or_insert(next)
    };
    let mut written = json!({"role": message.role(), "content": message.content()});
    let mut say = |name: &str, value: Value| {
        if let Some(fields) = written.as_object_mut() {
            fields.insert(name.to_owned(), value);
        }
    };
    if !message.attachments().is_empty() {
        say("attachments", json!(message.attachments()));
    }
    match message {
        Message::System(_) => {}
        Message::User(user) if user.origin == Author::Person => {}
        Message::User(user) => say("origin", json!(user.origin)),
        Message::Assistant(said) => {
            let calls = said.calls.iter().map(|call| {
                let mut written = json!({
                    "id": number(call.id.as_str()), "name": call.name, "arguments": call.arguments,
                });
                if let (Some(fields), Some(extra)) = (written.as_object_mut(), &call.extra) {
                    fields.insert("extra".to_owned(), json!(extra));
                }
                if let (Some(fields), true) =
                    (written.as_object_mut(), call.source == CallSource::Repaired)
                {
                    fields.insert("source".to_owned(), json!(call.source));
                }
                written
            });
            let calls: Vec<_> = calls.collect();
            if !calls.is_empty() {
                say("calls", Value::Array(calls));
            }
            if let Some(extra) = &said.extra {
                say("extra", json!(extra));
            }
        }
        Message::Tool(result) => {
            say("call", json!(number(result.call.as_str())));
            say("name", json!(result.name));
            say("status", json!(result.outcome.status));
        }
    }
    written
}

/// The tools on offer: each with its name, and what tells whether its definition changed.
fn tools(tools: &ToolDefinitions) -> Value {
    let digest = |definition: &Value| {
        let all = Digest::of(definition.to_string().as_bytes()).to_string();
        all.chars().take(DIGITS).collect::<String>()
    };
    let mark = |definition: &Value, name: &str| json!({"name": name, "digest": digest(definition)});
    tools.specs().iter().map(|spec| mark(&spec.definition(), &spec.name)).collect()
}

/// How it is to write. Headers are left out, and of a provider's own fields all but the names: either may
/// hold a key.
fn options(options: &ModelOptions) -> Value {
    let mut shown = options.clone();
    shown.headers.clear();
    shown.extra.values_mut().for_each(|value| *value = "[hidden]".into());
    json!(shown)
}
