//! The Model Context Protocol, both ways.

#[cfg(feature = "server")]
pub mod server;
