//! [`ExportedAttachment`]: the bytes of something that is attached, as an export carries them.

use std::{collections::HashMap, sync::Arc};

use base64::{Engine, prelude::BASE64_STANDARD};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use toolwright_core::{Attachment, Digest, Event};

use crate::StoreError;

/// The bytes of something that is attached, as an export carries them: beside the events, which name
/// them by their digest.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ExportedAttachment {
    r#type: Tag,
    digest: Digest,
    #[serde(rename = "data", serialize_with = "encode", deserialize_with = "decode")]
    bytes: Arc<[u8]>,
}

/// What tells it from an event.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Tag {
    Attachment,
}

impl ExportedAttachment {
    /// These bytes.
    pub fn new(digest: Digest, bytes: Arc<[u8]>) -> Self {
        Self { r#type: Tag::Attachment, digest, bytes }
    }

    /// Gives what events name its bytes, where they are here.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] when they are not those that were attached.
    pub fn restore(
        exported: impl IntoIterator<Item = Self>,
        events: &[Event],
    ) -> Result<(), StoreError> {
        let exported: HashMap<_, _> =
            exported.into_iter().map(|it| (it.digest, it.bytes)).collect();
        for attachment in events.iter().flat_map(|event| event.kind.attachments()) {
            if let Some(bytes) = exported.get(&attachment.digest) {
                attachment.fill(bytes.clone()).map_err(|error| {
                    StoreError::Invalid(format!("{}: {error}", attachment.describe()))
                })?;
            }
        }
        Ok(())
    }
}

fn encode<S: Serializer>(bytes: &Arc<[u8]>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&BASE64_STANDARD.encode(bytes))
}

fn decode<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<[u8]>, D::Error> {
    let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
    Attachment::decode(&text).map_err(de::Error::custom)
}
