//! [`CallPreview`]: what a call would do, told before it is done.

use std::sync::Arc;

use futures_core::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{OpaqueCommand, RunContext, Tool, ToolError, ToolResult, ToolSpec};

/// What a call would do, as far as its tool can tell before it runs: what whoever decides about it
/// is shown, and what rules are held against.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct CallPreview {
    /// Where it would run. The same call in another place is another call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// What a person is shown in the place of the arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<PreviewContent>,
    /// What rules are held against.
    #[serde(default, skip_serializing_if = "RuleTargets::is_arguments")]
    pub targets: RuleTargets,
    /// The patterns of subjects that are allowed from now on where somebody says "always"; where
    /// there is none, exactly these subjects are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub always: Vec<String>,
    /// Why somebody has to look at it, even where calls like it were approved beforehand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review_reason: Option<String>,
    /// Why the rules want somebody to look at it, where they do. Not the tool's to say: whoever
    /// decides is asked for it before it is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule_concern: Option<String>,
    /// Whether it changes nothing, whatever the arguments make of it: the tool sees to that when it
    /// runs. Such a call needs no question unless a rule asks for one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub read_only: bool,
    /// A text that would be gone afterwards, as far as a tool could show it: guards hold it against what was seen
    /// ([`guard::Seen`](crate::guard::Seen)). Not a part of what is shown or kept.
    #[serde(skip)]
    pub replaces: Option<ReplacedText>,
    /// Why it cannot work as things are, with what the call itself would fail: the file is not there, say.
    /// Nobody is asked about such a call, and this is its result. Not a part of what is shown or kept.
    #[serde(skip)]
    pub failure: Option<ToolError>,
}

/// A text that a call would make disappear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplacedText {
    /// What it is called: a file's name.
    pub name: String,
    /// The text, as it would be shown.
    pub text: String,
    /// What a model can do instead, where it has not seen it.
    pub advice: String,
}

/// What a person is shown before deciding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "kind", content = "text", rename_all = "snake_case")]
pub enum PreviewContent {
    /// A unified diff of what would change.
    Diff(String),
    /// A command that would run.
    Command(String),
}

impl PreviewContent {
    /// The words.
    pub fn text(&self) -> &str {
        match self {
            Self::Diff(text) | Self::Command(text) => text,
        }
    }
}

/// What rules are held against: a call may run by rule only if each of its subjects may, and may not
/// if one of them may not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RuleTargets {
    /// The arguments, each as `name=value`.
    #[default]
    Arguments,
    /// What the tool makes of its arguments: the commands of a script, a path.
    These(Vec<RuleTarget>),
    /// The tool cannot tell, for this reason: no rule allows the call.
    Unclear(String),
}

impl RuleTargets {
    fn is_arguments(&self) -> bool {
        *self == Self::Arguments
    }
}

/// One thing a rule is held against.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RuleTarget {
    /// The words: a command with its arguments, a path.
    pub text: String,
    /// Whether only a rule that names exactly this allows it: it can do more than its beginning
    /// tells, as `find . -exec …` does.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exact: bool,
    /// Whether it changes nothing by itself: it needs no rule of its own beside others that are
    /// allowed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub read_only: bool,
    /// How many bytes at the beginning of the text are certain to be what runs; all of them where
    /// nothing is said. Where a deny rule may be about the rest, the approver has to look.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certain: Option<usize>,
}

impl RuleTarget {
    /// A subject whose beginning tells what it does.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), exact: false, read_only: false, certain: None }
    }

    /// A subject that only a rule allows which names exactly this.
    pub fn exact(text: impl Into<String>) -> Self {
        Self { exact: true, ..Self::new(text) }
    }
}

/// Tells what a call of a [`WithPreview`] tool would do.
type PreviewFn =
    Box<dyn for<'a> Fn(&'a Value, &'a RunContext) -> BoxFuture<'a, CallPreview> + Send + Sync>;

/// A tool, and how to tell beforehand what a call of it would do.
///
/// For tools that a macro wrote: whoever implements [`Tool`] by hand writes [`Tool::preview`].
pub struct WithPreview {
    tool: Arc<dyn Tool>,
    preview: PreviewFn,
}

impl WithPreview {
    /// The tool, with `propose` telling what its calls would do.
    pub fn new<F>(tool: Arc<dyn Tool>, propose: F) -> Self
    where
        F: for<'a> Fn(&'a Value, &'a RunContext) -> BoxFuture<'a, CallPreview>
            + Send
            + Sync
            + 'static,
    {
        Self { tool, preview: Box::new(propose) }
    }
}

impl Tool for WithPreview {
    fn spec(&self) -> &ToolSpec {
        self.tool.spec()
    }

    fn call<'a>(
        &'a self,
        arguments: Arc<Value>,
        context: &'a RunContext,
    ) -> BoxFuture<'a, ToolResult> {
        self.tool.call(arguments, context)
    }

    fn opaque_commands(&self, arguments: &Value) -> Vec<OpaqueCommand> {
        self.tool.opaque_commands(arguments)
    }

    fn preview<'a>(
        &'a self,
        arguments: &'a Value,
        context: &'a RunContext,
    ) -> BoxFuture<'a, CallPreview> {
        (self.preview)(arguments, context)
    }
}
