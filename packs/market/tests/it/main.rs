//! Tests of the trading desk through its public face.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking too"
)]

mod client;
mod generated;
mod instruments;
mod instruments_master;
mod instruments_reading;
mod sim;
