//! What a tool returned, without what nobody may see.

use serde::de::IgnoredAny;
use serde_json::{Map, Value};
use toolwright_core::{Attachment, AttachmentKind, Output};

use toolwright_redact::{MARK, Secrets};

use super::fields::Fields;

/// The output without the secrets; `count` grows by the places where they were.
pub(super) fn without(secrets: &Secrets, output: Output, count: &mut usize) -> Output {
    match output {
        Output::Text(text) => Output::Text(clean(secrets, text, count)),
        Output::Json(json) => Output::Json(clean_json(secrets, json, count)),
        Output::Readable { text, data } => {
            let text = clean(secrets, text, count);
            Output::Readable { text, data: clean_value(secrets, data, count) }
        }
        Output::Structured { json, words, data } => {
            let json = clean_json(secrets, json, count);
            // The same places once more.
            let words = clean(secrets, words, &mut 0);
            Output::Structured { json, words, data: clean_value(secrets, data, &mut 0) }
        }
        Output::Attached { output, attachments } => {
            let cleaned = without(secrets, *output, count);
            attachments.into_iter().fold(cleaned, |output, attachment| {
                match clean_attachment(secrets, attachment, count) {
                    Some(attachment) => output.attach(attachment),
                    None => output,
                }
            })
        }
    }
}

/// An attachment without the secrets: text is cleaned, and anything else that has one in it is left out.
fn clean_attachment(
    secrets: &Secrets,
    attachment: Attachment,
    count: &mut usize,
) -> Option<Attachment> {
    let Some(bytes) = attachment.bytes() else { return Some(attachment) };
    let Some((cleaned, places)) = secrets.clean(&String::from_utf8_lossy(bytes)) else {
        return Some(attachment);
    };
    *count += places;
    if attachment.kind() != AttachmentKind::Text {
        return None;
    }
    let media_type = Some(attachment.media_type.as_str());
    Attachment::new(cleaned.into_bytes(), media_type, attachment.name.as_deref()).ok()
}

/// The output with the values of some fields masked; `count` grows by their number.
pub(super) fn masked(fields: &Fields, output: Output, count: &mut usize) -> Output {
    match output {
        Output::Json(json) => Output::Json(masked_json(fields, json, count)),
        // Text that is JSON reads the same to a model.
        Output::Text(text) if text.trim_start().starts_with(['{', '[']) => {
            Output::Text(masked_json(fields, text, count))
        }
        Output::Text(text) => Output::Text(text),
        Output::Readable { text, mut data } => {
            let mut removed = Vec::new();
            *count += fields.mask(&mut data, &mut removed);
            // The words say what the data says.
            let removed = Secrets::new(removed.iter().map(String::as_str));
            Output::Readable { text: clean(&removed, text, &mut 0), data }
        }
        Output::Structured { json, words, mut data } => {
            let mut removed = Vec::new();
            // The data may have more fields than the JSON, or other ones.
            fields.mask(&mut data, &mut removed);
            if let Ok(mut value) = serde_json::from_str::<Value>(&json) {
                fields.mask(&mut value, &mut removed);
            }
            let json = masked_json(fields, json, count);
            let removed = Secrets::new(removed.iter().map(String::as_str));
            Output::Structured { json, words: clean(&removed, words, &mut 0), data }
        }
        Output::Attached { output, attachments } => {
            let masked = masked(fields, *output, count);
            attachments.into_iter().fold(masked, Output::attach)
        }
    }
}

pub(super) fn clean(secrets: &Secrets, text: String, count: &mut usize) -> String {
    match secrets.clean(&text) {
        Some((cleaned, places)) => {
            *count += places;
            cleaned
        }
        None => text,
    }
}

/// JSON without the secrets, and still JSON: where one was a number, or reached over a quote, the
/// text is taken apart and put together again.
pub(super) fn clean_json(secrets: &Secrets, json: String, count: &mut usize) -> String {
    let Some((cleaned, places)) = secrets.clean(&json) else { return json };
    *count += places;
    if serde_json::from_str::<IgnoredAny>(&cleaned).is_ok() {
        return cleaned;
    }
    let Ok(data) = serde_json::from_str::<Value>(&json) else { return cleaned };
    let json = clean_value(secrets, data, &mut 0).to_string();
    if secrets.is_in(&json) { cleaned } else { json }
}

pub(super) fn clean_value(secrets: &Secrets, value: Value, count: &mut usize) -> Value {
    match value {
        Value::String(text) => Value::String(clean(secrets, text, count)),
        Value::Number(number) if secrets.is_in(&number.to_string()) => {
            *count += 1;
            Value::String(MARK.to_owned())
        }
        Value::Array(items) => {
            items.into_iter().map(|item| clean_value(secrets, item, count)).collect()
        }
        Value::Object(map) => {
            let field =
                |(name, value)| (clean(secrets, name, count), clean_value(secrets, value, count));
            Value::Object(map.into_iter().map(field).collect::<Map<_, _>>())
        }
        other => other,
    }
}

fn masked_json(fields: &Fields, json: String, count: &mut usize) -> String {
    match fields.mask_json(&json) {
        Some((masked, places)) => {
            *count += places;
            masked
        }
        None => json,
    }
}
