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
        let vendor = Vendor::named(&self.provider);
        if vendor.is_none() && base.is_none() {
            return Err(bad("provider", &self.provider, "say where it is, with base_url"));
        }
        let name = self.name();
        // A name that nobody has is read as that of a model at the usual address.
        let is_known = config.provider_of(&name).is_some_and(|(it, _)| it == self.provider);
        let configured = config.endpoint(&name).ok().filter(|_| is_known);
        let mut endpoint = match (&configured, base) {
            (Some(configured), None) => configured.clone(),
            (_, Some(base)) if self.provider == "openai" => EndpointConfig::new(base, model),
            (_, base) => located(&self.provider, base, model),
        };
        // A key that is kept goes to the address it was given for, and to no other that somebody names.
        if let Some(configured) = configured.filter(|it| is_same(it, &endpoint)) {
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

    /// Whether it can be saved so. A key that is kept, or that a variable holds, must not go to another address than
    /// it was given for.
    ///
    /// # Errors
    /// When it would, or cannot be asked at all.
    pub fn check(&self, config: &Config) -> Result<(), AppError> {
        let after = self.endpoint(config)?;
        let Some(place) = config.key_source(&self.provider) else { return Ok(()) };
        let before = config.endpoint(&self.name()).ok();
        // What a variable says beats what is saved.
        let is_replaced = self.api_key.is_some() && !place.is_said_now();
        if is_replaced || before.is_some_and(|it| is_same(&it, &after)) {
            return Ok(());
        }
        let reason = match place.is_said_now() {
            true => {
                "the key of this provider is in a variable, and for another address: use another name"
            }
            false => {
                "the key that is saved is for another address: give the one for this address, too"
            }
        };
        Err(bad("base_url", &without_password(&after.base_url), reason))
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

/// Whether both are at the same address.
fn is_same(one: &EndpointConfig, other: &EndpointConfig) -> bool {
    let address = |it: &EndpointConfig| it.base_url.trim_end_matches('/').to_owned();
    address(one) == address(other)
}

fn bad(name: &str, value: &str, reason: &str) -> AppError {
    AppError::BadValue {
        name: name.to_owned(),
        value: value.to_owned(),
        place: "what was given".to_owned(),
        reason: reason.to_owned(),
    }
}
