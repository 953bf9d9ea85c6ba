//! [`write`]: a conversation in a file of its own, in the form that the file's name says.

use std::{fs::OpenOptions, io::Write, path::Path};

use serde_json::json;
use toolwright_core::{ConversationId, VERSION};
use toolwright_store::{ExportedAttachment, Store};

use crate::{
    commands::conversations,
    error::{CommandError, Result},
};

/// Writes a conversation to a file that is not there yet.
pub(super) async fn write(store: &Store, id: &ConversationId, file: &Path) -> Result {
    let ending = file.extension().and_then(|it| it.to_str()).unwrap_or_default();
    let text = match ending.to_ascii_lowercase().as_str() {
        "md" | "markdown" => conversations::markdown(store, id, None).await?,
        "html" | "htm" => html(store, id).await?,
        "json" => format!("{}\n", whole(store, id).await?),
        "jsonl" => {
            let (events, attached) = parts(store, id).await?;
            events.iter().chain(&attached).map(|it| format!("{it}\n")).collect()
        }
        _ => {
            return Err(CommandError::unusable("the file's name does not say in which form")
                .with_advice("let it end in .md, .html, .json or .jsonl")
                .into());
        }
    };
    let opened = OpenOptions::new().write(true).create_new(true).open(file);
    let written = opened.and_then(|mut it| it.write_all(text.as_bytes()));
    Ok(written.map_err(|error| {
        CommandError::unusable(format!("{} cannot be written: {error}", file.display()))
            .with_advice("name a file that is not there yet")
    })?)
}

/// The events, and what is attached, each as JSON.
async fn parts(
    store: &Store,
    id: &ConversationId,
) -> Result<(Vec<serde_json::Value>, Vec<serde_json::Value>)> {
    let (mut events, mut digests) = (Vec::new(), std::collections::BTreeSet::new());
    let read = conversations::each_event(store, id, |event| {
        digests.extend(event.kind.attachments().iter().map(|it| it.digest));
        events.push(serde_json::to_value(event)?);
        Ok(())
    });
    read.await??;
    let mut attached = Vec::new();
    for digest in digests {
        if let Some(bytes) = store.attachment(id, &digest).await? {
            attached.push(serde_json::to_value(ExportedAttachment::new(digest, bytes))?);
        }
    }
    Ok((events, attached))
}

/// All of it in one piece, as the page writes and opens it.
async fn whole(store: &Store, id: &ConversationId) -> Result<serde_json::Value> {
    let (events, attachments) = parts(store, id).await?;
    let conversation = store.find(id.as_str()).await?;
    Ok(json!({
        "toolwright": VERSION, "conversation": conversation, "events": events, "attachments": attachments,
    }))
}

#[cfg(feature = "server")]
async fn html(store: &Store, id: &ConversationId) -> Result<String> {
    let title = store.find(id.as_str()).await?.title;
    let document = toolwright_server::document(&title, &whole(store, id).await?.to_string());
    Ok(document.ok_or_else(without_page)?)
}

#[cfg(not(feature = "server"))]
async fn html(_: &Store, _: &ConversationId) -> Result<String> {
    Err(without_page().into())
}

fn without_page() -> CommandError {
    CommandError::unusable("this program was built without the page, which shows such a file")
        .with_advice("let the file's name end in .md, .json or .jsonl")
}
