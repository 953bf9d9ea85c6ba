//! [`OpenAiConfig`]: where an endpoint is and how to talk to it.

use std::{env, fmt, time::Duration};

use http::{HeaderMap, HeaderName, HeaderValue, Uri, header};
use toolwright_core::{ModelError, ModelErrorKind, ModelOptions};
use toolwright_http::{HttpSettings, RequestHeaders, RetryPolicy, without_password};
use toolwright_redact::Secrets;

use super::Quirks;

/// Shorter values of headers are words: taking them out of every text would hide what happened.
const SHORTEST: usize = 6;
/// Longer words of a provider's are cut, once there is no secret in them.
const MOST_WORDS: usize = 540;

/// Where an endpoint is and how to talk to it. Printing it does not show the key.
#[derive(Clone)]
pub struct OpenAiConfig {
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
    /// When to ask again.
    pub retry: RetryPolicy,
    /// How long to wait for the response to begin.
    pub first_byte: Duration,
    /// How long to wait for more of it. Keep-alive comments do not count.
    pub idle: Duration,
}

/// Where OpenAI itself is.
pub const OPENAI: &str = "https://api.openai.com/v1";

impl OpenAiConfig {
    /// An endpoint and a model on it.
    pub fn new(base_url: impl Into<String>, model: impl Into<String>) -> Self {
        let base_url = base_url.into();
        let host = base_url.parse::<Uri>().ok().and_then(|it| it.host().map(Quirks::of));
        Self {
            quirks: host.unwrap_or_default(),
            base_url,
            api_key: None,
            model: model.into(),
            extra_headers: Vec::new(),
            http: HttpSettings::default(),
            options: ModelOptions::default(),
            retry: RetryPolicy::default(),
            first_byte: Duration::from_secs(300),
            idle: Duration::from_secs(90),
        }
    }

    /// With a key.
    #[must_use]
    pub fn with_key(mut self, key: impl Into<String>) -> Self {
        self.api_key = Some(key.into());
        self
    }

    /// The endpoint that the environment names.
    ///
    /// # Errors
    /// When something is missing; the error says what to set.
    pub fn from_env() -> Result<Self, ModelError> {
        let said = |name: &str| env::var_os(name).map(|it| it.to_string_lossy().into_owned());
        let var = |name: &str| said(name).filter(|value| !value.trim().is_empty());
        let base = var("OPENAI_API_BASE").or_else(|| var("OPENAI_BASE_URL"));
        let key = var("OPENAI_API_KEY");
        if base.is_none() && key.is_none() {
            return Err(ModelError::new(
                ModelErrorKind::NotConfigured,
                "no model is configured: neither OPENAI_API_BASE nor OPENAI_API_KEY is set",
            )
            .with_advice(
                "set OPENAI_API_BASE to the address of an OpenAI-compatible server, or OPENAI_API_KEY for OpenAI's own",
            ));
        }
        let model = var("TOOLWRIGHT_MODEL").ok_or_else(|| {
            ModelError::new(
                ModelErrorKind::NotConfigured,
                "no model is named: TOOLWRIGHT_MODEL is not set",
            )
            .with_advice("set TOOLWRIGHT_MODEL to the name of a model on that server")
        })?;
        let mut config = Self::new(base.unwrap_or_else(|| OPENAI.to_owned()), model);
        config.api_key = key;
        Ok(config)
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
        // Some give the address of the route itself.
        let path = root.path().trim_end_matches('/');
        let path = path.strip_suffix("/chat/completions").unwrap_or(path);
        let path = format!("{path}{route}{query}");
        path.parse().map_err(|_| self.bad("it is no URL"))
    }

    /// The address with the version behind it that nearly every API has, where it has none.
    pub(super) fn with_version(&self) -> Option<String> {
        let root = self.parsed().ok()?;
        let path = root.path().trim_end_matches('/');
        let path = path.strip_suffix("/chat/completions").unwrap_or(path);
        let is_version = |part: &str| {
            part.strip_prefix('v').is_some_and(|it| it.starts_with(|c: char| c.is_ascii_digit()))
        };
        let shown = without_password(&self.base_url);
        let shown = shown.trim_end_matches('/');
        let shown = shown.strip_suffix("/chat/completions").unwrap_or(shown);
        (!path.split('/').any(is_version) && shown != "[hidden]").then(|| format!("{shown}/v1"))
    }

    /// The error, with what is probably wrong where nothing that speaks the API answered.
    pub(super) fn with_likely_cause(&self, error: ModelError) -> ModelError {
        let nobody = matches!(error.kind, ModelErrorKind::NotFound | ModelErrorKind::BrokenReply)
            || error.status == Some(405);
        match self.with_version().filter(|_| nobody) {
            Some(address) => error.with_advice(format!(
                "the address has no version in it: set OPENAI_API_BASE to {address}, unless its API is \
                 elsewhere; if it is right, check the model's name (TOOLWRIGHT_MODEL)"
            )),
            None => error,
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
        .with_advice("write it as http://HOST:PORT/v1 or https://HOST/v1")
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
            let mut value = HeaderValue::from_str(&format!("Bearer {}", key.trim()))
                .map_err(|_| bad("the key"))?;
            value.set_sensitive(true);
            headers.insert(header::AUTHORIZATION, value);
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

impl fmt::Debug for OpenAiConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("base_url", &without_password(&self.base_url))
            .field("api_key", &self.api_key.as_ref().map(|_| "[hidden]"))
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}
