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
//! # The pieces
//!
//! - [`#[tool]`](macro@tool) makes a function a tool: its doc comment is the description, its
//!   types become the JSON Schema. [`#[toolset]`](macro@toolset) does the same for methods on
//!   shared state. Functions so marked are found by themselves
//!   ([`discover_tools`](AgentBuilder::discover_tools)).
//! - [`Agent`] puts a [`Model`], a [`Toolbox`] and [guards](guard) together.
//! - [`RunStream`] is a run in progress: a stream of [`Event`]s, and at its end an [`Answer`] or a
//!   [`Failure`]. Dropping it stops it; [`CancelHandle`] stops it in good order.
//! - [`Agent::generate`] goes on with messages from elsewhere, with tools for this call alone. A
//!   [`Generation`] is the answer as it comes: text in pieces, and between them that tools ran.
//! - [`Conversation`] is what the model is sent, and answers questions about what was called.
//! - [`Policy`] says how calls of a tool are treated: timeouts, retries, breakers, caches, limits.
//! - [`Journal`] keeps what happens before it happens. With the feature `store` there is one for
//!   SQLite and PostgreSQL, and a run that was cut short can be gone on with.
//! - [`ReviewMode`] holds answers against the results they rest on.
//! - [`ResultMode`] says what becomes of the results: they go back to the model, or are the answer.
//! - [`TextToolModel`] lets a model that only writes text call tools; [`dialects`] finds calls in any
//!   text.
//! - [`RunContext`] carries what a tool needs and the model must never see.
//!
//! # What happens to a call
//!
//! Known name, arguments that parse, arguments that are valid against the schema, [guards](guard),
//! a decision where the tool is destructive, then the tool, within its time. Whatever happens on
//! the way, the call gets exactly one result and the conversation goes on: an unknown name, broken
//! JSON, a refusal, a failure, a panic and a timeout are all results the model sees.

pub use toolwright_core::*;
pub use toolwright_dialects as dialects;
pub use toolwright_macros::{tool, toolset};
pub use toolwright_models as models;
pub use toolwright_models::{Dialect, FunctionModel, OpenAi, Scripted, TextToolModel, ToolMode};
pub use toolwright_runtime::*;
#[cfg(feature = "store")]
pub use toolwright_store as store;

#[doc(hidden)]
pub use toolwright_core::__private;

/// What most programs need.
pub mod prelude {
    pub use crate::{
        Agent, Answer, CancelHandle, Conversation, Event, EventKind, Failure, FunctionModel,
        Limits, Message, Model, OpenAi, Output, RunContext, RunStream, Scripted, Tool, ToolError,
        Toolbox, Toolset, tool, toolset,
    };
}
