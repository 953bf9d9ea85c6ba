//! Drives [`Endpoint`](toolwright_models::Endpoint) over real sockets against everything servers do.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking too, and take values as json!({…}) makes them"
)]

mod anthropic;
mod calls;
mod cassette;
mod discovery;
mod endless;
mod equal;
mod errors;
mod faults;
mod framing;
mod gemini;
mod limits;
mod midstream;
mod ollama;
mod pieces;
mod quirks;
mod requests;
mod responses;
mod retries;
mod sent;
mod served;
mod support;
mod text;
