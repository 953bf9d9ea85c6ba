//! [`DaprConfig`]: which component of which sidecar, and how it is asked.

use std::{collections::BTreeMap, env, fmt, time::Duration};

use http::Uri;
use toolwright_core::{ModelError, ModelErrorKind, ModelOptions, OutputStrategy};
use toolwright_http::HttpSettings;

/// Which component of which sidecar, and how it is asked.
#[derive(Clone)]
#[non_exhaustive]
pub struct DaprConfig {
    /// The conversation component, by its name (`metadata.name`).
    pub component: String,
    /// Where the sidecar's gRPC API is: `http://127.0.0.1:50001`, `https://…`, or `host:port`.
    pub endpoint: String,
    /// The sidecar's API token. It is not printed.
    pub api_token: Option<String>,
    /// The conversation's id for components that keep something by it. It is no memory: the whole conversation
    /// is sent each time.
    pub context_id: Option<String>,
    /// What the component is told besides.
    pub metadata: BTreeMap<String, String>,
    /// How long a reply may take, all of it: the API does not stream.
    pub timeout: Duration,
    /// How an answer gets its form. Sidecars before 1.17 do not know of [`OutputStrategy::Native`], and ignore it.
    pub output: OutputStrategy,
    /// How the model is to write where a request does not say.
    pub options: ModelOptions,
    /// Proxies and certificates, where the sidecar is on another machine.
    pub http: HttpSettings,
}

/// A sidecar's port where nobody says otherwise.
const PORT: u16 = 50_001;
/// A component may ask a slow model, and say nothing until it is done.
const TIMEOUT: Duration = Duration::from_secs(300);

impl DaprConfig {
    /// This component of a sidecar on this machine, at its usual port.
    pub fn new(component: impl Into<String>) -> Self {
        Self {
            component: component.into(),
            endpoint: format!("http://127.0.0.1:{PORT}"),
            api_token: None,
            context_id: None,
            metadata: BTreeMap::new(),
            timeout: TIMEOUT,
            output: OutputStrategy::Native,
            options: ModelOptions::default(),
            http: HttpSettings::default(),
        }
    }

    /// This component of the sidecar that the environment names as Dapr's own SDKs read it:
    /// `DAPR_GRPC_ENDPOINT`, or `DAPR_GRPC_PORT` (50001) at `DAPR_RUNTIME_HOST` (127.0.0.1), and `DAPR_API_TOKEN`.
    pub fn from_env(component: impl Into<String>) -> Self {
        Self::from_vars(component, &|name| env::var(name).ok())
    }

    /// As [`DaprConfig::from_env`], with variables of the caller's.
    pub fn from_vars(
        component: impl Into<String>,
        vars: &dyn Fn(&'static str) -> Option<String>,
    ) -> Self {
        let set =
            |name| vars(name).map(|it| it.trim().to_owned()).filter(|it: &String| !it.is_empty());
        let here = || {
            let host = set("DAPR_RUNTIME_HOST").unwrap_or_else(|| "127.0.0.1".to_owned());
            let port = set("DAPR_GRPC_PORT").unwrap_or_else(|| PORT.to_string());
            format!("http://{host}:{port}")
        };
        let mut config = Self::new(component);
        config.endpoint = set("DAPR_GRPC_ENDPOINT").unwrap_or_else(here);
        config.api_token = set("DAPR_API_TOKEN");
        config
    }

    /// The sidecar's address, in the forms that Dapr's SDKs take: a URL, `dns:host:port`, `host:port?tls=true`.
    pub(super) fn address(&self) -> Result<Uri, ModelError> {
        let text = self.endpoint.trim();
        let (text, query) = text.split_once('?').unwrap_or((text, ""));
        let asked = query.split('&').any(|it| it.eq_ignore_ascii_case("tls=true"));
        let text = text.strip_prefix("dns:").map_or(text, |it| it.trim_start_matches('/'));
        let (is_encrypted, host) = match text.split_once("://") {
            Some(("https" | "grpcs", host)) => (true, host),
            Some(("http" | "grpc", host)) => (asked, host),
            Some(_) => return Err(self.no_address()),
            None => (asked, text),
        };
        let scheme = if is_encrypted { "https" } else { "http" };
        let host = host.trim_end_matches('/');
        let uri = Uri::builder().scheme(scheme).authority(host).path_and_query("/").build();
        let uri = uri.map_err(|_| self.no_address())?;
        match uri.host() {
            Some(host) if !host.is_empty() && !uri.authority().is_some_and(has_login) => Ok(uri),
            _ => Err(self.no_address()),
        }
    }

    fn no_address(&self) -> ModelError {
        // Not repeated: there may be a login in it.
        let message = "the address of the Dapr sidecar is none that can be used";
        ModelError::new(ModelErrorKind::NotConfigured, message).with_advice(
            "set DAPR_GRPC_ENDPOINT to http://HOST:PORT or https://HOST:PORT, or DAPR_GRPC_PORT to a port of \
             this machine",
        )
    }
}

fn has_login(authority: &http::uri::Authority) -> bool {
    authority.as_str().contains('@')
}

impl fmt::Debug for DaprConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DaprConfig")
            .field("component", &self.component)
            .field("api_token", &self.api_token.as_ref().map(|_| "[hidden]"))
            .finish_non_exhaustive()
    }
}
