//! [`Llama`]: a language model of the llama architecture, and [`DecodeSession`]: what it has read.
//!
//! A forward pass of our own, for this one architecture. Numbers are plain 32-bit ones everywhere
//! but in weights and in what is kept of read tokens, so that the result is the same, up to
//! rounding, as that of any other exact implementation.

mod attention;
mod cache;
mod layer;
mod linear;
mod llama;
mod rope;
mod session;
mod shape;
#[cfg(test)]
mod tests;

pub use self::{llama::Llama, session::DecodeSession, shape::Shape};
