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
    call::{ArgumentsError, Call, Obtained},
    conversation::{Conversation, Digest, Given, Origins, QueryError, Repair, Returned, Source},
    decision::{Decision, Fingerprint},
    event::{Event, EventKind, Pending, ProposedCall, Timestamp, VERSION, Verdict, Withheld},
    gate::{Catalog, Gate, Provenance},
    guard::Guard,
    host::is_this_machine,
    id::{CallId, ConversationId, RunId},
    journal::{Journal, JournalError, JournalErrorKind, Observer},
    json::{JsonError, Repeated, Verbatim, unambiguous},
    limits::{Limit, Limits, Price, tokens},
    line::in_a_line,
    message::{AssistantMessage, Message, Origin, ToolMessage, UserMessage},
    model::{
        Definitions, Finish, Memo, Model, ModelError, ModelErrorKind, Part, Parts, Reply, Request,
        ToolChoice, Usage,
    },
    outbox::{Outbox, Producing, produce},
    outcome::{Outcome, Status},
    plural::plural,
    router::Router,
    run::{Mode, Reviewing, Run, RunError, Setup, Step, ToolRun},
    shown::ShownText,
    tool::{
        BlockingExecutor, ContextKey, Effect, FnTool, Job, Note, Output, Policy, Preview, Proposal,
        Proposing, Registration, Render, RunContext, Said, Subject, Subjects, Tool, ToolError,
        ToolErrorKind, ToolResult, ToolSpec, Toolset, Unseen, Watch, policy, schema_of,
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
