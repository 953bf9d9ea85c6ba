//! [`GenerateContent`]: Gemini's generateContent.

mod alike;
mod family;
mod messages;
mod options;
mod parts;
mod reader;
mod schema;
mod wire;

use std::sync::Arc;

use bytes::BytesMut;
use http::HeaderName;
use serde_json::Value;
use toolwright_core::{Attachment, AttachmentKind, Message, ModelRequest};

use self::reader::GeminiReader;
use crate::endpoint::{Fixed, Protocol, Reader};

/// Gemini's generateContent.
pub(crate) struct GenerateContent;

impl Protocol for GenerateContent {
    fn route(&self, model: &str, stream: bool) -> String {
        let path = path_of(model);
        match stream {
            // Without `alt` the stream is one array, whose end is its only seam.
            true => format!("{path}:streamGenerateContent?alt=sse"),
            false => format!("{path}:generateContent"),
        }
    }

    fn tails(&self) -> &'static [&'static str] {
        &["/models"]
    }

    fn version(&self) -> Option<&'static str> {
        Some("v1beta")
    }

    fn key(&self, key: &str) -> (HeaderName, String) {
        (HeaderName::from_static("x-goog-api-key"), key.to_owned())
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
        Box::<GeminiReader>::default()
    }

    fn listing(&self) -> &'static str {
        // There are more than the fifty of a page that nobody asked to be longer.
        "/models?pageSize=1000"
    }

    fn listed(&self, list: &Value) -> Option<Vec<String>> {
        let list = list.as_object()?;
        let Some(models) = list.get("models") else {
            // What is empty is left out.
            return list.is_empty().then(Vec::new);
        };
        let answers = |model: &&Value| {
            let methods = model.get("supportedGenerationMethods").and_then(Value::as_array);
            methods.is_none_or(|it| it.iter().any(|it| it == "generateContent"))
        };
        let name = |model: &Value| {
            let name = model.get("name")?.as_str()?;
            Some(name.strip_prefix("models/").unwrap_or(name).to_owned())
        };
        Some(models.as_array()?.iter().filter(answers).filter_map(name).collect())
    }

    fn carries(&self, attachment: &Attachment) -> bool {
        match (attachment.kind(), attachment.media_type.as_str()) {
            (AttachmentKind::Image, kind) => matches!(
                kind,
                "image/png" | "image/jpeg" | "image/webp" | "image/heic" | "image/heif"
            ),
            (AttachmentKind::Pdf, _) => true,
            (AttachmentKind::Audio, kind) => matches!(
                kind,
                "audio/wav"
                    | "audio/mpeg"
                    | "audio/mp3"
                    | "audio/aiff"
                    | "audio/aac"
                    | "audio/ogg"
                    | "audio/flac"
            ),
            _ => false,
        }
    }
}

/// The path of a model, given by its name alone or by its place: `models/NAME`, `tunedModels/NAME`.
fn path_of(model: &str) -> String {
    let is_place = ["models/", "tunedModels/"].iter().any(|it| model.starts_with(it))
        || model.contains("/models/");
    let mut path = String::from(if is_place { "/" } else { "/models/" });
    for byte in model.bytes() {
        match byte {
            b'/' if is_place => path.push('/'),
            b'-' | b'_' | b'.' | b'~' => path.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => path.push(char::from(byte)),
            _ => path.push_str(&format!("%{byte:02X}")),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::GenerateContent;
    use crate::endpoint::Protocol;

    #[test]
    fn a_model_is_asked_at_its_place() {
        for (model, path) in [
            ("gemini-3-pro", "/models/gemini-3-pro:generateContent"),
            ("models/gemini-3-pro", "/models/gemini-3-pro:generateContent"),
            ("tunedModels/mine", "/tunedModels/mine:generateContent"),
            ("publishers/google/models/m", "/publishers/google/models/m:generateContent"),
            ("a b/c:d?e#é", "/models/a%20b%2Fc%3Ad%3Fe%23%C3%A9:generateContent"),
        ] {
            assert_eq!(GenerateContent.route(model, false), path);
        }
        let stream = "/models/m:streamGenerateContent?alt=sse";
        assert_eq!(GenerateContent.route("m", true), stream);
    }

    #[test]
    fn only_models_that_answer_are_listed() {
        let list = json!({"models": [
            {"name": "models/a", "supportedGenerationMethods": ["generateContent", "countTokens"]},
            {"name": "models/b", "supportedGenerationMethods": ["embedContent"]},
            {"name": "tunedModels/c"},
            {"displayName": "nameless"},
        ]});
        let names = Some(vec!["a".to_owned(), "tunedModels/c".to_owned()]);
        assert_eq!(GenerateContent.listed(&list), names);
        assert_eq!(GenerateContent.listed(&json!({})), Some(Vec::new()));
        for other in [json!({"data": []}), json!({"models": 1}), json!([]), json!("page")] {
            assert_eq!(GenerateContent.listed(&other), None, "{other}");
        }
    }
}
