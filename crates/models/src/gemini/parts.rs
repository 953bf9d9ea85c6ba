//! Texts, files, calls and results in a request, in the form of Gemini.

use std::borrow::Cow;

use bytes::BytesMut;
use toolwright_core::{Attachment, Call, ContentPart, ToolMessage};

use super::family::Family;
use crate::endpoint::write::{base64, comma, echoed, field, json, raw, sendable};

/// The name of what must come back with a part, on the wire and where it is kept of a call.
pub(super) const SIGNATURE: &str = "thoughtSignature";
/// What stands for the signature of a call that this model did not make.
const UNSIGNED: &str = "skip_thought_signature_validator";

/// Writes a text.
pub(super) fn write_text(out: &mut BytesMut, text: &str) {
    comma(out);
    raw(out, "{\"text\":");
    json(out, text);
    raw(out, "}");
}

/// Writes a text that came with a signature, or a thought.
pub(super) fn write_signed(out: &mut BytesMut, text: &str, thought: bool, signature: &str) {
    comma(out);
    raw(out, "{\"text\":");
    json(out, text);
    if thought {
        raw(out, ",\"thought\":true");
    }
    field(out, SIGNATURE, signature);
    raw(out, "}");
}

/// Writes the parts of a content.
pub(super) fn write_parts<'a>(out: &mut BytesMut, parts: impl Iterator<Item = ContentPart<'a>>) {
    for part in parts {
        match part {
            ContentPart::Text(text) => write_text(out, text),
            ContentPart::Attachment(attachment) => write_attachment(out, attachment),
        }
    }
}

/// Writes a file.
pub(super) fn write_attachment(out: &mut BytesMut, attachment: &Attachment) {
    let media_type = match attachment.media_type.as_str() {
        "audio/mpeg" => "audio/mp3",
        other => other,
    };
    comma(out);
    raw(out, "{\"inlineData\":{\"mimeType\":");
    json(out, media_type);
    // Base64 needs no escaping.
    raw(out, ",\"data\":\"");
    raw(out, &base64(attachment));
    raw(out, "\"}}");
}

/// Writes a call. `signature` is what it came with; where there is none the first of a message has to have
/// another.
pub(super) fn write_call(
    out: &mut BytesMut,
    call: &Call,
    signature: Option<&str>,
    is_first: bool,
    family: Family<'_>,
) {
    comma(out);
    raw(out, "{\"functionCall\":{");
    if !call.id.as_str().is_empty() {
        raw(out, "\"id\":");
        json(out, call.id.as_str());
        raw(out, ",");
    }
    raw(out, "\"name\":");
    json(out, &*sendable_name(&call.name));
    raw(out, ",\"args\":");
    raw(out, &echoed(&call.arguments));
    raw(out, "}");
    let unsigned = (is_first && family.is_third()).then_some(UNSIGNED);
    if let Some(signature) = signature.or(unsigned) {
        field(out, SIGNATURE, signature);
    }
    raw(out, "}");
}

/// Writes the result of a call.
pub(super) fn write_result(
    out: &mut BytesMut,
    result: &ToolMessage,
    name: &str,
    family: Family<'_>,
) {
    comma(out);
    raw(out, "{\"functionResponse\":{");
    if !result.call.as_str().is_empty() {
        raw(out, "\"id\":");
        json(out, result.call.as_str());
        raw(out, ",");
    }
    raw(out, "\"name\":");
    json(out, &*sendable_name(name));
    // As text, also where it is JSON: long numbers would not come through as they are.
    raw(
        out,
        if result.outcome.status.is_ok() {
            ",\"response\":{\"output\":"
        } else {
            ",\"response\":{\"error\":"
        },
    );
    json(out, &result.outcome.text);
    raw(out, "}");
    let attachments = result.outcome.attachments.iter();
    let inside: Vec<_> = attachments.filter(|it| is_inside(it, family)).collect();
    if !inside.is_empty() {
        raw(out, ",\"parts\":[");
        inside.into_iter().for_each(|it| write_attachment(out, it));
        raw(out, "]");
    }
    raw(out, "}}");
}

/// Writes what is attached to a result and cannot stand in it.
pub(super) fn write_beside(out: &mut BytesMut, attachments: &[Attachment], family: Family<'_>) {
    for attachment in attachments.iter().filter(|it| !is_inside(it, family)) {
        write_text(out, &format!("This is what a tool returned: {}", attachment.describe()));
        write_attachment(out, attachment);
    }
}

/// Whether a result can have this in it.
fn is_inside(attachment: &Attachment, family: Family<'_>) -> bool {
    let kind = attachment.media_type.as_str();
    family.is_third()
        && matches!(kind, "image/png" | "image/jpeg" | "image/webp" | "application/pdf")
}

/// The name as Gemini takes it: it begins with a letter.
pub(super) fn sendable_name(name: &str) -> Cow<'_, str> {
    let name = sendable(name);
    match name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        true => name,
        false => format!("_{name}").into(),
    }
}
