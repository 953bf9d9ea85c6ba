//! [`ToolError`]: a tool's failure, told to two audiences.

use std::fmt;

use serde_json::Value;

use crate::Status;

/// A tool's failure: what the model may read, and what only the operator may.
#[derive(Clone, PartialEq, Eq)]
pub struct ToolError {
    message: String,
    detail: Option<String>,
    /// Boxed, so that a failure is no larger than a few words.
    input: Option<Box<Value>>,
    kind: ToolErrorKind,
}

/// What kind of failure it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolErrorKind {
    /// It would fail the same way again.
    #[default]
    Lasting,
    /// The tool did what it was asked to, and that did not succeed: a command with an exit code, say.
    Unsuccessful,
    /// It may pass: the same call may work later.
    Temporary,
    /// The tool took too long.
    TimedOut,
    /// The call was not made: the tool is out of order, or was called too often.
    Refused,
}

impl ToolErrorKind {
    /// How a call that failed like this ended.
    pub fn status(self) -> Status {
        match self {
            Self::Lasting | Self::Unsuccessful | Self::Temporary => Status::Failed,
            Self::TimedOut => Status::TimedOut,
            Self::Refused => Status::Refused,
        }
    }
}

impl ToolError {
    /// A failure that tells the model `message`.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), detail: None, input: None, kind: ToolErrorKind::Lasting }
    }

    /// A failure that may pass: where its policy says so, the call is tried again.
    pub fn temporary(message: impl Into<String>) -> Self {
        Self::new(message).of_kind(ToolErrorKind::Temporary)
    }

    /// Says what kind of failure it is.
    #[must_use]
    pub fn of_kind(mut self, kind: ToolErrorKind) -> Self {
        self.kind = kind;
        self
    }

    /// Adds what only the operator may read.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// Adds the arguments as the tool understood them (a path that was resolved, say): a person who
    /// is told that it failed sees with what.
    #[must_use]
    pub fn with_input(mut self, input: Value) -> Self {
        self.input = Some(Box::new(input));
        self
    }

    /// What the model may read.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What only the operator may read.
    pub fn detail(&self) -> Option<&str> {
        self.detail.as_deref()
    }

    /// The arguments as the tool understood them.
    pub fn input(&self) -> Option<&Value> {
        self.input.as_deref()
    }

    /// What kind of failure it is.
    pub fn kind(&self) -> ToolErrorKind {
        self.kind
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ToolError({:?})", self.message)
    }
}

impl std::error::Error for ToolError {}

impl From<String> for ToolError {
    fn from(message: String) -> Self {
        Self::new(message)
    }
}

impl From<&str> for ToolError {
    fn from(message: &str) -> Self {
        Self::new(message)
    }
}

impl From<crate::QuestionError> for ToolError {
    fn from(error: crate::QuestionError) -> Self {
        Self::new(error.to_string())
    }
}
