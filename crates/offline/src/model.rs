//! [`Offline`]: a language model in this process that calls tools.

mod sessions;
mod writer;

use std::{fmt, path::Path, sync::Arc};

use jiff::{Zoned, civil::Date};
use toolwright_core::{Model, ModelRequest, ModelStream};
use toolwright_models::{Dialect, TextToolModel, ToolMode};

use self::writer::Writer;
use crate::{
    OfflineError,
    engine::Llama,
    pull::pulled,
    tokens::Tokenizer,
    weights::{Adapter, Gguf},
};

/// What was taught on top of SmolLM2-135M-Instruct, so that it calls tools.
static ADAPTER: &[u8] = include_bytes!("../adapter/adapter.safetensors");

/// What day it is, for whoever asks about yesterday.
type Today = Arc<dyn Fn() -> Option<Date> + Send + Sync>;

/// A language model in this process that calls tools. Cloning it costs nothing; clones share the
/// weights, and one of them writes at a time.
///
/// It writes text, and [`TextToolModel`] finds the calls in it, as for any model that only writes text.
/// What is its own is the prompt, the form of which it was taught, and that it can write nothing
/// but calls that are valid.
#[derive(Clone)]
pub struct Offline {
    writer: Writer,
    heard: TextToolModel,
}

impl Offline {
    /// The model whose weights were [pulled](crate::pull()) into a folder.
    ///
    /// # Errors
    /// `Missing` where they are not there, `Damaged` where they are not what they should be.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, OfflineError> {
        let gguf = Gguf::open(pulled(folder)?)?;
        Self::new("offline", &gguf, Some(&Adapter::new(ADAPTER)?))
    }

    /// A model of other weights: those of any GGUF of the llama architecture that was taught
    /// conversations in ChatML. An adapter for it may be given.
    ///
    /// # Errors
    /// `Unsupported` where it is of another kind, `Damaged` where it is not sound.
    pub fn with_weights(
        path: impl AsRef<Path>,
        adapter: Option<&Adapter>,
    ) -> Result<Self, OfflineError> {
        let path = path.as_ref();
        let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
        Self::new(&format!("offline:{name}"), &Gguf::open(path)?, adapter)
    }

    fn new(name: &str, gguf: &Gguf, adapter: Option<&Adapter>) -> Result<Self, OfflineError> {
        let tokenizer = Tokenizer::new(gguf)?;
        let model = Llama::new(gguf, adapter)?;
        let today: Today = Arc::new(|| Some(Zoned::now().date()));
        Ok(Self::of(Writer::new(name, model, tokenizer, today)))
    }

    fn of(writer: Writer) -> Self {
        let heard = TextToolModel::new(writer.clone(), ToolMode::Auto, Dialect::Hermes);
        Self { writer, heard }
    }

    /// The same model with another calendar; none says nothing of the day.
    #[must_use]
    pub fn with_today(self, today: impl Fn() -> Option<Date> + Send + Sync + 'static) -> Self {
        Self::of(self.writer.with_today(Arc::new(today)))
    }
}

impl Model for Offline {
    fn name(&self) -> &str {
        self.writer.name()
    }

    fn call(&self, request: ModelRequest<'_>) -> ModelStream {
        self.heard.call(request)
    }
}

impl fmt::Debug for Offline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Offline").field("name", &self.name()).finish_non_exhaustive()
    }
}
