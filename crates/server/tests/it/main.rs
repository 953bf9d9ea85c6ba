//! The server over real sockets.
#![allow(
    clippy::needless_pass_by_value,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

mod adapters;
mod attachments;
mod audit;
mod bounds;
mod branching;
mod browsers;
mod chat;
mod deciding;
mod description;
mod entry;
mod faults;
mod harness;
mod health;
mod listening;
mod local;
mod mcp;
mod mcp_servers;
mod models;
mod once;
mod questions;
mod queueing;
mod requests;
mod review;
mod secrets;
mod settings;
mod several;
mod sign_in;
mod stopping;
mod teams;
mod tools;
mod usage;
