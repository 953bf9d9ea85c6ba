//! What is attached in a conversation, by the digest of its bytes.
//!
//! What a browser may show it is told by the bytes themselves, and from a short list. Everything else
//! is a file to save: SVG and HTML can carry scripts, and would run them as this server's page.

use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::Deserialize;
use toolwright_core::{ConversationId, Digest, MediaType, escape_invisible, truncate_line};
use utoipa::IntoParams;

use super::conversations::exact;
use crate::{
    ApiError,
    address::{Name, Query},
    attached::base_name,
    auth::Asker,
    error::Failed,
};

/// How it is called when it is saved.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Saved {
    /// The name of the file when it is saved.
    name: Option<String>,
}

/// Named by its bytes: it never changes. Only for whoever was let in, so no cache on the way keeps it.
const FOREVER: HeaderValue = HeaderValue::from_static("private, max-age=31536000, immutable");
/// And the browser's own shows it to nobody who shows something else.
const SHOWN: HeaderValue = HeaderValue::from_static("authorization, cookie, x-toolwright-key");
/// The longest name of a file.
const NAME: usize = 150;

/// Where a conversation's attachment can be fetched.
pub(crate) fn path_of(
    conversation: &ConversationId,
    digest: &Digest,
    name: Option<&str>,
) -> String {
    let at = format!("/api/conversations/{conversation}/attachments/{digest}");
    match name {
        Some(name) => format!("{at}?name={}", escaped(name)),
        None => at,
    }
}

/// The bytes of something that is attached in a conversation
///
/// Pictures, sound and plain text as what they are; everything else as a file to save.
#[utoipa::path(
    get, path = "/api/conversations/{id}/attachments/{digest}", operation_id = "attachment",
    tag = "conversations",
    params(("id" = String, Path), ("digest" = String, Path), Saved),
    responses(
        (status = 200, description = "The bytes", content(
            (Vec<u8> = "application/octet-stream"), (Vec<u8> = "application/pdf"),
            (Vec<u8> = "image/png"), (Vec<u8> = "image/jpeg"), (Vec<u8> = "image/gif"),
            (Vec<u8> = "image/webp"), (Vec<u8> = "audio/mpeg"), (Vec<u8> = "audio/wav"),
            (Vec<u8> = "audio/ogg"), (Vec<u8> = "audio/flac"), (Vec<u8> = "audio/mp4"),
            (String = "text/plain"),
        )),
        (status = 304, description = "What `If-None-Match` names is what there is"),
        (status = 400, description = "A parameter that cannot be read", body = Failed),
        (status = 404, description = "No such attachment in the conversation", body = Failed),
    )
)]
pub(crate) async fn one(
    service: Asker,
    Name((id, digest)): Name<(String, String)>,
    Query(saved): Query<Saved>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let none = || ApiError::not_found("there is no such attachment in this conversation");
    let id = exact(&service, &id).await?.id;
    let digest: Digest = digest.parse().map_err(|_| none())?;
    let bytes = service.store().attachment(&id, &digest).await?.ok_or_else(none)?;
    let tag = format!("\"{digest}\"");
    let is_known = is_named(&headers, &tag);
    let mut response = if is_known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let shown = Shown::of(&bytes);
        let mut response = bytes::Bytes::from_owner(bytes).into_response();
        let told = response.headers_mut();
        told.insert(header::CONTENT_TYPE, HeaderValue::from_static(shown.media_type()));
        let disposition = shown.disposition(saved.name.as_deref());
        if let Ok(disposition) = HeaderValue::try_from(disposition) {
            told.insert(header::CONTENT_DISPOSITION, disposition);
        }
        response
    };
    let told = response.headers_mut();
    told.insert(header::CACHE_CONTROL, FOREVER);
    told.insert(header::VARY, SHOWN);
    if let Ok(tag) = HeaderValue::try_from(tag) {
        told.insert(header::ETAG, tag);
    }
    Ok(response)
}

/// Whether this is among what somebody has already.
fn is_named(headers: &HeaderMap, tag: &str) -> bool {
    let all = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|it| it.to_str().ok());
    let mut tags = all.flat_map(|it| it.split(',')).map(str::trim);
    tags.any(|it| it == "*" || it.strip_prefix("W/").unwrap_or(it) == tag)
}

/// What a browser makes of bytes.
#[derive(Clone, Copy)]
enum Shown {
    /// It shows them, as this.
    As(&'static str),
    /// It saves them, as this.
    Saved(&'static str),
}

/// What browsers show without running anything in it.
const HARMLESS: [&str; 9] = [
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "audio/mpeg",
    "audio/wav",
    "audio/ogg",
    "audio/flac",
    "audio/mp4",
];

impl Shown {
    fn of(bytes: &[u8]) -> Self {
        let detected = MediaType::detect(bytes);
        if let Some(harmless) = HARMLESS.into_iter().find(|it| *it == detected.as_str()) {
            return Self::As(harmless);
        }
        // What begins like markup is not shown, not even as text.
        let begins = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
        match detected.as_str() {
            "text/plain" if !begins.starts_with(b"<") => Self::As("text/plain; charset=utf-8"),
            "application/pdf" => Self::Saved("application/pdf"),
            _ => Self::Saved("application/octet-stream"),
        }
    }

    fn media_type(self) -> &'static str {
        match self {
            Self::As(media_type) | Self::Saved(media_type) => media_type,
        }
    }

    fn disposition(self, name: Option<&str>) -> String {
        let how = match self {
            Self::As(_) => "inline",
            Self::Saved(_) => "attachment",
        };
        let name = truncate_line(name.map(base_name).unwrap_or_default(), NAME);
        let name: String = name.chars().filter(|it| !it.is_control()).collect();
        match escaped(&escape_invisible(&name)) {
            name if name.is_empty() => how.to_owned(),
            name => format!("{how}; filename*=UTF-8''{name}"),
        }
    }
}

/// A text in which nothing but letters, digits and `-._~` stands for itself: there is nothing in it
/// that a header or an address could take for its own.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                out.push(char::from(byte));
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever a name has in it, a header has nothing in it that is not the name's.
    #[test]
    fn a_name_cannot_leave_its_place() {
        for shown in [Shown::As("image/png"), Shown::Saved("application/pdf")] {
            for letter in (0..=0xffff).filter_map(char::from_u32) {
                let told = shown.disposition(Some(&format!("a{letter}b")));
                let (how, name) = told.split_once("; filename*=UTF-8''").unwrap_or((&told, "b"));
                assert!(matches!(how, "inline" | "attachment"), "{told:?}");
                let is_plain = |it: char| it.is_ascii_alphanumeric() || "-._~%".contains(it);
                assert!(name.chars().all(is_plain) && name.ends_with('b'), "{told:?}");
                assert!(HeaderValue::try_from(told.as_str()).is_ok(), "{told:?}");
            }
        }
        assert_eq!(Shown::As("image/png").disposition(Some("a/..\\")), "inline");
    }
}
