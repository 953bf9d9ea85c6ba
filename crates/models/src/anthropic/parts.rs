//! Blocks of a message: text, pictures and papers.

use bytes::BytesMut;
use toolwright_core::{Attachment, AttachmentKind, ContentPart};

use super::messages::is_blank;
use crate::endpoint::write::{base64, comma, field, raw};

/// Writes a text as a block, unless it is blank: the API refuses those.
pub(super) fn write_text(out: &mut BytesMut, text: &str) {
    if is_blank(text) {
        return;
    }
    comma(out);
    raw(out, r#"{"type":"text""#);
    field(out, "text", text);
    raw(out, "}");
}

/// Writes parts as blocks.
pub(super) fn write_parts<'a>(out: &mut BytesMut, parts: impl Iterator<Item = ContentPart<'a>>) {
    for part in parts {
        match part {
            ContentPart::Text(text) => write_text(out, text),
            ContentPart::Attachment(attachment) => write_attachment(out, attachment),
        }
    }
}

fn write_attachment(out: &mut BytesMut, attachment: &Attachment) {
    comma(out);
    let is_image = attachment.kind() == AttachmentKind::Image;
    // Base64 needs no escaping, and neither does a media type.
    raw(out, if is_image { r#"{"type":"image""# } else { r#"{"type":"document""# });
    raw(out, r#","source":{"type":"base64","media_type":""#);
    raw(out, attachment.media_type.as_str());
    raw(out, r#"","data":""#);
    raw(out, &base64(attachment));
    raw(out, r#""}"#);
    if let Some(name) = attachment.name.as_deref().filter(|it| !is_image && !is_blank(it)) {
        field(out, "title", name);
    }
    raw(out, "}");
}
