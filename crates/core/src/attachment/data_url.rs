//! Attachments as text carries them: base64, and `data:` URLs.

use std::sync::Arc;

use base64::{Engine, prelude::BASE64_STANDARD};

use super::{Attachment, AttachmentError, MAX_ATTACHMENT};

impl Attachment {
    /// The bytes that this base64 stands for. What is too long to be attached is not decoded.
    ///
    /// # Errors
    /// When it is no base64 to the letter, or stands for too much.
    pub fn decode(base64: &str) -> Result<Arc<[u8]>, AttachmentError> {
        let size = (base64.len() as u64 / 4 * 3).saturating_sub(2);
        if size > MAX_ATTACHMENT {
            return Err(AttachmentError::TooLarge { size });
        }
        let bytes = BASE64_STANDARD.decode(base64).map_err(|_| AttachmentError::Base64)?;
        Ok(bytes.into())
    }

    /// What a `data:` URL carries. Nothing is ever fetched: a URL that leads elsewhere is refused.
    ///
    /// # Errors
    /// When it is no such URL, or what it carries cannot be attached.
    pub fn from_data_url(url: &str, name: Option<&str>) -> Result<Self, AttachmentError> {
        let (scheme, rest) = url.split_once(':').unwrap_or_default();
        if !scheme.eq_ignore_ascii_case("data") {
            return Err(AttachmentError::NotFetched(shown(url)));
        }
        let (said, data) = rest.split_once(',').ok_or(AttachmentError::Base64)?;
        let said = said.strip_suffix(";base64").ok_or(AttachmentError::Base64)?;
        let said = Some(said).filter(|it| !it.is_empty() && !it.starts_with(';'));
        Self::new(Self::decode(data)?, said, name)
    }
}

/// As much of a URL as an error shows: where it leads, and not what it may have been signed with.
fn shown(url: &str) -> String {
    let plain = url.split(['?', '#']).next().unwrap_or_default();
    crate::truncate_line(plain, 80)
}
