//! [`Query`]: finding videos by what they are about.
//!
//! Two searches look for candidates, each among the videos the filter lets through: by vectors (what is
//! meant) and by words (what is written). Each candidate is then judged by both, and the two make one
//! relevance, by which the list is ordered.

mod bounds;
mod candidates;
mod hits;
mod relevance;
mod stop;
mod terms;
mod words;

use jiff::Timestamp;
use serde::Serialize;
use toolwright_embed::Embedder;

use self::{bounds::Bounds, candidates::Looking, terms::Terms};
use crate::{Library, Video, WatchError, index};

/// What is looked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// In words.
    pub text: String,
    /// How many at most.
    pub most: usize,
    /// Among which.
    pub filter: Filter,
}

/// Among which videos is looked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// Watched at this moment or later.
    pub from: Option<Timestamp>,
    /// Watched before this moment.
    pub before: Option<Timestamp>,
    /// Of one of these channels, by row.
    pub channels: Option<Vec<i64>>,
}

/// A video that was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hit {
    /// The video.
    pub video: Video,
    /// How well it fits, from 0 to 1.
    pub relevance: f32,
    /// When it was watched last, among the times the filter lets through.
    pub watched: Timestamp,
}

impl Library {
    /// The videos that fit best, the best first. Without an embedder, where it fails, or where there are no
    /// vectors of it, by words alone.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn search(
        &self,
        query: &Query,
        embedder: Option<&dyn Embedder>,
    ) -> Result<Vec<Hit>, WatchError> {
        if query.text.trim().is_empty() || query.most == 0 {
            return Ok(Vec::new());
        }
        let vector = match embedder {
            Some(embedder) => self.vector_of(&query.text, embedder).await?,
            None => None,
        };
        let looking = Looking {
            terms: Terms::of(&query.text),
            vector,
            bounds: Bounds::of(&query.filter),
            most: query.most,
        };
        self.blocking(move |it| it.shelf().read(|view| candidates::by_query(view, &looking))).await
    }

    /// The videos most like this one, itself left out; nothing where it was never watched.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn similar(&self, id: &str, most: usize) -> Result<Option<Vec<Hit>>, WatchError> {
        let id = id.to_owned();
        self.blocking(move |it| it.shelf().read(|view| candidates::by_video(view, &id, most))).await
    }

    /// The vector of what is looked for, where it can be compared with those there are.
    async fn vector_of(
        &self,
        text: &str,
        embedder: &dyn Embedder,
    ) -> Result<Option<Vec<f32>>, WatchError> {
        let made_by = self.blocking(|it| index::fact(&it.database(), index::EMBEDDER)).await?;
        if made_by != Some(index::made_by(embedder)) {
            return Ok(None);
        }
        match embedder.embed(&[index::as_title(text, embedder)]).await {
            Ok(vectors) => {
                let vector = vectors.into_iter().next();
                Ok(vector.filter(|it| it.iter().all(|number| number.is_finite())))
            }
            Err(error) => {
                tracing::warn!(%error, "searching a watch history by words alone");
                Ok(None)
            }
        }
    }
}
