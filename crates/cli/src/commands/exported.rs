//! [`ExportedAttachment`]: the bytes of something that is attached, as a line of an export.

use std::sync::Arc;

use base64::{Engine, prelude::BASE64_STANDARD};
use serde::{Deserialize, Serialize};
use toolwright_core::Digest;

/// The bytes of something that is attached, as a line of an export.
#[derive(Serialize, Deserialize)]
pub(super) struct ExportedAttachment {
    r#type: String,
    digest: Digest,
    data: String,
}

/// What tells such a line from an event.
const ATTACHMENT: &str = "attachment";

impl ExportedAttachment {
    pub(super) fn new(digest: Digest, bytes: &[u8]) -> Self {
        Self { r#type: ATTACHMENT.to_owned(), digest, data: BASE64_STANDARD.encode(bytes) }
    }

    /// The line as one, where it is.
    pub(super) fn read(line: &[u8]) -> Option<(Digest, Arc<[u8]>)> {
        let read: Self = serde_json::from_slice(line).ok()?;
        let bytes = BASE64_STANDARD.decode(&read.data).ok()?;
        (read.r#type == ATTACHMENT).then(|| (read.digest, bytes.into()))
    }
}
