//! The store with things broken on purpose, at every step.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    clippy::panic,
    clippy::unwrap_used
)]

#[path = "../common/mod.rs"]
mod common;

mod grouping;
mod migration;
mod pages;
mod points;
mod schedules;
mod takeovers;
