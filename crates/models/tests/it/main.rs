//! Drives [`OpenAi`](toolwright_models::OpenAi) over real sockets against everything servers do.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking too"
)]

mod calls;
mod equal;
mod errors;
mod faults;
mod framing;
mod limits;
mod midstream;
mod quirks;
mod requests;
mod retries;
mod support;
