//! [`Model`]: something that reads a conversation and says what comes next.

mod error;
mod options;
mod request_cache;
mod response;
mod sent;

use std::sync::{Arc, LazyLock, OnceLock};

use futures_core::stream::BoxStream;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::{
    error::{ModelError, ModelErrorKind},
    options::{ModelOptions, OptionError},
    request_cache::RequestCache,
    response::{FinishReason, ModelDelta, ModelResponse, Usage},
    sent::{SentHeader, SentRequest},
};
use crate::{Attachment, Conversation, OutputSchema, OutputStrategy, ToolSpec};

/// What a model streams back: parts, the last of which is [`ModelDelta::Response`].
pub type ModelStream = BoxStream<'static, Result<ModelDelta, ModelError>>;

/// Something that reads a conversation and says what comes next.
///
/// ```
/// use toolwright_core::{
///     Model, ModelDelta, ModelRequest, ModelResponse, ModelStream, StreamSender, stream_from,
/// };
///
/// /// Says back what was said last.
/// struct Echo;
///
/// impl Model for Echo {
///     fn name(&self) -> &str {
///         "example:echo"
///     }
///
///     fn call(&self, request: ModelRequest<'_>) -> ModelStream {
///         let last = request.conversation.messages().last();
///         let text = last.map(|it| it.content().to_owned()).unwrap_or_default();
///         let outbox = StreamSender::new();
///         let parts = outbox.clone();
///         Box::pin(stream_from(outbox, async move {
///             // A piece for whoever watches, as often as there is one; then the whole, once.
///             parts.put(Ok(ModelDelta::Text(text.clone())));
///             parts.put(Ok(ModelDelta::Response(ModelResponse::text(text))));
///         }))
///     }
/// }
/// ```
pub trait Model: Send + Sync {
    /// `provider:name`, as shown to people.
    fn name(&self) -> &str;

    /// Asks the model. Nothing is sent before the stream is polled; it yields parts as they
    /// arrive and ends with the committed [`ModelDelta::Response`], or with an error.
    fn call(&self, request: ModelRequest<'_>) -> ModelStream;

    /// Whether it takes this in a message. What it does not take it is never sent: a text file then is
    /// text, and of anything else it is told that it is there.
    fn accepts(&self, _attachment: &Attachment) -> bool {
        false
    }

    /// The request as [`Model::call`] would send it, without what is secret; nothing where none goes out to
    /// a provider.
    fn sent(&self, _request: ModelRequest<'_>) -> Option<SentRequest> {
        None
    }

    /// How it is made to answer in a form. Only one that answers [`OutputStrategy::Native`] here finds a
    /// schema in its requests.
    fn output_strategy(&self) -> OutputStrategy {
        OutputStrategy::Prompt
    }
}

impl<M: Model + ?Sized> Model for Arc<M> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn call(&self, request: ModelRequest<'_>) -> ModelStream {
        (**self).call(request)
    }

    fn accepts(&self, attachment: &Attachment) -> bool {
        (**self).accepts(attachment)
    }

    fn sent(&self, request: ModelRequest<'_>) -> Option<SentRequest> {
        (**self).sent(request)
    }

    fn output_strategy(&self) -> OutputStrategy {
        (**self).output_strategy()
    }
}

/// One request to a model.
#[non_exhaustive]
pub struct ModelRequest<'a> {
    /// Everything said so far.
    pub conversation: &'a Conversation,
    /// The tools on offer.
    pub tools: &'a ToolDefinitions,
    /// Whether the model may, must or must not call one.
    pub choice: ToolChoice,
    /// Whether to ask for the reply piece by piece.
    pub stream: bool,
    /// How it is to write.
    pub options: &'a Arc<ModelOptions>,
    /// The form its reply has to have, where the model itself sees to that.
    pub output: Option<&'a OutputSchema>,
    /// Where a model keeps what it encoded for earlier rounds of the same run.
    pub memo: &'a mut RequestCache,
}

/// Nothing is said of how to write. One for all, so that requests without options are alike.
static NO_OPTIONS: LazyLock<Arc<ModelOptions>> = LazyLock::new(Arc::default);

impl<'a> ModelRequest<'a> {
    /// A request for a whole reply to this conversation, with these tools to choose from.
    pub fn new(
        conversation: &'a Conversation,
        tools: &'a ToolDefinitions,
        memo: &'a mut RequestCache,
    ) -> Self {
        let (choice, options) = (ToolChoice::Auto, &*NO_OPTIONS);
        Self { conversation, tools, choice, stream: false, options, output: None, memo }
    }

    /// Says whether the model may, must or must not call a tool.
    #[must_use]
    pub fn choice(mut self, choice: ToolChoice) -> Self {
        self.choice = choice;
        self
    }

    /// Asks for the reply piece by piece.
    #[must_use]
    pub fn streamed(mut self) -> Self {
        self.stream = true;
        self
    }

    /// Says how it is to write.
    #[must_use]
    pub fn options(mut self, options: &'a Arc<ModelOptions>) -> Self {
        self.options = options;
        self
    }

    /// Says what form the reply has to have.
    #[must_use]
    pub fn output(mut self, output: Option<&'a OutputSchema>) -> Self {
        self.output = output;
        self
    }
}

/// Whether the model may, must or must not call a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToolChoice {
    /// The model decides.
    #[default]
    Auto,
    /// The model must call some tool.
    Required,
    /// The model must answer.
    None,
    /// The model must call this tool.
    Tool(String),
}

/// The tools on offer, with their definitions in OpenAI's form made once.
#[derive(Clone, Debug, Default)]
pub struct ToolDefinitions {
    specs: Arc<[Arc<ToolSpec>]>,
    json: Arc<OnceLock<String>>,
    /// All that there are, where these are only some of them.
    all: Option<Arc<[Arc<ToolSpec>]>>,
}

impl ToolDefinitions {
    /// The definitions of these tools, in this order.
    pub fn new(specs: impl IntoIterator<Item = Arc<ToolSpec>>) -> Self {
        Self { specs: specs.into_iter().collect(), json: Arc::default(), all: None }
    }

    /// The same, which were chosen among these.
    #[must_use]
    pub fn among(mut self, all: impl IntoIterator<Item = Arc<ToolSpec>>) -> Self {
        self.all = Some(all.into_iter().collect());
        self
    }

    /// All tools that there are, also those that are not on offer now.
    pub fn all(&self) -> &[Arc<ToolSpec>] {
        self.all.as_deref().unwrap_or(&self.specs)
    }

    /// The tools.
    pub fn specs(&self) -> &[Arc<ToolSpec>] {
        &self.specs
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.specs.is_empty()
    }

    /// The definitions as a JSON array in OpenAI's form, serialised on first use only.
    pub fn json(&self) -> &str {
        self.json.get_or_init(|| {
            Value::Array(self.specs.iter().map(|spec| spec.definition()).collect()).to_string()
        })
    }

    /// Whether both are the very same offer: what was serialised for one serves the other.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.json, &other.json)
    }
}
