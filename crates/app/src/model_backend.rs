//! [`ModelBackend`]: what answers, from what was configured.

use std::{sync::Arc, time::Duration};

use toolwright_core::{Attachment, Model, ModelError, ModelErrorKind, Price};
use toolwright_embed::Source;
use toolwright_models::{Api, Endpoint, EndpointConfig, SetBy, TextToolModel, ToolMode, Vendor};
use toolwright_pack::PackModel;
use toolwright_runtime::{Agent, ContextWindow, FallbackModel};

use crate::{
    AppError, Config, DaprModel, OfflineModel, OpenPacks, Recording,
    config::{ProviderConfig, Setting, SettingSource},
    dapr,
    words::nearest,
};

/// How long a model that others can stand in for is waited for.
const FIRST_BYTE: Duration = Duration::from_secs(60);

/// What answers.
#[derive(Clone)]
pub enum ModelBackend {
    /// A model behind an endpoint.
    Endpoint(Endpoint),
    /// A model behind a Dapr sidecar.
    Dapr(Arc<DaprModel>),
    /// A small model in this process: nothing else is configured.
    Offline(Arc<OfflineModel>),
    /// A model that comes with a pack.
    Pack(PackModel, Arc<dyn Model>),
    /// What a model said, recorded: nobody is asked.
    Recorded(Recording),
}

impl ModelBackend {
    /// What was configured to answer.
    ///
    /// # Errors
    /// When it cannot be used as configured.
    pub fn from_config(config: &Config, packs: &OpenPacks) -> Result<Self, AppError> {
        Self::named(config, packs, config.model.names().next(), Standing::First)
    }

    /// What was configured to answer, and what in its place where it gives no reply.
    ///
    /// # Errors
    /// When one of them cannot be used as configured.
    pub fn chosen(config: &Config, packs: &OpenPacks) -> Result<ChosenModels, AppError> {
        let first = Self::from_config(config, packs)?;
        let others = config.model.names().skip(1);
        let others = others.map(|it| Self::named(config, packs, Some(it), Standing::Other));
        Ok(ChosenModels { first, others: others.collect::<Result<_, _>>()? })
    }

    fn named(
        config: &Config,
        packs: &OpenPacks,
        name: Option<&str>,
        standing: Standing,
    ) -> Result<Self, AppError> {
        if let Some(weights) = config.weights(name) {
            return Ok(Self::Offline(packs.offline(weights)?));
        }
        if let Some((about, model)) = name.and_then(|name| of_pack(config, name)) {
            return Ok(Self::Pack(about, model));
        }
        let Some(name) = name else {
            let message = "an endpoint is configured but no model on it is named";
            return Err(missing(message, "name one with --model or TOOLWRIGHT_MODEL"));
        };
        if let Some(component) = dapr::component(name) {
            return Ok(Self::Dapr(dapr::model(config, component)?));
        }
        let mut endpoint = config.endpoint(name)?;
        if standing == Standing::First {
            config.model.facts().apply(&mut endpoint);
        }
        if let Some(facts) = config.models.get(name) {
            facts.apply(&mut endpoint);
        }
        if config.model.names().count() > 1 {
            // Another can answer: nobody waits long for one that does not.
            endpoint.first_byte = endpoint.first_byte.min(FIRST_BYTE);
            endpoint.retry.retries = endpoint.retry.retries.min(1);
        }
        Ok(Self::Endpoint(Endpoint::new(endpoint)?))
    }

    /// What is asked.
    pub(crate) fn model(&self, config: &Config) -> Arc<dyn Model> {
        match self {
            Self::Endpoint(model) => {
                let mode = match config.model.tool_mode.value {
                    ToolMode::Auto if !leaves_calls_in_text(model.config()) => ToolMode::Native,
                    mode => mode,
                };
                Arc::new(TextToolModel::new(model.clone(), mode, config.model.dialect.value))
            }
            Self::Dapr(model) => model.clone(),
            Self::Offline(model) => model.clone(),
            Self::Pack(_, model) => model.clone(),
            Self::Recorded(recording) => recording.model(),
        }
    }

    /// Whether it can be asked from this process, as far as that is known before it is.
    ///
    /// # Errors
    /// When it cannot, and why: its weights are not here.
    pub(crate) async fn ready(&self) -> Result<(), ModelError> {
        match self {
            Self::Offline(model) => model.ready().await,
            Self::Endpoint(_) | Self::Dapr(_) | Self::Pack(..) | Self::Recorded(_) => Ok(()),
        }
    }

    /// Whether it takes what is like this attachment.
    pub fn accepts(&self, config: &Config, attachment: &Attachment) -> bool {
        self.model(config).accepts(attachment)
    }

    /// What its tokens cost, where that is known.
    pub fn price(&self) -> Option<Price> {
        match self {
            Self::Endpoint(model) => model.config().facts.price,
            _ => None,
        }
    }

    /// How much of a conversation it is sent: as was set, and where nothing was, no more than it reads.
    pub(crate) fn window(&self, config: &Config) -> ContextWindow {
        let Setting { value: window, place } = &config.context.window;
        let reads = match self {
            Self::Endpoint(model) => model.config().facts.window,
            _ => None,
        };
        let reads = reads.filter(|_| matches!(place, SettingSource::Default));
        ContextWindow { tokens: reads.unwrap_or(u64::MAX).min(window.tokens), ..*window }
    }

    /// It in the place of others that give no reply.
    pub(crate) fn fallback(&self, config: &Config, model: Arc<dyn Model>) -> FallbackModel {
        let model = FallbackModel::new(model).window(self.window(config));
        match self.price() {
            Some(price) => model.price(price),
            None => model,
        }
    }

    /// The model that looks at answers, at the same endpoint.
    pub(crate) fn judge(&self, config: &Config) -> Result<Option<Arc<dyn Model>>, AppError> {
        let Some(name) = &config.model.judge.value else { return Ok(None) };
        let model = match self {
            Self::Endpoint(model) => model,
            Self::Recorded(recording) => return Ok(Some(recording.model())),
            _ => return Ok(None),
        };
        let provider = &model.config().provider;
        let name = match config.provider_of(name) {
            Some(_) => name.clone(),
            None => format!("{provider}:{name}"),
        };
        Ok(Some(Arc::new(Endpoint::new(config.endpoint(&name)?)?)))
    }

    /// Whether it is the small one in this process, or was when it was recorded.
    pub(crate) fn is_small(&self) -> bool {
        match self {
            Self::Offline(_) => true,
            Self::Recorded(recording) => recording.is_of_offline(),
            _ => false,
        }
    }

    /// Whether it comes with Toolwright, and is no model of the user's.
    pub fn is_built_in(&self) -> bool {
        match self {
            Self::Offline(_) | Self::Pack(..) | Self::Recorded(_) => true,
            Self::Endpoint(_) | Self::Dapr(_) => false,
        }
    }

    /// Gets ready to answer, in the background, where it is the small one in this process: its weights are read, and
    /// what chooses among the tools of this agent. Nothing is done where it is ready, and of any other nothing is asked
    /// before a question is.
    pub(crate) fn warm(&self, agent: &Agent, embedder: Option<&Source>) {
        let Self::Offline(model) = self else { return };
        // What makes vectors elsewhere is told nothing before there is a question.
        let toolbox = &agent.settings().toolbox;
        if model.warm(|| toolbox.usual_offers()) && embedder.is_some_and(Source::is_local) {
            let toolbox = toolbox.clone();
            tokio::spawn(async move { toolbox.warm().await });
        }
    }

    /// Its name.
    pub fn name(&self) -> String {
        match self {
            Self::Endpoint(model) => model.name().to_owned(),
            Self::Dapr(model) => model.name().to_owned(),
            Self::Offline(model) => model.name().to_owned(),
            Self::Pack(about, _) => about.name.to_owned(),
            Self::Recorded(recording) => recording.model().name().to_owned(),
        }
    }

    /// One honest line about what answers.
    pub fn describe(&self) -> String {
        match self {
            Self::Endpoint(model) => model.name().to_owned(),
            Self::Dapr(model) => model.name().to_owned(),
            Self::Offline(_) => "the offline model answers, a small one in this process: it calls the tools here \
                 and tells what they return, and knows little else; `toolwright doctor` tells how to \
                 connect another"
                .to_owned(),
            Self::Pack(about, _) => {
                format!("{}; `toolwright doctor` tells how to connect a model", about.about)
            }
            Self::Recorded(recording) => recording.about().to_owned(),
        }
    }
}

/// What answers, and what in its place where it gives no reply.
#[derive(Clone)]
pub struct ChosenModels {
    /// What is asked first.
    pub first: ModelBackend,
    /// What is asked where those before it give no reply, in order.
    pub others: Vec<ModelBackend>,
}

impl ChosenModels {
    /// This one alone.
    pub(crate) fn only(first: ModelBackend) -> Self {
        Self { first, others: Vec::new() }
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = &ModelBackend> {
        std::iter::once(&self.first).chain(&self.others)
    }
}

/// Whether a model is the first to be asked, of which the section `[model]` speaks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    First,
    Other,
}

/// Whether calls may be left in the text: some servers do not find them there. What vendors run themselves
/// never does, and what looks like a call is quoted.
pub(crate) fn leaves_calls_in_text(endpoint: &EndpointConfig) -> bool {
    match endpoint.api {
        Api::Chat => endpoint.provider != "openai-chat",
        Api::Ollama => true,
        _ => false,
    }
}

/// The model of this name that comes with a pack.
fn of_pack(config: &Config, name: &str) -> Option<(PackModel, Arc<dyn Model>)> {
    config.packs().iter().find_map(|pack| {
        let about = pack.info().models.iter().find(|it| it.name == name)?;
        Some((*about, pack.model(name)?))
    })
}

impl Config {
    /// The provider that a model's name begins with, where it begins with one: `llama3.2:3b` does not.
    pub fn provider_of<'n>(&self, name: &'n str) -> Option<(&'n str, &'n str)> {
        let (provider, model) = name.split_once(':').filter(|(_, model)| !model.is_empty())?;
        let is_known = Vendor::named(provider).is_some() || self.providers.contains_key(provider);
        is_known.then_some((provider, model))
    }

    /// Whom asking for a model of this name asks; nobody, where it is in this process.
    pub(crate) fn provider_name<'n>(&self, name: &'n str) -> Option<&'n str> {
        let is_here = self.weights(Some(name)).is_some() || of_pack(self, name).is_some();
        let provider = || match dapr::component(name) {
            Some(_) => "dapr",
            None => self.provider_of(name).map_or("openai", |(provider, _)| provider),
        };
        (!is_here).then(provider)
    }

    /// Where the model of this name is, and how to ask it.
    ///
    /// # Errors
    /// When something that it needs is not set; the error says what.
    pub fn endpoint(&self, name: &str) -> Result<EndpointConfig, AppError> {
        let mut endpoint = match self.provider_of(name) {
            None => self.openai(name, name),
            Some(("openai", model)) => self.openai(name, model),
            Some((provider, model)) => self.provided(name, provider, model),
        }?;
        endpoint.idle = self.model.idle_timeout.value;
        Ok(endpoint)
    }

    /// A model at the address that was set for all, or at OpenAI.
    fn openai(&self, name: &str, model: &str) -> Result<EndpointConfig, AppError> {
        let provider = self.providers.get("openai");
        let said = provider.and_then(|it| it.base_url.value.as_deref());
        let base = self.model.base_url.value.as_deref().or(said);
        let is_folders = matches!(self.model.base_url.place, SettingSource::Folder(_));
        // A key of the user's never goes to an address that a folder names.
        let provider = provider.filter(|_| !is_folders);
        let key = provider.and_then(|it| it.api_key.value.as_ref());
        let key = self.model.api_key.value.as_ref().or(key);
        if base.is_none() && key.is_none() {
            return Err(self.unreachable(name));
        }
        let mut endpoint = match base {
            Some(base) => EndpointConfig::new(base, model),
            None => EndpointConfig::of(&Vendor::OPENAI, model),
        };
        endpoint.set_by = SetBy::default();
        endpoint.api_key = key.map(|key| key.reveal().to_owned());
        endpoint.api = provider.and_then(|it| it.api).unwrap_or(endpoint.api);
        endpoint.extra_headers = provider.map(headers).unwrap_or_default();
        endpoint.http = self.model_http();
        Ok(endpoint)
    }

    /// A model of a provider with a name.
    fn provided(
        &self,
        name: &str,
        provider: &str,
        model: &str,
    ) -> Result<EndpointConfig, AppError> {
        let said = self.providers.get(provider);
        let vendor = Vendor::named(provider);
        let base = said.and_then(|it| it.base_url.value.clone());
        let mut endpoint = located(provider, base, model);
        let key = said.and_then(|it| it.api_key.value.as_ref());
        let is_elsewhere = said.is_some_and(|it| it.base_url.value.is_some());
        if let Some(vendor) = vendor.filter(|it| it.needs_key() && key.is_none() && !is_elsewhere) {
            let message = format!("the model `{name}` needs a key, and there is none");
            let keys = vendor.keys.join(" or ");
            return Err(missing(
                &message,
                &format!("set {keys}, or [providers.{provider}] api_key"),
            ));
        }
        endpoint.api_key = key.map(|key| key.reveal().to_owned());
        endpoint.api = said.and_then(|it| it.api).unwrap_or(endpoint.api);
        endpoint.extra_headers = said.map(headers).unwrap_or_default();
        endpoint.http = self.http.settings();
        Ok(endpoint)
    }

    /// What to know where a limit on money bounds nothing: a model whose price nobody knows.
    pub(crate) fn unpriced(&self) -> Option<String> {
        self.limits.cost.value?;
        let packs = OpenPacks::default();
        let names = self.model.names().enumerate();
        let unpriced = names.filter_map(|(number, name)| {
            let standing = if number == 0 { Standing::First } else { Standing::Other };
            let is_asked = self.provider_name(name).is_some();
            let model = is_asked.then(|| self.priced(&packs, name, standing))?;
            model.is_none().then_some(name)
        });
        let unpriced: Vec<_> = unpriced.collect();
        (!unpriced.is_empty()).then(|| {
            let names = unpriced.join(", ");
            format!(
                "limits.cost does not bound what {names} costs: its price is not known; set input_price and \
                 output_price in [models.\"{}\"]",
                unpriced.first().unwrap_or(&"NAME")
            )
        })
    }

    /// What tokens of a model cost that is asked; nothing where it cannot be asked, which is told elsewhere.
    fn priced(&self, packs: &OpenPacks, name: &str, standing: Standing) -> Option<Price> {
        let model = ModelBackend::named(self, packs, Some(name), standing);
        model.map_or_else(|_| Some(Price::default()), |it| it.price())
    }

    /// Why a model is not asked for which there is no endpoint.
    fn unreachable(&self, name: &str) -> AppError {
        let provider = name.split_once(':').map(|(provider, _)| provider);
        let known = Vendor::ALL.iter().map(|it| it.name);
        let known = known.chain(self.providers.keys().map(String::as_str));
        let alike = provider.and_then(|it| nearest(it, known));
        if let Some(provider) = name.strip_suffix(':') {
            let message = format!("`{name}` names no model");
            return missing(
                &message,
                &format!("write its name behind the colon: `{provider}:NAME`"),
            );
        }
        let message = match provider {
            Some(it) if it != "openai" => format!(
                "the model `{name}` is named, but no provider is called `{it}`, and no endpoint is configured"
            ),
            _ => format!("the model `{name}` is named but no endpoint is configured"),
        };
        let advice = match alike {
            Some(alike) if Some(alike.as_str()) != provider => format!("did you mean `{alike}:…`?"),
            _ => "set OPENAI_API_BASE to a server's address, or OPENAI_API_KEY for OpenAI's own; or name \
                  the provider as in `anthropic:NAME` (`toolwright models` lists those there are)"
                .to_owned(),
        };
        missing(&message, &advice)
    }
}

/// A model of this provider, where it is: at the vendor's own address where no other is said.
pub(crate) fn located(provider: &str, base: Option<String>, model: &str) -> EndpointConfig {
    match (Vendor::named(provider), base) {
        (Some(vendor), base) => {
            let mut endpoint = EndpointConfig::of(vendor, model);
            if let Some(base) = base {
                // Whoever answers there asks a price of its own.
                endpoint.facts.price = None;
                endpoint.base_url = base;
            }
            endpoint
        }
        (None, base) => {
            let mut endpoint = EndpointConfig::new(base.unwrap_or_default(), model);
            endpoint.provider = provider.to_owned().into();
            endpoint.set_by.key = format!("[providers.{provider}] api_key").into();
            endpoint.set_by.address = format!("[providers.{provider}] base_url").into();
            endpoint
        }
    }
}

fn headers(provider: &ProviderConfig) -> Vec<(String, String)> {
    let headers = provider.headers.iter();
    headers.map(|(name, value)| (name.clone(), value.reveal().to_owned())).collect()
}

fn missing(message: &str, advice: &str) -> AppError {
    ModelError::new(ModelErrorKind::NotConfigured, message).with_advice(advice).into()
}
