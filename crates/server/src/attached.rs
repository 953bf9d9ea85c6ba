//! [`Attached`]: a picture or a file that comes with a question.

use std::{fmt, fmt::Display, sync::Arc};

use serde::{Deserialize, Deserializer, de::Visitor};
use toolwright_core::{Attachment, AttachmentError, UserMessage};
use utoipa::ToSchema;

use crate::ApiError;

/// How much may come with one question.
pub(crate) const MAX_ATTACHMENTS: usize = 10;

/// A picture or a file that comes with a question.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Attached {
    /// What it is called.
    name: Option<String>,
    /// What it is. What its first bytes say must agree; where they say it, this is not needed.
    media_type: Option<String>,
    /// Its bytes, in base64.
    #[schema(value_type = String, content_encoding = "base64")]
    data: Decoded,
}

/// Bytes that came as base64: decoded as they are read, and never held as text.
struct Decoded(Result<Arc<[u8]>, AttachmentError>);

impl<'de> Deserialize<'de> for Decoded {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Decoded;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes in base64")
            }

            fn visit_str<E>(self, text: &str) -> Result<Decoded, E> {
                // What is wrong with it is told with the name of its field.
                Ok(Decoded(Attachment::decode(text)))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

/// A message with what came with it.
pub(crate) fn attach(
    mut message: UserMessage,
    attached: Vec<Attached>,
) -> Result<UserMessage, ApiError> {
    bounded("attachments", attached.len())?;
    for (index, Attached { name, media_type, data }) in attached.into_iter().enumerate() {
        let attachment = data.0.and_then(|bytes| {
            Attachment::new(bytes, media_type.as_deref(), name.as_deref().map(base_name))
        });
        let field = format_args!("attachments[{index}]");
        let attachment = attachment.map_err(|error| ApiError::attachment(field, &error))?;
        message = message.with_attachment(attachment);
    }
    Ok(message)
}

/// Whether this much may come with one question.
pub(crate) fn bounded(field: impl Display, count: usize) -> Result<(), ApiError> {
    if count > MAX_ATTACHMENTS {
        return Err(ApiError::too_many_attachments(field, MAX_ATTACHMENTS));
    }
    Ok(())
}

/// The last part of a path: whatever a client calls its folders is nothing for a conversation.
pub(crate) fn base_name(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or_default()
}
