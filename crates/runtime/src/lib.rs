//! Runs a [`Run`](toolwright_core::Run) in process.
//!
//! [`Agent`] puts a model, a [`Toolbox`] and guards together; [`Agent::run`] gives a [`Running`],
//! a stream of events that does the work while it is polled. There is one driver, and blocking is
//! nothing but folding its stream.

mod agent;
mod approval;
mod builder;
mod cancel;
mod driver;
mod format;
mod id;
mod prepared;
mod running;
mod settings;
mod toolbox;

pub use self::{
    agent::Agent,
    approval::{AllowAll, Approver, DenyAll},
    builder::AgentBuilder,
    cancel::Cancel,
    format::outcome_of,
    id::{new_conversation_id, new_run_id},
    prepared::Prepared,
    running::Running,
    settings::Settings,
    toolbox::{Route, Toolbox, ToolboxBuilder, ToolboxError},
};
