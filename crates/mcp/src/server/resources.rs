//! [`McpServer::read`]: a file that a call of a client's returned, for that client alone.
//!
//! What a call returns is kept in the client's conversation, and is found there by the digest of its bytes. Nothing
//! is listed: who was given no link has nothing to read.

use std::sync::Arc;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use rmcp::{
    ErrorData, RoleServer,
    model::{CacheScope, ReadResourceResult, Resource, ResourceContents},
    service::RequestContext,
};
use serde_json::json;
use toolwright_core::{Attachment, AttachmentKind, Digest};

use super::{McpServer, handler::Client};

/// What the address of a file begins with; the digest of its bytes is behind it.
const SCHEME: &str = "attachment:";
/// A file of more bytes is not put into a result: it is linked to.
const EMBEDDED: u64 = 64 << 10;
/// An address of more bytes is not said back to who asked for it.
const ECHOED: usize = 4 << 10;
/// For how long one that was read holds, in milliseconds: what is known by its bytes never changes.
const FRESH: u64 = 60 * 60 * 1_000;

/// Whether a file is linked to.
pub(super) fn is_linked(attachment: &Attachment) -> bool {
    attachment.size > EMBEDDED
}

/// The link to a file.
pub(super) fn link(attachment: &Attachment) -> Resource {
    let name = attachment.name.clone().unwrap_or_else(|| attachment.kind().name().to_owned());
    Resource::new(address(&attachment.digest), name)
        .with_mime_type(attachment.media_type.to_string())
        .with_size(attachment.size)
}

/// A file with its bytes.
pub(super) fn contents(attachment: &Attachment, bytes: &[u8]) -> ResourceContents {
    let uri = address(&attachment.digest);
    let contents = match std::str::from_utf8(bytes) {
        Ok(text) if attachment.kind() == AttachmentKind::Text => ResourceContents::text(text, uri),
        _ => ResourceContents::blob(STANDARD.encode(bytes), uri),
    };
    contents.with_mime_type(attachment.media_type.to_string())
}

fn address(digest: &Digest) -> String {
    format!("{SCHEME}{digest}")
}

impl McpServer {
    /// A file that a call of this client's returned.
    pub(super) async fn read(
        &self,
        uri: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<ReadResourceResult, ErrorData> {
        let client = Client::of(context);
        let missing = || {
            let told = "there is no such resource: only what calls of yours linked to can be read";
            let data = (uri.len() <= ECHOED).then(|| json!({"uri": uri}));
            match client.is_modern {
                true => ErrorData::invalid_params(told, data),
                false => ErrorData::resource_not_found(told, data),
            }
        };
        let digest = uri.strip_prefix(SCHEME).and_then(|it| it.parse::<Digest>().ok());
        let digest = digest.ok_or_else(missing)?;
        let bytes = self.returned(&client, &digest).await?.ok_or_else(missing)?;
        let attachment = Attachment::new(bytes.clone(), None, None).map_err(|_| missing())?;
        let result = ReadResourceResult::new(vec![contents(&attachment, &bytes)]);
        Ok(match client.is_modern {
            true => result.with_ttl_ms(FRESH).with_cache_scope(CacheScope::Private),
            false => result,
        })
    }

    /// The bytes of something that a call of this client's returned.
    async fn returned(
        &self,
        client: &Client,
        digest: &Digest,
    ) -> Result<Option<Arc<[u8]>>, ErrorData> {
        let store = self.shared.served.session.store();
        for conversation in self.slot(client).conversations() {
            let kept = store.attachment(&conversation, digest).await.map_err(|error| {
                tracing::warn!(%error, "an attachment cannot be read");
                let told = "the resource cannot be read; the server's log says why";
                ErrorData::internal_error(told, None)
            })?;
            if kept.is_some() {
                return Ok(kept);
            }
        }
        Ok(None)
    }
}
