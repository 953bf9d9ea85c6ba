//! [`McpError`]: why a server cannot be used, and what to do about it.

use std::{error::Error, path::PathBuf, time::Duration};

use rmcp::{
    service::{ClientInitializeError, ServiceError},
    transport::streamable_http_client::{AuthRequiredError, InsufficientScopeError},
};
use toolwright_core::{printable, truncate_line};

/// How much of what a server says about a failure is repeated, in characters.
const SAID: usize = 300;

/// Why a server cannot be used. What a server says in it is bounded, and nothing hides in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum McpError {
    /// It is switched off, or cannot be started as it is configured.
    #[error("{0}")]
    Off(String),
    /// The program cannot be started.
    #[error("`{program}` cannot be started: {reason}")]
    Start {
        /// The program.
        program: String,
        /// Why not.
        reason: String,
    },
    /// There is no sandbox for it.
    #[error("{0}")]
    Sandbox(String),
    /// What it takes to start it is not seen in its sandbox.
    #[error("{reason}: let it read {} (`--read` of `mcp add`, `sandbox = {{ read = […] }}` in the file)", .folder.display())]
    Unread {
        /// What is not seen, and what it is for.
        reason: String,
        /// The folder that it would have to read.
        folder: PathBuf,
    },
    /// It took too long.
    #[error("it was not ready after {}{}", toolwright_duration::format(*.limit), said(.hint))]
    Slow {
        /// How long it had.
        limit: Duration,
        /// What it may have missed, and what to do about that.
        hint: Option<String>,
    },
    /// The program ended.
    #[error("server exited ({how}{}){}", said(.stderr), said(.hint))]
    Exited {
        /// With which code, or by which signal.
        how: String,
        /// The last line it wrote to standard error.
        stderr: Option<String>,
        /// What it may have missed, and what to do about that.
        hint: Option<String>,
    },
    /// The user has to log in, or to allow more: what to do.
    #[error("{0}")]
    Unauthorized(String),
    /// It cannot be reached, or does not speak the protocol.
    #[error("{0}")]
    Protocol(String),
    /// It lists more tools than it may.
    #[error("{0}")]
    Bounds(String),
}

fn said(stderr: &Option<String>) -> String {
    stderr.as_ref().map(|line| format!(": {line}")).unwrap_or_default()
}

impl McpError {
    /// Whether starting it again can help.
    pub(super) fn may_pass(&self) -> bool {
        matches!(self, Self::Slow { .. } | Self::Exited { .. } | Self::Protocol(_))
    }

    pub(super) fn of_start(error: &ClientInitializeError) -> Self {
        // What our side of the transport says about it.
        if let Some(told) = error.auth_challenge() {
            return Self::Unauthorized(told.to_owned());
        }
        Self::Protocol(match error {
            ClientInitializeError::LegacyFallbackFailed { fallback, .. } => {
                return Self::of_start(fallback);
            }
            ClientInitializeError::ConnectionClosed(_) => "it closed the connection".to_owned(),
            ClientInitializeError::JsonRpcError(error) => {
                format!("it refused to begin: {}", words(&error.message))
            }
            ClientInitializeError::TransportError { error, .. } => words(&error.error.to_string()),
            ClientInitializeError::NoCompatibleProtocolVersion { .. } => {
                "it speaks no version of the protocol that is known here".to_owned()
            }
            _ => "it did not begin as the protocol says".to_owned(),
        })
    }

    pub(super) fn of_request(error: &ServiceError) -> Self {
        Self::Protocol(request_failure(error))
    }
}

/// Why a request got no result, in words.
pub(super) fn request_failure(error: &ServiceError) -> String {
    match error {
        ServiceError::McpError(error) => {
            format!("it answered with an error ({}): {}", error.code.0, words(&error.message))
        }
        ServiceError::TransportSend(error) => match unauthorized(error.error.as_ref()) {
            Some(told) => told.to_owned(),
            None => words(&error.error.to_string()),
        },
        ServiceError::TransportClosed => "the connection is closed".to_owned(),
        ServiceError::UnexpectedResponse => "its answer is none to what it was asked".to_owned(),
        ServiceError::Timeout { .. } => "it took too long".to_owned(),
        other => words(&other.to_string()),
    }
}

/// What the user is told where a request failed because they have to log in.
fn unauthorized<'a>(mut error: &'a (dyn Error + 'static)) -> Option<&'a str> {
    loop {
        if let Some(missing) = error.downcast_ref::<AuthRequiredError>() {
            return Some(&missing.www_authenticate_header);
        }
        if let Some(short) = error.downcast_ref::<InsufficientScopeError>() {
            return Some(&short.www_authenticate_header);
        }
        error = error.source()?;
    }
}

/// What a server said, on a line, with nothing hidden in it and nothing that a terminal would obey.
pub(super) fn words(text: &str) -> String {
    printable(&truncate_line(text, SAID)).into_owned()
}
