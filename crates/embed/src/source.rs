//! [`Source`]: an embedder that is opened when it is first needed.

use std::{fmt, path::PathBuf, sync::Arc};

use tokio::sync::OnceCell;

use crate::{EmbedError, Embedder, Endpoint, EndpointSettings};

/// An embedder that is opened when it is first needed. One that could not be opened is tried again the
/// next time.
pub struct Source {
    kind: Kind,
    opened: OnceCell<Arc<dyn Embedder>>,
}

enum Kind {
    Ready(Arc<dyn Embedder>),
    Local(PathBuf),
    Endpoint(Box<EndpointSettings>),
}

impl Source {
    /// The model in this folder.
    pub fn local(folder: impl Into<PathBuf>) -> Self {
        Self::of(Kind::Local(folder.into()))
    }

    /// The model at this address.
    pub fn endpoint(settings: EndpointSettings) -> Self {
        Self::of(Kind::Endpoint(Box::new(settings)))
    }

    /// This embedder.
    pub fn ready(embedder: Arc<dyn Embedder>) -> Self {
        Self::of(Kind::Ready(embedder))
    }

    fn of(kind: Kind) -> Self {
        Self { kind, opened: OnceCell::new() }
    }

    /// Whether it is a model in this process, which may have to be fetched first.
    pub fn is_local(&self) -> bool {
        matches!(self.kind, Kind::Local(_))
    }

    /// The embedder.
    ///
    /// # Errors
    /// When it cannot be opened: the model is not there, the endpoint does not answer.
    pub async fn open(&self) -> Result<Arc<dyn Embedder>, EmbedError> {
        let opened = self.opened.get_or_try_init(|| async {
            match &self.kind {
                Kind::Ready(embedder) => Ok(embedder.clone()),
                Kind::Local(folder) => local(folder.clone()).await,
                Kind::Endpoint(settings) => {
                    let endpoint = Endpoint::connect((**settings).clone()).await?;
                    Ok(Arc::new(endpoint) as Arc<dyn Embedder>)
                }
            }
        });
        opened.await.cloned()
    }
}

#[cfg(feature = "local")]
async fn local(folder: PathBuf) -> Result<Arc<dyn Embedder>, EmbedError> {
    let opened = tokio::task::spawn_blocking(move || crate::Local::open(folder)).await;
    let opened = opened.map_err(|error| {
        EmbedError::new(crate::EmbedErrorKind::Internal, format!("The model failed: {error}."))
    })?;
    Ok(Arc::new(opened?))
}

#[cfg(not(feature = "local"))]
async fn local(_folder: PathBuf) -> Result<Arc<dyn Embedder>, EmbedError> {
    let message = "this program was built without the model that makes vectors in the process";
    let error = EmbedError::new(crate::EmbedErrorKind::Missing, message);
    Err(error.with_advice("name an endpoint for embeddings, or build with the feature `local`"))
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match &self.kind {
            Kind::Ready(embedder) => embedder.name(),
            Kind::Local(_) => "local",
            Kind::Endpoint(_) => "endpoint",
        };
        f.debug_tuple("Source").field(&kind).finish()
    }
}
