//! [`Content`]: what an answer is, and its text where it is one.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use serde::Deserialize;
use toolwright_core::{ToolError, truncate_line};

/// What a page of HTML is returned as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Format {
    /// Markdown.
    #[default]
    Markdown,
    /// Text.
    Text,
    /// As it is.
    Html,
}

/// What an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Html,
    Pdf,
    Picture,
    /// What is read as it is.
    Text,
}

impl Content {
    /// What an answer is by what it is said to be; where nothing is said, by how it begins.
    pub(super) fn of(media: &str, bytes: &[u8]) -> Result<Self, ToolError> {
        let essence = essence(media);
        Ok(match essence.as_str() {
            "text/html" | "application/xhtml+xml" => Self::Html,
            "application/pdf" | "application/x-pdf" => Self::Pdf,
            "image/png" | "image/jpeg" | "image/gif" | "image/webp" => Self::Picture,
            "application/json"
            | "application/xml"
            | "application/javascript"
            | "application/yaml"
            | "application/x-yaml"
            | "application/toml"
            | "application/x-ndjson"
            | "application/sql" => Self::Text,
            it if it.starts_with("text/") || it.ends_with("+json") || it.ends_with("+xml") => {
                Self::Text
            }
            "" | "application/octet-stream" | "binary/octet-stream" => guessed(bytes)?,
            other => {
                let other = truncate_line(other, 60);
                return Err(ToolError::new(format!(
                    "the address leads to `{other}`, which cannot be read: pages, texts, JSON, PDF and \
                     pictures can"
                )));
            }
        })
    }
}

fn guessed(bytes: &[u8]) -> Result<Content, ToolError> {
    if bytes.starts_with(b"%PDF-") {
        return Ok(Content::Pdf);
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Err(ToolError::new(
            "the address leads to a file that is no text, and the server does not say what it is",
        ));
    };
    let start: String = text.trim_start().chars().take(100).collect::<String>().to_lowercase();
    let is_html = start.starts_with("<!doctype html") || start.starts_with("<html");
    Ok(if is_html { Content::Html } else { Content::Text })
}

/// The media type without its parameters, in small letters.
pub(super) fn essence(media: &str) -> String {
    media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The text, in whatever encoding it is said to be, says itself that it is, or looks like.
pub(super) fn decoded(media: &str, bytes: &[u8]) -> String {
    let said = charset(media);
    let own = || charset(&String::from_utf8_lossy(bytes.get(..1024).unwrap_or(bytes)));
    let is_utf8 = || std::str::from_utf8(bytes).is_ok();
    let encoding = said.or_else(|| if is_utf8() { Some(UTF_8) } else { own() });
    // A mark at the beginning beats what is said.
    encoding.unwrap_or(WINDOWS_1252).decode(bytes).0.into_owned()
}

fn charset(text: &str) -> Option<&'static Encoding> {
    let lower = text.to_ascii_lowercase();
    let behind = lower.split_once("charset=")?.1.trim_start_matches(['"', '\'', ' ']);
    let end = behind.find(|it: char| !(it.is_ascii_alphanumeric() || "_-:.".contains(it)));
    Encoding::for_label(behind.get(..end.unwrap_or(behind.len()))?.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_decoded_as_they_are_said_to_be() {
        let latin: &[u8] = b"caf\xe9";
        for (media, bytes, text) in [
            ("text/plain; charset=utf-8", "café".as_bytes(), "café"),
            ("text/plain", "café".as_bytes(), "café"),
            ("text/plain", latin, "café"),
            ("text/html; charset=\"ISO-8859-1\"", latin, "café"),
            (
                "text/html",
                b"<meta charset=windows-1251>\xea\xee\xf4\xe5",
                "<meta charset=windows-1251>кофе",
            ),
            ("text/plain; charset=nonsense", latin, "café"),
            ("text/plain", b"\xef\xbb\xbfcaf\xc3\xa9", "café"),
        ] {
            assert_eq!(decoded(media, bytes), text, "{media}");
        }
    }

    #[test]
    fn what_is_said_decides_and_what_is_not_said_is_guessed() {
        let of = |media: &str, bytes: &[u8]| Content::of(media, bytes).ok();
        assert_eq!(of("Text/HTML; charset=x", b""), Some(Content::Html));
        assert_eq!(of("application/vnd.api+json", b""), Some(Content::Text));
        assert_eq!(of("image/svg+xml", b""), Some(Content::Text));
        assert_eq!(of("", b"%PDF-1.7"), Some(Content::Pdf));
        assert_eq!(of("application/octet-stream", b" <!DOCTYPE html><p>"), Some(Content::Html));
        assert_eq!(of("", b"plain"), Some(Content::Text));
        assert_eq!(of("", b"\xff\xfe\x00\x01\x02\xd8"), None);
        let told = Content::of("application/zip", b"PK").unwrap_err();
        assert!(told.message().contains("`application/zip`"), "{told:?}");
        assert!(of("video/mp4", b"").is_none());
    }
}
