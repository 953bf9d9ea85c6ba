//! [`ChatCompletions`]: OpenAI's Chat Completions, which most servers speak, each in its own way.

mod calls;
mod lenient;
mod messages;
mod opening;
mod options;
mod parts;
mod reader;
mod slot;
mod wire;

use std::sync::Arc;

use bytes::BytesMut;
use http::{HeaderName, header};
use serde_json::Value;
use toolwright_core::{Message, ModelRequest};

pub(crate) use self::options::{is_strict, rejects_sampling};
use self::reader::ChatReader;
use crate::endpoint::{Fixed, Protocol, Reader};

/// Chat Completions.
pub(crate) struct ChatCompletions;

impl Protocol for ChatCompletions {
    fn route(&self, _: &str, _: bool) -> String {
        "/chat/completions".to_owned()
    }

    fn tails(&self) -> &'static [&'static str] {
        &["/chat/completions"]
    }

    fn version(&self) -> Option<&'static str> {
        Some("v1")
    }

    fn key(&self, key: &str) -> (HeaderName, String) {
        bearer(key)
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

    fn finish(&self, out: &mut BytesMut, request: &ModelRequest<'_>, fixed: &Fixed<'_>) {
        messages::finish(out, request, fixed);
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::<ChatReader>::default()
    }

    fn listed(&self, list: &Value) -> Option<Vec<String>> {
        listed(list)
    }
}

/// The header that brings a key to most servers.
pub(crate) fn bearer(key: &str) -> (HeaderName, String) {
    (header::AUTHORIZATION, format!("Bearer {key}"))
}

/// The names in a list of models.
pub(crate) fn listed(list: &Value) -> Option<Vec<String>> {
    let data = list.get("data").and_then(Value::as_array);
    let data = data.or_else(|| list.as_array()).into_iter().flatten();
    let is_list = list.is_object() || list.is_array();
    is_list.then(|| data.filter_map(|it| it.get("id")?.as_str()).map(str::to_owned).collect())
}
