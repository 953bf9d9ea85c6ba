//! Runs commands in the real sandbox, on the real kernel, and tries to get out of it. Tests are named
//! after the attack that they make.
#![cfg(target_os = "linux")]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking too"
)]

mod calls;
mod crash;
mod files;
mod git;
mod judged;
mod limits;
mod looking;
mod missing;
mod network;
mod output;
mod processes;
mod secrets;
mod steering;
mod support;
mod tool;
mod traced;
mod user;
