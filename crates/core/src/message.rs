//! [`Message`]: one entry of a conversation, in the form every provider's own form is made from.
//!
//! Serialised, a message is OpenAI's chat form plus a few fields of ours (`status`, `data`, `detail`,
//! `input`, `reason` and `edited_arguments` on a tool's result, with how many characters at the beginning of its content
//! are not the tool's: `notice`, `mark`; `origin` on what the runtime itself said, `steers` on what was said to a run), so that a stored
//! conversation is readable by anything that reads OpenAI's. Reading is lenient: what other
//! programs wrote (arguments as an object, content as parts or null) is understood. A part that is not
//! is an error: what it is made of is nothing for a prompt.

use std::{borrow::Cow, sync::Arc};

use serde::{Deserialize, Serialize, Serializer, de};
use serde_json::{Map, Value, json};

use crate::{
    Attachment, Call, CallId, ContentPart, Outcome, Status, content_parts, foreign_content,
    outcome::present,
};

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
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Author {
    /// The person typed it.
    #[default]
    Person,
    /// The runtime wrote it, to send an unusable answer back to the model. Such text never counts
    /// as something the user said.
    Runtime,
    /// A model wrote it: the question of one agent to another. Such text never counts as something the
    /// user said.
    Agent,
    /// It stands in a log that was not written here. Whoever typed it, the user of this installation
    /// did not: it never counts as something the user said.
    Imported,
    /// It stands in files of the project that the conversation is about. Whoever made them wrote it: it
    /// never counts as something the user said, and a command in it is foreign text.
    Project,
    /// A program that calls tools itself, and not through a model, wrote it, or had it written. Whatever it
    /// sends, the user did not say it.
    Client,
    /// A server that tools come from wrote it: a prompt of its that the user called. It never counts as something
    /// the user said.
    Server,
}

impl Author {
    pub(crate) fn is_person(&self) -> bool {
        *self == Self::Person
    }
}

impl UserMessage {
    /// A message of a person's.
    pub fn new(content: impl Into<String>) -> Self {
        let (content, attachments) = (content.into(), Vec::new());
        Self { content, attachments, origin: Author::Person, steers: false }
    }

    /// A message that stands for a program which calls tools itself.
    pub fn of_client(content: impl Into<String>) -> Self {
        Self { origin: Author::Client, ..Self::new(content) }
    }

    /// The same with something attached, behind what it says so far.
    #[must_use]
    pub fn with_attachment(mut self, mut attachment: Attachment) -> Self {
        attachment.at = self.content.chars().count();
        self.attachments.push(attachment);
        self
    }

    /// What the person gave: what they said, and the texts they attached as far as they are at hand. Data, and
    /// no instructions: a file's words are not the person's. What a command of somebody else's brought with it,
    /// nobody gave.
    pub fn given(&self) -> impl Iterator<Item = &str> {
        let files = self.attachments.iter().filter(|it| it.origin.is_person());
        std::iter::once(self.content.as_str()).chain(files.filter_map(Attachment::text))
    }

    /// Everything that stands in it, whoever wrote it.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let files = self.attachments.iter().filter_map(Attachment::text);
        std::iter::once(self.content.as_str()).chain(files)
    }

    /// Whether it is a turn of a person's, be it of one who wrote elsewhere. Not whether the user
    /// said it: that only [`Author::Person`] tells.
    pub fn is_turn(&self) -> bool {
        !matches!(self.origin, Author::Runtime | Author::Project)
    }

    /// Whether it is a turn that begins something new, and does not steer what goes on.
    pub fn is_question(&self) -> bool {
        self.is_turn() && !self.steers
    }

    /// The same, said to a run that goes on.
    #[must_use]
    pub fn steering(self) -> Self {
        Self { steers: true, ..self }
    }
}

/// What the person said.
#[derive(Clone, Debug, PartialEq)]
pub struct UserMessage {
    /// The text.
    pub content: String,
    /// What is attached to it, in the order in which it stands there.
    pub attachments: Vec<Attachment>,
    /// Who is behind it.
    pub origin: Author,
    /// Whether it was said to a run that went on already: it belongs to the question before it.
    pub steers: bool,
}

impl From<String> for UserMessage {
    fn from(content: String) -> Self {
        Self::new(content)
    }
}

impl From<&str> for UserMessage {
    fn from(content: &str) -> Self {
        Self::new(content)
    }
}

impl From<&String> for UserMessage {
    fn from(content: &String) -> Self {
        Self::new(content.as_str())
    }
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
    /// Which model said it: `provider:name`. What a provider signed goes back to that one alone.
    pub model: Option<Arc<str>>,
    /// Provider fields that must be echoed unchanged on the next request: reasoning that is signed or
    /// encrypted, say.
    pub extra: Option<Map<String, Value>>,
}

impl AssistantMessage {
    /// Whether what only its own provider understands may go to this model.
    pub fn is_of(&self, model: &str) -> bool {
        self.model.as_deref() == Some(model)
    }
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
        Self::User(UserMessage::new(content))
    }

    /// A message by which the runtime sends something back to the model.
    pub fn correction(content: impl Into<String>) -> Self {
        Self::User(UserMessage { origin: Author::Runtime, ..UserMessage::new(content) })
    }

    /// A question that the model of another agent asks.
    pub fn from_agent(content: impl Into<String>) -> Self {
        Self::User(UserMessage { origin: Author::Agent, ..UserMessage::new(content) })
    }

    /// What files of the project say.
    pub fn project(content: impl Into<String>) -> Self {
        Self::User(UserMessage { origin: Author::Project, ..UserMessage::new(content) })
    }

    /// Whether it is what files of the project say.
    pub fn is_project(&self) -> bool {
        matches!(self, Self::User(said) if said.origin == Author::Project)
    }

    /// Whether it is a question of a person's, or of whoever is in their place.
    pub fn is_question(&self) -> bool {
        matches!(self, Self::User(said) if said.is_question())
    }

    /// Whether it was said to a run that went on already.
    pub fn is_steering(&self) -> bool {
        matches!(self, Self::User(said) if said.steers)
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

    /// What is attached to it.
    pub fn attachments(&self) -> &[Attachment] {
        match self {
            Self::User(message) => &message.attachments,
            Self::Tool(message) => &message.outcome.attachments,
            Self::System(_) | Self::Assistant(_) => &[],
        }
    }

    /// The text and what is attached to it, in their order.
    pub fn parts(&self) -> impl Iterator<Item = ContentPart<'_>> {
        content_parts(self.content(), self.attachments())
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

/// One entry of a conversation, in OpenAI's form with a few fields of ours.
// What is left out where there is nothing is skipped here and nowhere else, so that the types the page is
// given know it, too.
#[derive(Serialize, schemars::JsonSchema)]
#[serde(tag = "role", rename_all = "snake_case")]
enum Written<'a> {
    System {
        content: &'a str,
    },
    User {
        content: &'a str,
        /// What is attached, by the digests of its bytes.
        #[serde(skip_serializing_if = "<[Attachment]>::is_empty")]
        attachments: &'a [Attachment],
        /// Who is really behind it; a person where nothing is said.
        #[serde(skip_serializing_if = "Option::is_none")]
        origin: Option<Author>,
        /// Whether it was said to a run that went on already.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        steers: bool,
    },
    Assistant {
        /// Null where it only calls tools.
        content: Option<&'a str>,
        #[serde(skip_serializing_if = "str::is_empty")]
        reasoning: &'a str,
        #[serde(skip_serializing_if = "<[Call]>::is_empty")]
        tool_calls: &'a [Call],
        /// Which model said it.
        #[serde(skip_serializing_if = "Option::is_none")]
        model: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        extra: Option<&'a Map<String, Value>>,
    },
    Tool {
        tool_call_id: &'a CallId,
        name: &'a str,
        content: &'a str,
        status: Status,
        /// What is attached, by the digests of its bytes.
        #[serde(skip_serializing_if = "<[Attachment]>::is_empty")]
        attachments: &'a [Attachment],
        /// The result as data, where `content` is not itself that data as JSON.
        #[serde(skip_serializing_if = "Option::is_none")]
        data: Option<&'a Value>,
        /// The same in words, where `content` is JSON for the model.
        #[serde(skip_serializing_if = "Option::is_none")]
        words: Option<&'a str>,
        /// What only people read.
        #[serde(skip_serializing_if = "Option::is_none")]
        detail: Option<&'a str>,
        /// The arguments as the tool understood them.
        #[serde(skip_serializing_if = "Option::is_none")]
        input: Option<&'a Value>,
        /// The arguments it ran with, where somebody changed them.
        #[serde(skip_serializing_if = "Option::is_none")]
        edited_arguments: Option<&'a Value>,
        /// Why it is no result, without what the runtime put around that.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<&'a str>,
        /// How much of `content` is a note of the runtime's.
        #[serde(skip_serializing_if = "is_none")]
        notice: usize,
        /// How much of `content` behind that is the mark of success or failure.
        #[serde(skip_serializing_if = "is_none")]
        mark: usize,
    },
}

fn is_none(length: &usize) -> bool {
    *length == 0
}

impl<'a> From<&'a Message> for Written<'a> {
    fn from(message: &'a Message) -> Self {
        match message {
            Message::System(content) => Self::System { content },
            Message::User(message) => Self::User {
                content: &message.content,
                attachments: &message.attachments,
                origin: (message.origin != Author::Person).then_some(message.origin),
                steers: message.steers,
            },
            Message::Assistant(message) => {
                let is_silent = message.content.is_empty() && !message.calls.is_empty();
                Self::Assistant {
                    content: (!is_silent).then_some(&message.content),
                    reasoning: &message.reasoning,
                    tool_calls: &message.calls,
                    model: message.model.as_deref(),
                    extra: message.extra.as_ref(),
                }
            }
            Message::Tool(message) => Self::Tool {
                tool_call_id: &message.call,
                name: &message.name,
                content: &message.outcome.text,
                status: message.outcome.status,
                attachments: &message.outcome.attachments,
                data: message.outcome.data.as_ref(),
                words: message.outcome.words.as_deref(),
                detail: message.outcome.detail.as_deref(),
                input: message.outcome.input.as_ref(),
                edited_arguments: message.outcome.edited_arguments.as_deref(),
                reason: message.outcome.reason.as_deref(),
                notice: message.outcome.notice,
                mark: message.outcome.mark,
            },
        }
    }
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Written::from(self).serialize(serializer)
    }
}

impl schemars::JsonSchema for Message {
    fn schema_name() -> Cow<'static, str> {
        "Message".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Written::json_schema(generator)
    }
}

/// Every field any role may carry, each in the loosest form seen.
#[derive(Deserialize)]
struct Foreign {
    role: String,
    #[serde(default)]
    content: Value,
    #[serde(default)]
    attachments: Vec<Attachment>,
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
    steers: bool,
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
    model: Option<Arc<str>>,
    #[serde(default)]
    extra: Option<Map<String, Value>>,
}

impl<'de> Deserialize<'de> for Message {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let foreign = Foreign::deserialize(deserializer)?;
        let (content, parts) = match foreign.role.as_str() {
            "tool" | "function" => foreign_content::of_result(foreign.content),
            "user" => foreign_content::of_message(foreign.content),
            _ => foreign_content::of_text(foreign.content),
        }
        .map_err(de::Error::custom)?;
        let attachments = [foreign.attachments, parts].concat();
        Ok(match foreign.role.as_str() {
            "system" | "developer" => Self::System(content),
            "user" => {
                let (origin, steers) = (foreign.origin, foreign.steers);
                Self::User(UserMessage { content, attachments, origin, steers })
            }
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
                model: foreign.model,
                extra: foreign.extra,
            }),
            "tool" | "function" => Self::Tool(ToolMessage {
                call: foreign.tool_call_id.unwrap_or_else(|| CallId::from("")),
                name: foreign.name.unwrap_or_default(),
                outcome: Outcome {
                    status: foreign.status.unwrap_or(Status::Ok),
                    text: content,
                    attachments,
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
