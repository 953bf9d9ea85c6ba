//! What was stored of a conversation: read in parts, taken out whole, brought back.

use std::collections::BTreeSet;

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use futures_util::{StreamExt, stream};
use http::{HeaderValue, header};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolwright_core::{ConversationId, Digest, Event, EventKind, VERSION};
use toolwright_store::{ExportedAttachment, Position, Store, StoreError};
use utoipa::{IntoParams, ToSchema};

use super::conversations::{Line, exact};
use crate::{
    ApiError,
    address::{Name, Query},
    auth::{Asker, Done},
    error::Failed,
    json::{Json, Upload},
};

/// Which part.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Part {
    /// The last event one has.
    #[param(maximum = 9_007_199_254_740_991_u64)]
    after: Option<u64>,
    /// How many, at most 5,000.
    #[param(minimum = 1, maximum = 5000)]
    limit: Option<usize>,
}

/// A part of a log.
#[derive(Serialize, ToSchema)]
pub(crate) struct Events {
    events: Vec<Placed>,
    /// The last of these, where there are more.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<u64>,
}

/// An event, and where it stands.
#[derive(Serialize, ToSchema)]
pub(crate) struct Placed {
    position: u64,
    #[schema(value_type = Object)]
    event: Event,
}

const MOST: usize = 5_000;
/// No event stands further back: beyond it, JavaScript's numbers have gaps.
const LAST: u64 = (1 << 53) - 1;

/// What was stored of a conversation, in order
#[utoipa::path(
    get, path = "/api/conversations/{id}/events", tag = "conversations",
    params(("id" = String, Path), Part),
    responses(
        (status = 200, body = Events),
        (status = 400, description = "A parameter that cannot be read", body = Failed),
        (status = 404, description = "No such conversation", body = Failed),
        (status = 422, description = "A parameter that cannot be used", body = Failed),
    )
)]
pub(crate) async fn events(
    service: Asker,
    Name(id): Name,
    Query(part): Query<Part>,
) -> Result<Json<Events>, ApiError> {
    let limit = part.limit.unwrap_or(1_000);
    if !(1..=MOST).contains(&limit) {
        return Err(ApiError::invalid(format!("limit is from 1 to {MOST}")));
    }
    if part.after.is_some_and(|after| after > LAST) {
        return Err(ApiError::invalid("`after` is no event's place"));
    }
    let id = exact(&service, &id).await?.id;
    let found = service.store().events(&id, part.after.map(Position), limit).await?;
    let next = found.last().filter(|_| found.len() == limit).map(|(last, _)| last.0);
    let events = found.into_iter().map(|(at, event)| Placed { position: at.0, event });
    Ok(Json(Events { events: events.collect(), next }))
}

/// A conversation in a file, as it is described; it is written page by page.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its description is used")]
pub(crate) struct Export {
    /// The version of this form.
    toolwright: u32,
    conversation: Line,
    #[schema(value_type = Vec<Object>)]
    events: Vec<Event>,
    /// The bytes of what is attached: `{"type": "attachment", "digest", "data"}`, in base64.
    #[schema(value_type = Vec<Object>)]
    attachments: Vec<ExportedAttachment>,
}

/// Take a conversation out, as one file
#[utoipa::path(
    get, path = "/api/conversations/{id}/export", tag = "conversations",
    params(("id" = String, Path)),
    responses(
        (status = 200, body = Export),
        (status = 404, description = "No such conversation", body = Failed),
    )
)]
pub(crate) async fn export(service: Asker, Name(id): Name) -> Result<Response, ApiError> {
    let summary = exact(&service, &id).await?;
    let name = format!("attachment; filename=\"{}.json\"", summary.id);
    let (store, conversation) = (service.store(), summary.id.clone());
    let head = serde_json::to_string(&Line::from(summary)).map_err(|_| ApiError::internal())?;
    let head = format!("{{\"toolwright\":{VERSION},\"conversation\":{head},\"events\":[");
    let first = store.events(&conversation, None, PAGE).await?;
    let next = Next::Events(first);
    let pages = Pages { store, conversation, next, written: 0, attached: BTreeSet::new() };
    let head = stream::once(std::future::ready(Ok(head.into_bytes())));
    let body = Body::from_stream(head.chain(stream::try_unfold(pages, Pages::page)));
    let mut response = ([(header::CONTENT_TYPE, "application/json")], body).into_response();
    if let Ok(name) = HeaderValue::try_from(name) {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, name);
    }
    Ok(response)
}

/// How many events are in memory at once for somebody who takes a conversation out.
const PAGE: usize = 200;

/// A conversation, read as it is taken.
struct Pages {
    store: Store,
    conversation: ConversationId,
    next: Next,
    /// How much of the list that is being written there is already.
    written: usize,
    /// What the events so far name.
    attached: BTreeSet<Digest>,
}

/// What is written next.
enum Next {
    /// These events.
    Events(Vec<(Position, Event)>),
    /// Something that is attached; one at a time is in memory.
    Attachment,
    /// Nothing.
    End,
}

impl Pages {
    /// The next piece, written. Where one cannot be read the answer breaks off: nobody takes a part for
    /// the whole.
    async fn page(mut self) -> Result<Option<(Vec<u8>, Self)>, StoreError> {
        match std::mem::replace(&mut self.next, Next::End) {
            Next::Events(page) => self.events(&page).await.map(Some),
            Next::Attachment => self.attachment().await.map(Some),
            Next::End => Ok(None),
        }
    }

    async fn events(mut self, page: &[(Position, Event)]) -> Result<(Vec<u8>, Self), StoreError> {
        let mut text = Vec::new();
        for (_, event) in page {
            self.attached.extend(event.kind.attachments().iter().map(|it| it.digest));
            self.write(&mut text, event)?;
        }
        if let Some((last, _)) = page.last().filter(|_| page.len() == PAGE) {
            let next = self.store.events(&self.conversation, Some(*last), PAGE).await?;
            self.next = Next::Events(next);
        } else {
            text.extend_from_slice(b"],\"attachments\":[");
            (self.next, self.written) = (Next::Attachment, 0);
        }
        Ok((text, self))
    }

    async fn attachment(mut self) -> Result<(Vec<u8>, Self), StoreError> {
        let mut text = Vec::new();
        let Some(digest) = self.attached.pop_first() else {
            text.extend_from_slice(b"]}");
            return Ok((text, self));
        };
        // Its bytes may be gone, or were never here.
        if let Some(bytes) = self.store.attachment(&self.conversation, &digest).await? {
            self.write(&mut text, &ExportedAttachment::new(digest, bytes))?;
        }
        self.next = Next::Attachment;
        Ok((text, self))
    }

    /// One more of a list.
    fn write(&mut self, text: &mut Vec<u8>, item: &impl Serialize) -> Result<(), StoreError> {
        if self.written > 0 {
            text.push(b',');
        }
        self.written += 1;
        serde_json::to_writer(text, item).map_err(|error| StoreError::Invalid(error.to_string()))
    }
}

/// What `export` wrote.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Import {
    /// The version of its form.
    #[schema(minimum = 2, maximum = 2)]
    toolwright: u32,
    /// The events.
    #[schema(value_type = Vec<Object>)]
    events: Vec<Value>,
    /// The bytes of what is attached.
    #[serde(default)]
    #[schema(value_type = Vec<Object>)]
    attachments: Vec<Value>,
}

/// What became of an import.
#[derive(Serialize, ToSchema)]
pub(crate) struct Imported {
    conversations: usize,
    runs: usize,
    events: usize,
    /// Events that were there already.
    known: usize,
}

/// The conversations that these events are of, so many of them as anybody reads.
fn imported(events: &[Event]) -> BTreeSet<&ConversationId> {
    let ids = events.iter().filter_map(|event| match &event.kind {
        EventKind::RunStarted { conversation_id, .. } => Some(conversation_id),
        _ => None,
    });
    ids.take(TOLD).collect()
}

/// How many runs are looked at for that.
const TOLD: usize = 1_000;

/// Bring a conversation back
#[utoipa::path(
    post, path = "/api/conversations/import", tag = "conversations", request_body = Import,
    responses(
        (status = 200, body = Imported),
        (status = 409, description = "A run goes on in the conversation", body = Failed),
    )
)]
pub(crate) async fn import(
    service: Asker,
    Upload(import): Upload<Import>,
) -> Result<Json<Imported>, ApiError> {
    if import.toolwright != VERSION {
        return Err(ApiError::invalid("this was written by another version of Toolwright"));
    }
    let events = import.events.into_iter().map(serde_json::from_value::<Event>);
    let events = events.collect::<Result<Vec<_>, _>>();
    let events = events.map_err(|error| ApiError::invalid(format!("no event: {error}")))?;
    let attached = import.attachments.into_iter().enumerate().map(|(index, it)| {
        serde_json::from_value::<ExportedAttachment>(it)
            .map_err(|error| ApiError::invalid(format!("attachments[{index}]: {error}")))
    });
    for id in imported(&events) {
        service.record().note(Done::within(id));
    }
    ExportedAttachment::restore(attached.collect::<Result<Vec<_>, _>>()?, &events)?;
    let done = service.store().import(events).await?;
    Ok(Json(Imported {
        conversations: done.conversations,
        runs: done.runs,
        events: done.events,
        known: done.known,
    }))
}
