//! What every API's requests are written with.

use std::borrow::Cow;

use base64::{Engine, prelude::BASE64_STANDARD};
use bytes::BytesMut;
use serde::Serialize;
use serde_json::{Map, Value};
use toolwright_core::Attachment;

/// Writes `,"name":value`.
pub(crate) fn field(out: &mut BytesMut, name: &str, value: &(impl Serialize + ?Sized)) {
    out.extend_from_slice(b",");
    json(out, name);
    out.extend_from_slice(b":");
    json(out, value);
}

/// Writes a value.
pub(crate) fn json(out: &mut BytesMut, value: &(impl Serialize + ?Sized)) {
    // Neither strings nor values that were JSON before can fail, and memory does not report.
    let _ = serde_json::to_writer(Grow(out), value);
}

/// Writes what is JSON already.
pub(crate) fn raw(out: &mut BytesMut, json: &str) {
    out.extend_from_slice(json.as_bytes());
}

/// Writes the comma between two things, where something is in front.
pub(crate) fn comma(out: &mut BytesMut) {
    if !matches!(out.last(), None | Some(b'[' | b'{')) {
        out.extend_from_slice(b",");
    }
}

/// The bytes of an attachment in letters.
pub(crate) fn base64(attachment: &Attachment) -> String {
    let bytes: &[u8] = attachment.bytes().map_or(&[], |it| it);
    BASE64_STANDARD.encode(bytes)
}

/// The name as providers take it back: one that a model made up may have any letters in it.
pub(crate) fn sendable(name: &str) -> Cow<'_, str> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if name.len() <= 64 && name.chars().all(fits) {
        return Cow::Borrowed(name);
    }
    name.chars().take(64).map(|c| if fits(c) { c } else { '_' }).collect::<String>().into()
}

/// The arguments byte for byte. What is no JSON object makes the templates of some servers fail: of
/// an object that was encoded twice the inner one is sent, and `{}` for everything else.
pub(crate) fn echoed(arguments: &str) -> Cow<'_, str> {
    // What is only skipped over may be too deep, or have half surrogates in it.
    let deep = arguments.bytes().filter(|byte| matches!(byte, b'{' | b'[')).count() > 100;
    let object = arguments.trim_start().starts_with('{')
        && if deep || arguments.contains("\\u") {
            serde_json::from_str::<Value>(arguments).is_ok()
        } else {
            serde_json::from_str::<serde::de::IgnoredAny>(arguments).is_ok()
        };
    if object {
        return Cow::Borrowed(arguments);
    }
    let inner = serde_json::from_str::<String>(arguments).ok();
    let inner = inner.filter(|it| serde_json::from_str::<Map<String, Value>>(it).is_ok());
    inner.map_or(Cow::Borrowed("{}"), Cow::Owned)
}

/// `BytesMut` as a writer that grows.
struct Grow<'a>(&'a mut BytesMut);

impl std::io::Write for Grow<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
