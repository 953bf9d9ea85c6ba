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
    approval::{AllowAll, Approver, DenyAll, Question, Rule, RuleVerdict, Ruled, Rules},
    builder::AgentBuilder,
    cancel::Cancel,
    contained::is_panic_contained,
    format::outcome_of,
    generation::{Executed, Generated, Generation},
    id::{new_conversation_id, new_run_id},
    layers::Layer,
    log::Log,
    prepared::Prepared,
    running::Running,
    select::{FIND_TOOLS, Selection, Selector, find_tools},
    settings::Settings,
    toolbox::{Route, Toolbox, ToolboxBuilder, ToolboxError},
    window::Window,
};
