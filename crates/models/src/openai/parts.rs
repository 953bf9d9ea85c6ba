//! Pictures, files and sounds in a request, in the form of Chat Completions.

use std::sync::Arc;

use bytes::BytesMut;
use toolwright_core::{Attachment, AttachmentKind, ContentPart, Message};

use crate::endpoint::write::{base64, json};

/// Writes a content of several parts.
pub(super) fn write_content<'a>(out: &mut BytesMut, parts: impl Iterator<Item = ContentPart<'a>>) {
    out.extend_from_slice(b",\"content\":[");
    for (number, part) in parts.enumerate() {
        if number > 0 {
            out.extend_from_slice(b",");
        }
        match part {
            ContentPart::Text(text) => {
                out.extend_from_slice(b"{\"type\":\"text\",\"text\":");
                json(out, text);
                out.extend_from_slice(b"}");
            }
            ContentPart::Attachment(attachment) => write_attachment(out, attachment),
        }
    }
    out.extend_from_slice(b"]");
}

fn write_attachment(out: &mut BytesMut, attachment: &Attachment) {
    let data = base64(attachment);
    let media_type = &attachment.media_type;
    // Base64 needs no escaping, and neither does a media type.
    let part = match attachment.kind() {
        AttachmentKind::Image => {
            format!(
                r#"{{"type":"image_url","image_url":{{"url":"data:{media_type};base64,{data}"}}}}"#
            )
        }
        AttachmentKind::Audio => {
            let format = if media_type.as_str() == "audio/wav" { "wav" } else { "mp3" };
            format!(
                r#"{{"type":"input_audio","input_audio":{{"data":"{data}","format":"{format}"}}}}"#
            )
        }
        _ => {
            out.extend_from_slice(b"{\"type\":\"file\",\"file\":{\"filename\":");
            json(out, attachment.name.as_deref().unwrap_or("file"));
            format!(r#","file_data":"data:{media_type};base64,{data}"}}}}"#)
        }
    };
    out.extend_from_slice(part.as_bytes());
}

/// Whether this is the last of some results to one reply.
pub(super) fn ends_results(messages: &[Arc<Message>], number: usize) -> bool {
    let is_result = |at: usize| messages.get(at).is_some_and(|it| it.role() == "tool");
    is_result(number) && !is_result(number + 1)
}

/// Writes what is attached to the results that end here, as a message of its own.
pub(super) fn write_of_results(out: &mut BytesMut, messages: &[Arc<Message>], last: usize) {
    let results = messages.get(..=last).unwrap_or_default().iter().rev();
    let mut results: Vec<_> = results.take_while(|it| it.role() == "tool").collect();
    results.reverse();
    let attached = results.iter().flat_map(|it| it.attachments());
    let named: Vec<_> = attached
        .map(|it| (format!("This is what a tool returned: {}", it.describe()), it))
        .collect();
    if named.is_empty() {
        return;
    }
    out.extend_from_slice(b",{\"role\":\"user\"");
    let parts =
        named.iter().flat_map(|(text, it)| [ContentPart::Text(text), ContentPart::Attachment(it)]);
    write_content(out, parts);
    out.extend_from_slice(b"}");
}
