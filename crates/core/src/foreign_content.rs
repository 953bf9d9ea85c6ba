//! Content of messages as others write it, read into a text and what is attached to it.
//!
//! The parts are those of OpenAI's chat form. Nothing is fetched, and nothing that is not understood
//! becomes text: a picture that was written into a prompt as JSON costs a fortune and shows nothing.

use serde_json::Value;

use crate::{Attachment, AttachmentError, UserMessage, truncate_line};

/// Why content cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ContentError {
    #[error("`content` must be a text, or a list of parts")]
    Form,
    #[error("content[{0}]: it has no `type` of a part")]
    NoPart(usize),
    #[error("content[{0}]: a part of type `{1}` is not known here")]
    Unknown(usize, String),
    #[error("content[{0}]: `{1}` is missing")]
    Missing(usize, &'static str),
    #[error("content[{0}]: a file that was uploaded elsewhere is not known here: send `file_data`")]
    Uploaded(usize),
    #[error("`content`: nothing can be attached to a message of this role")]
    OnlyText,
    #[error("content[{0}]: {1}")]
    Attachment(usize, AttachmentError),
}

type Read = Result<(String, Vec<Attachment>), ContentError>;

/// Content of a person's message.
pub(crate) fn of_message(content: Value) -> Read {
    match content {
        Value::String(text) => Ok((text, Vec::new())),
        Value::Null => Ok((String::new(), Vec::new())),
        Value::Array(parts) => of_parts(&parts),
        _ => Err(ContentError::Form),
    }
}

/// Content of a message that is text and nothing else.
pub(crate) fn of_text(content: Value) -> Read {
    let (text, attachments) = of_message(content)?;
    if attachments.is_empty() { Ok((text, attachments)) } else { Err(ContentError::OnlyText) }
}

/// Content of a result: parts, or whatever else a tool returned, as JSON.
pub(crate) fn of_result(content: Value) -> Read {
    let is_part = |it: &Value| it["type"].is_string() || it["text"].is_string();
    match content {
        Value::Array(items) if !items.is_empty() && !items.iter().all(is_part) => {
            Ok((Value::Array(items).to_string(), Vec::new()))
        }
        data @ (Value::Object(_) | Value::Number(_) | Value::Bool(_)) => {
            Ok((data.to_string(), Vec::new()))
        }
        content => of_message(content),
    }
}

fn of_parts(parts: &[Value]) -> Read {
    let mut message = UserMessage::new("");
    for (index, part) in parts.iter().enumerate() {
        match read(index, part)? {
            Part::Text(text) => message.content.push_str(text),
            Part::Attachment(it) => message = message.with_attachment(it),
        }
    }
    Ok((message.content, message.attachments))
}

enum Part<'a> {
    Text(&'a str),
    Attachment(Attachment),
}

fn read(index: usize, part: &Value) -> Result<Part<'_>, ContentError> {
    let text = |name: &'static str| {
        part[name].as_str().map(Part::Text).ok_or(ContentError::Missing(index, name))
    };
    let attached = |read: Result<Attachment, AttachmentError>| {
        read.map(Part::Attachment).map_err(|error| ContentError::Attachment(index, error))
    };
    match part["type"].as_str() {
        Some("text" | "input_text" | "output_text") => text("text"),
        Some("refusal") => text("refusal"),
        Some("image_url") => {
            let url = &part["image_url"];
            let url = url.as_str().or_else(|| url["url"].as_str());
            let url = url.ok_or(ContentError::Missing(index, "image_url.url"))?;
            attached(Attachment::from_data_url(url, None))
        }
        Some("input_audio") => {
            let audio = &part["input_audio"];
            let data = audio["data"].as_str();
            let data = data.ok_or(ContentError::Missing(index, "input_audio.data"))?;
            let format = audio["format"].as_str();
            let format = format.ok_or(ContentError::Missing(index, "input_audio.format"))?;
            let said = format!("audio/{}", if format == "mp3" { "mpeg" } else { format });
            let bytes = Attachment::decode(data);
            attached(bytes.and_then(|it| Attachment::new(it, Some(&said), None)))
        }
        Some("file") => {
            let file = &part["file"];
            if file["file_data"].is_null() && file["file_id"].is_string() {
                return Err(ContentError::Uploaded(index));
            }
            let url = file["file_data"].as_str();
            let url = url.ok_or(ContentError::Missing(index, "file.file_data"))?;
            attached(Attachment::from_data_url(url, file["filename"].as_str()))
        }
        Some(other) => Err(ContentError::Unknown(index, truncate_line(other, 60))),
        // Programs that know text alone leave its type out.
        None if part["text"].is_string() => text("text"),
        None => part.as_str().map(Part::Text).ok_or(ContentError::NoPart(index)),
    }
}
