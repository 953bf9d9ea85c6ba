//! The store against real databases: a file, and a real PostgreSQL server.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    clippy::panic,
    clippy::unwrap_used
)]

#[path = "../common/mod.rs"]
mod common;

mod alike;
mod conformance;
mod elsewhere;
mod encrypted;
mod file;
mod locations;
mod server;
mod space;
mod torn;
