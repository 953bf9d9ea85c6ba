//! One suite that every API passes: the same replies, streamed in any chunking and whole, the same requests, the
//! same failures. The servers are judged by the vendors' own packages (`clients/vendors`).
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests fail by panicking"
)]

mod failures;
mod growing;
mod replies;
mod requests;
mod support;
