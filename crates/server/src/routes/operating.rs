//! For whoever runs the server.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{ApiError, error::Failed, json::Json, server::Service};

/// How the server is.
#[derive(Serialize, ToSchema)]
pub(crate) struct Health {
    /// `ok`.
    status: &'static str,
}

/// Whether the server answers, and what it needs does
#[utoipa::path(
    get, path = "/api/health", tag = "operating",
    responses(
        (status = 200, body = Health),
        (status = 503, description = "The store does not answer", body = Failed),
    )
)]
pub(crate) async fn health(State(service): State<Service>) -> Result<Json<Health>, ApiError> {
    match service.health().of_store(service.host().store()).await {
        true => Ok(Json(Health { status: "ok" })),
        false => Err(ApiError::no_store()),
    }
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
#[utoipa::path(post, path = "/api/launch", tag = "operating", responses((status = 200, body = Link)))]
pub(crate) async fn launch(State(service): State<Service>) -> Json<Link> {
    Json(Link { url: service.gate().link() })
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
