//! [`AuthError`]: why a login did not come about, and what to do about it.

use std::borrow::Cow;

use toolwright_core::{ActionableError, Fault};

use super::super::error::words;

/// Why a login did not come about. What a server says in it is bounded, and no secret is in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AuthError {
    /// There is nothing to log in to.
    #[error("{0}")]
    NotOffered(String),
    /// An address that the server names is not gone to.
    #[error("{what} is not gone to ({url}): {reason}")]
    Address {
        /// What is said to be there.
        what: &'static str,
        /// The address.
        url: String,
        /// Why not.
        reason: String,
    },
    /// An address gave no answer that can be used.
    #[error("{what} gave no answer ({url}): {reason}")]
    Unreachable {
        /// What is said to be there.
        what: &'static str,
        /// The address.
        url: String,
        /// Why not.
        reason: String,
    },
    /// What the server says about logging in cannot be used.
    #[error("{0}")]
    Metadata(String),
    /// Nobody can register there.
    #[error("the login server {0} registers no clients by itself")]
    NoClient(String),
    /// The login server, or the user there, said no.
    #[error("{0}")]
    Refused(String),
    /// The browser did not come back in time.
    #[error("nobody logged in within {0}")]
    Slow(String),
    /// This machine does not do its part: no port to come back to, or no file to keep tokens in.
    #[error("{0}")]
    Local(String),
}

/// An address that a server names, as it may be shown: without a login in it, and not longer than a line.
pub(super) fn shown(url: &str) -> String {
    words(&toolwright_http::without_password(url))
}

impl AuthError {
    pub(super) fn metadata(reason: impl Into<String>) -> Self {
        Self::Metadata(reason.into())
    }
}

impl ActionableError for AuthError {
    fn advice(&self) -> Option<Cow<'_, str>> {
        let advice = match self {
            Self::NotOffered(_) => {
                "name the variable that holds a token for it: `bearer_token_env` of its section"
            }
            Self::Address { .. } => {
                "do not log in to a server that you do not know; where its login server is in your own network, name \
                 that host: `oauth = { allow_hosts = [\"HOST\"] }` in its section"
            }
            Self::NoClient(_) => {
                "register a client there by hand, and name it: `oauth = { client_id = \"…\" }` in its section"
            }
            Self::Slow(_) | Self::Refused(_) => "try again",
            Self::Unreachable { .. } | Self::Metadata(_) | Self::Local(_) => return None,
        };
        Some(advice.into())
    }

    fn fault(&self) -> Fault {
        match self {
            Self::NotOffered(_) | Self::NoClient(_) => Fault::NotConfigured,
            _ => Fault::Failure,
        }
    }
}
