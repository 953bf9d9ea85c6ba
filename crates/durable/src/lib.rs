//! [`RestateEngine`] and [`Worker`]: runs that outlive the process that drives them.
//!
//! [Restate](https://restate.dev) owns who drives a conversation and when; our log owns what happened. For Restate a
//! conversation is a virtual object with one exclusive handler, `drive`: a [`Worker`] drives a slice of its run
//! ([`SliceDriver`](toolwright_session::SliceDriver)), keeps what is to be done [next](toolwright_session::Next) in
//! Restate's journal, and does that. [`RestateEngine`] is the other side: whoever has something to drive wakes
//! the conversation. An [`Admin`] tells Restate where workers are. Nothing that was asked, answered or
//! kept secret goes through Restate: the names of a conversation and of a run do, and how long it took.

mod admin;
mod api;
mod bound;
mod drain;
mod engine;
mod message;
mod newer;
mod object;
mod seen;
mod sentence;
mod tasks;
mod trouble;
mod worker;

pub use self::{
    admin::{Admin, Registered, Registration},
    bound::Bound,
    engine::{RestateEngine, RestateSettings},
    trouble::Trouble,
    worker::{Drained, Worker, WorkerCounts, WorkerSettings},
};
