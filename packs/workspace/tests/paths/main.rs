//! Attacks on the tools for files, on the real kernel. Tests are named after the attack and the
//! statement they prove.
#![cfg(target_os = "linux")]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking too"
)]

mod answers;
mod asked;
mod crash;
mod edits;
mod escapes;
mod full;
mod guarded;
mod kept;
mod large;
mod race;
mod random;
mod support;
