//! [`Endpoint`]: a model behind an address, whatever API it speaks.

mod alike;
mod api;
mod body;
mod config;
mod draft;
mod error;
mod exchange;
pub(crate) mod lenient;
mod protocol;
mod quirks;
mod reading;
mod sent;
mod sink;
mod vendor;
pub(crate) mod write;

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use bytes::Bytes;
use http::{Method, Uri};
use serde_json::Value;
use toolwright_core::{
    Attachment, AttachmentKind, Model, ModelDelta, ModelError, ModelErrorKind, ModelOptions,
    ModelRequest, ModelStream, OutputStrategy, SentRequest, StreamSender, stream_from,
};
use toolwright_http::{Budget, Origin, RequestHeaders};

pub(crate) use self::{
    alike::Alike,
    draft::{Draft, LONGEST_ARGUMENTS, append},
    error::from_body,
    protocol::{Fixed, Protocol, Reader},
    reading::{Unread, broken, understand},
};
pub use self::{
    api::Api,
    config::{EndpointConfig, SetBy},
    quirks::{EmptyContent, Quirks},
    vendor::Vendor,
};
use self::{body::Body, exchange::Exchange};
use crate::{catalogue::Facts, real};

/// A model behind an address. Cloning is cheap and shares its connections.
///
/// ```no_run
/// use toolwright_models::{Endpoint, EndpointConfig, Vendor};
///
/// // Any OpenAI-compatible server:
/// let local = Endpoint::new(EndpointConfig::new("http://localhost:8000/v1", "qwen3"))?;
/// // A vendor of its own protocol:
/// let vendor = Vendor::named("anthropic").expect("it is a row of the table");
/// let config = EndpointConfig::of(vendor, "claude-sonnet-5").with_key("…");
/// let other = Endpoint::new(config)?;
/// # Ok::<_, toolwright_core::ModelError>(())
/// ```
#[derive(Clone)]
pub struct Endpoint(Arc<Client>);

static CLIENTS: AtomicU64 = AtomicU64::new(0);

struct Client {
    /// Tells it from all others of this process.
    number: u64,
    config: EndpointConfig,
    protocol: &'static dyn Protocol,
    name: String,
    /// Whose messages those are that it wrote.
    identity: Arc<str>,
    /// Whether it refuses to be given a form for its replies.
    takes_no_schema: AtomicBool,
    origin: Origin,
    /// Where it is asked for a whole reply, and for a stream.
    paths: [Uri; 2],
    headers: RequestHeaders,
    budget: Budget,
}

impl Endpoint {
    /// The model that the environment names; see [`EndpointConfig::from_env`].
    ///
    /// # Errors
    /// When something is missing or is no address; the error says what to set.
    pub fn from_env() -> Result<Self, ModelError> {
        Self::new(EndpointConfig::from_env()?)
    }

    /// The endpoint that `config` describes.
    ///
    /// # Errors
    /// When the address or the key cannot be used.
    pub fn new(config: EndpointConfig) -> Result<Self, ModelError> {
        let protocol = config.api.protocol();
        let route = |stream| config.path(&protocol.route(&config.model, stream));
        let paths = [route(false)?, route(true)?];
        let origin = config.origin()?;
        let origin = Origin::new(&origin, &config.http).map_err(|it| error::unusable(&it))?;
        let headers = origin.headers(config.headers()?);
        Ok(Self(Arc::new(Client {
            number: CLIENTS.fetch_add(1, Ordering::Relaxed),
            name: format!("{}:{}", config.provider, config.model),
            identity: format!("{}@{}:{}", config.provider, origin.host(), config.model).into(),
            takes_no_schema: AtomicBool::new(false),
            origin,
            protocol,
            paths,
            headers,
            config,
            budget: Budget::default(),
        })))
    }

    /// How it is asked.
    pub fn config(&self) -> &EndpointConfig {
        &self.0.config
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
        let path = client.config.path(client.protocol.listing())?;
        let sent = client.origin.send(Method::GET, &path, &client.headers, Bytes::new()).await;
        let sent = sent.map_err(|it| error::unanswered(&client.origin, &client.config, &it))?;
        let (head, mut body) = sent.into_parts();
        let limit = client.config.first_byte;
        let bytes = reading::read_whole(&mut body, limit).await?;
        if !head.status.is_success() {
            let error = error::from_response(head.status, &head.headers, &bytes);
            let error = client.config.without_secrets(error, &client.headers);
            return Err(client.config.with_likely_cause(error));
        }
        // A page, or an error that is called a success: whatever answers is no API.
        let list: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        let names = match list.get("error").is_some_and(|it| !it.is_null()) {
            true => None,
            false => client.protocol.listed(&list),
        };
        names.ok_or_else(|| {
            let message = "what answers at this address is no API of models";
            let error = ModelError::new(ModelErrorKind::BrokenReply, message);
            let advice = format!(
                "check the address ({}{})",
                client.config.set_by.address,
                match client.protocol.version() {
                    Some(version) => format!(", usually ending in /{version}"),
                    None => String::new(),
                }
            );
            client.config.with_likely_cause(error.with_advice(advice))
        })
    }
}

impl Client {
    fn path(&self, stream: bool) -> &Uri {
        let [whole, streamed] = &self.paths;
        if stream { streamed } else { whole }
    }

    /// The headers of a request that has some of its own.
    fn headers_with(&self, options: &ModelOptions) -> Option<RequestHeaders> {
        let ours = &self.config.options.headers;
        if ours.is_empty() && options.headers.is_empty() {
            return None;
        }
        // Options are checked before they come here.
        let headers = self.config_with(options).headers();
        headers.ok().map(|headers| self.origin.headers(headers))
    }

    /// The settings, with the headers of a request.
    fn config_with(&self, options: &ModelOptions) -> EndpointConfig {
        let mut more = self.config.options.headers.clone();
        more.extend(options.headers.clone());
        let extra_headers = self.config.extra_headers.iter().cloned().chain(more).collect();
        EndpointConfig { extra_headers, ..self.config.clone() }
    }

    /// What does not change within a run.
    fn fixed(&self, request: &ModelRequest<'_>) -> Fixed<'_> {
        Fixed {
            client: self.number,
            model: &self.config.model,
            identity: &self.identity,
            rewritten: request.conversation.compacted().map_or(0, |it| it.messages.len()),
            quirks: &self.config.quirks,
            facts: &self.config.facts,
            options: &self.config.options,
        }
    }
}

impl Model for Endpoint {
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
        let (protocol, fixed) = (client.protocol, client.fixed(&request));
        let stream = request.stream;
        let headers = client.headers_with(request.options);
        let body = request.memo.get_or_default::<Body>();
        // Split, because the memo is borrowed from the request it encodes.
        let mut kept = std::mem::take(body);
        let bytes = kept.encode(&request, protocol, &fixed);
        // For an endpoint that refuses the form: the same without it.
        let formless = request.output.is_some().then(|| {
            request.output = None;
            kept.encode(&request, protocol, &fixed)
        });
        *request.memo.get_or_default::<Body>() = kept;

        let outbox = StreamSender::new();
        let exchange =
            Exchange { client, headers, body: bytes, formless, stream, outbox: outbox.clone() };
        Box::pin(stream_from(outbox, exchange.run()))
    }

    fn sent(&self, request: ModelRequest<'_>) -> Option<SentRequest> {
        let client = &self.0;
        let body = Body::default().encode(&request, client.protocol, &client.fixed(&request));
        let body = String::from_utf8(body.into()).ok()?;
        Some(client.shown(body, request.options, request.stream))
    }

    fn accepts(&self, attachment: &Attachment) -> bool {
        let EndpointConfig { quirks, facts, .. } = &self.0.config;
        // What the provider takes, unless this one of its models is known not to.
        let (takes, known) = match attachment.kind() {
            AttachmentKind::Image => (quirks.images, facts.images),
            AttachmentKind::Pdf => (quirks.pdf, facts.pdf),
            AttachmentKind::Audio => (quirks.audio, facts.audio),
            _ => return false,
        };
        takes && known != Some(false) && self.0.protocol.carries(attachment)
    }
}

/// What an exchange hands on.
type Handed = Result<ModelDelta, ModelError>;
