//! [`GenerateContent`]: Gemini's generateContent.

use std::sync::Arc;

use bytes::BytesMut;
use http::HeaderName;
use serde_json::Value;
use toolwright_core::{Message, ModelRequest};

use crate::{
    endpoint::{Fixed, Protocol, Reader},
    openai::ChatCompletions,
};

/// Gemini's generateContent.
pub(crate) struct GenerateContent;

impl Protocol for GenerateContent {
    fn route(&self, model: &str, stream: bool) -> String {
        ChatCompletions.route(model, stream)
    }

    fn tails(&self) -> &'static [&'static str] {
        &[]
    }

    fn version(&self) -> Option<&'static str> {
        Some("v1")
    }

    fn key(&self, key: &str) -> (HeaderName, String) {
        crate::openai::bearer(key)
    }

    fn begin(&self, out: &mut BytesMut, request: &ModelRequest<'_>, fixed: &Fixed<'_>) {
        ChatCompletions.begin(out, request, fixed);
    }

    fn messages(
        &self,
        out: &mut BytesMut,
        messages: &[Arc<Message>],
        from: usize,
        fixed: &Fixed<'_>,
    ) {
        ChatCompletions.messages(out, messages, from, fixed);
    }

    fn finish(&self, out: &mut BytesMut, request: &ModelRequest<'_>, fixed: &Fixed<'_>) {
        ChatCompletions.finish(out, request, fixed);
    }

    fn reader(&self) -> Box<dyn Reader> {
        ChatCompletions.reader()
    }

    fn listed(&self, list: &Value) -> Option<Vec<String>> {
        crate::openai::listed(list)
    }
}
