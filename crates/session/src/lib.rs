//! Conversations that outlive the process.
//!
//! A [`Session`] is an agent and a store: it asks, keeps every step before it is taken, and resumes what
//! was interrupted. A [`RunEngine`] says who drives a run and when, a [`SliceDriver`] drives a piece of it.

mod engine;
mod error;
mod queue;
mod request;
mod session;
mod stranded;

pub use self::{
    engine::{
        EngineError, EngineFuture, EnginePlace, Fitness, Next, RunEngine, Slice, SliceDriver,
        SliceError, Wake,
    },
    error::SessionError,
    request::RebuiltRequest,
    session::{LeftRun, Session, StartedRun},
    stranded::{WakeError, wake_stranded},
};
