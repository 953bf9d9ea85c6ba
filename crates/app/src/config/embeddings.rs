//! [`EmbeddingsConfig`]: what makes vectors of texts, by which things are found by meaning.

use std::{path::PathBuf, sync::Arc};

use toolwright_embed::{EndpointSettings, Key, Source};

use super::{
    Config, Secret, Setting,
    file::EmbeddingsSection,
    sources::{Sources, optional, parsed},
};
use crate::AppError;

/// What makes vectors of texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbeddingsConfig {
    /// What makes them.
    pub source: Setting<Embeddings>,
    /// The root of an API that does, where one is set.
    pub url: Setting<Option<String>>,
    /// The model there.
    pub model: Setting<Option<String>>,
    /// The key to it.
    pub key: Setting<Option<Secret>>,
    /// The folder of the model that runs in the process, where it is not the usual one.
    pub folder: Setting<Option<PathBuf>>,
}

/// What makes vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Embeddings {
    /// A small model in this process.
    Local,
    /// A model at an address.
    Endpoint,
    /// Nothing: search is by words.
    Off,
}

impl Embeddings {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Endpoint => "endpoint",
            Self::Off => "off",
        }
    }
}

impl EmbeddingsConfig {
    pub(super) fn read(sources: &Sources<'_>, file: EmbeddingsSection) -> Result<Self, AppError> {
        let said = sources.pick("", None, "TOOLWRIGHT_EMBEDDINGS", file.source);
        let url = sources.pick("", None, "TOOLWRIGHT_EMBEDDINGS_URL", file.url);
        let usual = if url.is_some() { Embeddings::Endpoint } else { Embeddings::Local };
        let model = sources.pick("", None, "TOOLWRIGHT_EMBEDDINGS_MODEL", file.model);
        let key = sources.pick("", None, "TOOLWRIGHT_EMBEDDINGS_KEY", file.key);
        let folder = sources.pick("", None, "TOOLWRIGHT_EMBED_MODEL", file.folder);
        Ok(Self {
            source: parsed("embeddings.source", said, usual, embeddings)?,
            url: optional(url),
            model: optional(model),
            key: optional(key).map(|key| key.map(Secret::new)),
            folder: optional(folder).map(|path| path.map(PathBuf::from)),
        })
    }
}

fn embeddings(word: &str) -> Result<Embeddings, &'static str> {
    match word {
        "local" => Ok(Embeddings::Local),
        "endpoint" => Ok(Embeddings::Endpoint),
        "off" => Ok(Embeddings::Off),
        _ => Err("use local, endpoint or off"),
    }
}

impl Config {
    /// Where the model that makes vectors in the process is kept.
    pub fn embedding_folder(&self) -> PathBuf {
        let named = self.embeddings.folder.value.clone();
        named.unwrap_or_else(|| self.data.value.join("models").join("minilm-l6-v2"))
    }

    /// What makes vectors, if anything does. Nothing is opened or asked before it is needed.
    pub fn embedder(&self) -> Option<Arc<Source>> {
        let source = match self.embeddings.source.value {
            Embeddings::Off => return None,
            Embeddings::Local => Source::local(self.embedding_folder()),
            Embeddings::Endpoint => {
                let url = self.embeddings.url.value.clone().unwrap_or_default();
                let model = self.embeddings.model.value.clone().unwrap_or_default();
                let settings = EndpointSettings::new(url, model);
                Source::endpoint(match &self.embeddings.key.value {
                    Some(key) => settings.with_key(Key::new(key.reveal())),
                    None => settings,
                })
            }
        };
        Some(Arc::new(source))
    }
}
