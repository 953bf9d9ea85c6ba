//! [`Tool`]: something a model may call, and what it needs to know and to say.

mod asked;
mod blocking;
mod content;
mod context;
mod context_key;
mod declaration;
mod error;
mod executable;
mod opaque;
mod output;
mod outright;
pub mod policy;
mod preview;
mod registration;
mod schema;
mod source;
mod spec;

use std::sync::Arc;

use futures_core::future::BoxFuture;
use serde_json::Value;

pub use self::{
    asked::asks,
    blocking::{BlockingExecutor, Job},
    content::{
        ContentError, ContentSource, PromptArgument, PromptText, SourceContent, SourcePrompt,
        SourceResource,
    },
    context::{CallObserver, PolicyNote, RunContext, ToolUpdate},
    context_key::ContextKey,
    declaration::ToolDeclaration,
    error::{ToolError, ToolErrorKind},
    opaque::OpaqueCommand,
    output::Output,
    outright::asks_outright,
    policy::Policy,
    preview::{CallPreview, PreviewContent, ReplacedText, RuleTarget, RuleTargets, WithPreview},
    registration::Registration,
    schema::schema_of,
    source::{SEPARATOR, SourceTools, ToolSource, qualified_names},
    spec::{ResultFormat, ToolEffect, ToolGroup, ToolSpec, Verbatim},
};

pub(crate) use self::{executable::Text, outright::asks_outright_of};

#[doc(hidden)]
pub use self::output::kit;

/// What a tool gives back.
pub type ToolResult = Result<Output, ToolError>;

/// Something a model may call.
///
/// `#[tool]` writes this for a function and `#[toolset]` for methods; implement it by hand for
/// tools that are only known at run time.
///
/// ```
/// use std::sync::Arc;
///
/// use futures_core::future::BoxFuture;
/// use serde_json::{Value, json};
/// use toolwright_core::{Output, RunContext, Tool, ToolEffect, ToolResult, ToolSpec};
///
/// /// One tool for each table of a database, say.
/// struct Lookup(ToolSpec);
///
/// impl Lookup {
///     fn new(table: &str) -> Self {
///         let parameters = json!({
///             "type": "object",
///             "properties": {"id": {"type": "integer"}},
///             "required": ["id"],
///         });
///         let told = format!("Look up a row of the table {table}.");
///         let spec = ToolSpec::new(format!("find_{table}"), told, parameters);
///         Self(spec.effect(ToolEffect::ReadOnly))
///     }
/// }
///
/// impl Tool for Lookup {
///     fn spec(&self) -> &ToolSpec {
///         &self.0
///     }
///
///     fn call<'a>(
///         &'a self,
///         arguments: Arc<Value>,
///         _: &'a RunContext,
///     ) -> BoxFuture<'a, ToolResult> {
///         // The arguments are valid against the schema by now.
///         Box::pin(async move { Ok(Output::Text(format!("row {}", arguments["id"]))) })
///     }
/// }
///
/// assert_eq!(Lookup::new("orders").spec().name, "find_orders");
/// ```
pub trait Tool: Send + Sync {
    /// What the model is told about the tool, and how the runtime treats it.
    fn spec(&self) -> &ToolSpec;

    /// Runs the tool. The arguments were parsed and are valid against the spec's schema. Dropping
    /// the future cancels the call.
    fn call<'a>(
        &'a self,
        arguments: Arc<Value>,
        context: &'a RunContext,
    ) -> BoxFuture<'a, ToolResult>;

    /// The parts of a call of which its arguments do not tell what is carried out. Somebody has to
    /// look at it first, unless the user said each of these very parts.
    fn opaque_commands(&self, _arguments: &Value) -> Vec<OpaqueCommand> {
        Vec::new()
    }

    /// What a call with these arguments would do. Asked before somebody decides about it, and again
    /// right before it runs: where the two differ, the decision does not stand.
    fn preview<'a>(
        &'a self,
        _arguments: &'a Value,
        _context: &'a RunContext,
    ) -> BoxFuture<'a, CallPreview> {
        Box::pin(std::future::ready(CallPreview::default()))
    }
}

/// Tools that are methods on shared state; `#[toolset]` writes this for an `impl` block.
pub trait Toolset {
    /// One tool for each marked method, all holding the same state.
    fn tools(self: Arc<Self>) -> Vec<Arc<dyn Tool>>;
}

/// The body of a [`FnTool`].
type Body = Box<dyn Fn(Arc<Value>, RunContext) -> BoxFuture<'static, ToolResult> + Send + Sync>;

/// A tool made of a spec and a closure.
pub struct FnTool {
    spec: ToolSpec,
    body: Body,
}

impl FnTool {
    /// A tool that runs `body`.
    pub fn new<F>(spec: ToolSpec, body: F) -> Self
    where
        F: Fn(Arc<Value>, RunContext) -> BoxFuture<'static, ToolResult> + Send + Sync + 'static,
    {
        Self { spec, body: Box::new(body) }
    }
}

impl Tool for FnTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call<'a>(
        &'a self,
        arguments: Arc<Value>,
        context: &'a RunContext,
    ) -> BoxFuture<'a, ToolResult> {
        (self.body)(arguments, context.clone())
    }
}
