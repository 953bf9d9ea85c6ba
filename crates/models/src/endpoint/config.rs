//! [`EndpointConfig`]: where an endpoint is and how to talk to it.

use std::{borrow::Cow, env, fmt, time::Duration};

use http::{HeaderMap, HeaderName, HeaderValue, Uri, header};
use toolwright_core::{ModelError, ModelErrorKind, ModelOptions};
use toolwright_http::{HttpSettings, RequestHeaders, RetryPolicy, without_password};
use toolwright_redact::Secrets;

use super::{Api, Facts, Quirks, Vendor};
use crate::discovery::ollama_address;

/// Shorter values of headers are words: taking them out of every text would hide what happened.
const SHORTEST: usize = 6;
/// Longer words of a provider's are cut, once there is no secret in them.
const MOST_WORDS: usize = 540;

/// Where an endpoint is and how to talk to it. Printing it does not show the key.
#[derive(Clone)]
#[non_exhaustive]
pub struct EndpointConfig {
    /// The provider's name, the first half of the model's: `openai` in `openai:gpt-6-sol`.
    pub provider: Cow<'static, str>,
    /// The protocol it speaks.
    pub api: Api,
    /// The root of the API, such as `https://api.openai.com/v1`.
    pub base_url: String,
    /// The key, where the endpoint wants one.
    pub api_key: Option<String>,
    /// The model's name.
    pub model: String,
    /// Further headers. Their values are never shown.
    pub extra_headers: Vec<(String, String)>,
    /// Proxies, certificates and headers by origin. The default: the environment's proxies.
    pub http: HttpSettings,
    /// How the model is to write, where a request does not say.
    pub options: ModelOptions,
    /// What the provider wants differently.
    pub quirks: Quirks,
    /// What is known of the model.
    pub facts: Facts,
    /// When to ask again.
    pub retry: RetryPolicy,
    /// How long to wait for the response to begin.
    pub first_byte: Duration,
    /// How long to wait for more of it. Keep-alive comments do not count.
    pub idle: Duration,
    /// Where a person sets its address and key, for advice.
    pub set_by: SetBy,
}

/// Where a person sets the address and the key of an endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetBy {
    /// The setting that is its address.
    pub address: Cow<'static, str>,
    /// The setting that is its key.
    pub key: Cow<'static, str>,
}

impl Default for SetBy {
    fn default() -> Self {
        Self { address: "OPENAI_API_BASE".into(), key: "OPENAI_API_KEY".into() }
    }
}

impl EndpointConfig {
    /// A model at an OpenAI-compatible server. OpenAI's own and others that are known by their host get what
    /// they want differently.
    pub fn new(base_url: impl Into<String>, model: impl Into<String>) -> Self {
        let (base_url, model) = (base_url.into(), model.into());
        let host = base_url.trim().parse::<Uri>().ok();
        let vendor = host.as_ref().and_then(|it| Vendor::of_host(it.host()?));
        Self {
            provider: "openai".into(),
            api: Api::Chat,
            quirks: vendor.map(|it| it.quirks).unwrap_or_default(),
            facts: match vendor {
                Some(vendor) => Facts::at(vendor.name, &model),
                None => Facts::of(&model),
            },
            base_url,
            api_key: None,
            model,
            extra_headers: Vec::new(),
            http: HttpSettings::default(),
            options: ModelOptions::default(),
            retry: RetryPolicy::default(),
            first_byte: Duration::from_secs(300),
            idle: Duration::from_secs(90),
            set_by: SetBy::default(),
        }
    }

    /// A model of a vendor's, without its key.
    pub fn of(vendor: &'static Vendor, model: impl Into<String>) -> Self {
        let key = vendor.keys.first().copied().unwrap_or("its key");
        Self {
            provider: vendor.name.into(),
            api: vendor.api,
            quirks: vendor.quirks,
            set_by: SetBy {
                address: format!("[providers.{}] base_url", vendor.name).into(),
                key: key.into(),
            },
            ..Self::new(vendor.base_url, model)
        }
    }

    /// With a key.
    #[must_use]
    pub fn with_key(mut self, key: impl Into<String>) -> Self {
        self.api_key = Some(key.into());
        self
    }

    /// In this protocol.
    #[must_use]
    pub fn with_api(mut self, api: Api) -> Self {
        self.api = api;
        self
    }

    /// The model that the environment names: `TOOLWRIGHT_MODEL` as `provider:name`, with the key that the
    /// provider's own variable holds; or a name alone, at the address in `OPENAI_API_BASE` (or
    /// `OPENAI_BASE_URL`), else at OpenAI.
    ///
    /// # Errors
    /// When something is missing; the error says what to set.
    pub fn from_env() -> Result<Self, ModelError> {
        let said = |name: &str| env::var_os(name).map(|it| it.to_string_lossy().into_owned());
        Self::from_vars(&|name| said(name).filter(|value| !value.trim().is_empty()))
    }

    /// The model that these variables name, as [`from_env`](Self::from_env) does.
    ///
    /// # Errors
    /// When something is missing; the error says what to set.
    pub fn from_vars(var: &dyn Fn(&str) -> Option<String>) -> Result<Self, ModelError> {
        let missing = |message: &str, advice: &str| {
            ModelError::new(ModelErrorKind::NotConfigured, message).with_advice(advice)
        };
        let name = var("TOOLWRIGHT_MODEL");
        if let Some((vendor, model)) = name.as_deref().and_then(Vendor::split)
            && vendor.name != "openai"
        {
            let mut config = Self::of(vendor, model);
            if let Some(host) = var("OLLAMA_HOST").filter(|_| vendor.name == "ollama") {
                config.base_url = ollama_address(&host);
            }
            return config.with_vendor_key(vendor, var);
        }
        let base = var("OPENAI_API_BASE").or_else(|| var("OPENAI_BASE_URL"));
        let key = var("OPENAI_API_KEY");
        if base.is_none() && key.is_none() {
            return Err(missing(
                "no model is configured: neither OPENAI_API_BASE nor OPENAI_API_KEY is set",
                "set OPENAI_API_BASE to the address of an OpenAI-compatible server, or OPENAI_API_KEY for \
                 OpenAI's own; or name a model of another provider in TOOLWRIGHT_MODEL, such as \
                 anthropic:NAME, and set its key",
            ));
        }
        let name = name.ok_or_else(|| {
            missing(
                "no model is named: TOOLWRIGHT_MODEL is not set",
                "set TOOLWRIGHT_MODEL to the name of a model on that server",
            )
        })?;
        let model = name.strip_prefix("openai:").unwrap_or(&name);
        let mut config = match base {
            Some(base) => Self::new(base, model),
            None => Self::of(&Vendor::OPENAI, model),
        };
        config.set_by = SetBy::default();
        config.api_key = key;
        Ok(config)
    }

    /// With the key that the vendor's own variables hold.
    fn with_vendor_key(
        mut self,
        vendor: &Vendor,
        var: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ModelError> {
        self.api_key = vendor.keys.iter().find_map(|name| var(name));
        if self.api_key.is_some() || !vendor.needs_key() {
            return Ok(self);
        }
        let name = vendor.name;
        let message = format!("the model `{name}:{}` needs a key, and there is none", self.model);
        let advice = format!("set {}", vendor.keys.join(" or "));
        Err(ModelError::new(ModelErrorKind::NotConfigured, message).with_advice(advice))
    }

    /// Where the API is, without a path.
    pub(super) fn origin(&self) -> Result<Uri, ModelError> {
        let parts = self.parsed()?.into_parts();
        let (Some(scheme), Some(authority)) = (parts.scheme, parts.authority) else {
            return Err(self.bad("it does not begin with http:// or https://"));
        };
        if !matches!(scheme.as_str(), "http" | "https") {
            return Err(self.bad("only http and https are understood"));
        }
        // Without a name and password in front of the host: the origin is shown in errors.
        let host = authority.as_str().rsplit('@').next().unwrap_or_default();
        let origin = Uri::builder().scheme(scheme).authority(host).path_and_query("/");
        origin.build().map_err(|_| self.bad("it is no URL"))
    }

    /// The path of `route` below the API's root, with exactly one slash between the two.
    pub(super) fn path(&self, route: &str) -> Result<Uri, ModelError> {
        let root = self.parsed()?;
        let query = root.query().map(|it| format!("?{it}")).unwrap_or_default();
        let path = self.without_tail(root.path());
        // A route may bring a query of its own.
        let query = if route.contains('?') { query.replacen('?', "&", 1) } else { query };
        let path = format!("{path}{route}{query}");
        path.parse().map_err(|_| self.bad("it is no URL"))
    }

    /// Some give the address of the route itself.
    fn without_tail<'a>(&self, address: &'a str) -> &'a str {
        let address = address.trim_end_matches('/');
        let tails = self.api.protocol().tails().iter();
        tails.copied().find_map(|tail| address.strip_suffix(tail)).unwrap_or(address)
    }

    /// The address with the version behind it that nearly every API has, where it has none.
    pub(super) fn with_version(&self) -> Option<String> {
        let version = self.api.protocol().version()?;
        let root = self.parsed().ok()?;
        let path = self.without_tail(root.path());
        let is_version = |part: &str| {
            part.strip_prefix('v').is_some_and(|it| it.starts_with(|c: char| c.is_ascii_digit()))
        };
        let shown = without_password(&self.base_url);
        let shown = self.without_tail(&shown);
        let is_known = path.split('/').any(is_version) || shown == "[hidden]";
        (!is_known).then(|| format!("{shown}/{version}"))
    }

    /// The error, with what is probably wrong where nothing that speaks the API answered.
    pub(super) fn with_likely_cause(&self, error: ModelError) -> ModelError {
        let nobody = matches!(error.kind, ModelErrorKind::NotFound | ModelErrorKind::BrokenReply)
            || error.status == Some(405);
        match self.with_version().filter(|_| nobody) {
            Some(address) => error.with_advice(format!(
                "the address has no version in it: set {} to {address}, unless its API is elsewhere; if it \
                 is right, check the model's name (TOOLWRIGHT_MODEL)",
                self.set_by.address
            )),
            None => self.advised(error),
        }
    }

    fn parsed(&self) -> Result<Uri, ModelError> {
        self.base_url.trim().parse().map_err(|_| self.bad("it is no URL"))
    }

    fn bad(&self, reason: &str) -> ModelError {
        ModelError::new(
            ModelErrorKind::NotConfigured,
            match without_password(&self.base_url).as_str() {
                "[hidden]" => format!("what is set is not the address of an API: {reason}"),
                shown => format!("`{shown}` is not the address of an API: {reason}"),
            },
        )
        .with_advice(match self.api.protocol().version() {
            Some(version) => {
                format!("write it as http://HOST:PORT/{version} or https://HOST/{version}")
            }
            None => "write it as http://HOST:PORT or https://HOST".to_owned(),
        })
    }

    pub(super) fn headers(&self) -> Result<HeaderMap, ModelError> {
        let bad = |what: &str| {
            let message = format!("{what} cannot be sent as an HTTP header");
            ModelError::new(ModelErrorKind::NotConfigured, message)
                .with_advice("look for line breaks or letters that are not ASCII in it")
        };
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(key) = &self.api_key {
            let (name, value) = self.api.protocol().key(key.trim());
            let mut value = HeaderValue::from_str(&value).map_err(|_| bad("the key"))?;
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        for (name, value) in self.api.protocol().headers() {
            headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        for (name, value) in &self.extra_headers {
            let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| bad(name))?;
            let mut value = HeaderValue::from_str(value).map_err(|_| bad("a header's value"))?;
            // Whatever is in it: it is for the provider, and no proxy reads it.
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        Ok(headers)
    }

    /// Some providers quote the key they reject.
    pub(super) fn without_secrets(
        &self,
        mut error: ModelError,
        headers: &RequestHeaders,
    ) -> ModelError {
        let secrets = Secrets::new(self.secrets(headers));
        error.message = secrets.line(&error.message, MOST_WORDS);
        error
    }

    /// The key, and whatever headers hold: nobody knows what is none.
    fn secrets<'a>(&'a self, headers: &'a RequestHeaders) -> impl Iterator<Item = &'a str> {
        let values = headers.secrets().map(|it| it.strip_prefix("Bearer ").unwrap_or(it));
        let values = values.filter(|value| value.len() >= SHORTEST);
        let key = self.api_key.as_deref();
        key.into_iter().chain(values).map(str::trim).filter(|secret| !secret.is_empty())
    }
}

impl fmt::Debug for EndpointConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EndpointConfig")
            .field("provider", &self.provider)
            .field("api", &self.api)
            .field("base_url", &without_password(&self.base_url))
            .field("api_key", &self.api_key.as_ref().map(|_| "[hidden]"))
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}
