//! Both ways at once: [`DaprModel`](toolwright_dapr::DaprModel) asks a [`Sidecar`](toolwright_dapr::Sidecar) over
//! real sockets, and so do clients that are written out byte by byte.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking too, and take values as json!({…}) makes them"
)]

mod errors;
mod http;
mod loops;
mod requests;
mod support;
mod ways;
