//! [`OfflineModel`], where it is not compiled in: there is none.

use std::{path::Path, sync::Arc};

use toolwright_core::{
    Guard, Model, ModelError, ModelErrorKind, ModelRequest, ModelStream, ToolDefinitions,
    ToolSimilarity,
};
use toolwright_embed::{EmbedError, EmbedErrorKind, Source};
use toolwright_runtime::ToolboxBuilder;

use super::{FetchProgress, Weights};
use crate::Config;

const BUILD: &str = "this program was built without the offline model";
const ADVICE: &str =
    "name a model: --model and OPENAI_API_BASE; or build with the feature `offline`";

/// The offline model, of which there is none here.
pub enum OfflineModel {}

impl OfflineModel {
    pub(crate) fn new(_weights: Weights) -> Result<Self, ModelError> {
        Err(absent())
    }

    pub(crate) fn warm(&self, _offers: impl FnOnce() -> Vec<ToolDefinitions>) -> bool {
        match *self {}
    }

    /// Whether what it needs was fetched.
    pub fn is_fetched(_config: &Config) -> bool {
        false
    }

    pub(crate) fn guards() -> Vec<Arc<dyn Guard>> {
        Vec::new()
    }

    /// A line about it.
    pub const ABOUT: &str = "a small model in this process: it calls the tools here and tells what they return, and knows little else";

    /// What may be done with the weights that are fetched.
    pub const LICENCE: Option<&str> = None;

    /// Fetches nothing: there is nothing to use it.
    ///
    /// # Errors
    /// Always.
    pub fn fetch(_config: &Config, _progress: &mut FetchProgress<'_>) -> Result<(), ModelError> {
        Err(absent())
    }

    /// Fetches nothing: there is nothing to use it.
    ///
    /// # Errors
    /// Always.
    pub fn fetch_embedder(
        _config: &Config,
        _progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<(), EmbedError> {
        let message = "this program was built without a model that makes vectors";
        let error = EmbedError::new(EmbedErrorKind::Missing, message);
        Err(error
            .with_advice("name an endpoint for embeddings; or build with the feature `offline`"))
    }

    /// The folder its weights must be fetched into.
    pub fn missing(&self) -> Option<&Path> {
        match *self {}
    }

    pub(crate) async fn ready(&self) -> Result<(), ModelError> {
        match *self {}
    }

    /// Where the weights are.
    pub fn weights(&self) -> &Weights {
        match *self {}
    }
}

impl Model for OfflineModel {
    fn name(&self) -> &str {
        match *self {}
    }

    fn call(&self, _request: ModelRequest<'_>) -> ModelStream {
        match *self {}
    }
}

fn absent() -> ModelError {
    ModelError::new(ModelErrorKind::NotConfigured, BUILD).with_advice(ADVICE)
}

pub(crate) fn few_tools(builder: ToolboxBuilder, _source: Option<Arc<Source>>) -> ToolboxBuilder {
    builder
}

pub(crate) fn similarity(_source: Arc<Source>) -> Option<Arc<dyn ToolSimilarity>> {
    None
}
