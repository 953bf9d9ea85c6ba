//! What was approved with "always".

use axum::extract::State;
use http::StatusCode;
use serde::Serialize;
use toolwright_app::GivenRule;
use utoipa::ToSchema;

use crate::{ApiError, address::Name, error::Failed, json::Json, server::Service};

/// The rules by which calls run without a question, or not at all: first those that were given with "always".
#[derive(Serialize, ToSchema)]
pub(crate) struct Rules {
    rules: Vec<GivenLine>,
    /// Those of the config file, which only the file can change.
    configured: Vec<RuleLine>,
}

/// A rule that was given with "always".
#[derive(Serialize, ToSchema)]
pub(crate) struct GivenLine {
    /// What it is taken back by. It never means another rule, whatever is given and taken back meanwhile.
    number: u64,
    text: String,
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
    let given = service.host().approvals().given().await?;
    let line = |it: &GivenRule| GivenLine { number: it.number, text: it.to_string() };
    let rules = given.iter().map(line).collect();
    let configured = service.host().config();
    let configured = configured.rules.iter().map(|it| RuleLine { text: it.to_string() }).collect();
    Ok(Json(Rules { rules, configured }))
}

/// Take a rule back, by its number
///
/// When it was answered with success the rule allows no call that is checked from then on, by any process that shares
/// the store.
#[utoipa::path(
    delete, path = "/api/approvals/{number}", tag = "approvals", params(("number" = u64, Path)),
    responses(
        (status = 204, description = "It no longer holds"),
        (status = 404, description = "No such rule", body = Failed),
    )
)]
pub(crate) async fn remove(
    State(service): State<Service>,
    Name(number): Name,
) -> Result<StatusCode, ApiError> {
    let gone = || ApiError::not_found("there is no rule of this number");
    let number = number.parse().map_err(|_| gone())?;
    let removed = service.host().approvals().take_back(number).await?;
    removed.map(|_| StatusCode::NO_CONTENT).ok_or_else(gone)
}
