//! [`Responses`]: OpenAI's Responses, without anything kept at the provider: every request holds the whole
//! conversation, and with it what the model thought, encrypted.

mod alike;
mod assistant;
mod delta;
mod fill;
mod items;
mod kept;
mod options;
mod parts;
mod reader;
mod request;
mod slot;

use std::sync::Arc;

use bytes::BytesMut;
use http::HeaderName;
use serde_json::Value;
use toolwright_core::{Message, ModelRequest};

use self::reader::ResponsesReader;
use crate::endpoint::{Fixed, Protocol, Reader};

/// OpenAI's Responses.
pub(crate) struct Responses;

impl Protocol for Responses {
    fn route(&self, _: &str, _: bool) -> String {
        "/responses".to_owned()
    }

    fn tails(&self) -> &'static [&'static str] {
        &["/responses"]
    }

    fn version(&self) -> Option<&'static str> {
        Some("v1")
    }

    fn key(&self, key: &str) -> (HeaderName, String) {
        crate::openai::bearer(key)
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
        request::messages(out, messages, from, fixed);
    }

    fn finish(&self, out: &mut BytesMut, request: &ModelRequest<'_>, fixed: &Fixed<'_>) {
        request::finish(out, request, fixed);
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::<ResponsesReader>::default()
    }

    fn listed(&self, list: &Value) -> Option<Vec<String>> {
        crate::openai::listed(list)
    }
}
