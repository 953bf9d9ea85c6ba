//! [`Protocol`]: what one API has of its own. Everything else (connections, retries, limits, secrets,
//! bodies that grow, replies that are put together) is the endpoint's.

use std::{borrow::Cow, sync::Arc};

use bytes::BytesMut;
use http::HeaderName;
use serde_json::Value;
use toolwright_core::{
    Attachment, AttachmentKind, Message, ModelError, ModelErrorKind, ModelOptions, ModelRequest,
};

use super::{Draft, Facts, Quirks};

/// What one API has of its own.
pub(crate) trait Protocol: Send + Sync {
    /// Where a model is asked, below the API's root.
    fn route(&self, model: &str, stream: bool) -> String;

    /// What people append to the root of the API, having read of the route.
    fn tails(&self) -> &'static [&'static str];

    /// The version that roots of this API end in (`v1`), where they do.
    fn version(&self) -> Option<&'static str>;

    /// The header that brings the key.
    fn key(&self, key: &str) -> (HeaderName, String);

    /// Headers of every request.
    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Writes a request up to its messages: the last byte is the bracket that opens them.
    fn begin(&self, out: &mut BytesMut, request: &ModelRequest<'_>, fixed: &Fixed<'_>);

    /// Writes the messages from this one on, each with [`write::comma`](super::write::comma) in front.
    fn messages(
        &self,
        out: &mut BytesMut,
        messages: &[Arc<Message>],
        from: usize,
        fixed: &Fixed<'_>,
    );

    /// Writes what is behind the messages, their closing bracket included.
    fn finish(&self, out: &mut BytesMut, request: &ModelRequest<'_>, fixed: &Fixed<'_>);

    /// What reads a reply.
    fn reader(&self) -> Box<dyn Reader>;

    /// Where models are listed, below the API's root.
    fn listing(&self) -> &'static str {
        "/models"
    }

    /// The names in a list of models; none where this is no such list.
    fn listed(&self, list: &Value) -> Option<Vec<String>>;

    /// Whether messages of this API can have this in them at all.
    fn carries(&self, attachment: &Attachment) -> bool {
        let media_type = attachment.media_type.as_str();
        match attachment.kind() {
            AttachmentKind::Image => {
                matches!(media_type, "image/png" | "image/jpeg" | "image/webp" | "image/gif")
            }
            AttachmentKind::Pdf => true,
            AttachmentKind::Audio => matches!(media_type, "audio/wav" | "audio/mpeg"),
            _ => false,
        }
    }

    /// Whether a refusal with this error is worth another attempt, where the API has a rule of its own.
    fn again(&self, _error: &ModelError) -> Option<bool> {
        None
    }

    /// What a person can do about an error of this kind, where that is something of this API's own.
    fn advice(&self, _kind: ModelErrorKind) -> Option<&'static str> {
        None
    }
}

/// What reads one reply, piece by piece or whole.
pub(crate) trait Reader: Send {
    /// Takes the JSON of one event, or of a whole reply.
    fn take(&mut self, data: &mut [u8], draft: &mut Draft<'_>) -> Result<(), ModelError>;

    /// Whether the API has said that nothing more comes.
    fn is_over(&self) -> bool {
        false
    }

    /// Hands over what is certain only at the end.
    fn settle(&mut self, _draft: &mut Draft<'_>) {}
}

/// What does not change within a run.
pub(crate) struct Fixed<'a> {
    pub(crate) client: u64,
    pub(crate) model: &'a str,
    /// Whose messages go back with what was signed.
    pub(crate) identity: &'a str,
    /// How many messages in front stand behind others than those they were said behind: the conversation was
    /// made shorter since.
    pub(crate) rewritten: usize,
    pub(crate) quirks: &'a Quirks,
    pub(crate) facts: &'a Facts,
    /// How the model is to write where a request does not say.
    pub(crate) options: &'a ModelOptions,
}

impl<'a> Fixed<'a> {
    /// How the model is to write, by this request and where that says nothing by the settings.
    pub(crate) fn options_of(&self, request: &ModelRequest<'a>) -> Cow<'a, ModelOptions> {
        match request.options.is_empty() {
            true => Cow::Borrowed(self.options),
            false => Cow::Owned(self.options.with(request.options)),
        }
    }
}
