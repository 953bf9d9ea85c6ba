//! What every face of Toolwright shares: [`PackRegistry`] has the packs there are, [`Config`] says what
//! was set and where, [`Task`] which tools and instructions a job gets, [`assemble`] puts an agent together from both, and [`Session`]
//! keeps its conversations. [`AgentPool`] does that for many who ask for different things.

mod agent_pool;
mod approvals;
mod assemble;
mod callable;
pub mod config;
mod dapr;
mod engines;
mod error;
mod heeding;
mod log_once;
mod model_backend;
mod model_check;
mod model_connection;
mod model_survey;
mod offline;
mod packs;
mod policies;
mod recorded;
mod replay;
mod run_spec;
mod showing;
mod slices;
mod stranded;
mod task;
mod task_content;
mod task_context;
mod task_setup;
mod tool_sources;
mod words;

pub use toolwright_files::ListFile;
pub use toolwright_http::without_password;
pub use toolwright_models::{Api, Endpoint, Found};
#[cfg(feature = "openapi")]
pub use toolwright_openapi::{SpecOperation, SpecReport};
pub use toolwright_project::{
    CommandParameter, ContextKind, ContextSource, ContextState, Expansion, ExpansionError,
    Level as ContextLevel, SlashCommand,
};
pub use toolwright_session::{LeftRun, Session, SessionError, StartedRun};

#[cfg(feature = "openapi")]
pub use self::tool_sources::ApiApproval;
#[cfg(feature = "commands")]
pub use self::tool_sources::check_commands;
#[cfg(feature = "mcp")]
pub use self::tool_sources::{
    McpApproval, McpStanding, SessionMcpServer, SessionMcpTransport, mcp_forget, mcp_hides,
    mcp_pins, mcp_server, mcp_server_config, mcp_tokens,
};
pub use self::{
    agent_pool::{AgentPool, ApprovalMode, AutoApprove, RunOverrides},
    approvals::{ApprovalRules, GivenRule},
    assemble::{App, assemble, assemble_in, context, prompt, toolbox, unready_toolbox},
    callable::{CallablePrompt, CallableTools},
    config::{Config, Flags, OnBadTask},
    dapr::DaprModel,
    engines::{Engines, EnginesError, OtherEngine},
    error::AppError,
    heeding::Heeding,
    log_once::LogOnce,
    model_backend::{ChosenModels, ModelBackend},
    model_check::{CheckStep, CheckedThing, ModelCheck, StepOutcome},
    model_connection::{ModelConnection, is_key_variable},
    model_survey::{
        AskedModel, KnownProvider, ModelSurvey, ProviderListing, SurveyedProvider, found_here,
        models as listed_models,
    },
    offline::{FetchProgress, OfflineModel, Weights},
    packs::{OpenPacks, PackRegistry},
    recorded::Recording,
    replay::{
        Difference, DifferenceKind, ReplayReport, ReplayedBy, ReplayedQuestion, export_cassette,
        replay,
    },
    run_spec::{GivenCredential, RunSpec},
    showing::Showing,
    slices::{SliceDesk, SliceSettings, Slices},
    stranded::keep_waking,
    task::{PackChoice, Task, TaskCatalog, TaskEntry, TaskSource, ToolPattern},
    task_content::{ServerPrompt, UserContentError},
    task_context::TaskContext,
    task_setup::{TaskPacks, TaskSetup},
    tool_sources::{ConfiguredSource, SourceKind},
    words::nearest,
};
