//! [`TextToolModel`]: a model with an interpreter beside it, for calls that are written as text.

mod decode;
mod mode;
mod offer;
mod quoting;
mod refusal;
mod rewrite;

use std::sync::{Arc, LazyLock, OnceLock};

use toolwright_core::{
    Attachment, CallSource, Conversation, Message, Model, ModelDelta, ModelError, ModelOptions,
    ModelRequest, ModelResponse, ModelStream, OutputSchema, OutputStrategy, RequestCache,
    SentRequest, StreamSender, ToolChoice, ToolDefinitions, stream_from,
};
use toolwright_dialects::{Decoder, Dialect, Prompt};

pub use self::mode::{ToolMode, UnknownToolMode};
use self::{
    decode::{Failed, Handed, Listening},
    offer::{LastOffer, Offer},
    quoting::{Known, Quotations},
    rewrite::{Rewriting, ending_with},
};

/// A model with an interpreter beside it: one that only writes text calls tools like any other.
/// Cloning is cheap.
///
/// ```
/// use toolwright_models::{Dialect, TextToolModel, Endpoint, ToolMode, EndpointConfig};
///
/// # fn main() -> Result<(), toolwright_core::ModelError> {
/// let model = Endpoint::new(EndpointConfig::new("http://localhost:11434/v1", "gemma3:4b"))?;
/// let model = TextToolModel::new(model, ToolMode::Text, Dialect::Generic);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct TextToolModel(Arc<Interpreter>);

struct Interpreter {
    inner: Arc<dyn Model>,
    mode: ToolMode,
    /// What calls are looked for in.
    dialect: Dialect,
    prompt: Prompt,
    /// How the model is offered its tools, once that is known.
    way: OnceLock<Way>,
    last: LastOffer,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    InRequest,
    InPrompt,
}

/// What is kept from round to round.
#[derive(Default)]
struct Kept {
    offer: Option<Arc<Offer>>,
    rewriting: Rewriting,
    quotations: Quotations,
    /// What the model itself keeps.
    inner: RequestCache,
}

/// No tools. One for all, because requests that offer the very same are encoded once.
static NOTHING: LazyLock<ToolDefinitions> = LazyLock::new(ToolDefinitions::default);

impl TextToolModel {
    /// Offers tools to `model` in this way, and finds calls of this dialect. Where the dialect is
    /// [`Dialect::Auto`], the model is told in the one its name tells, and heard in any: a model does
    /// not always keep to its own.
    pub fn new(model: impl Model + 'static, mode: ToolMode, dialect: Dialect) -> Self {
        let own = match dialect {
            Dialect::Auto => Dialect::for_model(model.name()).unwrap_or_default(),
            named => named,
        };
        let dialect = if own.needs_name() { own } else { dialect };
        let way = match mode {
            ToolMode::Auto => OnceLock::new(),
            ToolMode::Native => OnceLock::from(Way::InRequest),
            ToolMode::Text => OnceLock::from(Way::InPrompt),
        };
        Self(Arc::new(Interpreter {
            inner: Arc::new(model),
            mode,
            dialect,
            prompt: Prompt::new(own),
            way,
            last: LastOffer::default(),
        }))
    }

    /// The dialect calls are looked for in.
    pub fn dialect(&self) -> Dialect {
        self.0.dialect
    }
}

impl Model for TextToolModel {
    fn name(&self) -> &str {
        self.0.inner.name()
    }

    fn accepts(&self, attachment: &Attachment) -> bool {
        self.0.inner.accepts(attachment)
    }

    fn output_strategy(&self) -> OutputStrategy {
        match (self.0.inner.output_strategy(), self.0.way.get()) {
            // What calls tools in text cannot be made to.
            (OutputStrategy::Tool, Some(Way::InPrompt)) => OutputStrategy::Prompt,
            (strategy, _) => strategy,
        }
    }

    fn sent(&self, request: ModelRequest<'_>) -> Option<SentRequest> {
        let this = &self.0;
        if this.way.get() != Some(&Way::InPrompt) {
            return this.inner.sent(request);
        }
        let ModelRequest { conversation, tools, choice, stream, options, output, memo, .. } =
            request;
        let asked = Asked { choice, stream, options: options.clone(), output: output.cloned() };
        let mut rewriting = Rewriting::default();
        let offer = this.last.of(tools);
        let rewritten = rewriting.follow(conversation.messages(), &offer, &this.prompt);
        this.in_prompt(rewritten, &asked, memo, |request| this.inner.sent(request))
    }

    fn call(&self, request: ModelRequest<'_>) -> ModelStream {
        let this = &self.0;
        let way = this.way.get().copied();
        let only_native = this.mode == ToolMode::Native || request.tools.is_empty();
        if only_native && way != Some(Way::InPrompt) {
            return this.inner.call(request);
        }
        let ModelRequest { conversation, tools, choice, stream, options, output, memo, .. } =
            request;
        let kept = memo.get_or_default::<Kept>();
        let offer = match kept.offer.take().filter(|it| it.is_of(tools)) {
            Some(offer) => offer,
            None => this.last.of(tools),
        };
        kept.offer = Some(offer.clone());
        let asked = Asked {
            choice: choice.clone(),
            stream,
            options: options.clone(),
            output: output.cloned(),
        };
        let known = kept.quotations.follow(conversation.messages(), &offer, this.dialect);
        if way == Some(Way::InPrompt) {
            let rewritten = kept.rewriting.follow(conversation.messages(), &offer, &this.prompt);
            let parts = this.ask_in_prompt(rewritten, &asked, &mut kept.inner);
            return handed(|outbox| this.clone().hear(parts, offer, known, outbox));
        }
        // A provider that has taken tools will not refuse them later: then nothing has to be kept
        // for asking it another way.
        let again = way.is_none().then(|| (conversation.messages().to_vec(), asked));
        let memo = &mut kept.inner;
        let mut asking = ModelRequest::new(conversation, tools, memo).choice(choice);
        asking.stream = stream;
        let parts = this.inner.call(asking.options(options).output(output));
        let heard = Heard { known, calls_in_text: !has_called(conversation) };
        handed(|outbox| this.clone().hear_or_ask_again(parts, offer, heard, again, outbox))
    }
}

/// Whether the model made a call in the provider's own way: then what looks like one in its text is
/// quoted.
fn has_called(conversation: &Conversation) -> bool {
    let mut calls = conversation.messages().iter().flat_map(|it| it.calls());
    calls.any(|call| call.source == CallSource::Native)
}

/// How a model is listened to that was offered its tools in the provider's own way.
struct Heard {
    known: Arc<Known>,
    /// Whether its text is searched for calls.
    calls_in_text: bool,
}

/// How the model is asked.
struct Asked {
    choice: ToolChoice,
    stream: bool,
    options: Arc<ModelOptions>,
    output: Option<OutputSchema>,
}

impl Interpreter {
    /// Asks in text: the conversation is already rewritten.
    fn ask_in_prompt(
        &self,
        rewritten: &Conversation,
        asked: &Asked,
        memo: &mut RequestCache,
    ) -> ModelStream {
        self.in_prompt(rewritten, asked, memo, |request| self.inner.call(request))
    }

    /// The request that asks in text, for whoever takes it.
    fn in_prompt<T>(
        &self,
        rewritten: &Conversation,
        asked: &Asked,
        memo: &mut RequestCache,
        take: impl FnOnce(ModelRequest<'_>) -> T,
    ) -> T {
        let ending = self.prompt.choice(&asked.choice).map(|it| ending_with(rewritten, &it));
        let conversation = ending.as_ref().unwrap_or(rewritten);
        let mut request = ModelRequest::new(conversation, &NOTHING, memo);
        request.stream = asked.stream;
        take(request.options(&asked.options).output(asked.output.as_ref()))
    }

    fn decoder(&self, offer: &Offer) -> Decoder {
        Decoder::new(self.dialect, offer.tools())
    }

    /// Listens to what a model writes that can call in no other way. So a call of a tool that does not
    /// exist is one: whoever runs it tells the model which tools there are. What it quotes from a
    /// result or from the user is text.
    async fn hear(
        self: Arc<Self>,
        parts: ModelStream,
        offer: Arc<Offer>,
        known: Arc<Known>,
        outbox: StreamSender<Handed>,
    ) -> Result<ModelResponse, ModelError> {
        let own = known.clone();
        let tools = offer.tools().or_unlisted(move |call| own.is_own(call));
        let decoder = Decoder::new(self.dialect, &tools);
        let listening = Listening::new(&outbox, Some(decoder), known);
        listening.to(parts).await.map_err(|failed| failed.error)
    }

    /// The same, and where the provider refuses tools it is asked again with the tools in the
    /// prompt, now and from now on.
    async fn hear_or_ask_again(
        self: Arc<Self>,
        parts: ModelStream,
        offer: Arc<Offer>,
        Heard { known, calls_in_text }: Heard,
        again: Option<(Vec<Arc<Message>>, Asked)>,
        outbox: StreamSender<Handed>,
    ) -> Result<ModelResponse, ModelError> {
        let decoder = calls_in_text.then(|| self.decoder(&offer));
        let heard = Listening::new(&outbox, decoder, known.clone()).to(parts).await;
        let ((messages, asked), failed) = match (heard, again) {
            (Ok(reply), _) => {
                // Somebody else may have found out at the same time.
                let _ = self.way.set(Way::InRequest);
                return Ok(reply);
            }
            (Err(failed), Some(again)) if is_refusal(&failed) => (again, failed),
            (Err(failed), _) => return Err(failed.error),
        };
        let _ = self.way.set(Way::InPrompt);
        tracing::info!(reason = %failed.error, "tools go into the prompt from now on");
        outbox.put(Ok(ModelDelta::Retry {
            attempt: failed.attempt + 1,
            wait_ms: 0,
            reason: format!("{}; the tools go into the prompt instead", failed.error.message),
        }));
        let mut rewriting = Rewriting::default();
        let rewritten = rewriting.follow(&messages, &offer, &self.prompt);
        let parts = self.ask_in_prompt(rewritten, &asked, &mut RequestCache::default());
        self.hear(parts, offer, known, outbox).await
    }
}

fn is_refusal(failed: &Failed) -> bool {
    !failed.begun && refusal::of_tools(&failed.error)
}

/// What `work` hands on while it listens, and its reply at the end.
fn handed<F>(work: impl FnOnce(StreamSender<Handed>) -> F) -> ModelStream
where
    F: Future<Output = Result<ModelResponse, ModelError>> + Send + 'static,
{
    let outbox = StreamSender::new();
    let (work, last) = (work(outbox.clone()), outbox.clone());
    Box::pin(stream_from(outbox, async move { last.put(work.await.map(ModelDelta::Response)) }))
}
