//! The heart of Toolwright: a run is data.
//!
//! [`Run`] is a state machine that does no IO and reads no clock. It says what must happen next
//! ([`Step`]); whoever drives it makes that happen and reports back; every report returns the
//! [`Event`]s it caused. A [`Conversation`] is what the model is sent, a [`Tool`] what it may call,
//! a [`Model`] what decides, and a [`Gate`] with its [guards](Guard) what stands between the two.
//!
//! Nothing here knows tokio or HTTP: the same run is driven in process, by a durable engine, by a
//! test, and by a replay.

mod answer;
mod authenticity;
mod call;
mod conversation;
mod decision;
mod event;
mod gate;
pub mod guard;
mod host;
mod id;
mod journal;
mod json;
mod limits;
mod line;
mod message;
mod model;
mod outbox;
mod outcome;
mod plural;
mod quoted;
pub mod review;
mod reworded;
mod router;
mod run;
mod shown;
mod tool;
mod visible;
mod word;

pub use self::{
    answer::{Answer, CallSummary, Failure, FailureKind},
    authenticity::Authenticity,
    call::{ArgumentsError, Call, CallSource},
    conversation::{
        CompactedHistory, Conversation, QueryError, Repair, ResultLocation, ReturnedValue,
        ValueOrigin, ValueOrigins,
    },
    decision::{Decision, Fingerprint},
    event::{
        Event, EventKind, Pending, RequestedCall, Timestamp, UnavailableTool, VERSION, Verdict,
    },
    gate::{CallValidator, Provenance, ToolCatalog},
    guard::Guard,
    host::is_this_machine,
    id::{CallId, ConversationId, RunId},
    journal::{Journal, JournalError, JournalErrorKind, Observer},
    json::{DuplicateKey, JsonError, RawJson, unambiguous},
    limits::{Limit, Limits, Price, tokens},
    line::in_a_line,
    message::{AssistantMessage, Author, Message, ToolMessage, UserMessage},
    model::{
        FinishReason, Model, ModelDelta, ModelError, ModelErrorKind, ModelRequest, ModelResponse,
        ModelStream, RequestCache, ToolChoice, ToolDefinitions, Usage,
    },
    outbox::{StreamFrom, StreamSender, produce},
    outcome::{Outcome, Status},
    plural::plural,
    router::ToolRouter,
    run::{CheckedCall, ResultMode, ReviewMode, Run, RunConfig, RunError, Step},
    shown::DisplayText,
    tool::{
        BlockingExecutor, CallObserver, CallPreview, ContextKey, FnTool, Job, OpaqueCommand,
        Output, Policy, PolicyNote, PreviewContent, Registration, ResultFormat, RuleTarget,
        RuleTargets, RunContext, Tool, ToolEffect, ToolError, ToolErrorKind, ToolResult, ToolSpec,
        ToolUpdate, Toolset, WithPreview, policy, schema_of,
    },
    visible::{is_hidden, printable, revealed, visible},
    word::word,
};

/// What the macros' code refers to. Not for use by hand.
#[doc(hidden)]
pub mod __private {
    pub use inventory;
    pub use schemars;
    pub use serde;
    pub use serde_json;

    pub use crate::tool::kit;
}
