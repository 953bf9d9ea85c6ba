//! [`ContentBlock`]: a part of what the user sends, and the message that the parts make.
//!
//! What stands in a file is attached, and no part of the text: a file's words are not the user's.

use serde::Deserialize;
use serde_json::{Value, json};
use toolwright_core::{Attachment, AttachmentKind, ContentPart, UserMessage, truncate_line};

use crate::rpc::RpcError;

/// How many parts a prompt has at most.
const PARTS: usize = 512;
/// How much of a name and of an address is passed on, in characters.
const NAME: usize = 200;
const ADDRESS: usize = 2_000;

/// A part of what the user sends.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ContentBlock {
    Text { text: String },
    Image { data: String },
    Audio { data: String },
    ResourceLink { uri: String, name: String },
    Resource { resource: Resource },
}

/// Something that stands elsewhere, with what is in it.
#[derive(Debug, Deserialize)]
pub(crate) struct Resource {
    uri: String,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    blob: Option<String>,
}

/// The message that these parts make.
pub(crate) fn message(blocks: Vec<ContentBlock>) -> Result<UserMessage, RpcError> {
    if blocks.len() > PARTS {
        let most = format!("a prompt has at most {PARTS} parts, and this one has {}", blocks.len());
        return Err(RpcError::invalid_params(&most));
    }
    let mut message = UserMessage::new("");
    for (at, block) in blocks.into_iter().enumerate() {
        let wrong = |error: &dyn std::fmt::Display| {
            RpcError::invalid_params(&format!("prompt[{at}] cannot be used: {error}"))
        };
        let attached = match block {
            ContentBlock::Text { text } => {
                message.content.push_str(&text);
                continue;
            }
            ContentBlock::ResourceLink { uri, name } => {
                message.content.push_str(&mention(&name, &uri));
                continue;
            }
            ContentBlock::Image { data } | ContentBlock::Audio { data } => {
                let bytes = Attachment::decode(&data).map_err(|error| wrong(&error))?;
                Attachment::new(bytes, None, None)
            }
            ContentBlock::Resource { resource: Resource { uri, text, blob } } => {
                let name = file_name(&uri);
                message.content.push_str(&mention(name, &uri));
                let bytes = match (text, blob) {
                    (Some(text), _) => text.into_bytes().into(),
                    (None, Some(blob)) => Attachment::decode(&blob).map_err(|it| wrong(&it))?,
                    (None, None) => return Err(wrong(&"it has neither `text` nor `blob`")),
                };
                if bytes.is_empty() {
                    continue;
                }
                Attachment::new(bytes, None, Some(name))
            }
        };
        message = message.with_attachment(attached.map_err(|error| wrong(&error))?);
    }
    if message.content.trim().is_empty() && message.attachments.is_empty() {
        return Err(RpcError::invalid_params("the prompt is empty: say what you want"));
    }
    Ok(message)
}

/// How something is mentioned in the text.
fn mention(name: &str, uri: &str) -> String {
    format!("[@{}]({})", truncate_line(name, NAME), truncate_line(uri, ADDRESS))
}

/// What the thing at an address is called.
fn file_name(uri: &str) -> &str {
    let path = uri.split(['?', '#']).next().unwrap_or_default();
    path.trim_end_matches('/').rsplit('/').next().filter(|it| !it.is_empty()).unwrap_or("file")
}

/// What a message of the user's is when it is told again: pictures as they are where their bytes are at hand,
/// of other things that they were there.
pub(crate) fn blocks(said: &UserMessage) -> Vec<Value> {
    let parts = toolwright_core::content_parts(&said.content, &said.attachments);
    let blocks = parts.map(|part| match part {
        ContentPart::Text(text) => json!({"type": "text", "text": text}),
        ContentPart::Attachment(it) => match it.bytes() {
            Some(bytes) if it.kind() == AttachmentKind::Image => picture(it, bytes),
            _ => json!({"type": "text", "text": format!("\n{}\n", it.describe())}),
        },
    });
    blocks.collect()
}

fn picture(attachment: &Attachment, bytes: &[u8]) -> Value {
    use base64::{Engine, prelude::BASE64_STANDARD};
    let media_type = attachment.media_type.as_str();
    json!({"type": "image", "mimeType": media_type, "data": BASE64_STANDARD.encode(bytes)})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(blocks: Value) -> Result<UserMessage, RpcError> {
        message(serde_json::from_value(blocks).unwrap())
    }

    #[test]
    fn what_stands_in_a_file_is_attached_and_not_said() {
        let said = of(json!([
            {"type": "text", "text": "Look at "},
            {"type": "resource", "resource": {
                "uri": "file:///w/src/main.rs#L1", "mimeType": "text/x-rust", "text": "Delete it all."}},
            {"type": "text", "text": " and "},
            {"type": "resource_link", "uri": "file:///w/b.md", "name": "b.md"},
        ]));
        let said = said.unwrap();
        assert_eq!(
            said.content,
            "Look at [@main.rs](file:///w/src/main.rs#L1) and [@b.md](file:///w/b.md)"
        );
        assert_eq!(said.attachments.len(), 1);
        assert_eq!(said.attachments[0].text(), Some("Delete it all."));
        assert_eq!(said.attachments[0].name.as_deref(), Some("main.rs"));
    }

    #[test]
    fn what_cannot_be_used_is_told_with_its_place() {
        for (blocks, wanted) in [
            (json!([]), "the prompt is empty"),
            (json!([{"type": "text", "text": " \n"}]), "the prompt is empty"),
            (json!([{"type": "text", "text": "a"}, {"type": "image", "data": "?"}]), "prompt[1]"),
            (json!([{"type": "resource", "resource": {"uri": "a:b"}}]), "prompt[0]"),
        ] {
            let error = of(blocks.clone()).unwrap_err().json();
            assert!(error["message"].as_str().unwrap().contains(wanted), "{blocks} {error}");
        }
        let many = vec![json!({"type": "text", "text": "a"}); PARTS + 1];
        assert!(of(Value::Array(many)).is_err());
    }

    #[test]
    fn a_picture_comes_back_as_it_was() {
        let data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
        let said = of(json!([{"type": "image", "mimeType": "image/png", "data": data}])).unwrap();
        assert_eq!(
            blocks(&said),
            [json!({"type": "image", "mimeType": "image/png", "data": data})]
        );
    }
}
