//! Runs a [`Run`](toolwright_core::Run) in process.
//!
//! [`Agent`] puts a model, a [`Toolbox`] and guards together; [`Agent::run`] gives a [`Running`],
//! a stream of events that does the work while it is polled. There is one driver, and blocking is
//! nothing but folding its stream.

/// A named moment at which a test may end the process. Nothing without the feature.
macro_rules! moment {
    ($name:literal) => {
        #[cfg(feature = "failpoints")]
        fail::fail_point!($name);
    };
}

mod agent;
mod approval;
mod blocking;
mod builder;
mod cancel;
mod contained;
mod driver;
mod format;
mod generation;
mod id;
mod layers;
mod log;
#[doc(hidden)]
pub mod moments;
mod prepared;
mod running;
mod select;
mod settings;
mod toolbox;
mod window;

pub use self::{
    agent::Agent,
    approval::{
        AllowAll, ApprovalRequest, Approver, DenyAll, Rule, RuleApprover, RuleVerdict, Rules,
    },
    builder::AgentBuilder,
    cancel::CancelHandle,
    contained::is_panic_contained,
    format::outcome_of,
    generation::{Generation, GenerationEvent, ToolsExecuted},
    id::{new_conversation_id, new_run_id},
    layers::Layer,
    log::CallLogging,
    prepared::RunBuilder,
    running::RunStream,
    select::{FIND_TOOLS, SelectionConfig, ToolSelector, find_tools},
    settings::AgentConfig,
    toolbox::{ToolFallback, Toolbox, ToolboxBuilder, ToolboxError},
    window::ContextWindow,
};
