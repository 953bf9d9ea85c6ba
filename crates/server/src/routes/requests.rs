//! What a model was sent in a round of a run.

use serde::{Deserialize, Serialize};
use toolwright_app::RunOverrides;
use toolwright_core::SentHeader;
use utoipa::{IntoParams, ToSchema};

use super::conversations::exact;
use crate::{
    ApiError,
    address::{Name, Query},
    auth::Asker,
    error::Failed,
    json::Json,
};

/// Who was asked.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Asked {
    /// The task; the usual one where none is named.
    task: Option<String>,
    /// The model; the task's where none is named.
    model: Option<String>,
}

/// What a model was sent in a round.
#[derive(Serialize, ToSchema)]
pub(crate) struct RoundRequest {
    /// The model that it is made for. Where the run asked another, that one is not there any more.
    model: String,
    /// Where it goes.
    url: String,
    headers: Vec<RequestHeader>,
    /// The body in the provider's own form, as it is sent.
    body: String,
    /// The same as a command for a shell. Keys it takes from variables.
    curl: String,
}

/// A header of a request.
#[derive(Serialize, ToSchema)]
pub(crate) struct RequestHeader {
    name: String,
    /// Its value, with `$NAME` in the place of what is secret.
    value: String,
}

impl From<&SentHeader> for RequestHeader {
    fn from(it: &SentHeader) -> Self {
        Self { name: it.name.clone(), value: it.shown() }
    }
}

/// What a model was sent in a round of a run
///
/// Bodies are not kept. It is made once more from the log, by what makes requests: for the same model, tools and
/// settings it is what was sent, byte for byte. What is secret is left out.
#[utoipa::path(
    get, path = "/api/conversations/{id}/runs/{run}/rounds/{round}/request",
    operation_id = "round_request", tag = "conversations",
    params(("id" = String, Path), ("run" = String, Path), ("round" = u32, Path), Asked),
    responses(
        (status = 200, body = RoundRequest),
        (status = 400, description = "A parameter that cannot be read", body = Failed),
        (status = 404, description = "No such round, or its model is asked in no request", body = Failed),
        (status = 422, description = "No such task or model", body = Failed),
    )
)]
pub(crate) async fn request(
    service: Asker,
    Name((id, run, round)): Name<(String, String, u32)>,
    Query(asked): Query<Asked>,
) -> Result<Json<RoundRequest>, ApiError> {
    let id = exact(&service, &id).await?.id;
    let wish = RunOverrides { task: asked.task, model: asked.model, ..RunOverrides::default() };
    let session = service.session(&wish)?;
    let rebuilt = session.rebuild_request(&id, &run.into(), round).await?;
    let rebuilt = rebuilt.ok_or_else(|| ApiError::not_found("there is no such round here"))?;
    let sent = rebuilt.request.map_err(|error| ApiError::invalid(error.message))?;
    let nothing = || ApiError::not_found("this model is asked in no request over a network");
    let sent = sent.ok_or_else(nothing)?;
    Ok(Json(RoundRequest {
        model: rebuilt.model,
        headers: sent.headers.iter().map(RequestHeader::from).collect(),
        curl: sent.as_curl(),
        url: sent.url,
        body: sent.body,
    }))
}
