//! The web, over real sockets: what may be fetched, what becomes of it, and what is asked of search engines.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

mod fetching;
mod provenance;
mod reading;
mod searching;
mod server;
