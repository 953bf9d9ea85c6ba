//! What was approved with "always".

use axum::extract::State;
use http::StatusCode;
use serde::Serialize;
use toolwright_runtime::Rule;
use utoipa::ToSchema;

use crate::{ApiError, address::Name, error::Failed, json::Json, server::Service};

/// The rules by which calls run without a question, or not at all: first those that were given with "always".
#[derive(Serialize, ToSchema)]
pub(crate) struct Rules {
    rules: Vec<RuleLine>,
    /// Those of the config file, which only the file can change.
    configured: Vec<RuleLine>,
}

/// A rule in words.
#[derive(Serialize, ToSchema)]
pub(crate) struct RuleLine {
    text: String,
}

/// List what was approved with "always"
#[utoipa::path(
    get, path = "/api/approvals", operation_id = "approvals", tag = "approvals",
    responses((status = 200, body = Rules))
)]
pub(crate) async fn list(State(service): State<Service>) -> Result<Json<Rules>, ApiError> {
    let rules = service.host().approvals().kept()?;
    let lines = |rules: &[Rule]| {
        rules.iter().map(|rule| RuleLine { text: rule.to_string() }).collect::<Vec<_>>()
    };
    let configured = lines(&service.host().config().rules);
    Ok(Json(Rules { rules: lines(&rules), configured }))
}

/// Take a rule back, by its place in the list
#[utoipa::path(
    delete, path = "/api/approvals/{index}", tag = "approvals", params(("index" = usize, Path)),
    responses(
        (status = 204, description = "It no longer holds"),
        (status = 404, description = "No such rule", body = Failed),
    )
)]
pub(crate) async fn remove(
    State(service): State<Service>,
    Name(index): Name,
) -> Result<StatusCode, ApiError> {
    let gone = || ApiError::not_found("there is no such rule");
    let index = index.parse().map_err(|_| gone())?;
    let removed = service.host().approvals().take_back(index)?;
    removed.map(|_| StatusCode::NO_CONTENT).ok_or_else(gone)
}
