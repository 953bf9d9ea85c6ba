//! The Model Context Protocol, both ways.
//!
//! `client`: a server as a source of tools. `server`: a toolbox for clients.

#[cfg(feature = "client")]
pub mod client;
mod line;
#[cfg(feature = "server")]
pub mod server;
