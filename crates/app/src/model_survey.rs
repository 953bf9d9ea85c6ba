//! [`ModelSurvey`]: what is asked, who can be asked, and what answers on this machine.

use std::time::Duration;

use futures_util::{StreamExt, stream::FuturesUnordered};
use serde::Serialize;
use toolwright_core::{ModelError, ModelErrorKind};
use toolwright_models::{Api, Endpoint, EndpointConfig, Facts, Found, Vendor, discover};

use crate::{
    AppError, ChosenModels, Config, ModelBackend, OpenPacks,
    config::{ProviderConfig, SettingSource},
    model_backend::leaves_calls_in_text,
    without_password,
};

/// How long a provider may take to list its models.
const LONGEST: Duration = Duration::from_secs(10);
/// How many models of a provider are listed.
const MOST: usize = 500;

/// What is asked, who can be asked, and what answers on this machine.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct ModelSurvey {
    /// The models that are asked, in order.
    pub asked: Vec<AskedModel>,
    /// The providers whose key or address is set.
    pub providers: Vec<SurveyedProvider>,
    /// What answers on this machine.
    pub found: Vec<Found>,
    /// Everybody known by name, with the variables that hold the key.
    pub known: Vec<KnownProvider>,
}

/// A model that is asked, or could be.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct AskedModel {
    /// Its name.
    pub name: String,
    /// How many tokens it reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
    /// How many tokens it writes at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_output: Option<u64>,
    /// What a million tokens cost that it reads, and that it writes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<(f64, f64)>,
    /// What it takes besides text.
    pub takes: Vec<&'static str>,
    /// Whether it is sent tools in the API's own form; nothing where nobody knows what it makes of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<bool>,
    /// Whether it sees pictures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub images: Option<bool>,
    /// Whether it reads PDFs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pdf: Option<bool>,
}

/// A provider that was asked for its models, and what is configured of it.
#[derive(Debug)]
#[non_exhaustive]
pub struct ProviderListing {
    /// What it said.
    pub provider: SurveyedProvider,
    /// Where its key comes from, where it has one.
    pub key: Option<SettingSource>,
    /// Whether questions may name its models.
    pub is_offered: bool,
}

/// A provider whose key or address is set.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SurveyedProvider {
    /// The first half of its models' names.
    pub name: String,
    /// Where it is.
    pub base_url: String,
    /// What it speaks.
    pub api: &'static str,
    /// Whether it answers.
    pub answers: bool,
    /// Its models, where it answers.
    pub models: Vec<String>,
    /// Why it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

/// A provider that is known by name.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct KnownProvider {
    /// The first half of its models' names.
    pub name: &'static str,
    /// The root of its API.
    pub base_url: &'static str,
    /// The variables that hold its key; none where it wants none.
    pub keys: &'static [&'static str],
}

impl ModelSurvey {
    /// Looks around: at what is configured, at providers, on this machine.
    ///
    /// # Errors
    /// When what is configured to answer cannot be used.
    pub async fn of(config: &Config) -> Result<Self, AppError> {
        let chosen = ModelBackend::chosen(config, &OpenPacks::default())?;
        let (providers, found) = tokio::join!(providers(config, &chosen), found_here(config));
        let known = Vendor::ALL.iter().map(|it| KnownProvider {
            name: it.name,
            base_url: it.base_url,
            keys: it.keys,
        });
        let asked = chosen.iter().map(AskedModel::of).collect();
        Ok(Self { asked, providers, found, known: known.collect() })
    }
}

impl AskedModel {
    fn of(model: &ModelBackend) -> Self {
        let name = model.name();
        match model {
            ModelBackend::Endpoint(endpoint) => Self::at(endpoint.config(), name),
            _ => Self { name, ..Self::default() },
        }
    }

    /// What is known of a model at an endpoint, under this name.
    pub fn at(endpoint: &EndpointConfig, name: String) -> Self {
        let EndpointConfig { facts, quirks, .. } = endpoint;
        let Facts { window, max_output, price, images, pdf, audio, .. } = *facts;
        let takes = [
            (quirks.images && images != Some(false), "pictures"),
            (quirks.pdf && pdf != Some(false), "PDFs"),
            (quirks.audio && audio != Some(false), "sounds"),
        ];
        Self {
            name,
            window,
            max_output,
            price: price.map(|it| (it.input, it.output)),
            takes: takes.into_iter().filter_map(|(is, it)| is.then_some(it)).collect(),
            tools: (!leaves_calls_in_text(endpoint)).then_some(true),
            images: if quirks.images { images } else { Some(false) },
            pdf: if quirks.pdf { pdf } else { Some(false) },
        }
    }

    /// The models of a server that was found on this machine.
    pub fn found(server: &Found) -> Vec<Self> {
        let models = server.models.iter().map(|it| Self {
            name: format!("{}:{}", server.provider, it.name),
            window: it.window,
            tools: it.tools,
            images: it.images,
            ..Self::default()
        });
        models.collect()
    }
}

impl Config {
    /// What is known of the model of this name.
    pub fn described(&self, name: &str) -> AskedModel {
        let Ok(mut endpoint) = self.endpoint(name) else {
            return AskedModel { name: name.to_owned(), ..AskedModel::default() };
        };
        if let Some(facts) = self.models.get(name) {
            facts.apply(&mut endpoint);
        }
        AskedModel::at(&endpoint, name.to_owned())
    }

    /// Where the key to a provider comes from, where there is one.
    pub fn key_source(&self, provider: &str) -> Option<SettingSource> {
        let key =
            |it: &ProviderConfig| it.api_key.value.is_some().then(|| it.api_key.place.clone());
        let own = || self.providers.get(provider).and_then(key);
        let of_all = &self.model.api_key;
        match provider == "openai" && of_all.value.is_some() {
            true => Some(of_all.place.clone()),
            false => own(),
        }
    }

    /// The providers of a survey, with what is configured of each.
    pub fn listings(&self, survey: &ModelSurvey) -> Vec<ProviderListing> {
        let listing = |provider: &SurveyedProvider| ProviderListing {
            key: self.key_source(&provider.name),
            is_offered: self.is_offered(&format!("{}:any", provider.name)),
            provider: provider.clone(),
        };
        survey.providers.iter().map(listing).collect()
    }
}

/// The providers whose key or address is set, and those that are asked, each asked for its models.
async fn providers(config: &Config, chosen: &ChosenModels) -> Vec<SurveyedProvider> {
    let asked = chosen.iter().filter_map(|it| match it {
        ModelBackend::Endpoint(endpoint) => Some(endpoint.config().clone()),
        _ => None,
    });
    let named = config.providers.keys().filter_map(|name| {
        // Of a name that nobody has: only the address and the key count.
        config.endpoint(&format!("{name}:any")).ok()
    });
    let usual = config.endpoint("any").ok();
    let mut all: Vec<EndpointConfig> = Vec::new();
    for endpoint in asked.chain(usual).chain(named) {
        let is_same = |it: &EndpointConfig| {
            it.base_url == endpoint.base_url && it.api_key == endpoint.api_key
        };
        if !all.iter().any(is_same) {
            all.push(endpoint);
        }
    }
    let listing = all.into_iter().map(SurveyedProvider::of).collect::<FuturesUnordered<_>>();
    let mut listed: Vec<_> = listing.collect().await;
    listed.sort_by(|a, b| a.name.cmp(&b.name));
    listed
}

impl SurveyedProvider {
    async fn of(mut endpoint: EndpointConfig) -> Self {
        let name = endpoint.provider.to_string();
        let base_url = without_password(&endpoint.base_url);
        let (api, is_chat) = (endpoint.api.name(), endpoint.api == Api::Chat);
        endpoint.first_byte = endpoint.first_byte.min(LONGEST);
        let listed = match Endpoint::new(endpoint) {
            Ok(endpoint) => models(&endpoint).await,
            Err(error) => Err(error),
        };
        let mut found = Self {
            name,
            base_url,
            api,
            answers: true,
            models: Vec::new(),
            problem: None,
            advice: None,
        };
        match listed {
            Ok(models) => found.models = models.into_iter().take(MOST).collect(),
            Err(error) => {
                // Not every server that speaks Chat Completions has a list of models.
                found.answers = error.status == Some(404) && is_chat;
                (found.problem, found.advice) = (Some(error.message), error.advice);
            }
        }
        found
    }
}

/// The servers on this machine that offer models. Those that nobody configured, too.
pub async fn found_here(config: &Config) -> Vec<Found> {
    discover(&config.http.settings()).await
}

/// The models that an endpoint lists, within bounds of time.
pub async fn models(endpoint: &Endpoint) -> Result<Vec<String>, ModelError> {
    match tokio::time::timeout(LONGEST, endpoint.models()).await {
        Ok(listed) => listed,
        Err(_) => {
            let address = &endpoint.config().set_by.address;
            Err(ModelError::new(ModelErrorKind::Timeout, "the endpoint did not answer within 10 s")
                .with_advice(format!(
                    "check that {address} is right and the server is not overloaded"
                )))
        }
    }
}
