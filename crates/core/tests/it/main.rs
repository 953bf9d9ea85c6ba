//! The heart, driven from outside: schedules, conversations, guards, events and the small parts.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    clippy::panic,
    clippy::unwrap_used
)]

mod attachments;
mod audit;
mod conversation;
mod deciding;
mod desk;
mod digest;
mod editing;
mod events;
mod fallback;
mod foreign;
mod gate;
mod guards;
mod limits;
mod nested;
mod page_types;
mod parts;
mod project;
mod questions;
mod recovery;
mod repaired;
mod reviewing;
mod schedules;
mod single_shot;
mod steering;
mod unasked;
mod world;
