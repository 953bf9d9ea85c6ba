//! The offline model: a small language model in this process that calls tools.
//!
//! [`Offline`] is a [`Model`](toolwright_core::Model) like any other. Nothing is sent anywhere. Its weights are
//! those of SmolLM2-135M-Instruct, which [`pull()`] fetches once, with an adapter of our own beside
//! them that taught it to call tools; or those of a GGUF that is there already ([`Shelves`] finds those of other programs).
//!
//! - [`weights`] reads the files, and multiplies by what is in them;
//! - [`tokens`] makes tokens of text;
//! - [`engine`] reads tokens, and says which one is likeliest to follow;
//! - [`constrain`] says which ones may;
//! - [`prompt`] is what the model reads, and [`route`] which tools are in it.

mod addressed;
mod asked;
pub mod constrain;
mod diff;
pub mod engine;
mod error;
mod files;
mod kept;
mod model;
mod pointers;
pub mod prompt;
mod pull;
mod retyped;
pub mod route;
mod schema;
mod shelves;
mod similarity;
pub mod tokens;
mod unasked;
pub mod weights;

pub use self::{
    addressed::Addressed,
    error::{OfflineError, OfflineErrorKind},
    kept::Kept,
    model::{Offline, pointing},
    pull::{LICENCE, pull, pulled},
    retyped::Retyped,
    shelves::Shelves,
    similarity::Similarity,
    unasked::Unasked,
};
