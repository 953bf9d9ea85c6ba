//! What every face of Toolwright shares: [`Config`] says what was set and where, [`Task`] which
//! tools and instructions a job gets, [`assemble`] puts an agent together from both, and [`Talk`]
//! keeps its conversations. [`Host`] does that for many who ask for different things.

mod approvals;
mod assemble;
pub mod config;
mod demo;
mod error;
mod host;
mod kit;
mod list_file;
mod offline;
mod talk;
mod task;

pub use toolwright_models::openai::without_password;

pub use self::{
    approvals::{ApprovalRules, SavedRules},
    assemble::{App, ModelBackend, assemble, context, prompt, toolbox, trading},
    config::{Config, Flags},
    error::AppError,
    host::{AgentPool, ApprovalMode, AtHand, AutoApprove, RunOverrides},
    kit::{Packs, TaskSetup},
    list_file::ListFile,
    offline::{OfflineModel, Weights},
    talk::{Session, StartedRun},
    task::Task,
};
