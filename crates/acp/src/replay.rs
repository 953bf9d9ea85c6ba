//! [`replay`]: a conversation, told again from its log.

use toolwright_core::{AttachmentKind, ConversationId, Event, EventKind};
use toolwright_store::{Store, StoreError};

use crate::{
    client::Client,
    rpc::RpcError,
    session::EditorSession,
    updates::{Telling, Updates},
};

/// How many events are read at once.
const PAGE: usize = 500;

/// Tells everything that was said and done in a session.
pub(crate) async fn replay(session: &EditorSession, client: &Client) -> Result<(), RpcError> {
    let window = session.opened().session.agent().settings().window.tokens;
    let mut updates = Updates::new(Telling::Again, session.folder(), window);
    fold(session, &mut updates, Some(client)).await?;
    for update in updates.interrupted() {
        let _ = client.update(&session.id, update).await;
    }
    Ok(())
}

/// Lets a fold know what happened before, of which the editor was told.
pub(crate) async fn recall(session: &EditorSession, updates: &mut Updates) -> Result<(), RpcError> {
    fold(session, updates, None).await
}

/// Reads the log of a session, and tells of it if somebody is to be told. One in which nothing happened has none.
async fn fold(
    session: &EditorSession,
    updates: &mut Updates,
    client: Option<&Client>,
) -> Result<(), RpcError> {
    let opened = session.opened();
    let store = opened.session.store();
    // What was asked anew is told as it was asked last: other versions are no part of what is gone on with.
    let path = match store.runs(&session.id).await {
        Err(StoreError::NotFound(_)) => return Ok(()),
        runs => runs.map_err(|error| RpcError::of(&error))?.newest(),
    };
    let mut after = None;
    loop {
        let events = match store.events(&session.id, after, PAGE).await {
            Err(StoreError::NotFound(_)) => return Ok(()),
            events => events.map_err(|error| RpcError::of(&error))?,
        };
        for (position, event) in &events {
            after = Some(*position);
            if !path.has(event) {
                continue;
            }
            let Some(client) = client else {
                updates.add(event);
                continue;
            };
            fill(store, &session.id, event).await;
            for update in updates.add(event) {
                if client.update(&session.id, update).await.is_err() {
                    return Ok(());
                }
            }
        }
        if events.len() < PAGE {
            return Ok(());
        }
    }
}

/// Gives pictures in a question their bytes, which lie beside the log. Without them they are told by name.
async fn fill(store: &Store, id: &ConversationId, event: &Event) {
    let EventKind::Message { message, .. } = &event.kind else { return };
    let pictures = message.attachments().iter().filter(|it| it.kind() == AttachmentKind::Image);
    for picture in pictures {
        if let Ok(Some(bytes)) = store.attachment(id, &picture.digest).await {
            let _ = picture.fill(bytes);
        }
    }
}
