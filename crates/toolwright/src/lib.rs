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
//! let agent = Agent::builder(Endpoint::from_env()?)
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
//! - [`model`]: any endpoint ([`Endpoint`](model::Endpoint)), whatever API it speaks, a model that only writes
//!   text ([`TextToolModel`](model::TextToolModel)), or one of your own ([`Model`]); and others where one
//!   gives no reply ([`FallbackModel`](model::FallbackModel)).
//! - [`run`]: an [`Agent`] starts runs. A [`RunStream`] is a run in progress: a stream of [`Event`]s,
//!   and at its end an [`Answer`] or a [`Failure`]. Dropping it stops it;
//!   [`CancelHandle`](run::CancelHandle) stops it in good order. [`Agent::ask`] gives an answer that is
//!   a value of a type of yours. [`Agent::generate`] goes on with messages from elsewhere, with tools for
//!   this call alone.
//! - [`conversation`]: what the model is sent; it answers questions about what was called.
//! - [`event`]: what happens in a run, and where it is kept ([`Journal`](event::Journal)).
//! - [`guard`]: checks that a call must pass before it runs.
//! - [`policy`]: timeouts, retries, circuit breakers, caches, rate limits.
//! - [`approval`]: who decides about calls that change something.
//! - [`review`]: answers held against the results they rest on. The feature `review`, which is on unless
//!   turned off, brings the reviewer; a [`Reviewer`](review::Reviewer) of your own takes its place with
//!   [`AgentBuilder::reviewer`].
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

#[cfg(doctest)]
#[doc = include_str!("../../../docs/answers.md")]
struct Answers;

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
///
/// ```
/// use toolwright::prelude::*;
///
/// /// Convert an amount from one currency to another.
/// #[tool(read_only, timeout = "5s", retry = 3, cache = "60s")]
/// async fn convert(
///     amount: f64,
///     /// Three letters, e.g. EUR
///     #[tool(pattern = "^[A-Z]{3}$")]
///     from: String,
///     #[tool(pattern = "^[A-Z]{3}$")] to: String,
/// ) -> Result<f64, ToolError> {
///     match (from.as_str(), to.as_str()) {
///         ("EUR", "USD") => Ok(amount * 1.1),
///         _ => Err(ToolError::new(format!("no rate from {from} to {to}"))),
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // By a model, or by a program: the same checks, the same policies.
/// let toolbox = Toolbox::builder().tool(convert::tool()).build()?;
/// let arguments = serde_json::json!({"amount": 10.0, "from": "euro", "to": "USD"});
/// let outcome = toolbox.call("convert", arguments, &RunContext::new()).await;
/// assert!(outcome.text.contains("`/from`"), "{}", outcome.text);
/// # Ok(())
/// # }
/// ```
pub mod tool {
    pub use toolwright_core::{
        BlockingExecutor, CallObserver, ContentError, ContentSource, ContextKey, FieldKind,
        FieldOption, FnTool, Job, MAX_QUESTIONS, OpaqueCommand, Outcome, Output, PromptArgument,
        PromptText, Question, QuestionAnswer, QuestionAsker, QuestionCount, QuestionError,
        QuestionField, QuestionId, QuestionKind, Registration, ResultFormat, RunContext,
        SourceContent, SourcePrompt, SourceResource, SourceTools, Status, TextFormat, Tool,
        ToolDeclaration, ToolDefinitions, ToolEffect, ToolError, ToolErrorKind, ToolGroup,
        ToolResult, ToolRouter, ToolSimilarity, ToolSource, ToolSpec, ToolUpdate, Toolset,
        UnavailableTool, Verbatim, asks, asks_outright, qualified_names, schema_of,
    };
    pub use toolwright_runtime::{
        AgentLimits, AgentTool, FIND_TOOLS, SelectionConfig, ToolFallback, ToolSelector, Toolbox,
        ToolboxBuilder, ToolboxError, find_tools, is_panic_contained, outcome_of,
    };
}

/// Models: the trait, the ones that come with the library, and what is said to them and by them.
///
/// ```
/// use toolwright::{
///     dialect::Dialect,
///     model::{Endpoint, TextToolModel, ToolMode, EndpointConfig},
/// };
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // Any OpenAI-compatible endpoint; one whose model only writes text is told of its tools in the prompt.
/// let model = Endpoint::new(EndpointConfig::new("http://localhost:11434/v1", "gemma3:4b"))?;
/// let model = TextToolModel::new(model, ToolMode::Auto, Dialect::Auto);
/// # let _ = model;
/// # Ok(())
/// # }
/// ```
pub mod model {
    pub use toolwright_core::{
        FinishReason, Model, ModelDelta, ModelError, ModelErrorKind, ModelOptions, ModelRequest,
        ModelResponse, ModelStream, OptionError, OutputStrategy, Price, RequestCache, StreamFrom,
        StreamSender, ToolChoice, ToolDefinitions, Usage, stream_from,
    };
    pub use toolwright_models::{
        Api, EmptyContent, Endpoint, EndpointConfig, Facts, FunctionModel, HttpError, HttpSettings,
        Quirks, RetryPolicy, SetBy, TextToolModel, ToolMode, UnknownToolMode, Vendor,
    };
    pub use toolwright_runtime::FallbackModel;
}

/// Runs: how one is started, watched and stopped, and the state machine behind it.
///
/// ```
/// use toolwright::{model::ModelResponse, prelude::*, testing::Scripted};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let model = Scripted::new([ModelResponse::text("Hello, Ann."), ModelResponse::text("Ann.")]);
/// let agent = Agent::builder(model).limits(Limits { rounds: 3, ..Limits::default() }).build()?;
///
/// // Awaited, a run is its answer; polled, it is a stream of events.
/// let mut run = agent.run("I am Ann.");
/// while let Some(event) = run.next().await {
///     if let EventKind::Content { data } = event.kind {
///         print!("{data}");
///     }
/// }
/// let said = run.conversation().cloned().unwrap_or_default();
/// let answer = agent.prepare("Who am I?").conversation(said).start().await?;
/// assert_eq!(answer.response, "Ann.");
/// # Ok(())
/// # }
/// ```
pub mod run {
    pub use toolwright_core::{
        Answer, ArgumentsError, Authenticity, Branch, BranchPoint, Call, CallId, CallSource,
        CallSummary, CallValidator, CheckedCall, ConversationId, Failure, FailureKind, Limit,
        Limits, MessageId, OutputSchema, OutputSchemaError, OutputValidator, QueueMode,
        QueuedMessage, ResultMode, Run, RunConfig, RunError, RunId, RunTree, Step, ToolCatalog,
    };
    pub use toolwright_runtime::{
        Agent, AgentBuilder, CancelHandle, ContextWindow, Generation, GenerationEvent, PauseHandle,
        ResultAppendix, RunBuilder, RunEnded, RunStream, SteerHandle, ToolsExecuted, Typed,
        TypedRun, new_conversation_id, new_message_id, new_run_id,
    };
}

/// Conversations: the messages a model is sent, and questions about them.
pub mod conversation {
    pub use toolwright_core::{
        AssistantMessage, Attachment, AttachmentError, AttachmentKind, Author, CompactedHistory,
        ContentPart, ContextFill, Conversation, Digest, HistoryLine, MAX_ATTACHMENT, MediaType,
        Message, QueryError, Repair, ResultLocation, ReturnedValue, Speaker, ToolMessage,
        UserMessage, ValueOrigin, ValueOrigins, content_parts, values,
    };
}

/// Events: what happens in a run, who sees it, and where it is kept.
///
/// ```
/// use std::sync::{Arc, atomic::{AtomicU64, Ordering::Relaxed}};
/// use toolwright::{event::Observer, model::ModelResponse, prelude::*, testing::Scripted};
///
/// /// Counts what runs cost.
/// #[derive(Default)]
/// struct Tokens(AtomicU64);
///
/// impl Observer for Tokens {
///     fn observe(&self, event: &Event) {
///         if let EventKind::Reply { usage, .. } = &event.kind {
///             self.0.fetch_add(usage.total(), Relaxed);
///         }
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let tokens = Arc::new(Tokens::default());
/// let model = Scripted::new([ModelResponse::text("Hello.")]);
/// let agent = Agent::builder(model).observer(tokens.clone()).build()?;
/// agent.run("Hello").await?;
/// println!("{} tokens", tokens.0.load(Relaxed));
/// # Ok(())
/// # }
/// ```
pub mod event {
    pub use toolwright_core::{
        DisplayText, Event, EventKind, Journal, JournalError, JournalErrorKind, Observer, Pending,
        Provenance, RequestedCall, Timestamp, UnavailableTool, VERSION, Verdict,
    };
    pub use toolwright_runtime::CallLogging;
}

/// Guards: checks that a call must pass before it runs, or an answer before it is given.
///
/// ```
/// use toolwright::{guard::OneAtATime, prelude::*, testing::Scripted};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let agent = Agent::builder(Scripted::default()).guard(OneAtATime).build()?;
/// let names: Vec<_> = agent.settings().guards.iter().map(|it| it.name()).collect();
/// // It stands behind those that are on by themselves.
/// let by_themselves = [
///     "placeholders", "after", "grounded", "seen", "failed_text", "duplicate", "repetition",
///     "unfinished",
/// ];
/// assert_eq!(names, [&by_themselves[..], &["one_at_a_time"]].concat());
/// # Ok(())
/// # }
/// ```
pub mod guard {
    pub use toolwright_core::guard::{
        AnswerCheck, CallCheck, Duplicate, FailedText, Grounded, Guard, OneAtATime, Placeholders,
        Prerequisites, PreviewCheck, Refusal, Repetition, Seen, UnfinishedAnswer, is_placeholder,
    };
}

/// Policies: how calls of a tool are treated on their way to it.
///
/// ```
/// use std::time::Duration;
/// use toolwright::{policy::{Policy, Retry}, prelude::*, testing::Scripted};
///
/// /// Get the last price of a symbol.
/// #[tool(read_only, timeout = "5s", cache = "2s")]
/// async fn get_price(symbol: String) -> String {
///     format!("{symbol}: 101.50")
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // What is said here goes over what the tool declares, part by part.
/// let patient = Policy { timeout: Some(Duration::from_secs(20)), ..Policy::default() };
/// let agent = Agent::builder(Scripted::default())
///     .tool(get_price::tool())
///     .default_policy(Policy { retry: Some(Retry::default()), ..Policy::default() })
///     .policy("get_price", patient)
///     .build()?;
/// let policy = &agent.settings().toolbox.get("get_price").map(|it| it.spec().policy.clone()).unwrap();
/// assert_eq!(policy.timeout, Some(Duration::from_secs(20)));
/// assert!(policy.cache.is_some() && policy.retry.is_some());
/// # Ok(())
/// # }
/// ```
pub mod policy {
    pub use toolwright_core::{
        Policy, PolicyNote,
        policy::{CachePolicy, CircuitBreaker, RateLimit, Retry, RetryOn},
    };
    pub use toolwright_runtime::Layer;
}

/// Approvals: who decides about calls that change something, and by what.
///
/// ```
/// use std::sync::Arc;
/// use toolwright::{
///     approval::{DenyAll, Rule, RuleApprover, RuleVerdict, Rules},
///     prelude::*,
///     testing::Scripted,
/// };
///
/// /// Delete a file.
/// #[tool(destructive)]
/// fn delete(path: String) -> String {
///     format!("{path} is gone")
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // What a rule allows runs without a question; whoever stands behind the rules decides the rest.
/// let built = Rule::new(RuleVerdict::Allow, "delete").pattern("path=build/*");
/// let approver = RuleApprover::new(Arc::new(Rules::new(vec![built])), DenyAll);
/// let agent = Agent::builder(Scripted::default()).tool(delete::tool()).approver(approver).build()?;
/// # let _ = agent;
/// # Ok(())
/// # }
/// ```
pub mod approval {
    pub use toolwright_core::{
        CallPreview, Decision, Fingerprint, PreviewContent, ReplacedText, RuleTarget, RuleTargets,
        WithPreview,
    };
    pub use toolwright_runtime::{
        AllowAll, ApprovalRequest, Approver, DenyAll, QuestionFuture, QuestionRequest, Rule,
        RuleApprover, RuleSource, RuleVerdict, Rules,
    };
}

/// Reviews: answers held against the results they rest on.
///
/// ```
/// # #[cfg(feature = "review")]
/// # fn agent(model: impl toolwright::Model + 'static) -> Result<(), Box<dyn std::error::Error>> {
/// use std::sync::Arc;
///
/// use toolwright::{
///     prelude::*,
///     review::{AnswerReviewer, ReviewMode},
/// };
///
/// // What the results do not support goes back to the model, once.
/// let agent = Agent::builder(model).review(ReviewMode::Enforce).build()?;
/// # let model = toolwright::testing::Scripted::new([]);
/// // The words of your field, so that they are not taken for names.
/// let reviewer = AnswerReviewer::new().vocabulary("dividend straddle bullish* nifty50");
/// let agent = Agent::builder(model)
///     .review(ReviewMode::Enforce)
///     .reviewer(Arc::new(reviewer))
///     .build()?;
/// # Ok(())
/// # }
/// # #[cfg(feature = "review")]
/// # agent(toolwright::testing::Scripted::new([])).unwrap();
/// ```
pub mod review {
    pub use toolwright_core::{
        ReviewMode,
        review::{
            Finding, FindingKind, MOST_FINDINGS, NoReviewer, Review, ReviewCheck, ReviewTools,
            Reviewer, ReviewerRegistration, correction,
        },
    };
    #[cfg(feature = "review")]
    pub use toolwright_review::{AnswerReviewer, Vocabulary};
}

/// Dialects: calls in the text of models that only write text.
pub mod dialect {
    pub use toolwright_dialects::{
        DecodedPart, Decoder, Dialect, ExtractedCall, Extraction, KnownTools, Prompt,
        UnknownDialect, WithdrawReason, extract, mend, quotable,
    };
}

/// The store: conversations that outlive the process, and the [`Session`] that keeps and resumes them.
///
/// ```
/// use toolwright::{Session, model::ModelResponse, prelude::*, store::StoreLocation, testing::Scripted};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let file = folder.path().join("conversations.db");
/// let model = Scripted::new([ModelResponse::text("Hello, Ann."), ModelResponse::text("Ann.")]);
/// let agent = Agent::builder(model).build()?;
/// let session = Session::open(agent, &StoreLocation::Sqlite(file)).await?;
///
/// let mut first = session.ask(None, "I am Ann.", RunContext::new()).await?;
/// first.running.finish().await?;
/// let mut second = session.ask(Some(&first.conversation), "Who am I?", RunContext::new()).await?;
/// assert_eq!(second.running.finish().await?.response, "Ann.");
/// # Ok(())
/// # }
/// ```
#[cfg(feature = "store")]
pub mod store {
    pub use toolwright_session::{
        EngineError, EngineFuture, LeftRun, Next, RunEngine, Session, SessionError, Slice,
        SliceDriver, SliceError, StartedRun, Wake,
    };
    pub use toolwright_store::{
        ConversationLease, ConversationPage, ConversationState, ConversationStatus,
        ConversationSummary, Cursor, ImportReport, Instructed, InstructedVerdict, Instruction,
        IntegrityReport, InvalidKey, KEY_FILE, KeyClaim, KeyState, LeaseHolder, LeaseWatch,
        LocationError, LogKey, News, OpenRun, Position, Role, SearchHit, ServerLock, Store,
        StoreError, StoreLocation, StoreNews, Timeouts,
    };
}

/// Models for tests: they say what a test wrote down, and no provider is asked. A [`Cassette`](testing::Cassette)
/// says what a real model once said.
///
/// ```
/// use toolwright::{model::ModelResponse, prelude::*, run::Call, testing::Scripted};
///
/// /// Add two numbers.
/// #[tool(read_only)]
/// fn add(a: f64, b: f64) -> f64 {
///     a + b
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let model = Scripted::new([
///     ModelResponse::calls([Call::new("1", "add", r#"{"a":2,"b":3}"#)]),
///     ModelResponse::text("It is 5."),
/// ]);
/// let agent = Agent::builder(model.clone()).tool(add::tool()).build()?;
/// assert_eq!(agent.run("2 + 3?").await?.response, "It is 5.");
/// // What the model was sent, round by round; and no reply is left over.
/// assert_eq!(model.asked()[1].conversation.last_result_of("add").unwrap().outcome.text, "5.0");
/// model.assert_complete();
/// # Ok(())
/// # }
/// ```
pub mod testing {
    pub use toolwright_models::{
        Cassette, CassetteFile, CassetteHeader, CassetteMode, Exchange, FunctionModel,
        RecordedRequest, Scripted, forbid_real_requests,
    };
}

/// What most programs need.
pub mod prelude {
    pub use crate::{
        Agent, Answer, Conversation, Event, EventKind, Failure, Message, Model, RunContext,
        RunStream, Tool, Toolbox,
        model::Endpoint,
        run::{CancelHandle, Limits},
        tool,
        tool::{Output, ToolError, Toolset},
        toolset,
    };
}
