//! [`Reading`]: a question that comes in parts, whatever a protocol calls them.

use toolwright_core::{Attachment, AttachmentError, UserMessage, truncate_line};

use crate::{
    ApiError,
    attached::{base_name, bounded},
    text::is_blank,
};

/// A question as it is read, part by part.
pub(super) struct Reading(UserMessage);

impl Default for Reading {
    fn default() -> Self {
        Self(UserMessage::new(""))
    }
}

impl Reading {
    pub(super) fn text(&mut self, text: &str) {
        self.0.content.push_str(text);
    }

    /// What stands in this field of the request.
    pub(super) fn attach(
        &mut self,
        field: &str,
        read: Result<Attachment, AttachmentError>,
    ) -> Result<(), ApiError> {
        let mut attachment = read.map_err(|error| ApiError::attachment(field, &error))?;
        attachment.at = self.0.content.chars().count();
        attachment.name = attachment.name.map(|it| base_name(&it).to_owned());
        self.0.attachments.push(attachment);
        bounded(field, self.0.attachments.len())
    }

    /// The whole, where there is something in it.
    pub(super) fn question(self) -> Result<UserMessage, ApiError> {
        if is_blank(&self.0.content) && self.0.attachments.is_empty() {
            return Err(no_question());
        }
        Ok(self.0)
    }
}

pub(super) fn no_question() -> ApiError {
    ApiError::invalid("there is no question")
}

/// A part that is nothing for a question: what it is made of never becomes text of a prompt.
pub(super) fn unknown(field: &str, kind: &str) -> ApiError {
    let kind = truncate_line(kind, 60);
    ApiError::malformed(format!("{field}: a part of type `{kind}` is not known here"))
}
