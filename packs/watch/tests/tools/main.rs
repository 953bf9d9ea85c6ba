//! The tools of a watch history, called as the runtime calls them, on a real library and at a fixed
//! moment.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

mod asked;
mod calendar;
mod examples;
mod hostile;
mod meaning;
mod sample;
mod schema;
mod sentences;
mod sharing;
mod support;
