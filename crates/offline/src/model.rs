//! [`Offline`]: a language model in this process that calls tools.

mod decoder;
mod draft;
mod pointing;
mod prefixes;
mod repeats;
mod sessions;
#[cfg(test)]
mod tests;
mod turns;
mod vain;
mod writer;

use std::{fmt, path::Path, sync::Arc};

use jiff::{Zoned, civil::Date};
use toolwright_core::{Model, ModelRequest, ModelStream, ToolDefinitions};
use toolwright_models::{Dialect, TextToolModel, ToolMode};

pub use self::pointing::pointing;
use self::{prefixes::Prefixes, writer::Writer};
use crate::{
    OfflineError,
    constrain::CallForm,
    engine::Llama,
    prompt::Template,
    pull::{SUM, pulled},
    tokens::Tokenizer,
    weights::{Adapter, Gguf},
};

/// What was taught on top of SmolLM2-135M-Instruct, so that it calls tools.
static ADAPTER: &[u8] = include_bytes!("../adapter/adapter.safetensors");

/// What day it is, for whoever asks about yesterday.
type Today = Arc<dyn Fn() -> Option<Date> + Send + Sync>;

/// A language model in this process that calls tools. Cloning it costs nothing; clones share the
/// weights, and those that write at the same time take turns, token by token.
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
        let folder = folder.as_ref();
        let gguf = Gguf::open(pulled(folder)?)?;
        let opened = Self::new("offline", &gguf, Some(&Adapter::new(ADAPTER)?))?;
        let prefixes = Prefixes::new(folder.join("prefixes"), &[SUM.as_bytes(), ADAPTER]);
        Ok(Self::of(opened.writer.with_prefixes(prefixes)))
    }

    /// A model of other weights: those of a GGUF of one of the [families](crate::engine::Family) that are understood. It
    /// is talked to as the template in the file says, or, where that has none, in ChatML. An adapter for it may be given:
    /// then it is talked to as our own is.
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
        // What an adapter was trained on is our own form; whatever else there is was taught its own.
        let template = match adapter {
            Some(_) => None,
            None => Template::read(gguf, &tokenizer)?,
        };
        if template.is_none() && !tokenizer.has_chat_ml() {
            return Err(OfflineError::unsupported(
                "The model's file has no template, and no marks of ChatML.",
            )
            .with_advice("Take a model that was taught conversations."));
        }
        let model = Llama::new(gguf, adapter)?;
        let today: Today = Arc::new(|| Some(Zoned::now().date()));
        Ok(Self::of(Writer::new(name, model, tokenizer.into(), template, today)))
    }

    fn of(writer: Writer) -> Self {
        let dialect = match writer.calls() {
            CallForm::Line | CallForm::Lines => Dialect::Hermes,
            CallForm::Bare => Dialect::Llama3Json,
        };
        let heard = TextToolModel::new(writer.clone(), ToolMode::Auto, dialect);
        Self { writer, heard }
    }

    /// Gets ready for conversations with these tools: reads what they begin with, and keeps it on disk, unless that was
    /// done. False where somebody asked something meanwhile, who goes first; then it may be tried again.
    pub async fn prepare(&self, tools: &ToolDefinitions) -> bool {
        self.writer.prepare(tools).await
    }

    /// The same model, which foresees nothing and reads what it writes token by token. It writes the same.
    #[must_use]
    pub fn one_by_one(self) -> Self {
        Self::of(self.writer.one_by_one())
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
        match self.writer.points() {
            true => pointing(&self.heard, request),
            false => self.heard.call(request),
        }
    }
}

impl fmt::Debug for Offline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Offline").field("name", &self.name()).finish_non_exhaustive()
    }
}
