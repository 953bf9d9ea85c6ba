//! [`SpokenApi`]: the APIs a [`ModelServer`](crate::ModelServer) speaks, each as its vendor does.
//!
//! A reply is described once, as [`Spoken`], and said in the API by whose path a request came. So one
//! script serves them all; and what was asked is one [`Asked`], whoever asked.

mod asked;
mod chat;
mod failure;
mod failure_bodies;
mod gemini;
mod messages;
mod ollama;
mod responses;
mod route;
mod rules;
mod spoken;

use serde_json::{Value, json};

pub use asked::{Asked, AskedChoice, AskedFile, AskedPart, AskedRole, AskedTurn};
pub use failure::{ApiError, Failure, RetryForm};
pub use spoken::{BreakForm, Spoken, SpokenPart, SpokenStop, SpokenUsage};

use crate::server::Recorded;
pub(crate) use ollama::show;
pub(crate) use route::Route;
pub(crate) use spoken::fragments;

/// The API of a vendor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SpokenApi {
    /// OpenAI's Chat Completions, which nearly everybody speaks.
    Chat,
    /// OpenAI's Responses.
    Responses,
    /// Anthropic's Messages.
    Messages,
    /// Google's `generateContent`.
    Gemini,
    /// Ollama's own `/api/chat`.
    Ollama,
}

/// What a reply says about itself.
pub(crate) struct Envelope<'a> {
    /// The number of the request, for ids that differ.
    pub(crate) number: usize,
    pub(crate) model: &'a str,
    /// Whether a chat asked for its usage in the stream.
    pub(crate) usage: bool,
}

impl SpokenApi {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Chat, Self::Responses, Self::Messages, Self::Gemini, Self::Ollama];

    /// A word for it, which is also the prefix under which a server has it alone.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Responses => "responses",
            Self::Messages => "messages",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
        }
    }

    /// What stands between a server's address and the API's own paths, such as `/v1`.
    pub fn base_path(self) -> &'static str {
        match self {
            Self::Chat | Self::Responses | Self::Messages => "/v1",
            Self::Gemini => "/v1beta",
            Self::Ollama => "",
        }
    }

    /// The path to which questions for `model` go, below the server's address.
    pub fn path(self, model: &str, stream: bool) -> String {
        let base = self.base_path();
        match self {
            Self::Chat => format!("{base}/chat/completions"),
            Self::Responses => format!("{base}/responses"),
            Self::Messages => format!("{base}/messages"),
            Self::Gemini if stream => {
                format!("{base}/models/{model}:streamGenerateContent?alt=sse")
            }
            Self::Gemini => format!("{base}/models/{model}:generateContent"),
            Self::Ollama => format!("{base}/api/chat"),
        }
    }

    /// The body of the stream in which the API says this.
    pub fn stream(self, spoken: &Spoken, model: &str) -> String {
        self.streamed(spoken, &Envelope { number: 0, model, usage: true })
    }

    /// The body in which the API says this at once.
    pub fn whole(self, spoken: &Spoken, model: &str) -> Value {
        self.at_once(spoken, &Envelope { number: 0, model, usage: true })
    }

    /// What a failure looks like before anything was said.
    pub fn error(self, failure: Failure) -> ApiError {
        self.error_after(failure, None)
    }

    /// What was asked, if the request is one of this API.
    pub fn request(self, request: &Recorded) -> Option<Asked> {
        (request.api() == Some(self)).then(|| asked::read(self, request))
    }

    /// What the vendor's own server would refuse in a request; empty when nothing is. Every request
    /// of a [`ModelServer`](crate::ModelServer) is held against this.
    pub fn violations(self, request: &Recorded) -> Vec<String> {
        rules::violations(self, request)
    }

    /// The content type of a stream.
    pub fn stream_type(self) -> &'static str {
        if self == Self::Ollama { "application/x-ndjson" } else { "text/event-stream" }
    }

    pub(crate) fn streamed(self, spoken: &Spoken, envelope: &Envelope<'_>) -> String {
        match self {
            Self::Chat => chat::stream(spoken, envelope),
            Self::Responses => responses::stream(spoken, envelope),
            Self::Messages => messages::stream(spoken, envelope),
            Self::Gemini => gemini::stream(spoken, envelope),
            Self::Ollama => ollama::stream(spoken, envelope),
        }
    }

    pub(crate) fn at_once(self, spoken: &Spoken, envelope: &Envelope<'_>) -> Value {
        match self {
            Self::Chat => chat::whole(spoken, envelope),
            Self::Responses => responses::whole(spoken, envelope),
            Self::Messages => messages::whole(spoken, envelope),
            Self::Gemini => gemini::whole(spoken, envelope),
            Self::Ollama => ollama::whole(spoken, envelope),
        }
    }

    /// The reply to the question which models there are: one, `scripted`.
    pub fn models(self) -> Value {
        match self {
            Self::Chat | Self::Responses => json!({"object": "list", "data": [
                {"id": "scripted", "object": "model", "created": 1, "owned_by": "testkit"},
            ]}),
            Self::Messages => messages::models(),
            Self::Gemini => gemini::models(),
            Self::Ollama => ollama::models(),
        }
    }
}

/// Puts an entry into an object.
fn insert(value: &mut Value, key: &str, entry: impl Into<Value>) {
    if let Some(object) = value.as_object_mut() {
        object.insert(key.to_owned(), entry.into());
    }
}

/// Puts the entries of one object into another.
fn merge(value: &mut Value, more: Value) {
    if let (Value::Object(object), Value::Object(more)) = (value, more) {
        object.extend(more);
    }
}

/// Arguments where an API has them as an object. What is none stays text, which no real server
/// sends, and which no client may choke on.
fn parsed(arguments: &str) -> Value {
    if arguments.is_empty() {
        return json!({});
    }
    serde_json::from_str(arguments).unwrap_or_else(|_| json!(arguments))
}
