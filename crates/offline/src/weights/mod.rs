//! [`Gguf`] and [`Adapter`]: numbers from files, and `Matrix`: numbers ready to be multiplied by.

mod adapter;
mod blocks;
mod fields;
mod gguf;
mod half;
mod kernels;
mod matrix;
mod safetensors;
mod store;
#[cfg(test)]
mod tests;
mod vectors;

pub use self::{adapter::Adapter, gguf::Gguf};
pub(crate) use self::{
    adapter::Pair,
    fields::Field,
    half::to_half,
    kernels::{weighed, write_halves},
    matrix::Matrix,
    vectors::Vectors,
};
