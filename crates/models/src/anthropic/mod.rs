//! [`Messages`]: Anthropic's Messages.

mod blocks;
mod lenient;
mod messages;
mod options;
mod parts;
mod reader;
mod request;
mod rules;
mod schema;
mod thinking;
mod wire;

use std::sync::Arc;

use bytes::BytesMut;
use http::HeaderName;
use serde_json::Value;
use toolwright_core::{
    Attachment, AttachmentKind, Message, ModelError, ModelErrorKind, ModelRequest,
};

use self::reader::MessagesReader;
use crate::endpoint::{Fixed, Protocol, Reader};

/// Anthropic's Messages.
pub(crate) struct Messages;

impl Protocol for Messages {
    fn route(&self, _: &str, _: bool) -> String {
        "/messages".to_owned()
    }

    fn tails(&self) -> &'static [&'static str] {
        &["/messages"]
    }

    fn version(&self) -> Option<&'static str> {
        Some("v1")
    }

    fn key(&self, key: &str) -> (HeaderName, String) {
        (HeaderName::from_static("x-api-key"), key.to_owned())
    }

    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        // The later version takes no temperature from any model; this one leaves it to the model.
        &[("anthropic-version", "2023-06-01")]
    }

    fn begin(&self, out: &mut BytesMut, request: &ModelRequest<'_>, fixed: &Fixed<'_>) {
        request::begin(out, request, fixed);
    }

    fn messages(
        &self,
        out: &mut BytesMut,
        messages: &[Arc<Message>],
        from: usize,
        fixed: &Fixed<'_>,
    ) {
        messages::write(out, messages, from, fixed);
    }

    fn finish(&self, out: &mut BytesMut, request: &ModelRequest<'_>, fixed: &Fixed<'_>) {
        request::finish(out, request, fixed);
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::<MessagesReader>::default()
    }

    fn listing(&self) -> &'static str {
        // A page has twenty unless more are asked for.
        "/models?limit=1000"
    }

    fn listed(&self, list: &Value) -> Option<Vec<String>> {
        crate::openai::listed(list)
    }

    fn carries(&self, attachment: &Attachment) -> bool {
        let is_shown = matches!(
            attachment.media_type.as_str(),
            "image/png" | "image/jpeg" | "image/webp" | "image/gif"
        );
        match attachment.kind() {
            AttachmentKind::Image => is_shown,
            kind => kind == AttachmentKind::Pdf,
        }
    }

    fn again(&self, error: &ModelError) -> Option<bool> {
        // A limit that passes says when. One that does not is what the account may spend.
        let is_limit = error.status == Some(429) && error.kind == ModelErrorKind::RateLimited;
        (is_limit && error.retry_after.is_none()).then_some(false)
    }
}
