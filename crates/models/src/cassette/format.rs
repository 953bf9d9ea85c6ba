//! [`Line`]: an exchange as it stands in the file; and [`CassetteHeader`], the line before all others.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use toolwright_core::{
    Attachment, AttachmentKind, Call, FinishReason, Model, ModelError, ModelResponse,
    OutputStrategy, Usage,
};

use super::parts::Part;

/// How a file says what it is.
pub(super) const FORMAT: &str = "toolwright-cassette";
/// The version that is written, and the newest that is read.
pub(super) const VERSION: u64 = 1;

/// What a recording says of itself, in its first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CassetteHeader {
    pub(super) format: String,
    pub(super) version: u64,
    /// What made it.
    pub made_by: String,
    /// When it was begun, in milliseconds since 1970. Whoever tells a model what day it is tells it that
    /// of this moment when it replays.
    pub at: u64,
    /// The time zone it was made in, by its name, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
}

impl CassetteHeader {
    /// That of a recording which begins now.
    pub fn new() -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            made_by: concat!("toolwright ", env!("CARGO_PKG_VERSION")).to_owned(),
            at: now(),
            time_zone: None,
        }
    }

    /// Says in which time zone it is made.
    #[must_use]
    pub fn time_zone(mut self, name: Option<&str>) -> Self {
        self.time_zone = name.map(str::to_owned);
        self
    }

    /// Says when it was begun.
    #[must_use]
    pub fn begun(mut self, at: u64) -> Self {
        self.at = at;
        self
    }
}

impl Default for CassetteHeader {
    fn default() -> Self {
        Self::new()
    }
}

/// Milliseconds since 1970.
pub(super) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |it| u64::try_from(it.as_millis()).unwrap_or(u64::MAX))
}

/// An exchange as it stands in the file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Line {
    /// Its number, from 1.
    pub(super) request: u64,
    pub(super) model: ModelCard,
    /// The request whose first messages this one begins with: those are not written again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) after: Option<After>,
    /// The messages behind those.
    pub(super) messages: Vec<Value>,
    /// Tools, choice, options and form. Tools that are those of the request before are left out.
    pub(super) settings: Map<String, Value>,
    /// The pieces, where they are not those of the reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) parts: Option<Vec<Part>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reply: Option<Reply>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<ModelError>,
}

/// Where the beginning of a request stands.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct After {
    pub(super) request: u64,
    pub(super) messages: usize,
}

/// What a model is, as far as requests to it depend on that.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ModelCard {
    pub(super) name: String,
    #[serde(default)]
    pub(super) output: OutputStrategy,
    /// What it takes in messages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) accepts: Vec<String>,
}

/// First bytes of what may be attached, and the kind.
const SAMPLES: [(&[u8], AttachmentKind); 5] = [
    (b"\x89PNG\r\n\x1a\n....", AttachmentKind::Image),
    (b"ID3.....", AttachmentKind::Audio),
    (b"%PDF-1.7", AttachmentKind::Pdf),
    (b"text", AttachmentKind::Text),
    (b"\x00\x01\x02\x03", AttachmentKind::File),
];

impl ModelCard {
    /// That of a model.
    pub(super) fn of(model: &dyn Model) -> Self {
        let takes = |bytes: &[u8]| {
            Attachment::new(bytes.to_vec(), None, None).is_ok_and(|it| model.accepts(&it))
        };
        let accepted = SAMPLES.iter().filter(|(bytes, _)| takes(bytes));
        Self {
            name: model.name().to_owned(),
            output: model.output_strategy(),
            accepts: accepted.map(|(_, kind)| kind.name().to_owned()).collect(),
        }
    }

    /// That of a model of which only the name is known: it is sent what there was.
    pub(super) fn named(name: &str) -> Self {
        let accepts = SAMPLES.iter().map(|(_, kind)| kind.name().to_owned()).collect();
        Self { name: name.to_owned(), output: OutputStrategy::default(), accepts }
    }

    pub(super) fn accepts(&self, attachment: &Attachment) -> bool {
        self.accepts.iter().any(|kind| kind == attachment.kind().name())
    }
}

/// A whole reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Reply {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    text: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    reasoning: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    calls: Vec<Call>,
    finish: FinishReason,
    usage: Usage,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    extra: Option<Map<String, Value>>,
}

impl From<ModelResponse> for Reply {
    fn from(reply: ModelResponse) -> Self {
        Self {
            text: reply.text,
            reasoning: reply.reasoning,
            calls: reply.calls,
            finish: reply.finish,
            usage: reply.usage,
            model: reply.model.map(|it| it.to_string()),
            extra: reply.extra,
        }
    }
}

impl From<Reply> for ModelResponse {
    fn from(reply: Reply) -> Self {
        Self {
            text: reply.text,
            reasoning: reply.reasoning,
            calls: reply.calls,
            finish: reply.finish,
            usage: reply.usage,
            model: reply.model.map(Into::into),
            extra: reply.extra,
        }
    }
}
