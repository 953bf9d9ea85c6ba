//! Pictures, files and sounds in a request, in the form of the Responses API.

use std::sync::Arc;

use bytes::BytesMut;
use toolwright_core::{Attachment, AttachmentKind, ContentPart, Message, Outcome, content_parts};

use crate::endpoint::write::{base64, comma, field, json, raw};

/// Writes a content of several parts.
pub(super) fn write_parts<'a>(out: &mut BytesMut, parts: impl Iterator<Item = ContentPart<'a>>) {
    raw(out, "[");
    for part in parts {
        comma(out);
        match part {
            ContentPart::Text(text) => {
                raw(out, "{\"type\":\"input_text\",\"text\":");
                json(out, text);
                raw(out, "}");
            }
            ContentPart::Attachment(attachment) => write_attachment(out, attachment),
        }
    }
    raw(out, "]");
}

fn write_attachment(out: &mut BytesMut, attachment: &Attachment) {
    let data = base64(attachment);
    let media_type = &attachment.media_type;
    // Base64 needs no escaping, and neither does a media type.
    let part = match attachment.kind() {
        AttachmentKind::Image => format!(
            r#"{{"type":"input_image","detail":"auto","image_url":"data:{media_type};base64,{data}"}}"#
        ),
        AttachmentKind::Audio => {
            let format = if media_type.as_str() == "audio/wav" { "wav" } else { "mp3" };
            format!(
                r#"{{"type":"input_audio","input_audio":{{"data":"{data}","format":"{format}"}}}}"#
            )
        }
        _ => {
            raw(out, "{\"type\":\"input_file\",\"filename\":");
            json(out, attachment.name.as_deref().unwrap_or("file"));
            format!(r#","file_data":"data:{media_type};base64,{data}"}}"#)
        }
    };
    raw(out, &part);
}

/// Writes what a call came to. Pictures and files may stand in it.
pub(super) fn write_result(out: &mut BytesMut, outcome: &Outcome) {
    let is_here =
        |part: &ContentPart<'_>| !matches!(part, ContentPart::Attachment(it) if !fits_result(it));
    if !outcome.attachments.iter().any(fits_result) {
        return field(out, "output", outcome.text.as_str());
    }
    raw(out, ",\"output\":");
    write_parts(out, content_parts(&outcome.text, &outcome.attachments).filter(is_here));
}

/// Whether a result may have this in it.
fn fits_result(attachment: &Attachment) -> bool {
    attachment.kind() != AttachmentKind::Audio
}

/// Writes what is attached to results and may not stand in them, as a message of its own.
pub(super) fn write_attached(out: &mut BytesMut, results: &[Arc<Message>]) {
    let attached = results.iter().flat_map(|it| it.attachments()).filter(|it| !fits_result(it));
    let named: Vec<_> = attached
        .map(|it| (format!("This is what a tool returned: {}", it.describe()), it))
        .collect();
    if named.is_empty() {
        return;
    }
    raw(out, ",{\"role\":\"user\",\"content\":");
    let parts =
        named.iter().flat_map(|(text, it)| [ContentPart::Text(text), ContentPart::Attachment(it)]);
    write_parts(out, parts);
    raw(out, "}");
}
