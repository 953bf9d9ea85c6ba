//! Tests of the dialects.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value
)]

mod cases;
mod laws;
mod linear;
mod properties;
mod wild;
