//! The real binary, killed, cut off from its disk, locked out and told to stop, at every moment
//! there is. Afterwards three accounts must agree: what a listener was shown, what was stored, and
//! what the tools really did.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]
// Signals, preloaded libraries and namespaces are as here on no other system.
#![cfg(target_os = "linux")]

mod after;
mod copies;
mod faults;
mod full;
mod locked;
mod moments;
mod process;
mod random;
mod signals;
mod story;
mod world;
