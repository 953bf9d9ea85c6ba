//! [`DaprModel`]: the conversation component of a Dapr sidecar as a model.

mod channel;
mod config;
mod error;
mod reply;
mod request;

use std::{future::Future, sync::Arc};

use http::{HeaderMap, HeaderName, HeaderValue};
use toolwright_core::{
    Model, ModelDelta, ModelError, ModelErrorKind, ModelOptions, ModelRequest, ModelStream,
    OutputStrategy, StreamSender, stream_from,
};
use toolwright_http::{Http2Connector, HttpError};
use toolwright_models::check_real_request;
use toolwright_redact::Secrets;
use toolwright_timeout::timeout;

use self::channel::{Channel, Unanswered};
pub use self::config::DaprConfig;
use crate::{CONVERSATION, CONVERSE, METADATA, TOKEN_HEADER, proto};

/// How much of a sidecar's words is told.
const MOST_WORDS: usize = 2_000;

/// The conversation component of a Dapr sidecar as a model. Cloning is cheap and shares its connection.
///
/// The API does not stream: the reply comes whole. Nothing is asked twice: a sidecar has policies of its own for
/// that. Options besides the temperature have no place in it; `extra` is the component's metadata.
#[derive(Clone)]
pub struct DaprModel(Arc<Inner>);

struct Inner {
    name: Arc<str>,
    config: DaprConfig,
    channel: Channel,
    secrets: Secrets,
}

impl DaprModel {
    /// The component that `config` describes. Nothing is asked yet.
    ///
    /// # Errors
    /// When the address, the token or the component's name cannot be used.
    pub fn new(config: DaprConfig) -> Result<Self, ModelError> {
        if config.component.trim().is_empty() {
            let message = "no conversation component is named";
            return Err(ModelError::new(ModelErrorKind::NotConfigured, message)
                .with_advice("name the sidecar's component: --model dapr:NAME"));
        }
        let address = config.address()?;
        let unusable = |error: HttpError| {
            let usual = "check the section [http] of toolwright.toml, and the variables of proxies";
            ModelError::new(ModelErrorKind::NotConfigured, error.reason.clone())
                .with_advice(error.advice.unwrap_or(usual))
        };
        let connector = Http2Connector::new(&address, &config.http).map_err(unusable)?;
        if config.api_token.is_some() {
            connector.check_secret().map_err(unusable)?;
        }
        headers(&config, &ModelOptions::default())?;
        Ok(Self(Arc::new(Inner {
            name: format!("dapr:{}", config.component).into(),
            secrets: Secrets::new(config.api_token.as_deref()),
            channel: Channel::new(address, connector),
            config,
        })))
    }

    /// The conversation components that the sidecar has, by name. For checking that it answers.
    ///
    /// # Errors
    /// When it does not.
    pub async fn components(&self) -> Result<Vec<String>, ModelError> {
        let inner = &self.0;
        let headers = headers(&inner.config, &ModelOptions::default())?;
        let asked = inner.channel.call(METADATA, headers, proto::GetMetadataRequest {});
        let told: proto::GetMetadataResponse = inner.answered(asked).await?;
        let all = told.registered_components.into_iter();
        Ok(all.filter(|it| it.r#type.starts_with(CONVERSATION)).map(|it| it.name).collect())
    }

    /// The component's name.
    pub fn component(&self) -> &str {
        &self.0.config.component
    }
}

impl Inner {
    /// What is answered in time, or what it means that nothing is.
    async fn answered<R>(
        &self,
        asked: impl Future<Output = Result<R, Unanswered>>,
    ) -> Result<R, ModelError> {
        check_real_request(self.channel.host())?;
        let (at, limit) = (self.channel.shown(), self.config.timeout);
        let answered = timeout(limit, asked).await;
        let answered = answered.map_err(|_| error::too_late(&at, limit))?;
        answered.map_err(|why| {
            let mut error = error::unanswered(&at, &self.config.component, &why);
            error.message = self.secrets.line(&error.message, MOST_WORDS);
            error
        })
    }
}

/// The headers of a call: the token, and what the options say.
fn headers(config: &DaprConfig, options: &ModelOptions) -> Result<HeaderMap, ModelError> {
    let bad = |what: &str| {
        ModelError::new(ModelErrorKind::NotConfigured, format!("{what} cannot be sent in a header"))
    };
    let mut headers = HeaderMap::new();
    for (name, value) in config.options.headers.iter().chain(&options.headers) {
        let (Ok(name), Ok(value)) =
            (HeaderName::try_from(name.as_str()), HeaderValue::try_from(value.as_str()))
        else {
            return Err(bad("an option in `headers`"));
        };
        headers.insert(name, value);
    }
    if let Some(token) = &config.api_token {
        let mut value = HeaderValue::try_from(token.as_str())
            .map_err(|_| bad("the sidecar's token").with_advice("check DAPR_API_TOKEN"))?;
        value.set_sensitive(true);
        headers.insert(HeaderName::from_static(TOKEN_HEADER), value);
    }
    Ok(headers)
}

impl Model for DaprModel {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn output_strategy(&self) -> OutputStrategy {
        self.0.config.output
    }

    fn call(&self, asked: ModelRequest<'_>) -> ModelStream {
        let inner = self.0.clone();
        let unsaid = request::unsaid(&inner.config.options.with(asked.options));
        if !unsaid.is_empty() {
            tracing::warn!(
                options = unsaid.join(", "),
                "Dapr's API has no place for these options"
            );
        }
        let message = request::request(&asked, &inner.config);
        let headers = headers(&inner.config, asked.options);
        let outbox = StreamSender::new();
        let parts = outbox.clone();
        Box::pin(stream_from(outbox, async move {
            let reply = async {
                let call = inner.channel.call(CONVERSE, headers?, message);
                reply::response(inner.answered(call).await?, &inner.name)
            };
            match reply.await {
                Ok(response) => {
                    if !response.text.is_empty() {
                        parts.put(Ok(ModelDelta::Text(response.text.clone())));
                    }
                    parts.put(Ok(ModelDelta::Response(response)));
                }
                Err(error) => parts.put(Err(error)),
            }
        }))
    }
}
