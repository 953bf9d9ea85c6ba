//! [`Choosing`]: which model answers; and providers, saved and forgotten.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use toolwright_app::{
    AgentPool, Config,
    config::{ProviderEntry, Readers, SettingSource, set_model},
};
use utoipa::ToSchema;

use super::check::Connecting;
use crate::{ApiError, address::Name, error::Failed, json::Json, manage::Manager, server::Service};

/// Which model answers.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Choosing {
    /// The model, as `--model` takes it; and behind it what answers in its place where it gives no reply. None: what
    /// comes with Toolwright.
    #[schema(max_items = 8)]
    models: Vec<String>,
}

/// What answers now.
#[derive(Serialize, ToSchema)]
pub(crate) struct Chosen {
    /// The model that answers now.
    model: String,
    /// The flag, the variable or the project that says otherwise than what was saved.
    #[serde(skip_serializing_if = "Option::is_none")]
    beaten_by: Option<String>,
    /// The variable whose key is used in the place of the one that was saved.
    #[serde(skip_serializing_if = "Option::is_none")]
    key_from: Option<&'static str>,
}

impl Chosen {
    fn now(service: &Service, provider: Option<&str>) -> Result<Self, ApiError> {
        let config = service.host().config();
        let place = &config.model.name.place;
        let is_file = matches!(place, SettingSource::File(_) | SettingSource::Default);
        let key = provider.and_then(|it| config.key_source(it));
        Ok(Self {
            model: service.host().engine()?.name(),
            beaten_by: (!is_file).then(|| place.to_string()),
            key_from: match key {
                Some(SettingSource::Env(name)) => Some(name),
                _ => None,
            },
        })
    }
}

/// Say which model answers
#[utoipa::path(
    put, path = "/api/models/default", operation_id = "choose_model", tag = "models", request_body = Choosing,
    responses(
        (status = 200, body = Chosen),
        (status = 403, description = "Settings are not changed here", body = Failed),
        (status = 409, description = "The file was changed by somebody else meanwhile", body = Failed),
        (status = 422, description = "A model that cannot be used", body = Failed),
    )
)]
pub(crate) async fn choose(
    _: Manager,
    State(service): State<Service>,
    Json(Choosing { models }): Json<Choosing>,
) -> Result<Json<Chosen>, ApiError> {
    let models = checked(&models)?;
    let change = move |_: &AgentPool, document: &mut _| {
        set_model(document, &models);
        Ok(())
    };
    service.change_settings(Readers::AsBefore, change).await?;
    Ok(Json(Chosen::now(&service, None)?))
}

/// Names of models, and no file among them.
fn checked(models: &[String]) -> Result<Vec<String>, ApiError> {
    let names: Vec<_> = models.iter().map(|it| it.trim().to_owned()).collect();
    if names.len() > 8 {
        return Err(ApiError::invalid("at most 8 models"));
    }
    match names.iter().find(|it| !Config::is_model_name(it)) {
        Some(name) => Err(ApiError::no_such_model(name)),
        None => Ok(names),
    }
}

/// A provider that is saved.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Saving {
    /// The root of its API, where it is not the vendor's own.
    #[schema(max_length = 2000)]
    base_url: Option<String>,
    /// What it speaks: `chat`, `responses`, `messages`, `gemini`, `ollama`.
    api: Option<String>,
    /// The key; the one that is there stays where none is given.
    #[schema(max_length = 4096)]
    api_key: Option<String>,
    /// The model there that answers from now on, where it is to.
    #[schema(max_length = 200)]
    model: Option<String>,
}

/// Save a provider: where it is, and the key to it
///
/// It is written to the config file of whoever runs the server, which they alone can read then. The key is told to nobody
/// again.
#[utoipa::path(
    put, path = "/api/models/providers/{name}", operation_id = "save_provider", tag = "models", request_body = Saving,
    params(("name" = String, Path, description = "One that is known by name, or any other")),
    responses(
        (status = 200, body = Chosen),
        (status = 403, description = "Settings are not changed here", body = Failed),
        (status = 409, description = "The file was changed by somebody else meanwhile", body = Failed),
        (status = 422, description = "What cannot be used", body = Failed),
    )
)]
pub(crate) async fn save(
    _: Manager,
    State(service): State<Service>,
    Name(name): Name,
    Json(body): Json<Saving>,
) -> Result<Json<Chosen>, ApiError> {
    let Saving { base_url, api, api_key, model } = body;
    let connection = Connecting { provider: name, base_url, api, api_key, model }.read()?;
    let given_key_of = connection.api_key.as_ref().map(|_| connection.provider.clone());
    let readers = connection.readers();
    let change = move |host: &AgentPool, document: &mut _| {
        let now = host.settings_now()?;
        connection.save(document, &now).map_err(|error| ApiError::from(error).into())
    };
    service.change_settings(readers, change).await?;
    Ok(Json(Chosen::now(&service, given_key_of.as_deref())?))
}

/// Forget a provider and its key
///
/// Where one of its models answered, what comes with Toolwright does from now on.
#[utoipa::path(
    delete, path = "/api/models/providers/{name}", operation_id = "forget_provider", tag = "models",
    params(("name" = String, Path, description = "The provider")),
    responses(
        (status = 200, body = Chosen),
        (status = 403, description = "Settings are not changed here", body = Failed),
        (status = 404, description = "It does not stand in the config file", body = Failed),
        (status = 409, description = "The file was changed by somebody else meanwhile", body = Failed),
        (status = 422, description = "Without it nothing could answer", body = Failed),
    )
)]
pub(crate) async fn forget(
    _: Manager,
    State(service): State<Service>,
    Name(name): Name,
) -> Result<Json<Chosen>, ApiError> {
    let change = move |_: &AgentPool, document: &mut _| match ProviderEntry::forget(document, &name)
    {
        true => Ok(()),
        false => Err(ApiError::not_found("no such provider stands in the config file").into()),
    };
    service.change_settings(Readers::AsBefore, change).await?;
    Ok(Json(Chosen::now(&service, None)?))
}
