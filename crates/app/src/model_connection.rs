//! [`ModelConnection`]: a model that somebody wants to connect, before or after it stands in the config file.

use toolwright_http::Url;
use toolwright_models::{Api, EndpointConfig, SetBy, Vendor};
use toolwright_pack::Secret;

use crate::{AppError, Config, model_backend::located, without_password};

/// A model that somebody wants to connect: where it is, and the key to it, which is not printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelConnection {
    /// The provider: one that is known by name, or any other name.
    pub provider: String,
    /// The root of its API, where it is not the vendor's own.
    pub base_url: Option<String>,
    /// The protocol it speaks, where that is not known by its name.
    pub api: Option<Api>,
    /// The key. Where none is given, the one that is configured for that very address.
    pub api_key: Option<Secret>,
    /// The model there.
    pub model: Option<String>,
}

impl ModelConnection {
    /// As `--model` names it.
    pub fn name(&self) -> String {
        format!("{}:{}", self.provider, self.model.as_deref().unwrap_or("any"))
    }

    /// How to ask it.
    ///
    /// # Errors
    /// When it does not say where it is, or not in a way that can be used.
    pub fn endpoint(&self, config: &Config) -> Result<EndpointConfig, AppError> {
        let model = self.model.as_deref().unwrap_or("any");
        let base = self.address()?;
        let name = self.name();
        // A name that nobody has is read as that of a model at the usual address.
        let is_known = config.provider_of(&name).is_some_and(|(it, _)| it == self.provider);
        let configured = config.endpoint(&name).ok().filter(|_| is_known);
        let is_somewhere = base.is_some() || configured.is_some();
        if !is_somewhere && Vendor::named(&self.provider).is_none() {
            return Err(bad("provider", &self.provider, "say where it is, with base_url"));
        }
        let mut endpoint = match (&configured, base) {
            (Some(configured), None) => configured.clone(),
            (_, Some(base)) if self.provider == "openai" => EndpointConfig::new(base, model),
            (_, base) => located(&self.provider, base, model),
        };
        // A key that is kept goes to the address it was given for, and to no other that somebody names.
        if let Some(configured) = configured.filter(|it| is_same(&it.base_url, &endpoint.base_url))
        {
            endpoint = configured;
        }
        if let Some(key) = &self.api_key {
            endpoint.api_key = Some(key.reveal().to_owned());
        }
        endpoint.api = self.api.unwrap_or(endpoint.api);
        endpoint.http = config.http.settings();
        // Whoever is told what is wrong has just given these, and no setting.
        endpoint.set_by = SetBy { address: "the address".into(), key: "the key".into() };
        Ok(endpoint)
    }

    /// Whether it can be saved so beside what these settings say. What is secret and kept for a provider, or in a
    /// variable, must not go to another address than it was given for.
    ///
    /// # Errors
    /// When it would, or cannot be asked at all.
    pub fn check(&self, config: &Config) -> Result<(), AppError> {
        let after = self.endpoint(config)?;
        if address_of(config, &self.provider).is_some_and(|it| is_same(&it, &after.base_url)) {
            return Ok(());
        }
        match self.kept_for_another(config) {
            Some(reason) => Err(bad("base_url", &without_password(&after.base_url), reason)),
            None => Ok(()),
        }
    }

    /// Why what is kept for the provider forbids another address.
    fn kept_for_another(&self, config: &Config) -> Option<&'static str> {
        let said = config.providers.get(&self.provider);
        if said.is_some_and(|it| !it.headers.is_empty()) {
            return Some(
                "the headers that are saved for this provider are for another address: use another name, or take them \
                 out of the config file",
            );
        }
        let place = config.key_source(&self.provider)?;
        // What a variable says beats what is saved; and so does what is said for all.
        if place.is_said_now() {
            return Some(
                "the key of this provider is in a variable, and for another address: use another name",
            );
        }
        if self.provider == "openai" && config.model.api_key.value.is_some() {
            return Some("the key in [model] is for another address: use another name");
        }
        self.api_key.is_none().then_some(
            "the key that is saved is for another address: give the one for this address, too",
        )
    }

    /// The address, without blanks around it. A password in it would be shown wherever the address is.
    fn address(&self) -> Result<Option<String>, AppError> {
        let Some(base) = self.base_url.as_deref().map(str::trim).filter(|it| !it.is_empty()) else {
            return Ok(None);
        };
        let url = Url::parse(base).ok().filter(|it| matches!(it.scheme(), "http" | "https"));
        let shown = without_password(base);
        let Some(url) = url.filter(|it| it.host().is_some()) else {
            return Err(bad("base_url", &shown, "use an address: https://models.example.com/v1"));
        };
        if !url.username().is_empty() || url.password().is_some() || url.query().is_some() {
            let reason =
                "an address has neither a login nor a query: the key has a place of its own";
            return Err(bad("base_url", "[hidden]", reason));
        }
        Ok(Some(base.trim_end_matches('/').to_owned()))
    }
}

/// Whether a variable of this name holds a key to models, or is Toolwright's own: whoever uses an API may use what is
/// configured with it, and is given no part in what it holds.
pub fn is_key_variable(name: &str) -> bool {
    let is_key = Vendor::ALL.iter().any(|it| it.keys.contains(&name));
    is_key || name.starts_with("TOOLWRIGHT_")
}

/// Where a provider is, as these settings say it; nothing where nobody of that name is known.
fn address_of(config: &Config, provider: &str) -> Option<String> {
    let said = config.providers.get(provider).and_then(|it| it.base_url.value.clone());
    let of_all = config.model.base_url.value.clone().filter(|_| provider == "openai");
    let vendors = || Vendor::named(provider).map(|it| it.base_url.to_owned());
    of_all.or(said).or_else(vendors)
}

/// Whether both are the same address.
fn is_same(one: &str, other: &str) -> bool {
    one.trim_end_matches('/') == other.trim_end_matches('/')
}

fn bad(name: &str, value: &str, reason: &str) -> AppError {
    AppError::BadValue {
        name: name.to_owned(),
        value: value.to_owned(),
        place: "what was given".to_owned(),
        reason: reason.to_owned(),
    }
}
