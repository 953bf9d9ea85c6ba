//! Imports real files, asks a real server, and looks at the library that comes of it. Tests are named
//! after the statement they prove.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking too"
)]

mod archives;
mod asking;
mod broken;
mod enriching;
mod html;
mod kinds;
mod links;
mod locales;
mod making;
mod names;
mod same;
mod server;
mod threads;
mod zones;
