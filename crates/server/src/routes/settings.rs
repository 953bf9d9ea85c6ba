//! Settings, taken up while the server runs.

use axum::extract::State;
use serde::Serialize;
use toolwright_app::config::SettingsChange;
use utoipa::ToSchema;

use crate::{ApiError, error::Failed, json::Json, manage::Manager, server::Service};

/// What became of settings that changed.
#[derive(Serialize, ToSchema)]
pub(crate) struct TakenUp {
    /// What of it holds once the server is started again, by its key in the config file.
    at_next_start: Vec<String>,
}

impl From<SettingsChange> for TakenUp {
    fn from(change: SettingsChange) -> Self {
        Self { at_next_start: change.at_next_start().into_iter().map(str::to_owned).collect() }
    }
}

/// Take up the settings as the config file says them now
///
/// They hold for what begins from now on; runs that go on keep theirs. Settings that cannot be used change nothing.
#[utoipa::path(
    post, path = "/api/settings/reload", operation_id = "reload_settings", tag = "managing",
    responses(
        (status = 200, body = TakenUp),
        (status = 403, description = "Settings are not changed here", body = Failed),
        (status = 409, description = "Something changed that takes a new start", body = Failed),
        (status = 422, description = "Settings that cannot be used", body = Failed),
    )
)]
pub(crate) async fn reload(
    _: Manager,
    State(service): State<Service>,
) -> Result<Json<TakenUp>, ApiError> {
    Ok(Json(service.reload().await?.into()))
}
