//! [`OllamaChat`]: Ollama's own API, `/api/chat`.
//!
//! Beside what the same server offers as Chat Completions it has reasoning that goes back, a window that can be
//! chosen, and an error where a conversation is too long: the other one silently drops its beginning.

mod alike;
mod messages;
mod options;
mod reader;
mod tools;
mod wire;

use std::sync::Arc;

use bytes::BytesMut;
use http::HeaderName;
use serde_json::Value;
use toolwright_core::{Attachment, Message, ModelError, ModelErrorKind, ModelRequest};

use self::reader::ChatReader;
use crate::endpoint::{Fixed, Protocol, Reader};

/// Ollama's own API.
pub(crate) struct OllamaChat;

impl Protocol for OllamaChat {
    fn route(&self, _: &str, _: bool) -> String {
        "/api/chat".to_owned()
    }

    fn tails(&self) -> &'static [&'static str] {
        // The last one is the root of what the same server offers as Chat Completions.
        &["/api/chat", "/api", "/v1"]
    }

    fn version(&self) -> Option<&'static str> {
        None
    }

    fn key(&self, key: &str) -> (HeaderName, String) {
        crate::openai::bearer(key)
    }

    fn begin(&self, out: &mut BytesMut, request: &ModelRequest<'_>, fixed: &Fixed<'_>) {
        messages::begin(out, request, fixed);
    }

    fn messages(
        &self,
        out: &mut BytesMut,
        messages: &[Arc<Message>],
        from: usize,
        fixed: &Fixed<'_>,
    ) {
        messages::messages(out, messages, from, fixed);
    }

    fn finish(&self, out: &mut BytesMut, request: &ModelRequest<'_>, _: &Fixed<'_>) {
        messages::finish(out, request);
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::<ChatReader>::default()
    }

    fn listing(&self) -> &'static str {
        "/api/tags"
    }

    fn listed(&self, list: &Value) -> Option<Vec<String>> {
        let models = match list.get("models")? {
            Value::Array(models) => models.as_slice(),
            Value::Null => &[],
            _ => return None,
        };
        let names = models.iter().filter_map(|it| it.get("name").or_else(|| it.get("model")));
        Some(names.filter_map(|it| it.as_str().map(str::to_owned)).collect())
    }

    fn carries(&self, attachment: &Attachment) -> bool {
        // Whether anything else is read depends on how the server was built.
        matches!(attachment.media_type.as_str(), "image/png" | "image/jpeg")
    }

    fn again(&self, error: &ModelError) -> Option<bool> {
        // A model that does not fit into memory does not fit a second later either.
        let is_full = error.kind == ModelErrorKind::Server
            && ["more system memory", "out of memory"].iter().any(|it| error.message.contains(it));
        is_full.then_some(false)
    }

    fn advice(&self, kind: ModelErrorKind) -> Option<&'static str> {
        (kind == ModelErrorKind::TooLong).then_some(
            "Ollama reads as many tokens as the model was loaded with, often only 4096: set the option \
             extra.num_ctx to more (32768, say), or OLLAMA_CONTEXT_LENGTH where Ollama runs; or start a new \
             conversation",
        )
    }
}
