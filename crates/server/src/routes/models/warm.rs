//! [`warm`]: the model gets ready while the question is typed.

use axum::extract::State;
use http::StatusCode;
use toolwright_app::RunOverrides;

use crate::{ApiError, address::Query, error::Failed, routes::info::OfTask, server::Service};

/// Have what answers get ready, while the question is written
///
/// Only the offline model has anything to get ready: its weights and what chooses among the tools of the task are read, in the
/// background, unless they were. Of any other model nothing is asked, and nothing is done where somebody else drives runs.
#[utoipa::path(
    post, path = "/api/models/warm", operation_id = "warm_model", tag = "models", params(OfTask),
    responses(
        (status = 202, description = "It is ready, or will be soon; or there is nothing to do"),
        (status = 400, description = "A parameter that cannot be read", body = Failed),
        (status = 422, description = "No such task", body = Failed),
    )
)]
pub(crate) async fn warm(
    State(service): State<Service>,
    Query(of): Query<OfTask>,
) -> Result<StatusCode, ApiError> {
    let wish = RunOverrides { task: of.task, ..RunOverrides::default() };
    if service.engine().is_none() {
        service.host().warm(&wish)?;
    }
    Ok(StatusCode::ACCEPTED)
}
