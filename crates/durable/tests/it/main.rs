//! A real Restate, with workers whose slices do as the test says.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod driving;
mod faults;
mod sentences;
mod stage;
