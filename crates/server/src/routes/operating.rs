//! For whoever runs the server.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{ApiError, auth::Asker, error::Failed, health::NotReady, json::Json, server::Service};

/// How the server is.
#[derive(Serialize, ToSchema)]
pub(crate) struct Health {
    /// `ok`, or `without_engine`: what drives its runs does not answer. What is asked then is kept, and waits.
    status: &'static str,
}

/// Whether the server can be asked: it answers, and what it needs does
///
/// For whoever spreads requests over several. It needs no token, and says nothing else.
#[utoipa::path(
    get, path = "/api/health", tag = "operating", security(()),
    responses(
        (status = 200, body = Health),
        (status = 503, description = "Not now: it is about to stop (`draining`), or the store does not answer or keeps nothing (`storage`)", body = Failed),
    )
)]
pub(crate) async fn health(State(service): State<Service>) -> Result<Json<Health>, ApiError> {
    let ready = service.health().ready(service.host().store(), service.engine()).await;
    let has_engine = ready.map_err(|lack| match lack {
        NotReady::Draining => ApiError::draining(),
        NotReady::Store => ApiError::no_store(),
    })?;
    Ok(Json(Health { status: if has_engine { "ok" } else { "without_engine" } }))
}

/// Whether the server answers, whatever becomes of what it needs
///
/// For whoever starts it again where it does not. It needs no token.
#[utoipa::path(
    get, path = "/api/health/live", operation_id = "live", tag = "operating", security(()),
    responses((status = 200, body = Health))
)]
pub(crate) async fn live() -> Json<Health> {
    Json(Health { status: "ok" })
}

/// What happens in runs as numbers, for Prometheus
#[utoipa::path(
    get, path = "/metrics", tag = "operating",
    responses((status = 200, content_type = "application/openmetrics-text", body = String))
)]
pub(crate) async fn metrics(State(service): State<Service>) -> Response {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static(kind))];
    (kind, service.metrics().text()).into_response()
}

/// A link for a browser.
#[derive(Serialize, ToSchema)]
pub(crate) struct Link {
    /// It lets one browser in, once, within ten minutes.
    url: String,
}

/// A new link for a browser
///
/// Whoever follows it has no name, so only those without one make it: the server's own user, or its own token.
#[utoipa::path(
    post, path = "/api/launch", tag = "operating",
    responses(
        (status = 200, body = Link),
        (status = 403, description = "Somebody with a name signs in by it", body = Failed),
    )
)]
pub(crate) async fn launch(asker: Asker) -> Result<Json<Link>, ApiError> {
    match asker.who().owner {
        None => Ok(Json(Link { url: asker.gate().link().await? })),
        Some(_) => Err(ApiError::forbidden(
            "a link lets somebody in without a name: the server's own token makes one, and you sign in by yours",
        )),
    }
}

/// Sign this browser out
///
/// It needs a new link from now on, and what it still listens to ends.
#[utoipa::path(
    post, path = "/api/logout", tag = "operating",
    responses((status = 204, description = "It is no longer known"))
)]
pub(crate) async fn logout(
    State(service): State<Service>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let mut response = StatusCode::NO_CONTENT.into_response();
    for cookie in service.gate().sign_out(&headers).await? {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// The description of the whole API.
pub(super) async fn description(description: utoipa::openapi::OpenApi) -> Response {
    Json(description).into_response()
}
