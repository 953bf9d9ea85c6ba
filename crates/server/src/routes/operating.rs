//! For whoever runs the server.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use http::{HeaderValue, header};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{json::Json, server::Service};

/// How the server is.
#[derive(Serialize, ToSchema)]
pub(crate) struct Health {
    /// `ok`.
    status: &'static str,
}

/// Whether the server answers
#[utoipa::path(get, path = "/api/health", tag = "operating", responses((status = 200, body = Health)))]
pub(crate) async fn health() -> Json<Health> {
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
    /// It lets one browser in, once.
    url: String,
}

/// A new link for a browser
#[utoipa::path(post, path = "/api/launch", tag = "operating", responses((status = 200, body = Link)))]
pub(crate) async fn launch(State(service): State<Service>) -> Json<Link> {
    Json(Link { url: service.gate().link() })
}

/// The description of the whole API.
pub(super) async fn description(description: utoipa::openapi::OpenApi) -> Response {
    Json(description).into_response()
}
