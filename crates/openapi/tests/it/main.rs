//! APIs as tools, over real sockets: documents that are fine, odd and hostile.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    missing_docs
)]

mod calling;
mod documents;
mod hostile;
mod server;
