//! Real runs, watched: agents ask a model server on a real socket, and what is exported arrives at
//! a real receiver.
//!
//! What is installed for a whole process is tested in a process of its own: a test starts this very
//! binary again to play a part (`part.rs`), and looks at what came of it.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking too"
)]

mod bounds;
mod dead;
mod exposition;
mod independent;
mod lines;
mod measured;
mod nested;
mod openmetrics;
mod part;
mod receiver;
mod settings;
mod story;
mod traces;
