//! [`Cassette`]: a model whose exchanges are written to a file, or read from one.

mod difference;
mod error;
mod exchange;
mod file;
mod format;
mod mode;
mod parts;
mod read;
mod request;
mod scrub;
mod written;

use std::sync::Arc;

use futures_util::{StreamExt, stream};
use toolwright_core::{
    Attachment, Model, ModelDelta, ModelError, ModelRequest, ModelStream, OutputStrategy,
    SentRequest,
};
use toolwright_redact::Secrets;

pub use self::{
    exchange::Exchange, file::CassetteFile, format::CassetteHeader, mode::CassetteMode,
};
use self::{format::ModelCard, parts::Part, request::Request};

/// A model whose exchanges are written to a file, or read from one.
///
/// What is recorded once is a test that needs no endpoint, no key and no luck: the model says the same again,
/// and a request that is not as it was recorded is an error that says what is different.
///
/// ```
/// # use std::sync::Arc;
/// use toolwright_core::ModelResponse;
/// use toolwright_models::{Cassette, CassetteFile, CassetteHeader, CassetteMode, Scripted};
///
/// # let folder = std::env::temp_dir().join(format!("cassette-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// # let path = folder.join("hello.jsonl");
/// let file = CassetteFile::open(&path, CassetteMode::Record, CassetteHeader::new())?;
/// let model = Arc::new(Scripted::new([ModelResponse::text("Hello.")]));
/// let model = Cassette::new(file, model).secrets(["sk-never-in-a-file"]);
/// // … an agent asks it; later, and elsewhere:
/// # drop(model);
/// let file = CassetteFile::open(&path, CassetteMode::Replay, CassetteHeader::new())?;
/// let model = Cassette::replaying(file);
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<_, toolwright_core::ModelError>(())
/// ```
#[derive(Clone)]
pub struct Cassette {
    file: CassetteFile,
    model: Option<Arc<dyn Model>>,
    card: ModelCard,
    secrets: Arc<Secrets>,
}

impl Cassette {
    /// This model, recorded or replayed as the file is opened for.
    pub fn new(file: CassetteFile, model: Arc<dyn Model>) -> Self {
        let card = ModelCard::of(&*model);
        Self { file, model: Some(model), card, secrets: Arc::new(Secrets::new([])) }
    }

    /// The model that was recorded first, without itself: there is no endpoint, and nobody is asked.
    pub fn replaying(file: CassetteFile) -> Self {
        let card = file.first_model().unwrap_or_else(|| ModelCard::named("recording"));
        Self { file, model: None, card, secrets: Arc::new(Secrets::new([])) }
    }

    /// Keeps these texts out of the file, in whatever spelling they occur.
    #[must_use]
    pub fn secrets<'a>(mut self, secrets: impl IntoIterator<Item = &'a str>) -> Self {
        self.secrets = Arc::new(Secrets::new(secrets));
        self
    }

    /// The file.
    pub fn file(&self) -> &CassetteFile {
        &self.file
    }
}

impl Model for Cassette {
    fn name(&self) -> &str {
        &self.card.name
    }

    fn sent(&self, request: ModelRequest<'_>) -> Option<SentRequest> {
        self.model.as_ref()?.sent(request)
    }

    fn call(&self, request: ModelRequest<'_>) -> ModelStream {
        let mode = self.file.mode();
        let asked = Request::of(&request, &self.secrets);
        if mode.replays() {
            let by = (mode == CassetteMode::RecordMissing).then(|| self.name());
            match self.file.take(&asked, by) {
                Some(exchange) => return Box::pin(stream::iter(exchange.play())),
                None if mode == CassetteMode::Replay => return failed(self.file.why_not(&asked)),
                None => {}
            }
        }
        let Some(model) = &self.model else { return failed(error::no_model()) };
        // How it is made to answer in a form it may have found out meanwhile.
        let card = ModelCard { output: model.output_strategy(), ..self.card.clone() };
        let exchange = Exchange {
            model: card,
            request: asked,
            parts: Some(Vec::new()),
            reply: None,
            error: None,
        };
        let recorder = Recorder {
            parts: model.call(request),
            exchange: Some(exchange),
            file: self.file.clone(),
            secrets: self.secrets.clone(),
        };
        Box::pin(stream::unfold(recorder, |mut recorder| async move {
            let part = recorder.next().await?;
            Some((part, recorder))
        }))
    }

    fn accepts(&self, attachment: &Attachment) -> bool {
        match &self.model {
            Some(model) => model.accepts(attachment),
            None => self.card.accepts(attachment),
        }
    }

    /// As it was when the request that is next was recorded; as the model says, where none is.
    fn output_strategy(&self) -> OutputStrategy {
        let replayed = if self.file.mode().replays() { self.file.next_model() } else { None };
        match (replayed, &self.model) {
            (Some(card), _) => card.output,
            (None, Some(model)) => model.output_strategy(),
            (None, None) => self.card.output,
        }
    }
}

fn failed(error: ModelError) -> ModelStream {
    Box::pin(stream::iter([Err(error)]))
}

/// Hands on what a model says, and writes it down when it has said all. What is broken off before that, by
/// whoever asked, is no exchange.
struct Recorder {
    parts: ModelStream,
    /// None once it was written.
    exchange: Option<Exchange>,
    file: CassetteFile,
    secrets: Arc<Secrets>,
}

impl Recorder {
    async fn next(&mut self) -> Option<Result<ModelDelta, ModelError>> {
        let part = self.parts.next().await;
        let Some(mut exchange) = self.exchange.take() else { return part };
        match &part {
            Some(Ok(ModelDelta::Response(reply))) => {
                // Pieces that tell no more than the whole are not written twice.
                if exchange.parts.as_ref().is_some_and(|parts| *parts == Part::of(reply)) {
                    exchange.parts = None;
                }
                exchange.reply = Some(reply.clone().into());
            }
            Some(Ok(delta)) => {
                if let Some(parts) = &mut exchange.parts {
                    Part::add(parts, delta);
                }
                self.exchange = Some(exchange);
                return part;
            }
            Some(Err(error)) => exchange.error = Some(error.clone()),
            None => {}
        }
        exchange.scrub_reply(&self.secrets);
        match self.file.add(&exchange) {
            Ok(()) => part,
            // Who records relies on the file: it is not found out weeks later that it is not whole.
            Err(error) => Some(Err(error)),
        }
    }
}
