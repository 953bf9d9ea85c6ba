//! Starts programs inside real walls, on the real kernel, and tries to get out of them.
#![cfg(target_os = "linux")]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking too"
)]

mod finding;
mod jobs;
mod private;
mod reach;
mod staying;
mod support;
