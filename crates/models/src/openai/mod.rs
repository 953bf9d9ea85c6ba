//! [`OpenAi`]: any OpenAI-compatible endpoint as a model.

mod alike;
mod assemble;
mod body;
mod config;
mod error;
mod exchange;
mod lenient;
mod opening;
mod options;
mod parts;
mod quirks;
mod response;
mod sink;
mod slot;
mod wire;

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use bytes::Bytes;
use http::{Method, Uri};
use serde_json::Value;
use toolwright_core::{
    Attachment, AttachmentKind, Model, ModelDelta, ModelError, ModelErrorKind, ModelOptions,
    ModelRequest, ModelStream, OutputStrategy, StreamSender, stream_from,
};
use toolwright_http::{Budget, Origin, RequestHeaders};

use self::{
    body::{Body, Fixed},
    exchange::Exchange,
};
pub use self::{
    config::{OPENAI, OpenAiConfig},
    quirks::{EmptyContent, Quirks},
};
use crate::real;

/// Any OpenAI-compatible endpoint as a model. Cloning is cheap and shares its connections.
#[derive(Clone)]
pub struct OpenAi(Arc<Client>);

static CLIENTS: AtomicU64 = AtomicU64::new(0);

struct Client {
    /// Tells it from all others of this process.
    number: u64,
    config: OpenAiConfig,
    name: String,
    /// Whose messages those are that it wrote.
    identity: Arc<str>,
    /// Whether it refuses to be given a form for its replies.
    takes_no_schema: AtomicBool,
    origin: Origin,
    path: Uri,
    headers: RequestHeaders,
    budget: Budget,
}

impl OpenAi {
    /// The endpoint that the environment names: `OPENAI_API_BASE` (or `OPENAI_BASE_URL`),
    /// `OPENAI_API_KEY`, `TOOLWRIGHT_MODEL`.
    ///
    /// # Errors
    /// When something is missing or is no address; the error says what to set.
    pub fn from_env() -> Result<Self, ModelError> {
        Self::new(OpenAiConfig::from_env()?)
    }

    /// The endpoint that `config` describes.
    ///
    /// # Errors
    /// When the address or the key cannot be used.
    pub fn new(config: OpenAiConfig) -> Result<Self, ModelError> {
        let (origin, path) = (config.origin()?, config.path("/chat/completions")?);
        let origin = Origin::new(&origin, &config.http).map_err(|it| error::unusable(&it))?;
        let headers = origin.headers(config.headers()?);
        Ok(Self(Arc::new(Client {
            number: CLIENTS.fetch_add(1, Ordering::Relaxed),
            name: format!("openai:{}", config.model),
            identity: format!("openai@{}:{}", origin.host(), config.model).into(),
            takes_no_schema: AtomicBool::new(false),
            origin,
            path,
            headers,
            config,
            budget: Budget::default(),
        })))
    }

    /// The address with a version (`/v1`) behind it, where it has none: nearly every API has one.
    pub fn address_with_version(&self) -> Option<String> {
        self.0.config.with_version()
    }

    /// The models the endpoint offers, by name. For checking that it answers.
    ///
    /// # Errors
    /// When it does not.
    pub async fn models(&self) -> Result<Vec<String>, ModelError> {
        let client = &self.0;
        real::check_real_request(client.origin.host())?;
        let path = client.config.path("/models")?;
        let sent = client.origin.send(Method::GET, &path, &client.headers, Bytes::new()).await;
        let sent = sent.map_err(|it| error::unanswered(&client.origin, &it))?;
        let (head, mut body) = sent.into_parts();
        let limit = client.config.first_byte;
        let bytes = response::read_whole(&mut body, limit).await?;
        if !head.status.is_success() {
            let error = error::from_response(head.status, &head.headers, &bytes);
            let error = client.config.without_secrets(error, &client.headers);
            return Err(client.config.with_likely_cause(error));
        }
        // A page, or an error that is called a success: whatever answers is no API.
        let list: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        if !list.is_object() && !list.is_array()
            || list.get("error").is_some_and(|it| !it.is_null())
        {
            let message = "what answers at this address is no OpenAI-compatible API";
            let error = ModelError::new(ModelErrorKind::BrokenReply, message)
                .with_advice("check the address (OPENAI_API_BASE, usually ending in /v1)");
            return Err(client.config.with_likely_cause(error));
        }
        let names = list.get("data").and_then(Value::as_array).into_iter().flatten();
        Ok(names.filter_map(|it| it.get("id")?.as_str()).map(str::to_owned).collect())
    }
}

impl Client {
    /// The headers of a request that has some of its own.
    fn headers_with(&self, options: &ModelOptions) -> Option<RequestHeaders> {
        let ours = &self.config.options.headers;
        if ours.is_empty() && options.headers.is_empty() {
            return None;
        }
        let mut more = ours.clone();
        more.extend(options.headers.clone());
        let extra_headers = self.config.extra_headers.iter().cloned().chain(more).collect();
        let config = OpenAiConfig { extra_headers, ..self.config.clone() };
        // Options are checked before they come here.
        config.headers().ok().map(|headers| self.origin.headers(headers))
    }
}

impl Model for OpenAi {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn output_strategy(&self) -> OutputStrategy {
        match self.0.takes_no_schema.load(Ordering::Relaxed) {
            true => OutputStrategy::Prompt,
            false => self.0.config.quirks.output,
        }
    }

    fn call(&self, mut request: ModelRequest<'_>) -> ModelStream {
        let client = self.0.clone();
        let config = &client.config;
        let fixed = Fixed {
            client: client.number,
            model: &config.model,
            identity: &client.identity,
            quirks: &config.quirks,
            options: &config.options,
        };
        let stream = request.stream;
        let headers = client.headers_with(request.options);
        let body = request.memo.get_or_default::<Body>();
        // Split, because the memo is borrowed from the request it encodes.
        let mut kept = std::mem::take(body);
        let bytes = kept.encode(&request, &fixed);
        // For an endpoint that refuses the form: the same without it.
        let formless = request.output.is_some().then(|| {
            request.output = None;
            kept.encode(&request, &fixed)
        });
        *request.memo.get_or_default::<Body>() = kept;

        let outbox = StreamSender::new();
        let exchange =
            Exchange { client, headers, body: bytes, formless, stream, outbox: outbox.clone() };
        Box::pin(stream_from(outbox, exchange.run()))
    }

    fn accepts(&self, attachment: &Attachment) -> bool {
        let quirks = &self.0.config.quirks;
        match (attachment.kind(), attachment.media_type.as_str()) {
            (AttachmentKind::Image, "image/png" | "image/jpeg" | "image/webp" | "image/gif") => {
                quirks.images
            }
            (AttachmentKind::Pdf, _) => quirks.pdf,
            (AttachmentKind::Audio, "audio/wav" | "audio/mpeg") => quirks.audio,
            _ => false,
        }
    }
}

/// What an exchange hands on.
type Handed = Result<ModelDelta, ModelError>;
