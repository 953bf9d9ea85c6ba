//! Drives the server over real sockets, and holds each check against a good and a bad request.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking too"
)]

mod api;
mod check;
mod client;
mod effects;
mod faults;
mod log;
mod matrix;
mod replies;
mod server;
