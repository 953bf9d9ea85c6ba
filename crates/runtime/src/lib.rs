//! Runs a [`Run`](toolwright_core::Run) in process.
//!
//! [`Agent`] puts a model, a [`Toolbox`] and guards together; [`Agent::run`] gives a [`Running`],
//! a stream of events that does the work while it is polled. There is one driver, and blocking is
//! nothing but folding its stream.

mod agent;
mod approval;
mod cancel;
mod driver;
mod format;
mod id;
mod running;
mod toolbox;

pub use self::{
    agent::{Agent, AgentBuilder, Prepared, Settings},
    approval::{AllowAll, Approver, DenyAll},
    cancel::Cancel,
    format::outcome_of,
    id::{new_conversation_id, new_run_id},
    running::Running,
    toolbox::{Route, Toolbox, ToolboxBuilder, ToolboxError},
};
