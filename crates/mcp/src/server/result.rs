//! [`told`]: how a call ended, as its client is told: in the model's words, never the operator's.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use rmcp::model::{CallToolResult, ContentBlock};
use toolwright_core::{
    Attachment, AttachmentKind, ContentPart, ConversationId, Failure, FailureKind, Outcome,
    content_parts,
};
use toolwright_runtime::ValueSchema;
use toolwright_store::Store;

use super::resources::{contents, is_linked, link};

/// What the data of a result is.
#[derive(Clone, Copy)]
pub(super) enum DataForm<'a> {
    /// What the tool declared.
    Declared(&'a ValueSchema),
    /// An object, as clients of the era with sessions know it.
    Object,
    /// Anything that is not just text.
    Any,
}

/// How a call ended, and its data in this form.
pub(super) async fn told(
    outcome: &Outcome,
    store: &Store,
    conversation: &ConversationId,
    form: DataForm<'_>,
) -> CallToolResult {
    let mut content = Vec::new();
    for part in content_parts(&outcome.text, &outcome.attachments) {
        content.push(match part {
            ContentPart::Text(text) => ContentBlock::text(text),
            ContentPart::Attachment(attachment) => attached(attachment, store, conversation).await,
        });
    }
    if !outcome.status.is_ok() {
        return CallToolResult::error(content);
    }
    let data = outcome.value().ok().map(std::borrow::Cow::into_owned);
    // A number that happens to be text is text.
    let data = data.filter(|it| match form {
        DataForm::Declared(schema) => schema.violations(it, "result").is_empty(),
        DataForm::Object => it.is_object(),
        DataForm::Any => it.is_object() || it.is_array(),
    });
    if data.is_none() && matches!(form, DataForm::Declared(_)) {
        // A client may count on what was declared, and what is too long is cut: that it ran is said in words.
        content.insert(0, ContentBlock::text(UNFIT));
        return CallToolResult::error(content);
    }
    let mut result = CallToolResult::success(content);
    result.structured_content = data;
    result
}

/// What stands before a result that is not what its tool declared.
const UNFIT: &str = "The tool ran, but what it returned is not the data that its outputSchema declares. \
                     This is what it returned:";

/// Something that is attached: with its bytes, or as a link to a file that has many.
async fn attached(
    attachment: &Attachment,
    store: &Store,
    conversation: &ConversationId,
) -> ContentBlock {
    let is_shown = matches!(attachment.kind(), AttachmentKind::Image | AttachmentKind::Audio);
    if !is_shown && is_linked(attachment) {
        return ContentBlock::resource_link(link(attachment));
    }
    if attachment.bytes().is_none() {
        let kept = store.attachment(conversation, &attachment.digest).await;
        match kept {
            Ok(Some(bytes)) => drop(attachment.fill(bytes)),
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "an attachment cannot be read"),
        }
    }
    let Some(bytes) = attachment.bytes() else {
        return ContentBlock::text(format!("[{} is not at hand]", attachment.describe()));
    };
    attached_block(attachment, bytes)
}

/// Something that is attached, whose bytes these are.
pub(super) fn attached_block(attachment: &Attachment, bytes: &[u8]) -> ContentBlock {
    let kind = attachment.media_type.to_string();
    match attachment.kind() {
        AttachmentKind::Image => ContentBlock::image(STANDARD.encode(bytes), kind),
        AttachmentKind::Audio => ContentBlock::audio(STANDARD.encode(bytes), kind),
        _ => ContentBlock::resource(contents(attachment, bytes)),
    }
}

/// A run without a result of its call. What only the operator may know is in the log.
pub(super) fn failed(failure: Option<&Failure>) -> CallToolResult {
    let words = match failure.map(|it| (&it.kind, it)) {
        Some((FailureKind::Limit(_), failure)) => failure.message.clone(),
        Some((FailureKind::Cancelled, _)) => "The call was cancelled.".to_owned(),
        failure => {
            let why = failure.map_or("it broke off", |(_, it)| it.message.as_str());
            tracing::warn!(why, "a call of an MCP client has no result");
            "The call has no result because of a fault in the server; its log says which."
                .to_owned()
        }
    };
    CallToolResult::error(vec![ContentBlock::text(words)])
}
