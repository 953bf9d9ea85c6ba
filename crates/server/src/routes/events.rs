//! Listening to a conversation.

use axum::response::Response;
use http::HeaderMap;
use serde::Deserialize;
use utoipa::IntoParams;

use super::conversations::exact;
use crate::{
    ApiError,
    address::{Name, Query},
    auth::Asker,
    error::Failed,
    runs::Place,
    sse,
};

/// From where.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct From {
    /// The last event one has, for clients that cannot set a header.
    after: Option<String>,
}

/// Listen to everything that happens in a conversation
///
/// From behind the event that `Last-Event-ID` (or `after`) names; otherwise from the beginning of the
/// run that goes on, or from now on. The stream stays open from one run to the next. What is sent under the
/// name `queue` is no event of a run: other messages wait in the conversation than before, and a `GET` of its
/// `messages` tells which.
#[utoipa::path(
    get, path = "/api/conversations/{id}/stream", operation_id = "listen", tag = "conversations",
    params(
        ("id" = String, Path), From,
        ("last-event-id" = Option<String>, Header, description = "The last event one has"),
    ),
    responses(
        (status = 200, description = "Events", content_type = "text/event-stream"),
        (status = 400, description = "A parameter that cannot be read", body = Failed),
        (status = 404, description = "No such conversation", body = Failed),
        (status = 409, description = "The log ends before that event: it was restored (`beyond_the_end`)", body = Failed),
        (status = 422, description = "No event is called so", body = Failed),
    )
)]
pub(crate) async fn stream(
    service: Asker,
    Name(id): Name,
    Query(from): Query<From>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let id = exact(&service, &id).await?.id;
    let after = last_event(&headers, from.after.as_deref())?;
    if let Some(place) = after.filter(|_| service.runs().active(&id).is_none()) {
        // A database that was restored has not all that somebody was shown.
        let events = service.store().progress(&id).await?.map_or(0, |it| it.next.0);
        if place.next_committed() > events {
            return Err(ApiError::beyond_the_end(events));
        }
    }
    Ok(sse::events(service.runs().listen(&id, after).await))
}

/// The last event that somebody has.
pub(crate) fn last_event(
    headers: &HeaderMap,
    after: Option<&str>,
) -> Result<Option<Place>, ApiError> {
    let header = headers.get("last-event-id").map(|it| it.to_str().unwrap_or_default());
    let Some(named) = header.or(after).filter(|named| !named.is_empty()) else { return Ok(None) };
    let place = named.parse().map_err(|_| ApiError::invalid("no event is called so"))?;
    Ok(Some(place))
}
