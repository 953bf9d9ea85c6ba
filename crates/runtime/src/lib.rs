//! Runs a [`Run`](toolwright_core::Run) in process.
//!
//! [`Agent`] puts a model, a [`Toolbox`] and guards together; [`Agent::run`] gives a [`RunStream`],
//! a stream of events that does the work while it is polled. There is one driver, and blocking is
//! nothing but folding its stream.

/// A named moment at which a test may end the process. Nothing without the feature.
macro_rules! failpoint {
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
mod config;
mod contained;
mod context_window;
mod driver;
#[doc(hidden)]
pub mod failpoint;
mod fallback_model;
mod format;
mod generation;
mod id;
mod layers;
mod log;
mod model_health;
mod nested;
mod output;
mod partial_json;
mod pause;
mod result_appendix;
mod run_builder;
mod run_stream;
mod select;
mod steer;
mod toolbox;
mod typed_run;

pub use self::{
    agent::Agent,
    approval::{
        AllowAll, ApprovalRequest, Approver, DenyAll, QuestionFuture, QuestionRequest, Rule,
        RuleApprover, RuleSource, RuleVerdict, Rules, matches_pattern,
    },
    builder::AgentBuilder,
    cancel::CancelHandle,
    config::AgentConfig,
    contained::is_panic_contained,
    context_window::ContextWindow,
    fallback_model::FallbackModel,
    format::outcome_of,
    generation::{Generation, GenerationEvent, ToolsExecuted},
    id::{new_conversation_id, new_message_id, new_run_id},
    layers::Layer,
    log::CallLogging,
    nested::{AgentLimits, AgentTool},
    pause::PauseHandle,
    result_appendix::ResultAppendix,
    run_builder::RunBuilder,
    run_stream::RunStream,
    select::{FIND_TOOLS, SelectionConfig, ToolSelector, find_tools},
    steer::{RunEnded, SteerHandle},
    toolbox::{ToolFallback, Toolbox, ToolboxBuilder, ToolboxError, ValueSchema},
    typed_run::{Typed, TypedRun},
};
