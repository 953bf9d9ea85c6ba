//! [`Connecting`]: a model that somebody wants to connect, and testing it before it is.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use toolwright_app::{
    AskedModel, CheckStep, CheckedThing, Endpoint, ModelCheck, ModelConnection, StepOutcome,
    config::Secret, listed_models,
};
use utoipa::ToSchema;

use super::OfferedModel;
use crate::{ApiError, error::Failed, json::Json, manage::Manager, server::Service};

/// A model that somebody wants to connect.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Connecting {
    /// The provider: one that is known by name, or any other name where `base_url` says where it is.
    #[schema(max_length = 64)]
    pub(super) provider: String,
    /// The root of its API, where it is not the vendor's own.
    #[schema(max_length = 2000)]
    pub(super) base_url: Option<String>,
    /// What it speaks, where that is not known by its name: `chat`, `responses`, `messages`, `gemini`, `ollama`.
    pub(super) api: Option<String>,
    /// The key. Where none is given, the one that is configured for that very address is used.
    #[schema(max_length = 4096)]
    pub(super) api_key: Option<String>,
    /// The model there.
    #[schema(max_length = 200)]
    pub(super) model: Option<String>,
}

impl Connecting {
    pub(super) fn read(self) -> Result<ModelConnection, ApiError> {
        let length = |it: &Option<String>| it.as_ref().map_or(0, |it| it.chars().count());
        let is_long = self.provider.chars().count() > 64
            || length(&self.base_url) > 2000
            || length(&self.api_key) > 4096
            || length(&self.model) > 200;
        if is_long {
            return Err(ApiError::invalid("one of the texts is too long"));
        }
        let filled =
            |it: Option<String>| it.map(|it| it.trim().to_owned()).filter(|it| !it.is_empty());
        let api = filled(self.api).map(|it| it.parse().map_err(ApiError::invalid));
        Ok(ModelConnection {
            provider: self.provider.trim().to_owned(),
            base_url: filled(self.base_url),
            api: api.transpose()?,
            api_key: filled(self.api_key).map(Secret::new),
            model: filled(self.model),
        })
    }
}

/// What came of a test.
#[derive(Serialize, ToSchema)]
pub(crate) struct Tested {
    /// As `--model` would take it.
    name: String,
    /// Every step, in order.
    steps: Vec<TestedStep>,
    /// Whether it answered: then it can be used.
    answers: bool,
    /// The models that are there, where the endpoint lists them.
    models: Vec<String>,
}

/// A step of a test.
#[derive(Serialize, ToSchema)]
pub(crate) struct TestedStep {
    /// `address`, `key`, `model`, `answer` or `tools`.
    #[schema(value_type = String)]
    step: CheckedThing,
    /// `passed`, `failed`, or `skipped` where it was not come to.
    #[schema(value_type = String)]
    outcome: StepOutcome,
    /// What happened, where there is more to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    says: Option<String>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
    /// How long it took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    elapsed_ms: Option<u64>,
}

/// Test a model: whether it is reached, takes the key, is there, answers, and calls tools
///
/// It is asked for one word and for one call. Nothing is kept. The key goes to the address that is given, and is told
/// to nobody.
#[utoipa::path(
    post, path = "/api/models/test", operation_id = "test_model", tag = "models", request_body = Connecting,
    responses(
        (status = 200, body = Tested),
        (status = 403, description = "Settings are not changed here", body = Failed),
        (status = 422, description = "What cannot be asked", body = Failed),
    )
)]
pub(crate) async fn test(
    _: Manager,
    State(service): State<Service>,
    Json(body): Json<Connecting>,
) -> Result<Json<Tested>, ApiError> {
    let connection = body.read()?;
    if connection.model.is_none() {
        return Err(ApiError::invalid("name a model: `model`"));
    }
    let endpoint = connection.endpoint(&service.host().config())?;
    // It asks a model, as a run does.
    let _room = service.runs().admit()?;
    let check = ModelCheck::of(endpoint).await;
    Ok(Json(Tested {
        name: connection.name(),
        answers: check.answers(),
        models: check.models,
        steps: check.steps.into_iter().map(Into::into).collect(),
    }))
}

impl From<CheckStep> for TestedStep {
    fn from(it: CheckStep) -> Self {
        let (says, advice, elapsed_ms) = (it.says, it.advice, it.elapsed_ms);
        Self { step: it.step, outcome: it.outcome, says, advice, elapsed_ms }
    }
}

/// The models at an endpoint.
#[derive(Serialize, ToSchema)]
pub(crate) struct Listed {
    models: Vec<OfferedModel>,
    /// Why they are not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

/// The models at an endpoint, asked with this key
#[utoipa::path(
    post, path = "/api/models/list", operation_id = "list_endpoint_models", tag = "models", request_body = Connecting,
    responses(
        (status = 200, body = Listed),
        (status = 403, description = "Settings are not changed here", body = Failed),
        (status = 422, description = "What cannot be asked", body = Failed),
    )
)]
pub(crate) async fn listed(
    _: Manager,
    State(service): State<Service>,
    Json(body): Json<Connecting>,
) -> Result<Json<Listed>, ApiError> {
    let connection = body.read()?;
    let endpoint = connection.endpoint(&service.host().config())?;
    let asked = match Endpoint::new(endpoint.clone()) {
        Ok(endpoint) => listed_models(&endpoint).await,
        Err(error) => Err(error),
    };
    Ok(Json(match asked {
        Ok(names) => {
            let described = |model: String| AskedModel::at(&endpoint, model).into();
            let models = names.into_iter().take(500).map(described).collect();
            Listed { models, problem: None, advice: None }
        }
        Err(error) => {
            Listed { models: Vec::new(), problem: Some(error.message), advice: error.advice }
        }
    }))
}
