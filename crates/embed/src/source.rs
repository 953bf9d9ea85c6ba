//! [`Source`]: an embedder that is opened when it is first needed.

use std::{fmt, path::PathBuf, sync::Arc};

use tokio::sync::OnceCell;

use crate::{EmbedError, Embedder, Endpoint, EndpointSettings, IDLE, Slot};

/// An embedder that is opened when it is first needed. One that could not be opened is tried again the
/// next time. A model in this process is given up when nobody needs it for a while, and opened again.
pub struct Source {
    kind: Kind,
}

enum Kind {
    Ready(Arc<dyn Embedder>),
    Local(PathBuf, Slot<Arc<dyn Embedder>>),
    Endpoint(Box<EndpointSettings>, OnceCell<Arc<dyn Embedder>>),
}

impl Source {
    /// The model in this folder.
    pub fn local(folder: impl Into<PathBuf>) -> Self {
        Self { kind: Kind::Local(folder.into(), Slot::new(IDLE)) }
    }

    /// The model at this address.
    pub fn endpoint(settings: EndpointSettings) -> Self {
        Self { kind: Kind::Endpoint(Box::new(settings), OnceCell::new()) }
    }

    /// This embedder.
    pub fn ready(embedder: Arc<dyn Embedder>) -> Self {
        Self { kind: Kind::Ready(embedder) }
    }

    /// Whether it is a model in this process, which may have to be fetched first.
    pub fn is_local(&self) -> bool {
        matches!(self.kind, Kind::Local(..))
    }

    /// The embedder.
    ///
    /// # Errors
    /// When it cannot be opened: the model is not there, the endpoint does not answer.
    pub async fn open(&self) -> Result<Arc<dyn Embedder>, EmbedError> {
        match &self.kind {
            Kind::Ready(embedder) => Ok(embedder.clone()),
            Kind::Local(folder, slot) => match slot.get() {
                Some((embedder, _)) => Ok(embedder),
                None => Ok(slot.get_or_make(local(folder.clone())).await?.0),
            },
            Kind::Endpoint(settings, opened) => {
                let connect = || async {
                    let endpoint = Endpoint::connect((**settings).clone()).await?;
                    Ok(Arc::new(endpoint) as Arc<dyn Embedder>)
                };
                opened.get_or_try_init(connect).await.cloned()
            }
        }
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
            Kind::Local(..) => "local",
            Kind::Endpoint(..) => "endpoint",
        };
        f.debug_tuple("Source").field(&kind).finish()
    }
}
