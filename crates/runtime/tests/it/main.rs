//! Drives the real loop, mostly against a real server, and looks at the events, at the conversation
//! and at what went over the wire. Tests are named after the statement they prove.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking too"
)]

mod approval;
mod bad_input;
mod blocking;
mod cancel;
mod cannot_work;
mod conversation;
mod discovery;
mod editing;
mod equal;
mod failures;
mod fallback;
mod given_rules;
mod guards;
mod journal;
mod layers;
mod limits;
mod nested;
mod nifty;
mod offering;
mod pausing;
mod questions;
mod recorded;
mod rendering;
mod repaired;
mod replacing;
mod resume;
mod review;
mod rounds;
mod routing;
mod rules;
mod schedule;
mod schema;
mod secrets;
mod selection;
mod single_shot;
mod sources;
mod steering;
mod support;
mod text;
mod typed;
mod undone;
mod updates;
mod window;
