//! Both ends over real streams: a server with real runs behind it, and the client with servers that are real
//! programs, most of them hostile.
#![allow(
    clippy::needless_pass_by_value,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

#[cfg(feature = "server")]
mod asking;
#[cfg(feature = "client")]
mod client;
#[cfg(feature = "server")]
mod doors;
#[cfg(feature = "server")]
mod serving;
