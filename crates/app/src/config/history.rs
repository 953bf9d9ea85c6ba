//! [`HistoryConfig`]: the watch history, what makes its vectors, and who knows more about videos.

use std::{path::PathBuf, sync::Arc};

use toolwright_embed::{EndpointSettings, Key, Source};
use toolwright_watch::{ApiSettings, Clock, History, HistorySettings, TimeZone};

use super::{
    Config, Secret, Setting,
    file::HistorySection,
    sources::{Sources, optional, parsed},
};
use crate::AppError;

/// The watch history, what makes its vectors, and who knows more about videos.
#[derive(Clone, Debug)]
pub struct HistoryConfig {
    /// What makes vectors.
    pub embeddings: Setting<Embeddings>,
    /// The root of an API that does, where one is set.
    pub embeddings_url: Setting<Option<String>>,
    /// The model there.
    pub embeddings_model: Setting<Option<String>>,
    /// The key to it.
    pub embeddings_key: Setting<Option<Secret>>,
    /// The folder of the model that runs in the process, where it is not the usual one.
    pub embeddings_folder: Setting<Option<PathBuf>>,
    /// The root of YouTube's Data API, where it is not the usual one.
    pub youtube_url: Setting<Option<String>>,
    /// The key to it.
    pub youtube_key: Setting<Option<Secret>>,
    /// The user's time zone, where it is not the machine's.
    pub time_zone: Setting<Option<TimeZone>>,
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

impl HistoryConfig {
    pub(super) fn read(sources: &Sources<'_>, file: HistorySection) -> Result<Self, AppError> {
        let said = sources.pick("", None, "TOOLWRIGHT_EMBEDDINGS", file.embeddings);
        let url = sources.pick("", None, "TOOLWRIGHT_EMBEDDINGS_URL", file.embeddings_url);
        let usual = if url.is_some() { Embeddings::Endpoint } else { Embeddings::Local };
        let model = sources.pick("", None, "TOOLWRIGHT_EMBEDDINGS_MODEL", file.embeddings_model);
        let key = sources.pick("", None, "TOOLWRIGHT_EMBEDDINGS_KEY", file.embeddings_key);
        let folder = sources.pick("", None, "TOOLWRIGHT_EMBED_MODEL", file.embeddings_folder);
        let youtube = sources.pick("", None, "YOUTUBE_API_KEY", file.youtube_key);
        let zone = sources.pick("", None, "TOOLWRIGHT_TIME_ZONE", file.time_zone);
        Ok(Self {
            time_zone: parsed("history.time_zone", zone, None, |it| {
                toolwright_watch::time_zone(it).map(Some)
            })?,
            embeddings: parsed("history.embeddings", said, usual, embeddings)?,
            embeddings_url: optional(url),
            embeddings_model: optional(model),
            embeddings_key: optional(key).map(|key| key.map(Secret)),
            embeddings_folder: optional(folder).map(|path| path.map(PathBuf::from)),
            youtube_url: optional(sources.pick("", None, "YOUTUBE_API_BASE", file.youtube_url)),
            youtube_key: optional(youtube).map(|key| key.map(Secret)),
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
    /// Where the watch history is kept.
    pub fn watch_folder(&self) -> PathBuf {
        self.data.value.join("watch")
    }

    /// Where the model that makes vectors in the process is kept.
    pub fn embedding_folder(&self) -> PathBuf {
        let named = self.history.embeddings_folder.value.clone();
        named.unwrap_or_else(|| self.data.value.join("models").join("minilm-l6-v2"))
    }

    /// What makes vectors, if anything does. Nothing is opened or asked before it is needed.
    pub fn embedder(&self) -> Option<Arc<Source>> {
        let source = match self.history.embeddings.value {
            Embeddings::Off => return None,
            Embeddings::Local => Source::local(self.embedding_folder()),
            Embeddings::Endpoint => {
                let url = self.history.embeddings_url.value.clone().unwrap_or_default();
                let model = self.history.embeddings_model.value.clone().unwrap_or_default();
                let settings = EndpointSettings::new(url, model);
                Source::endpoint(match &self.history.embeddings_key.value {
                    Some(key) => settings.with_key(Key::new(key.reveal())),
                    None => settings,
                })
            }
        };
        Some(Arc::new(source))
    }

    /// The right to ask YouTube's Data API, if there is one.
    pub fn youtube(&self) -> Option<ApiSettings> {
        let settings = ApiSettings::new(self.history.youtube_key.value.as_ref()?.reveal());
        Some(match &self.history.youtube_url.value {
            Some(base_url) => ApiSettings { base_url: base_url.clone(), ..settings },
            None => settings,
        })
    }

    /// The tools of the watch history, which finds by vectors of `embedder`. Nothing is opened before
    /// one is called.
    pub fn history(&self, embedder: Option<Arc<Source>>) -> Arc<History> {
        Arc::new(History::new(HistorySettings {
            folder: self.watch_folder(),
            clock: self.history.time_zone.value.clone().map_or(Clock::System, Clock::In),
            embedder,
        }))
    }
}
