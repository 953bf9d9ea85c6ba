//! [`ModelOffer`]: what can answer. Testing a model is in `check`, connecting it in `provider`, getting it ready in `warm`.

pub(super) mod check;
pub(super) mod provider;
pub(super) mod warm;

use axum::extract::State;
use serde::Serialize;
use toolwright_app::{AskedModel, Config, OfflineModel, ProviderListing, config::SettingSource};
use utoipa::ToSchema;

use crate::{ApiError, json::Json, server::Service};

/// What can answer.
#[derive(Serialize, ToSchema)]
pub(crate) struct ModelOffer {
    /// What answers, and behind it what answers in its place where it gives no reply.
    answers: Vec<OfferedModel>,
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
pub(crate) struct OfferedModel {
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
    models: Vec<OfferedModel>,
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
    models: Vec<OfferedModel>,
}

/// A provider that is known by name.
#[derive(Serialize, ToSchema)]
pub(crate) struct KnownLine {
    name: &'static str,
    base_url: &'static str,
    /// The variables that hold its key; none where it wants none.
    keys: Vec<&'static str>,
}

impl From<AskedModel> for OfferedModel {
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
#[utoipa::path(get, path = "/api/models", operation_id = "list_models", tag = "models", responses((status = 200, body = ModelOffer)))]
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
