//! [`Llama`]: a language model of the llama architecture or one like it, and [`DecodeSession`]: what it has read.
//!
//! A forward pass of our own, for a few [families](Family) that differ little. Numbers are plain 32-bit ones everywhere
//! but in weights and in what is kept of read tokens, so that the result is the same, up to
//! rounding, as that of any other exact implementation.

mod attention;
mod cache;
mod family;
mod layer;
mod linear;
mod llama;
mod rope;
mod session;
mod shape;
#[cfg(test)]
pub(crate) mod tests;

use self::llama::Kept;
pub use self::{
    family::Family,
    llama::{Llama, portions},
    session::DecodeSession,
    shape::Shape,
};
