//! [`MediaType`]: what bytes are, as they say of themselves.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize, de};

use super::AttachmentError;

/// What bytes are: `image/png`. In small letters, without parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, schemars::JsonSchema)]
#[serde(transparent)]
pub struct MediaType(String);

/// What kind of thing is attached. Models differ in which they take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AttachmentKind {
    /// A picture.
    Image,
    /// A sound.
    Audio,
    /// A PDF.
    Pdf,
    /// A file that is text.
    Text,
    /// Any other file.
    File,
}

impl AttachmentKind {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Image => "image",
            Self::Audio => "audio",
            Self::Pdf => "PDF",
            Self::Text => "text file",
            Self::File => "file",
        }
    }
}

/// First bytes, from where they stand, and what they say.
const SIGNATURES: &[(usize, &[u8], &str)] = &[
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF87a", "image/gif"),
    (0, b"GIF89a", "image/gif"),
    (8, b"WEBP", "image/webp"),
    (4, b"ftypheic", "image/heic"),
    (4, b"ftypheix", "image/heic"),
    (4, b"ftypmif1", "image/heif"),
    (4, b"ftypavif", "image/avif"),
    (0, b"BM", "image/bmp"),
    (0, b"II*\0", "image/tiff"),
    (0, b"MM\0*", "image/tiff"),
    (0, b"%PDF-", "application/pdf"),
    (8, b"WAVE", "audio/wav"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"\xff\xfb", "audio/mpeg"),
    (0, b"\xff\xf3", "audio/mpeg"),
    (0, b"OggS", "audio/ogg"),
    (0, b"fLaC", "audio/flac"),
    (4, b"ftypM4A", "audio/mp4"),
    (0, b"PK\x03\x04", "application/zip"),
    (0, b"PK\x05\x06", "application/zip"),
    (0, b"\x1f\x8b", "application/gzip"),
    (0, b"\x7fELF", "application/x-elf"),
];

/// What the names of files say, where their bytes say nothing.
const ENDINGS: &[(&str, &str)] = &[
    ("csv", "text/csv"),
    ("htm", "text/html"),
    ("html", "text/html"),
    ("json", "application/json"),
    ("md", "text/markdown"),
    ("svg", "image/svg+xml"),
    ("tsv", "text/tab-separated-values"),
    ("xml", "application/xml"),
    ("yaml", "application/yaml"),
    ("yml", "application/yaml"),
];

impl MediaType {
    /// What these bytes are.
    pub(super) fn of(
        bytes: &[u8],
        said: Option<Self>,
        name: Option<&str>,
    ) -> Result<Self, AttachmentError> {
        let found = signature(bytes);
        // Who says that it is bytes says nothing.
        let said = said.filter(|it| it.0 != "application/octet-stream");
        match (found, said) {
            (Some(found), Some(said)) if !is_same(found, &said) => {
                Err(AttachmentError::Mislabelled { said, found: found.to_owned() })
            }
            // An office document is a ZIP: what it says of itself is more.
            (Some("application/zip"), Some(said)) => Ok(said),
            (Some(found), _) => Ok(Self(found.to_owned())),
            (None, Some(said)) if is_signed(&said) => {
                Err(AttachmentError::Mislabelled { said, found: plain(bytes, None).0 })
            }
            (None, Some(said)) => Ok(said),
            (None, None) => Ok(plain(bytes, name)),
        }
    }

    /// What these bytes are by themselves, whatever anybody says of them.
    pub fn detect(bytes: &[u8]) -> Self {
        signature(bytes).map_or_else(|| plain(bytes, None), |it| Self(it.to_owned()))
    }

    /// As it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What kind of thing it is.
    pub fn kind(&self) -> AttachmentKind {
        match &*self.0 {
            "application/pdf" => AttachmentKind::Pdf,
            "image/svg+xml"
            | "application/json"
            | "application/xml"
            | "application/yaml"
            | "application/toml"
            | "application/javascript"
            | "application/x-sh" => AttachmentKind::Text,
            it if it.starts_with("image/") => AttachmentKind::Image,
            it if it.starts_with("audio/") => AttachmentKind::Audio,
            it if it.starts_with("text/") || it.ends_with("+json") || it.ends_with("+xml") => {
                AttachmentKind::Text
            }
            _ => AttachmentKind::File,
        }
    }
}

/// What first bytes say.
fn signature(bytes: &[u8]) -> Option<&'static str> {
    let says = |(at, sign, _): &&(usize, &[u8], &str)| {
        bytes.get(*at..).is_some_and(|rest| rest.starts_with(sign))
    };
    let found = SIGNATURES.iter().find(says).map(|(.., it)| *it)?;
    let is_it = match found {
        // RIFF holds both, and neither stands alone.
        "image/webp" | "audio/wav" => bytes.starts_with(b"RIFF"),
        // Words may begin so, too: what follows are numbers.
        "image/bmp" => bytes.get(6..10) == Some(&[0; 4]),
        "audio/mpeg" if bytes.starts_with(b"ID3") => bytes.get(3).is_some_and(|it| *it < 0x10),
        _ => true,
    };
    is_it.then_some(found)
}

/// Whether bytes of this type say so themselves. What belongs to a vendor may or may not be a ZIP.
fn is_signed(media_type: &MediaType) -> bool {
    let is_vendors = media_type.0.starts_with("application/vnd.");
    !is_vendors && SIGNATURES.iter().any(|(.., it)| is_same(it, media_type))
}

/// Whether what the bytes say and what is said of them agree.
fn is_same(found: &str, said: &MediaType) -> bool {
    match (found, &*said.0) {
        ("application/zip", said) => {
            said == "application/x-zip-compressed"
                || said == "application/zip"
                || said == "application/epub+zip"
                || said.starts_with("application/vnd.")
                || said == "application/java-archive"
        }
        ("image/jpeg", "image/jpg")
        | ("audio/wav", "audio/x-wav" | "audio/wave")
        | ("audio/mpeg", "audio/mp3")
        | ("audio/mp4", "audio/x-m4a" | "audio/m4a")
        | ("image/heif", "image/heic")
        | ("application/gzip", "application/x-gzip") => true,
        (found, said) => found == said,
    }
}

/// What bytes are that say nothing: text where they can be, by the ending of their name.
fn plain(bytes: &[u8], name: Option<&str>) -> MediaType {
    let is_text = std::str::from_utf8(bytes).is_ok_and(|it| !it.contains('\0'));
    let ending = name.and_then(|it| it.rsplit_once('.')).map(|(_, it)| it.to_ascii_lowercase());
    let known = ENDINGS.iter().find(|(it, _)| Some(*it) == ending.as_deref());
    MediaType(match (is_text, known) {
        (true, Some((_, media_type))) => (*media_type).to_owned(),
        (true, None) => "text/plain".to_owned(),
        (false, _) => "application/octet-stream".to_owned(),
    })
}

impl fmt::Display for MediaType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for MediaType {
    type Err = AttachmentError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let essence = text.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let is_token = |it: &str| {
            let is_letter = |it: char| it.is_ascii_alphanumeric() || "!#$&^_.+-".contains(it);
            !it.is_empty() && it.len() <= 100 && it.chars().all(is_letter)
        };
        let is_type = essence.split_once('/').is_some_and(|(a, b)| is_token(a) && is_token(b));
        if is_type {
            Ok(Self(essence))
        } else {
            Err(AttachmentError::MediaType(crate::truncate_line(text, 100)))
        }
    }
}

impl<'de> Deserialize<'de> for MediaType {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}
