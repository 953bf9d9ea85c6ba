//! A tool-calling runtime for AI agents.
//!
//! A person asks; a model decides to call tools; the runtime checks, runs and records the calls;
//! the model sees the results and goes on until it can answer; the person watches it happen.
//!
//! ```no_run
//! use toolwright::prelude::*;
//!
//! /// Get the current weather in a given location.
//! #[tool(read_only)]
//! async fn get_weather(
//!     /// The city and state, e.g. San Francisco, CA
//!     location: String,
//! ) -> String {
//!     format!("Weather in {location}: 72°F, sunny")
//! }
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let agent = Agent::builder(OpenAi::from_env()?)
//!     .system("You are a helpful assistant.")
//!     .discover_tools()
//!     .build()?;
//! let mut run = agent.run("What's the weather in San Francisco?");
//! while let Some(event) = run.next().await {
//!     if let EventKind::Content { data } = event.kind {
//!         print!("{data}");
//!     }
//! }
//! let answer = run.finish().await?;
//! println!("\n{} tools ran", answer.tools_executed);
//! # Ok(())
//! # }
//! ```
//!
//! # Modules
//!
//! - [`tool`](mod@tool): [`#[tool]`](macro@tool) makes a function a tool: its doc comment is the
//!   description, its types become the JSON Schema. [`#[toolset]`](macro@toolset) does the same for
//!   methods on shared state. Functions so marked are found by themselves
//!   ([`discover_tools`](AgentBuilder::discover_tools)).
//! - [`model`]: any OpenAI-compatible endpoint ([`OpenAi`](model::OpenAi)), a model that only writes
//!   text ([`TextToolModel`](model::TextToolModel)), or one of your own ([`Model`]).
//! - [`run`]: an [`Agent`] starts runs. A [`RunStream`] is a run in progress: a stream of [`Event`]s,
//!   and at its end an [`Answer`] or a [`Failure`]. Dropping it stops it;
//!   [`CancelHandle`](run::CancelHandle) stops it in good order. [`Agent::generate`] goes on with
//!   messages from elsewhere, with tools for this call alone.
//! - [`conversation`]: what the model is sent; it answers questions about what was called.
//! - [`event`]: what happens in a run, and where it is kept ([`Journal`](event::Journal)).
//! - [`guard`]: checks that a call must pass before it runs.
//! - [`policy`]: timeouts, retries, circuit breakers, caches, rate limits.
//! - [`approval`]: who decides about calls that change something.
//! - [`review`]: answers held against the results they rest on.
//! - [`dialect`]: finds calls in the text of models that only write text.
//! - `store` (feature `store`): the event log in SQLite or PostgreSQL, and `Session`: ask, resume, survive
//!   a crash.
//! - [`testing`]: models that say what a test wrote down.
//!
//! # What happens to a call
//!
//! Known name, arguments that parse, arguments that are valid against the schema, [guards](guard),
//! a decision where the tool is destructive, then the tool, within its time. Whatever happens on
//! the way, the call gets exactly one result and the conversation goes on: an unknown name, broken
//! JSON, a refusal, a failure, a panic and a timeout are all results the model sees.

#[doc(hidden)]
pub use toolwright_core::__private;
pub use toolwright_core::{
    Answer, Conversation, Event, EventKind, Failure, Message, Model, RunContext, Tool,
};
pub use toolwright_macros::{tool, toolset};
pub use toolwright_runtime::{Agent, AgentBuilder, RunStream, Toolbox};
#[cfg(feature = "store")]
pub use toolwright_session::Session;

/// Tools: what is declared about them, what they return, and the registry they are called from.
pub mod tool {
    pub use toolwright_core::{
        BlockingExecutor, CallObserver, ContextKey, FnTool, Job, OpaqueCommand, Outcome, Output,
        Registration, ResultFormat, RunContext, Status, Tool, ToolDefinitions, ToolEffect,
        ToolError, ToolErrorKind, ToolResult, ToolRouter, ToolSimilarity, ToolSpec, ToolUpdate,
        Toolset, schema_of,
    };
    pub use toolwright_runtime::{
        FIND_TOOLS, SelectionConfig, ToolFallback, ToolSelector, Toolbox, ToolboxBuilder,
        ToolboxError, find_tools, is_panic_contained, outcome_of,
    };
}

/// Models: the trait, the ones that come with the library, and what is said to them and by them.
pub mod model {
    pub use toolwright_core::{
        FinishReason, Model, ModelDelta, ModelError, ModelErrorKind, ModelRequest, ModelResponse,
        ModelStream, Price, RequestCache, StreamFrom, StreamSender, ToolChoice, ToolDefinitions,
        Usage, stream_from,
    };
    pub use toolwright_models::{
        FunctionModel, OpenAi, RetryPolicy, TextToolModel, ToolMode, UnknownToolMode, openai,
    };
}

/// Runs: how one is started, watched and stopped, and the state machine behind it.
pub mod run {
    pub use toolwright_core::{
        Answer, ArgumentsError, Authenticity, Call, CallId, CallSource, CallSummary, CallValidator,
        CheckedCall, ConversationId, Failure, FailureKind, Limit, Limits, ResultMode, Run,
        RunConfig, RunError, RunId, Step, ToolCatalog,
    };
    pub use toolwright_runtime::{
        Agent, AgentBuilder, CancelHandle, ContextWindow, Generation, GenerationEvent, RunBuilder,
        RunStream, ToolsExecuted, new_conversation_id, new_run_id,
    };
}

/// Conversations: the messages a model is sent, and questions about them.
pub mod conversation {
    pub use toolwright_core::{
        AssistantMessage, Author, CompactedHistory, Conversation, Message, QueryError, Repair,
        ResultLocation, ReturnedValue, ToolMessage, UserMessage, ValueOrigin, ValueOrigins,
    };
}

/// Events: what happens in a run, who sees it, and where it is kept.
pub mod event {
    pub use toolwright_core::{
        DisplayText, Event, EventKind, Journal, JournalError, JournalErrorKind, Observer, Pending,
        Provenance, RequestedCall, Timestamp, UnavailableTool, VERSION, Verdict,
    };
    pub use toolwright_runtime::CallLogging;
}

/// Guards: checks that a call must pass before it runs, or an answer before it is given.
pub mod guard {
    pub use toolwright_core::{
        Provenance,
        guard::{
            AnswerCheck, CallCheck, Grounded, Guard, OneAtATime, Placeholders, Prerequisites,
            Refusal, Repetition, UnfinishedAnswer, is_placeholder,
        },
    };
}

/// Policies: how calls of a tool are treated on their way to it.
pub mod policy {
    pub use toolwright_core::{
        Policy, PolicyNote,
        policy::{CachePolicy, CircuitBreaker, RateLimit, Retry, RetryOn},
    };
    pub use toolwright_runtime::Layer;
}

/// Approvals: who decides about calls that change something, and by what.
pub mod approval {
    pub use toolwright_core::{
        CallPreview, Decision, Fingerprint, PreviewContent, RuleTarget, RuleTargets, WithPreview,
    };
    pub use toolwright_runtime::{
        AllowAll, ApprovalRequest, Approver, DenyAll, Rule, RuleApprover, RuleVerdict, Rules,
    };
}

/// Reviews: answers held against the results they rest on.
pub mod review {
    pub use toolwright_core::{
        ReviewMode,
        review::{Finding, FindingKind, Review, ReviewCheck, ReviewTools, correction, review},
    };
}

/// Dialects: calls in the text of models that only write text.
pub mod dialect {
    pub use toolwright_dialects::{
        DecodedPart, Decoder, Dialect, ExtractedCall, Extraction, KnownTools, Prompt,
        UnknownDialect, WithdrawReason, extract, mend, quotable,
    };
}

/// The store: conversations that outlive the process, and the [`Session`] that keeps and resumes them.
#[cfg(feature = "store")]
pub mod store {
    pub use toolwright_session::{Session, SessionError, StartedRun};
    pub use toolwright_store::{
        ConversationLease, ConversationPage, ConversationState, ConversationStatus,
        ConversationSummary, Cursor, ImportReport, IntegrityReport, InvalidKey, KEY_FILE,
        LeaseHolder, LocationError, LogKey, Position, Role, SearchHit, Store, StoreError,
        StoreLocation, Timeouts,
    };
}

/// Models for tests: they say what a test wrote down, and no provider is asked.
pub mod testing {
    pub use toolwright_models::{FunctionModel, RecordedRequest, Scripted, forbid_real_requests};
}

/// What most programs need.
pub mod prelude {
    pub use crate::{
        Agent, Answer, Conversation, Event, EventKind, Failure, Message, Model, RunContext,
        RunStream, Tool, Toolbox,
        model::OpenAi,
        run::{CancelHandle, Limits},
        tool,
        tool::{Output, ToolError, Toolset},
        toolset,
    };
}
