//! [`Asked`]: what a request asks, whichever API it is written in.

mod chat;
mod gemini;
mod messages;
mod ollama;
mod responses;

use serde::Serialize;
use serde_json::Value;

pub(super) use gemini::get;

use super::SpokenApi;
use crate::server::Recorded;

/// What a request asks, the same for every API as far as they can say it.
///
/// Results of tools are parts of the user's turn, and neighbours with one role are one turn: so the
/// same conversation reads the same wherever it was sent.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Asked {
    /// The model.
    pub model: String,
    /// Everything the system says, with blank lines between.
    pub system: String,
    /// The conversation.
    pub turns: Vec<AskedTurn>,
    /// The names of the tools, in order.
    pub tools: Vec<String>,
    /// Which tools may or must be called, where the request says so.
    pub choice: Option<AskedChoice>,
    /// Whether a stream is asked for.
    pub stream: bool,
    /// The most tokens of the reply.
    pub max_tokens: Option<u64>,
    /// The schema the reply must fit.
    pub schema: Option<Value>,
    /// What is asked about thinking, in the API's own words.
    pub thinking: Option<Value>,
    /// How many places are marked as ends of what is worth caching.
    pub marks: usize,
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AskedRole {
    /// The user, and what tools returned.
    User,
    /// The model.
    Assistant,
}

/// What one of both said before the other spoke.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AskedTurn {
    /// Who.
    pub role: AskedRole,
    /// What, in order.
    pub parts: Vec<AskedPart>,
}

/// A part of a turn.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
#[serde(rename_all = "snake_case")]
pub enum AskedPart {
    /// Text.
    Text(String),
    /// A picture or another file.
    File(AskedFile),
    /// Thoughts that are sent back.
    Reasoning {
        /// What was shown of them.
        text: String,
        /// What came with them unread. With Gemini it stands at another part; see
        /// [`AskedPart::Seal`].
        seal: Option<String>,
    },
    /// The `thoughtSignature` of the part before.
    Seal(String),
    /// A call.
    Call {
        /// Its id; empty where there is none.
        id: String,
        /// The tool.
        name: String,
        /// The arguments; text where they are no JSON.
        arguments: Value,
    },
    /// The result of a call.
    Result {
        /// The id of the call; empty where there is none.
        id: String,
        /// The tool, told or known by the id of its call.
        name: String,
        /// What the tool returned.
        text: String,
        /// Files beside the text.
        files: Vec<AskedFile>,
        /// Whether it failed, where the API can tell.
        error: Option<bool>,
    },
}

/// A file in a request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct AskedFile {
    /// Its media type; known by its first bytes where the API does not tell.
    pub media_type: String,
    /// Letters of its Base64.
    pub base64: usize,
    /// Where it is to be fetched, if it is not sent itself.
    pub link: Option<String>,
}

/// Which tools may or must be called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AskedChoice {
    /// As the model likes.
    Auto,
    /// None.
    None,
    /// At least one.
    Required,
    /// This one.
    Tool(String),
    /// Something else, as it stands in the request.
    Other(String),
}

/// Reads a request of this API.
pub(super) fn read(api: SpokenApi, request: &Recorded) -> Asked {
    let body = &request.body;
    let mut asked = match api {
        SpokenApi::Chat => chat::read(body),
        SpokenApi::Responses => responses::read(body),
        SpokenApi::Messages => messages::read(body),
        SpokenApi::Gemini => gemini::read(body),
        SpokenApi::Ollama => ollama::read(body),
    };
    asked.model = request.model().unwrap_or_default().to_owned();
    asked.stream = request.streamed();
    asked.marks = marks(body);
    asked.name_results();
    asked
}

impl Asked {
    /// Adds what `role` says, to its turn if it is the one that spoke last.
    fn say(&mut self, role: AskedRole, part: AskedPart) {
        match self.turns.last_mut() {
            Some(turn) if turn.role == role => turn.parts.push(part),
            _ => self.turns.push(AskedTurn { role, parts: vec![part] }),
        }
    }

    fn instruct(&mut self, text: &str) {
        if !self.system.is_empty() && !text.is_empty() {
            self.system.push_str("\n\n");
        }
        self.system.push_str(text);
    }

    /// All parts in order.
    pub fn parts(&self) -> impl Iterator<Item = &AskedPart> {
        self.turns.iter().flat_map(|turn| &turn.parts)
    }

    /// Some APIs name only the call in a result.
    fn name_results(&mut self) {
        let names: Vec<(String, String)> = self
            .parts()
            .filter_map(|part| match part {
                AskedPart::Call { id, name, .. } => Some((id.clone(), name.clone())),
                _ => None,
            })
            .collect();
        for part in self.turns.iter_mut().flat_map(|turn| &mut turn.parts) {
            if let AskedPart::Result { id, name, .. } = part
                && name.is_empty()
                && let Some((_, known)) = names.iter().rev().find(|(call, _)| call == id)
            {
                name.clone_from(known);
            }
        }
    }
}

impl AskedFile {
    /// A `data:` address, or any other.
    fn at(url: &str) -> Self {
        match url.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,")) {
            Some((media_type, data)) => Self::base64(media_type, data),
            None => Self { link: Some(url.to_owned()), ..Self::default() },
        }
    }

    fn base64(media_type: &str, data: &str) -> Self {
        Self { media_type: media_type.to_owned(), base64: data.len(), link: None }
    }
}

/// The text at `key`, or none.
fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The entries at `key`, or none.
fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Arguments as text, read.
fn arguments(value: &Value, key: &str) -> Value {
    match value.get(key) {
        Some(Value::String(text)) => {
            serde_json::from_str(text).unwrap_or_else(|_| text.as_str().into())
        }
        other => other.cloned().unwrap_or_default(),
    }
}

fn choice(word: &str) -> AskedChoice {
    match word {
        "auto" | "AUTO" => AskedChoice::Auto,
        "none" | "NONE" => AskedChoice::None,
        "required" | "any" | "ANY" => AskedChoice::Required,
        other => AskedChoice::Other(other.to_owned()),
    }
}

/// How many objects bear a mark of one of the vendors.
fn marks(value: &Value) -> usize {
    match value {
        Value::Array(entries) => entries.iter().map(marks).sum(),
        Value::Object(fields) => {
            let marked = ["cache_control", "prompt_cache_breakpoint"];
            let own = marked.iter().filter(|mark| fields.contains_key(**mark)).count();
            own + fields.values().map(marks).sum::<usize>()
        }
        _ => 0,
    }
}
