//! Conversations that outlive the process.
//!
//! A [`Session`] is an agent and a store: it asks, keeps every step before it is taken, and resumes what
//! was interrupted.

mod error;
mod queue;
mod request;
mod session;

pub use self::{
    error::SessionError,
    request::RebuiltRequest,
    session::{Session, StartedRun},
};
