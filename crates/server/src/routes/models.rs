//! What can answer, and connecting it: looking at models, testing one, and saying which answers.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use toolwright_app::Endpoint;
use toolwright_app::{
    AskedModel, Config, ModelCheck, ModelConnection, OfflineModel, ProviderListing,
    config::{ProviderEntry, Readers, Secret, SettingSource, set_model},
    listed_models,
};
use utoipa::ToSchema;

use crate::{ApiError, address::Name, error::Failed, json::Json, manage::Manager, server::Service};

/// What can answer.
#[derive(Serialize, ToSchema)]
pub(crate) struct ModelOffer {
    /// What answers, and behind it what answers in its place where it gives no reply.
    answers: Vec<ModelLineOf>,
    /// Where it was set which model answers: `flag`, `variable`, `file`, `project` or `default`. What is saved here stands in
    /// the file, which a flag, a variable and a trusted project beat.
    set_by: &'static str,
    /// The flag or the variable that says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    set_by_name: Option<&'static str>,
    /// What answers in this process.
    built_in: Vec<BuiltInModel>,
    /// Providers whose key or address is set.
    providers: Vec<ProviderLine>,
    /// Servers that were found on this machine, whether or not anybody configured them.
    found: Vec<FoundServer>,
    /// Everybody known by name.
    known: Vec<KnownLine>,
}

/// A model.
#[derive(Serialize, ToSchema)]
pub(crate) struct ModelLineOf {
    /// As `--model` takes it, and `model` of a question.
    name: String,
    /// How many tokens it reads, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    window: Option<u64>,
    /// How many it writes at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_output: Option<u64>,
    /// What a million tokens cost that it reads, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    input_price: Option<f64>,
    /// What a million tokens cost that it writes.
    #[serde(skip_serializing_if = "Option::is_none")]
    output_price: Option<f64>,
    /// Whether it is sent tools as its API has them; nothing where nobody knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<bool>,
    /// Whether it sees pictures; nothing where nobody knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    images: Option<bool>,
    /// Whether it reads PDFs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pdf: Option<bool>,
}

/// A model in this process.
#[derive(Serialize, ToSchema)]
pub(crate) struct BuiltInModel {
    name: String,
    /// A line about it.
    about: String,
    /// Whether it is here, and need not be fetched first.
    fetched: bool,
}

/// A provider whose key or address is set.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProviderLine {
    /// The first half of its models' names.
    name: String,
    base_url: String,
    /// What it speaks.
    api: &'static str,
    /// Where its key comes from: `variable`, `file` or `none`. The key itself is told to nobody.
    key: &'static str,
    /// The variable that holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    key_variable: Option<&'static str>,
    /// Whether it answers.
    answers: bool,
    /// Whether questions may name its models.
    offered: bool,
    models: Vec<ModelLineOf>,
    /// Why it does not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

/// A server on this machine.
#[derive(Serialize, ToSchema)]
pub(crate) struct FoundServer {
    /// The first half of its models' names.
    provider: &'static str,
    base_url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    models: Vec<ModelLineOf>,
}

/// A provider that is known by name.
#[derive(Serialize, ToSchema)]
pub(crate) struct KnownLine {
    name: &'static str,
    base_url: &'static str,
    /// The variables that hold its key; none where it wants none.
    keys: Vec<&'static str>,
}

impl From<AskedModel> for ModelLineOf {
    fn from(it: AskedModel) -> Self {
        Self {
            input_price: it.price.map(|(input, _)| input),
            output_price: it.price.map(|(_, output)| output),
            images: it.images,
            pdf: it.pdf,
            name: it.name,
            window: it.window,
            max_output: it.max_output,
            tools: it.tools,
        }
    }
}

impl ProviderLine {
    fn of(config: &Config, listing: ProviderListing) -> Self {
        let ProviderListing { provider: it, key, is_offered, .. } = listing;
        let (key, key_variable) = match key {
            Some(SettingSource::Env(name)) => ("variable", Some(name)),
            Some(_) => ("file", None),
            None => ("none", None),
        };
        let named = |model: &String| config.described(&format!("{}:{model}", it.name)).into();
        Self {
            models: it.models.iter().map(named).collect(),
            name: it.name,
            base_url: it.base_url,
            api: it.api,
            key,
            key_variable,
            answers: it.answers,
            offered: is_offered,
            problem: it.problem,
            advice: it.advice,
        }
    }
}

/// What can answer: what does, in this process, at providers, on this machine
///
/// Providers whose key or address is set are asked for their models, once in a while.
#[utoipa::path(get, path = "/api/models", tag = "models", responses((status = 200, body = ModelOffer)))]
pub(crate) async fn list(State(service): State<Service>) -> Result<Json<ModelOffer>, ApiError> {
    let host = service.host();
    let (config, survey) = host.models().await?;
    let (set_by, set_by_name) = match &config.model.name.place {
        SettingSource::Flag(name) => ("flag", Some(*name)),
        SettingSource::Env(name) => ("variable", Some(*name)),
        SettingSource::File(_) => ("file", None),
        SettingSource::Folder(_) => ("project", None),
        SettingSource::Default => ("default", None),
    };
    let offline = BuiltInModel {
        name: "offline".to_owned(),
        about: OfflineModel::ABOUT.to_owned(),
        fetched: OfflineModel::is_fetched(&config),
    };
    let of_packs = config.packs().iter().flat_map(|it| it.info().models);
    let of_packs = of_packs.map(|it| BuiltInModel {
        name: it.name.to_owned(),
        about: it.about.to_owned(),
        fetched: true,
    });
    let listings = config.listings(&survey);
    let found = survey.found.iter().map(|server| FoundServer {
        provider: server.provider,
        base_url: server.base_url.clone(),
        version: server.version.clone(),
        models: AskedModel::found(server).into_iter().map(Into::into).collect(),
    });
    Ok(Json(ModelOffer {
        answers: survey.asked.iter().cloned().map(Into::into).collect(),
        set_by,
        set_by_name,
        built_in: OfflineModel::LICENCE.map(|_| offline).into_iter().chain(of_packs).collect(),
        providers: listings.into_iter().map(|it| ProviderLine::of(&config, it)).collect(),
        found: found.collect(),
        known: survey
            .known
            .iter()
            .map(|it| KnownLine { name: it.name, base_url: it.base_url, keys: it.keys.to_vec() })
            .collect(),
    }))
}

/// A model that somebody wants to connect.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Connecting {
    /// The provider: one that is known by name, or any other name where `base_url` says where it is.
    #[schema(max_length = 64)]
    provider: String,
    /// The root of its API, where it is not the vendor's own.
    #[schema(max_length = 2000)]
    base_url: Option<String>,
    /// What it speaks, where that is not known by its name: `chat`, `responses`, `messages`, `gemini`, `ollama`.
    api: Option<String>,
    /// The key. Where none is given, the one that is configured for that very address is used.
    #[schema(max_length = 4096)]
    api_key: Option<String>,
    /// The model there.
    #[schema(max_length = 200)]
    model: Option<String>,
}

impl Connecting {
    fn read(self) -> Result<ModelConnection, ApiError> {
        let filled =
            |it: Option<String>| it.map(|it| it.trim().to_owned()).filter(|it| !it.is_empty());
        let api = filled(self.api).map(|it| it.parse().map_err(ApiError::invalid)).transpose()?;
        let connection = ModelConnection {
            provider: self.provider.trim().to_owned(),
            base_url: filled(self.base_url),
            api,
            api_key: filled(self.api_key).map(Secret::new),
            model: filled(self.model),
        };
        let lengths = [
            (connection.provider.len(), 64),
            (connection.base_url.as_ref().map_or(0, String::len), 2000),
            (connection.api_key.as_ref().map_or(0, |it| it.reveal().len()), 4096),
            (connection.model.as_ref().map_or(0, String::len), 200),
        ];
        match lengths.iter().all(|(length, most)| length <= most) {
            true => Ok(connection),
            false => Err(ApiError::invalid("one of the texts is too long")),
        }
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
    step: toolwright_app::CheckedThing,
    /// `passed`, `failed`, or `skipped` where it was not come to.
    #[schema(value_type = String)]
    outcome: toolwright_app::StepOutcome,
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
    post, path = "/api/models/test", tag = "models", request_body = Connecting,
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

impl From<toolwright_app::CheckStep> for TestedStep {
    fn from(it: toolwright_app::CheckStep) -> Self {
        let (says, advice, elapsed_ms) = (it.says, it.advice, it.elapsed_ms);
        Self { step: it.step, outcome: it.outcome, says, advice, elapsed_ms }
    }
}

/// The models at an endpoint.
#[derive(Serialize, ToSchema)]
pub(crate) struct Listed {
    models: Vec<ModelLineOf>,
    /// Why they are not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

/// The models at an endpoint, asked with this key
#[utoipa::path(
    post, path = "/api/models/list", tag = "models", request_body = Connecting,
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
    put, path = "/api/models/default", tag = "models", request_body = Choosing,
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
    let models = checked(&service, models)?;
    let change = move |document: &mut _| {
        set_model(document, &models);
        Ok(())
    };
    service.change_settings(Readers::AsBefore, change).await?;
    Ok(Json(Chosen::now(&service, None)?))
}

/// Names of models, and no file among them.
fn checked(service: &Service, models: Vec<String>) -> Result<Vec<String>, ApiError> {
    let config = service.host().config();
    let names: Vec<_> = models.iter().map(|it| it.trim().to_owned()).collect();
    if names.len() > 8 {
        return Err(ApiError::invalid("at most 8 models"));
    }
    match names.iter().find(|it| !config.is_model_name(it)) {
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
    put, path = "/api/models/providers/{name}", tag = "models", request_body = Saving,
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
    // What could not be asked is not saved.
    connection.endpoint(&service.host().config())?;
    let name = connection.provider.clone();
    let readers = match connection.api_key {
        Some(_) => Readers::Owner,
        None => Readers::AsBefore,
    };
    let change = move |document: &mut _| {
        let (model, provider) =
            (connection.model.is_some().then(|| connection.name()), connection.provider);
        let entry = ProviderEntry {
            base_url: connection.base_url,
            api: connection.api,
            api_key: connection.api_key,
        };
        entry.add(document, &provider);
        if let Some(model) = model {
            set_model(document, &[model]);
        }
        Ok(())
    };
    service.change_settings(readers, change).await?;
    Ok(Json(Chosen::now(&service, Some(&name))?))
}

/// Forget a provider and its key
///
/// Where one of its models answered, what comes with Toolwright does from now on.
#[utoipa::path(
    delete, path = "/api/models/providers/{name}", tag = "models",
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
    let config = service.host().config();
    let others =
        config.model.names().filter(|it| config.provider_of(it).is_none_or(|(it, _)| it != name));
    let others: Vec<_> = others.map(str::to_owned).collect();
    let is_asked = others.len() < config.model.names().count();
    let change = move |document: &mut _| {
        let was_there = ProviderEntry::remove(document, &name);
        if was_there && is_asked {
            set_model(document, &others);
        }
        Ok(was_there)
    };
    let (was_there, _) = service.change_settings(Readers::AsBefore, change).await?;
    match was_there {
        true => Ok(Json(Chosen::now(&service, None)?)),
        false => Err(ApiError::not_found("no such provider stands in the config file")),
    }
}
