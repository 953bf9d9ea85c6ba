//! Fills a real library, makes vectors with an embedder that needs no model, and searches. Tests are named
//! after the statement they prove.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking too"
)]

mod calibrated;
mod exact;
mod filters;
mod grams;
mod hostile;
mod killed;
mod making;
mod ordered;
mod shelf;
