//! What every face of Toolwright shares: [`Config`] says what was set and where, [`Task`] which
//! tools and instructions a job gets, [`assemble`] puts an agent together from both, and [`Session`]
//! keeps its conversations. [`AgentPool`] does that for many who ask for different things.

mod agent_pool;
mod approvals;
mod assemble;
pub mod config;
mod demo;
mod error;
mod list_file;
mod offline;
mod policies;
mod task;
mod task_setup;

pub use toolwright_models::openai::without_password;
pub use toolwright_session::{Session, SessionError, StartedRun};

pub use self::{
    agent_pool::{AgentPool, ApprovalMode, AtHand, AutoApprove, RunOverrides},
    approvals::{ApprovalRules, SavedRules},
    assemble::{App, ModelBackend, assemble, context, prompt, reviewer, toolbox, trading},
    config::{Config, Flags},
    error::AppError,
    list_file::ListFile,
    offline::{OfflineModel, Weights},
    task::Task,
    task_setup::{Packs, TaskSetup},
};
