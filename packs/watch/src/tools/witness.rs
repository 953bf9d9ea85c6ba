//! [`Witness`]: an embedder, and whether it worked.

use std::sync::atomic::{AtomicBool, Ordering};

use futures_core::future::BoxFuture;
use toolwright_embed::{EmbedError, Embedder};

/// An embedder, and whether it worked: what was found without it was found by words.
pub(super) struct Witness<'a> {
    embedder: &'a dyn Embedder,
    has_worked: AtomicBool,
}

impl<'a> Witness<'a> {
    pub(super) fn new(embedder: &'a dyn Embedder) -> Self {
        Self { embedder, has_worked: AtomicBool::new(false) }
    }

    /// Whether it made a vector.
    pub(super) fn has_worked(&self) -> bool {
        self.has_worked.load(Ordering::Relaxed)
    }
}

impl Embedder for Witness<'_> {
    fn name(&self) -> &str {
        self.embedder.name()
    }

    fn dimensions(&self) -> usize {
        self.embedder.dimensions()
    }

    fn shares_form(&self) -> bool {
        self.embedder.shares_form()
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [String],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, EmbedError>> {
        Box::pin(async move {
            let vectors = self.embedder.embed(texts).await?;
            self.has_worked.store(true, Ordering::Relaxed);
            Ok(vectors)
        })
    }
}
