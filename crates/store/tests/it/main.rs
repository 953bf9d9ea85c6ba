//! The store against real databases: a file, and a real PostgreSQL server.

#[path = "../common/mod.rs"]
mod common;

mod conformance;
