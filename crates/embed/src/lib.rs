//! Text to vectors.
//!
//! An [`Embedder`] makes them: `Local` with a small model in this process (with the feature `local`),
//! [`Endpoint`] at an address. A [`Source`] is one that is opened when it is first needed; a [`Slot`] is how models of this
//! process are given up again.

mod endpoint;
mod error;
#[cfg(feature = "local")]
mod local;
mod slot;
mod source;
mod vector;

use futures_core::future::BoxFuture;

#[cfg(feature = "local")]
pub use self::local::Local;
pub use self::{
    endpoint::{Endpoint, EndpointSettings, Key},
    error::{EmbedError, EmbedErrorKind},
    slot::{IDLE, InUse, Slot},
    source::Source,
};

/// Makes vectors of texts, so that texts of like meaning have like vectors.
pub trait Embedder: Send + Sync {
    /// What makes them, and which version of it: vectors of two names cannot be compared.
    fn name(&self) -> &str;

    /// How many numbers a vector has.
    fn dimensions(&self) -> usize;

    /// Whether texts of one form are alike to it, whatever they are about: sentence models are so.
    fn shares_form(&self) -> bool;

    /// One vector of length 1 for each text, in the order of the texts.
    fn embed<'a>(&'a self, texts: &'a [String])
    -> BoxFuture<'a, Result<Vec<Vec<f32>>, EmbedError>>;
}
