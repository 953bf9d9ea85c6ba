//! What was stored of a conversation: read in parts, taken out whole, brought back.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use http::{HeaderValue, header};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolwright_core::Event;
use toolwright_store::Position;
use utoipa::{IntoParams, ToSchema};

use super::conversations::{Line, exact};
use crate::{
    ApiError,
    address::{Name, Query},
    error::Failed,
    json::Json,
    server::Service,
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
    State(service): State<Service>,
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
    let found = service.host().store().events(&id, part.after.map(Position), limit).await?;
    let next = found.last().filter(|_| found.len() == limit).map(|(last, _)| last.0);
    let events = found.into_iter().map(|(at, event)| Placed { position: at.0, event });
    Ok(Json(Events { events: events.collect(), next }))
}

/// A conversation in a file.
#[derive(Serialize, ToSchema)]
pub(crate) struct Export {
    /// The version of this form.
    toolwright: u32,
    conversation: Line,
    #[schema(value_type = Vec<Object>)]
    events: Vec<Event>,
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
pub(crate) async fn export(
    State(service): State<Service>,
    Name(id): Name,
) -> Result<Response, ApiError> {
    let summary = exact(&service, &id).await?;
    let store = service.host().store();
    let (mut events, mut after) = (Vec::new(), None);
    loop {
        let part = store.events(&summary.id, after, MOST).await?;
        after = part.last().map(|(at, _)| *at);
        let is_last = part.len() < MOST;
        events.extend(part.into_iter().map(|(_, event)| event));
        if is_last {
            break;
        }
    }
    let name = format!("attachment; filename=\"{}.json\"", summary.id);
    let export = Export { toolwright: 1, conversation: summary.into(), events };
    let mut response = Json(export).into_response();
    if let Ok(name) = HeaderValue::try_from(name) {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, name);
    }
    Ok(response)
}

/// What `export` wrote.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Import {
    /// The version of its form.
    #[schema(minimum = 1, maximum = 1)]
    toolwright: u32,
    /// The events.
    #[schema(value_type = Vec<Object>)]
    events: Vec<Value>,
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

/// Bring a conversation back
#[utoipa::path(
    post, path = "/api/conversations/import", tag = "conversations", request_body = Import,
    responses(
        (status = 200, body = Imported),
        (status = 409, description = "A run goes on in the conversation", body = Failed),
    )
)]
pub(crate) async fn import(
    State(service): State<Service>,
    Json(import): Json<Import>,
) -> Result<Json<Imported>, ApiError> {
    if import.toolwright != 1 {
        return Err(ApiError::invalid("this was written by a newer version"));
    }
    let events = import.events.into_iter().map(serde_json::from_value::<Event>);
    let events = events.collect::<Result<Vec<_>, _>>();
    let events = events.map_err(|error| ApiError::invalid(format!("no event: {error}")))?;
    let done = service.host().store().import(events).await?;
    Ok(Json(Imported {
        conversations: done.conversations,
        runs: done.runs,
        events: done.events,
        known: done.known,
    }))
}
