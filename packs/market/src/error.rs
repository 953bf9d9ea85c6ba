//! [`MarketError`]: why a market gave no answer.

use std::time::Duration;

/// Why a market gave no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MarketErrorKind {
    /// The token or the client's number is wrong, or has run out.
    Authentication,
    /// The account has no data plan, or no access to this.
    NotSubscribed,
    /// The account cannot do this: a segment is not active, say.
    Account,
    /// Too many requests.
    RateLimited,
    /// What was asked for cannot be asked for.
    Input,
    /// There is nothing for what was asked for.
    NoData,
    /// The broker failed.
    Server,
    /// The broker was not reached, or broke off.
    Network,
    /// It took too long.
    Timeout,
    /// The broker said something that cannot be read.
    Unreadable,
    /// No access was given.
    NoAccess,
    /// What was got could not be kept on this machine.
    Storage,
}

/// Why a market gave no answer, with advice. Never holds a secret.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
pub struct MarketError {
    /// What kind of failure it is.
    pub kind: MarketErrorKind,
    /// What happened, in words for the model and for people.
    pub message: String,
    /// The broker's code, such as `DH-905`.
    pub code: Option<String>,
    /// How long to wait before asking again.
    pub retry_after: Option<Duration>,
}

impl MarketError {
    /// An error of this kind.
    pub fn new(kind: MarketErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), code: None, retry_after: None }
    }

    /// Whether asking again may help.
    pub fn is_temporary(&self) -> bool {
        use MarketErrorKind::{Network, RateLimited, Server, Timeout};
        matches!(self.kind, RateLimited | Server | Network | Timeout)
    }
}
