//! [`ToolError`]: a tool's failure, told to two audiences.

use std::fmt;

/// A tool's failure: what the model may read, and what only the operator may.
#[derive(Clone, PartialEq, Eq)]
pub struct ToolError {
    message: String,
    detail: Option<String>,
}

impl ToolError {
    /// A failure that tells the model `message`.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), detail: None }
    }

    /// Adds what only the operator may read.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
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
