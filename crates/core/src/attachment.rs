//! [`Attachment`]: a picture, a file or a sound that stands in a message or in a result.
//!
//! A message says what is attached to it by the digest of the bytes, and events say no more. The bytes
//! themselves are kept once, beside the log, and are fetched when a model is to see them; until then they
//! cost nothing.

use std::{
    fmt,
    str::FromStr,
    sync::{Arc, OnceLock},
};

use serde::{Deserialize, Serialize, de};
use sha2::{Digest as _, Sha256};

use crate::Author;

mod data_url;
mod media_type;

pub use self::media_type::{AttachmentKind, MediaType};

/// What stands behind the text of a file, where a model reads it in a message. It is nobody's own word: whoever
/// repeats it quotes.
pub const END_OF_FILE: &str = "[end of the file]";

/// The longest attachment, in bytes.
pub const MAX_ATTACHMENT: u64 = 20 << 20;
/// How much of a text file a model reads, in characters.
const MAX_TEXT: usize = 200_000;
/// The longest name of one, in characters.
const MAX_NAME: usize = 200;

/// A picture, a file or a sound that stands in a message or in a result.
#[derive(Clone, Serialize, Deserialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct Attachment {
    /// What its bytes are known by.
    pub digest: Digest,
    /// What it is.
    pub media_type: MediaType,
    /// How many bytes it has.
    pub size: u64,
    /// What it is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How many characters of the text stand before it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub at: usize,
    /// Who put it there. Only what the user attached counts as given by the user.
    #[serde(default, skip_serializing_if = "Author::is_person")]
    pub origin: Author,
    /// The bytes, once somebody has them. All copies of an attachment share them.
    #[serde(skip)]
    bytes: Arc<OnceLock<Arc<[u8]>>>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Why something cannot be attached.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AttachmentError {
    /// There is nothing in it.
    #[error("it is empty")]
    Empty,
    /// There is too much in it.
    #[error("it has {} MiB, and an attachment has at most {} MiB", size.div_ceil(1 << 20), MAX_ATTACHMENT >> 20)]
    TooLarge {
        /// How many bytes it has.
        size: u64,
    },
    /// It is not what it says it is.
    #[error("it says it is {said}, and its content is {found}")]
    Mislabelled {
        /// What it says.
        said: MediaType,
        /// What its first bytes say.
        found: String,
    },
    /// What it says it is, is nothing.
    #[error("`{0}` is no media type")]
    MediaType(String),
    /// The text that is to stand for its bytes is no base64.
    #[error("its data is no base64")]
    Base64,
    /// It is said to lie elsewhere, and nothing is fetched.
    #[error("`{0}` is not fetched: send the bytes themselves, as a `data:` URL in base64")]
    NotFetched(String),
    /// The bytes are not those that were attached.
    #[error("its bytes are not those that were attached")]
    Changed,
}

impl Attachment {
    /// These bytes. What they are is what their first bytes say; where those say nothing, what `said`
    /// says; else text or just bytes.
    ///
    /// # Errors
    /// When they cannot be attached, or are not what they are said to be.
    pub fn new(
        bytes: impl Into<Arc<[u8]>>,
        said: Option<&str>,
        name: Option<&str>,
    ) -> Result<Self, AttachmentError> {
        let bytes = bytes.into();
        let size = bytes.len() as u64;
        if bytes.is_empty() {
            return Err(AttachmentError::Empty);
        }
        if size > MAX_ATTACHMENT {
            return Err(AttachmentError::TooLarge { size });
        }
        let said = said.map(str::parse::<MediaType>).transpose()?;
        let media_type = MediaType::of(&bytes, said, name)?;
        let digest = Digest::of(&bytes);
        let name = name.map(|it| crate::truncate_line(it, MAX_NAME)).filter(|it| !it.is_empty());
        let bytes = Arc::new(OnceLock::from(bytes));
        Ok(Self { digest, media_type, size, name, at: 0, origin: Author::Person, bytes })
    }

    /// The same, put there by somebody else than the user.
    #[must_use]
    pub fn of(mut self, origin: Author) -> Self {
        self.origin = origin;
        self
    }

    /// What kind of thing it is.
    pub fn kind(&self) -> AttachmentKind {
        self.media_type.kind()
    }

    /// The bytes, where somebody has them.
    pub fn bytes(&self) -> Option<&Arc<[u8]>> {
        self.bytes.get()
    }

    /// Gives it its bytes. Bytes that it has already stay.
    ///
    /// # Errors
    /// When they are others.
    pub fn fill(&self, bytes: Arc<[u8]>) -> Result<(), AttachmentError> {
        if self.bytes.get().is_some() {
            return Ok(());
        }
        if Digest::of(&bytes) != self.digest {
            return Err(AttachmentError::Changed);
        }
        let _ = self.bytes.set(bytes);
        Ok(())
    }

    /// Gives it the bytes of another one of the same digest.
    pub fn share(&self, other: &Self) {
        if let Some(bytes) = other.bytes.get().filter(|_| other.digest == self.digest) {
            let _ = self.bytes.set(bytes.clone());
        }
    }

    /// What a model reads of a text file, where its bytes are at hand: all of it, or its beginning.
    pub fn text(&self) -> Option<&str> {
        let bytes = self.bytes().filter(|_| self.kind() == AttachmentKind::Text)?;
        let text = std::str::from_utf8(bytes).ok()?;
        // As short as that in bytes, it is in letters.
        if text.len() <= MAX_TEXT {
            return Some(text);
        }
        let end = text.char_indices().nth(MAX_TEXT).map_or(text.len(), |(at, _)| at);
        text.get(..end)
    }

    /// A short line about it: `picture.png (image/png, 12 KiB)`.
    pub fn describe(&self) -> String {
        let name = self.name.as_deref().unwrap_or(self.kind().name());
        format!("{name} ({}, {})", self.media_type, human_size(self.size))
    }
}

/// A size, for people.
fn human_size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..0x10_0000 => format!("{} KiB", bytes.div_ceil(1024)),
        _ => format!("{}.{} MiB", bytes >> 20, ((bytes & 0xf_ffff) * 10) >> 20),
    }
}

/// Whether both say the same; whether the bytes are at hand makes no difference.
impl PartialEq for Attachment {
    fn eq(&self, other: &Self) -> bool {
        let told = |it: &Self| (it.digest, it.size, it.at, it.origin);
        told(self) == told(other) && self.media_type == other.media_type && self.name == other.name
    }
}

impl fmt::Debug for Attachment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Attachment({}, {})", self.describe(), self.digest)
    }
}

/// What bytes are known by: their SHA-256.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The digest that has these bytes itself.
    pub fn from_bytes(digest: [u8; 32]) -> Self {
        Self(digest)
    }

    /// Its own bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Digest {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const FORM: &str = "a digest has 64 hexadecimal digits";
        let mut digest = [0; 32];
        // Not left to the parser of numbers, which takes a sign.
        if text.len() != 64 || !text.bytes().all(|it| it.is_ascii_hexdigit()) {
            return Err(FORM);
        }
        for (byte, pair) in digest.iter_mut().zip(text.as_bytes().chunks(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| FORM)?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| FORM)?;
        }
        Ok(Self(digest))
    }
}

impl Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

impl schemars::JsonSchema for Digest {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Digest".into()
    }

    fn json_schema(_generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string", "pattern": "^[0-9a-f]{64}$"})
    }
}

/// A piece of a message or of a result, in their order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContentPart<'a> {
    /// Text.
    Text(&'a str),
    /// What is attached.
    Attachment(&'a Attachment),
}

/// A text and what is attached to it, in their order.
pub fn content_parts<'a>(
    text: &'a str,
    attachments: &'a [Attachment],
) -> impl Iterator<Item = ContentPart<'a>> {
    let mut pieces = Vec::with_capacity(attachments.len() * 2 + 1);
    let (mut rest, mut letters) = (text, 0);
    for attachment in attachments {
        // They stand in order; one that says otherwise stands behind the one before it.
        let more = attachment.at.saturating_sub(letters);
        let at = rest.char_indices().nth(more).map_or(rest.len(), |(at, _)| at);
        let (before, behind) = rest.split_at(at);
        pieces.extend((!before.is_empty()).then_some(ContentPart::Text(before)));
        pieces.push(ContentPart::Attachment(attachment));
        (rest, letters) = (behind, letters + more);
    }
    pieces.extend((!rest.is_empty()).then_some(ContentPart::Text(rest)));
    pieces.into_iter()
}
