//! What every face of Toolwright shares: [`PackRegistry`] has the packs there are, [`Config`] says what
//! was set and where, [`Task`] which tools and instructions a job gets, [`assemble`] puts an agent together from both, and [`Session`]
//! keeps its conversations. [`AgentPool`] does that for many who ask for different things.

mod agent_pool;
mod approvals;
mod assemble;
mod callable;
pub mod config;
mod dapr;
mod error;
mod list_file;
mod model_backend;
mod model_survey;
mod offline;
mod packs;
mod policies;
mod recorded;
mod replay;
mod task;
mod task_context;
mod task_setup;
mod tool_sources;
mod words;

pub use toolwright_http::without_password;
pub use toolwright_models::{Endpoint, Found};
pub use toolwright_project::{
    ContextKind, ContextSource, ContextState, Expansion, ExpansionError, Level as ContextLevel,
    SlashCommand,
};
pub use toolwright_session::{Session, SessionError, StartedRun};

#[cfg(feature = "commands")]
pub use self::tool_sources::check_commands;
#[cfg(feature = "mcp")]
pub use self::tool_sources::{mcp_pins, mcp_server};
pub use self::{
    agent_pool::{AgentPool, ApprovalMode, AutoApprove, RunOverrides},
    approvals::{ApprovalRules, SavedRules},
    assemble::{App, assemble, assemble_in, context, prompt, toolbox, unready_toolbox},
    callable::CallableTools,
    config::{Config, Flags, OnBadTask},
    dapr::DaprModel,
    error::AppError,
    list_file::ListFile,
    model_backend::{ChosenModels, ModelBackend},
    model_survey::{
        AskedModel, KnownProvider, ModelSurvey, SurveyedProvider, found_here,
        models as listed_models,
    },
    offline::{FetchProgress, OfflineModel, Weights},
    packs::{OpenPacks, PackRegistry},
    recorded::Recording,
    replay::{
        Difference, DifferenceKind, ReplayReport, ReplayedBy, ReplayedQuestion, export_cassette,
        replay,
    },
    task::{PackChoice, Task, TaskCatalog, TaskEntry, TaskSource, ToolPattern},
    task_context::TaskContext,
    task_setup::{TaskPacks, TaskSetup},
    tool_sources::{SourceEntry, SourceKind},
};
