//! [`Message`]: one entry of a conversation, in the form every provider's own form is made from.
//!
//! Serialised, a message is OpenAI's chat form plus a few fields of ours (`status`, `data`, `detail`,
//! `input`, `reason` and `edited_arguments` on a tool's result, with how many characters at the beginning of its content
//! are not the tool's: `notice`, `mark`; `origin` on what the runtime itself said), so that a stored
//! conversation is readable by anything that reads OpenAI's. Reading is lenient: what other
//! programs wrote (arguments as an object, content as parts or null) is understood.

use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer, de, ser::SerializeMap};
use serde_json::{Map, Value, json};

use crate::{Call, CallId, Outcome, Status, outcome::present};

/// One entry of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// Instructions that stand above the conversation.
    System(String),
    /// What the person said, or what the runtime says in the person's place.
    User(UserMessage),
    /// What the model said and which tools it called.
    Assistant(AssistantMessage),
    /// The result of one call.
    Tool(ToolMessage),
}

/// Who is really behind a user message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Author {
    /// The person typed it.
    #[default]
    Person,
    /// The runtime wrote it, to send an unusable answer back to the model. Such text never counts
    /// as something the user said.
    Runtime,
    /// It stands in a log that was not written here. Whoever typed it, the user of this installation
    /// did not: it never counts as something the user said.
    Imported,
}

impl UserMessage {
    /// Whether it is a turn of a person's, be it of one who wrote elsewhere. Not whether the user
    /// said it: that only [`Author::Person`] tells.
    pub fn is_turn(&self) -> bool {
        self.origin != Author::Runtime
    }
}

/// What the person said.
#[derive(Clone, Debug, PartialEq)]
pub struct UserMessage {
    /// The text.
    pub content: String,
    /// Who is behind it.
    pub origin: Author,
}

/// What the model said.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AssistantMessage {
    /// The text, empty when the model only called tools.
    pub content: String,
    /// The model's reasoning, where the provider shows it. Kept for people; not sent back.
    pub reasoning: String,
    /// The calls, in the model's order.
    pub calls: Vec<Call>,
    /// Provider fields that must be echoed unchanged on the next request.
    pub extra: Option<Map<String, Value>>,
}

/// The result of one call.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolMessage {
    /// The call it answers.
    pub call: CallId,
    /// The tool's name.
    pub name: String,
    /// How the call ended; `outcome.text` is the message's content.
    pub outcome: Outcome,
}

impl Message {
    /// A system message.
    pub fn system(content: impl Into<String>) -> Self {
        Self::System(content.into())
    }

    /// A message typed by the person.
    pub fn user(content: impl Into<String>) -> Self {
        Self::User(UserMessage { content: content.into(), origin: Author::Person })
    }

    /// A message by which the runtime sends something back to the model.
    pub fn correction(content: impl Into<String>) -> Self {
        Self::User(UserMessage { content: content.into(), origin: Author::Runtime })
    }

    /// An answer without calls.
    pub fn assistant(content: impl Into<String>) -> Self {
        Self::Assistant(AssistantMessage { content: content.into(), ..Default::default() })
    }

    /// The result of a call.
    pub fn tool(call: impl Into<CallId>, name: impl Into<String>, outcome: Outcome) -> Self {
        Self::Tool(ToolMessage { call: call.into(), name: name.into(), outcome })
    }

    /// `system`, `user`, `assistant` or `tool`.
    pub fn role(&self) -> &'static str {
        match self {
            Self::System(_) => "system",
            Self::User(_) => "user",
            Self::Assistant(_) => "assistant",
            Self::Tool(_) => "tool",
        }
    }

    /// The text a model reads.
    pub fn content(&self) -> &str {
        match self {
            Self::System(content) => content,
            Self::User(message) => &message.content,
            Self::Assistant(message) => &message.content,
            Self::Tool(message) => &message.outcome.text,
        }
    }

    /// The arguments that somebody changed, of a result's call.
    pub fn edited_arguments(&self) -> Option<&Value> {
        match self {
            Self::Tool(message) => message.outcome.edited_arguments.as_deref(),
            _ => None,
        }
    }

    /// The calls of an assistant message; none for the others.
    pub fn calls(&self) -> &[Call] {
        match self {
            Self::Assistant(message) => &message.calls,
            _ => &[],
        }
    }
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("role", self.role())?;
        match self {
            Self::System(content) => map.serialize_entry("content", content)?,
            Self::User(message) => {
                map.serialize_entry("content", &message.content)?;
                if message.origin != Author::Person {
                    map.serialize_entry("origin", &message.origin)?;
                }
            }
            Self::Assistant(message) => {
                let silent = message.content.is_empty() && !message.calls.is_empty();
                map.serialize_entry("content", &(!silent).then_some(&message.content))?;
                if !message.reasoning.is_empty() {
                    map.serialize_entry("reasoning", &message.reasoning)?;
                }
                if !message.calls.is_empty() {
                    map.serialize_entry("tool_calls", &message.calls)?;
                }
                if let Some(extra) = &message.extra {
                    map.serialize_entry("extra", extra)?;
                }
            }
            Self::Tool(message) => {
                map.serialize_entry("tool_call_id", &message.call)?;
                map.serialize_entry("name", &message.name)?;
                map.serialize_entry("content", &message.outcome.text)?;
                map.serialize_entry("status", &message.outcome.status)?;
                if let Some(data) = &message.outcome.data {
                    map.serialize_entry("data", data)?;
                }
                if let Some(words) = &message.outcome.words {
                    map.serialize_entry("words", words)?;
                }
                if let Some(detail) = &message.outcome.detail {
                    map.serialize_entry("detail", detail)?;
                }
                if let Some(input) = &message.outcome.input {
                    map.serialize_entry("input", input)?;
                }
                if let Some(edited) = &message.outcome.edited_arguments {
                    map.serialize_entry("edited_arguments", edited)?;
                }
                let outcome = &message.outcome;
                if let Some(reason) = &outcome.reason {
                    map.serialize_entry("reason", reason)?;
                }
                for (name, length) in [("notice", outcome.notice), ("mark", outcome.mark)] {
                    if length > 0 {
                        map.serialize_entry(name, &length)?;
                    }
                }
            }
        }
        map.end()
    }
}

/// Every field any role may carry, each in the loosest form seen.
#[derive(Deserialize)]
struct Foreign {
    role: String,
    #[serde(default)]
    content: Value,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    tool_call_id: Option<CallId>,
    #[serde(default)]
    tool_calls: Option<Vec<Call>>,
    // What came before `tool_calls`, and role `tool`.
    #[serde(default)]
    function_call: Option<Value>,
    #[serde(default)]
    reasoning: Option<String>,
    // Not an alias: some servers write both.
    #[serde(default)]
    reasoning_content: Option<String>,
    #[serde(default)]
    origin: Author,
    #[serde(default)]
    status: Option<Status>,
    #[serde(default, deserialize_with = "present")]
    data: Option<Value>,
    #[serde(default)]
    words: Option<String>,
    #[serde(default)]
    detail: Option<String>,
    #[serde(default)]
    input: Option<Value>,
    #[serde(default)]
    edited_arguments: Option<Arc<Value>>,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default)]
    notice: usize,
    #[serde(default)]
    mark: usize,
    #[serde(default)]
    extra: Option<Map<String, Value>>,
}

impl<'de> Deserialize<'de> for Message {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let foreign = Foreign::deserialize(deserializer)?;
        let content = text_of(foreign.content);
        Ok(match foreign.role.as_str() {
            "system" | "developer" => Self::System(content),
            "user" => Self::User(UserMessage { content, origin: foreign.origin }),
            "assistant" => Self::Assistant(AssistantMessage {
                content,
                reasoning: foreign.reasoning.or(foreign.reasoning_content).unwrap_or_default(),
                calls: match (foreign.tool_calls, foreign.function_call) {
                    (Some(calls), _) => calls,
                    (None, Some(function @ Value::Object(_))) => {
                        let call = Call::deserialize(json!({"function": function}));
                        vec![call.map_err(de::Error::custom)?]
                    }
                    (None, _) => Vec::new(),
                },
                extra: foreign.extra,
            }),
            "tool" | "function" => Self::Tool(ToolMessage {
                call: foreign.tool_call_id.unwrap_or_else(|| CallId::from("")),
                name: foreign.name.unwrap_or_default(),
                outcome: Outcome {
                    status: foreign.status.unwrap_or(Status::Ok),
                    text: content,
                    data: foreign.data,
                    words: foreign.words,
                    detail: foreign.detail,
                    input: foreign.input,
                    edited_arguments: foreign.edited_arguments,
                    reason: foreign.reason,
                    notice: foreign.notice,
                    mark: foreign.mark,
                },
            }),
            other => {
                return Err(de::Error::unknown_variant(
                    other,
                    &["system", "user", "assistant", "tool"],
                ));
            }
        })
    }
}

/// Content as text: a string as it is, parts joined, nothing as "", anything else as JSON.
fn text_of(content: Value) -> String {
    match content {
        Value::String(text) => text,
        Value::Null => String::new(),
        Value::Array(parts) if parts.iter().all(|part| part["text"].is_string()) => {
            parts.iter().filter_map(|part| part["text"].as_str()).collect()
        }
        other => other.to_string(),
    }
}
