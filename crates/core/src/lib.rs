//! The heart of Toolwright: a run is data.
//!
//! [`Run`] is a state machine that does no IO and reads no clock. It says what must happen next
//! ([`Step`]); whoever drives it makes that happen and reports back; every report returns the
//! [`Event`]s it caused. A [`Conversation`] is what the model is sent, a [`Tool`] what it may call,
//! a [`Model`] what decides, and a [`CallValidator`] with its [guards](Guard) what stands between the two.
//!
//! Nothing here knows tokio or HTTP: the same run is driven in process, by a durable engine, by a
//! test, and by a replay.

mod actionable;
mod answer;
mod attachment;
mod authenticity;
mod branch;
mod call;
mod call_validator;
mod conversation;
mod decision;
mod display_text;
mod event;
mod foreign_content;
pub mod guard;
mod host;
mod id;
mod invisible;
mod journal;
mod json;
mod kind_name;
mod limits;
mod message;
mod model;
mod outcome;
mod output_schema;
mod plural;
mod question;
mod queued;
mod quoted;
pub mod review;
mod reworded;
mod router;
mod run;
mod stream_from;
mod tool;
mod truncate;
pub mod values;

pub use self::{
    actionable::{ActionableError, Fault},
    answer::{Answer, CallSummary, Failure, FailureKind},
    attachment::{
        Attachment, AttachmentError, AttachmentKind, ContentPart, Digest, END_OF_FILE,
        MAX_ATTACHMENT, MediaType, content_parts,
    },
    authenticity::Authenticity,
    branch::{Branch, BranchPoint, RunTree},
    call::{ArgumentsError, Call, CallSource},
    call_validator::{CallValidator, OutputValidator, Provenance, ToolCatalog},
    conversation::{
        CompactedHistory, ContextFill, Conversation, HistoryLine, QueryError, Repair,
        ResultLocation, ReturnedValue, Speaker, ValueOrigin, ValueOrigins,
    },
    decision::{Decision, Fingerprint},
    display_text::DisplayText,
    event::{
        Event, EventKind, Pending, RequestedCall, Timestamp, ToolChanges, UnavailableTool, VERSION,
        Verdict,
    },
    guard::Guard,
    host::is_this_machine,
    id::{CallId, ConversationId, MessageId, QuestionId, RunId},
    invisible::{escape_invisible, is_hidden, printable, revealed},
    journal::{Journal, JournalError, JournalErrorKind, Observer},
    json::{DuplicateKey, JsonError, RawJson, unambiguous},
    kind_name::kind_name,
    limits::{Limit, Limits, Price, tokens},
    message::{AssistantMessage, Author, Message, ToolMessage, UserMessage},
    model::{
        FinishReason, Model, ModelDelta, ModelError, ModelErrorKind, ModelOptions, ModelRequest,
        ModelResponse, ModelStream, OptionError, RequestCache, SentHeader, SentRequest, ToolChoice,
        ToolDefinitions, Usage,
    },
    outcome::{Outcome, Status},
    output_schema::{OutputSchema, OutputSchemaError, OutputStrategy},
    plural::plural,
    question::{
        FieldKind, FieldOption, MAX_QUESTIONS, Question, QuestionAnswer, QuestionAsker,
        QuestionCount, QuestionError, QuestionField, QuestionKind, TextFormat,
    },
    queued::{QueueMode, QueuedMessage},
    router::{ToolRouter, ToolSimilarity},
    run::{
        CheckedCall, PartialResult, ResultMode, ReviewMode, Run, RunConfig, RunError, Step,
        WaitingCall,
    },
    stream_from::{StreamFrom, StreamSender, stream_from},
    tool::{
        BlockingExecutor, CallObserver, CallPreview, ContentError, ContentSource, ContextKey,
        FnTool, Job, OpaqueCommand, Output, Policy, PolicyNote, PreviewContent, PromptArgument,
        PromptText, Registration, ReplacedText, ResultFormat, RuleTarget, RuleTargets, RunContext,
        SEPARATOR, SourceContent, SourcePrompt, SourceResource, SourceTools, Tool, ToolDeclaration,
        ToolEffect, ToolError, ToolErrorKind, ToolGroup, ToolResult, ToolSource, ToolSpec,
        ToolUpdate, Toolset, Verbatim, WithPreview, asks, asks_outright, policy, qualified_names,
        schema_of,
    },
    truncate::truncate_line,
};

/// What the macros' code refers to. Not for use by hand.
#[doc(hidden)]
pub mod __private {
    pub use inventory;
    pub use schemars;
    pub use serde;
    pub use serde_json;

    pub use crate::{
        Policy, Registration, ResultFormat, RunContext, Tool, ToolEffect, ToolError, ToolResult,
        ToolSpec, Toolset, Verbatim, policy, schema_of, tool::kit,
    };
}
