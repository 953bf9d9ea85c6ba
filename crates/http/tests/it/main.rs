//! Requests over real sockets: through proxies, over TLS, and where they are pointed to.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

mod following;
mod guard;
mod proxies;
mod server;
mod tls;
