//! [`ModelError`]: why a model gave no reply, and what to do about it.

use std::{borrow::Cow, fmt, time::Duration};

use serde::{Deserialize, Serialize};

use crate::{ActionableError, Fault};

/// What kind of failure it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// Nothing is configured to ask.
    NotConfigured,
    /// No connection, or it broke before the reply began.
    Connection,
    /// No data arrived in time.
    Timeout,
    /// The key is missing, wrong, or not allowed to do this.
    Auth,
    /// Too many requests, for now.
    RateLimited,
    /// The account is out of credit.
    Quota,
    /// The provider did not accept the request.
    Request,
    /// Something is attached that the model does not take: it was not asked.
    Attachment,
    /// The conversation is longer than the model can read.
    TooLong,
    /// The model or the route does not exist.
    NotFound,
    /// The provider is in trouble.
    Server,
    /// The reply began and then broke off, or was not understandable.
    BrokenReply,
    /// A recording stands in the place of the model, and has no reply to this, or cannot be used. Asking
    /// again gives the same.
    Recording,
}

/// Why a model gave no reply, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ModelError {
    /// What kind of failure it was.
    pub kind: ModelErrorKind,
    /// What happened, in one line.
    pub message: String,
    /// What a person can do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
    /// The HTTP status, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// How long the provider asks to wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<Duration>,
}

impl ModelError {
    /// A failure of this kind.
    pub fn new(kind: ModelErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), advice: None, status: None, retry_after: None }
    }

    /// Adds what a person can do about it.
    #[must_use]
    pub fn with_advice(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }

    /// Whether no data arrived in time.
    pub fn is_timeout(&self) -> bool {
        self.kind == ModelErrorKind::Timeout
    }

    /// Whether asking again may help.
    pub fn is_transient(&self) -> bool {
        use ModelErrorKind::{BrokenReply, Connection, RateLimited, Server, Timeout};
        matches!(self.kind, Connection | Timeout | RateLimited | Server | BrokenReply)
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ModelError {}

impl ActionableError for ModelError {
    fn advice(&self) -> Option<Cow<'_, str>> {
        self.advice.as_deref().map(Cow::Borrowed)
    }

    fn fault(&self) -> Fault {
        match self.kind {
            ModelErrorKind::NotConfigured => Fault::NotConfigured,
            _ => Fault::Failure,
        }
    }
}
