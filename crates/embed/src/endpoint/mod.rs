//! [`Endpoint`]: any OpenAI-compatible address that makes vectors.

mod answer;
mod key;
mod trouble;
mod web;
mod wire;

use std::time::Duration;

use futures_core::future::BoxFuture;

pub use self::key::Key;
use self::wire::Wire;
use crate::{EmbedError, Embedder};

/// Texts that are sent together at most.
const MOST_TEXTS: usize = 64;
/// Bytes of texts that are sent together at most; a longer text is cut.
const MOST_BYTES: usize = 300_000;

/// Where an endpoint is, and how to ask it. Printing it does not show the key.
#[derive(Clone, Debug)]
pub struct EndpointSettings {
    /// The root of the API, such as `http://127.0.0.1:11434/v1`.
    pub base: String,
    /// The model's name.
    pub model: String,
    /// The key, where the endpoint wants one.
    pub key: Option<Key>,
    /// How long one request may take.
    pub timeout: Duration,
    /// The first wait before a request is repeated; each further one doubles it.
    pub first_wait: Duration,
}

impl EndpointSettings {
    /// An endpoint and a model on it.
    pub fn new(base: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            base: base.into(),
            model: model.into(),
            key: None,
            timeout: Duration::from_secs(60),
            first_wait: Duration::from_millis(500),
        }
    }

    /// With a key.
    #[must_use]
    pub fn with_key(mut self, key: Key) -> Self {
        self.key = Some(key);
        self
    }
}

/// An OpenAI-compatible address that makes vectors.
#[derive(Debug)]
pub struct Endpoint {
    wire: Wire,
    name: String,
    dimensions: usize,
}

impl Endpoint {
    /// Asks an endpoint for one vector, to see whether it is one and how long its vectors are.
    ///
    /// # Errors
    /// `Unavailable` where it cannot be reached or is none, `Refused` where it wants another key or has
    /// no such model.
    pub async fn connect(settings: EndpointSettings) -> Result<Self, EmbedError> {
        let model = settings.model.clone();
        let wire = Wire::new(settings)?;
        let name = format!("endpoint:{model}@{}{}", wire.address.host(), wire.address.path());
        let probe = wire.ask(&["hello"]).await?;
        let dimensions = probe.first().map_or(0, Vec::len);
        Ok(Self { wire, name, dimensions })
    }

    async fn all(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut vectors = Vec::with_capacity(texts.len());
        let mut rest = texts;
        while !rest.is_empty() {
            let (batch, after) = rest.split_at(fitting(rest));
            let batch: Vec<_> = batch.iter().map(|text| sendable(text)).collect();
            let made = self.wire.ask(&batch).await?;
            if let Some(other) = made.iter().map(Vec::len).find(|it| *it != self.dimensions) {
                let expected = self.dimensions;
                let what = format!("has vectors of {other} numbers, where they had {expected}");
                return Err(trouble::strange(&self.wire.address, &what));
            }
            vectors.extend(made);
            rest = after;
        }
        Ok(vectors)
    }
}

impl Embedder for Endpoint {
    fn name(&self) -> &str {
        &self.name
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn shares_form(&self) -> bool {
        true
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [String],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, EmbedError>> {
        Box::pin(self.all(texts))
    }
}

/// How many of the texts go together: one at least.
fn fitting(texts: &[String]) -> usize {
    let mut bytes = 0;
    let fit = texts.iter().take(MOST_TEXTS).take_while(|text| {
        bytes += sendable(text).len();
        bytes <= MOST_BYTES
    });
    fit.count().max(1)
}

/// A text as endpoints take it: not empty, and not endless.
fn sendable(text: &str) -> &str {
    if text.is_empty() {
        return " ";
    }
    text.get(..text.floor_char_boundary(MOST_BYTES)).unwrap_or(text)
}
