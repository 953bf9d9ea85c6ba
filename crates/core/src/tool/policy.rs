//! [`Policy`]: how calls of a tool are treated on their way to it, as data.
//!
//! Whoever wrote the tool declares it (`#[tool(cache = "60s", retry = 3)]`), whoever runs it may
//! say otherwise in a config file or in code; the runtime builds one layer for each part.

mod time;

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How calls of a tool are treated on their way to it. What is not said is left as it is.
///
/// ```
/// use std::time::Duration;
/// use toolwright_core::{Policy, policy::{RateLimit, Retry}};
///
/// // `#[tool(retry = 3)]` of the author, and what the operator says over it.
/// let declared = Policy { retry: Some(Retry::default()), ..Policy::default() };
/// let said = Policy {
///     timeout: Some(Duration::from_secs(5)),
///     rate: RateLimit { per_run: Some(3), ..RateLimit::default() },
///     ..Policy::default()
/// };
/// let policy = declared.with(&said);
/// assert_eq!(policy.retry, Some(Retry::default()));
/// assert_eq!(policy.timeout, Some(Duration::from_secs(5)));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// How long one attempt may take.
    #[serde(with = "time::option", skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Duration>,
    /// How long one attempt may go without saying how far it is.
    #[serde(with = "time::option", skip_serializing_if = "Option::is_none")]
    pub idle_timeout: Option<Duration>,
    /// Whether a failure that may pass is tried again. Only where the effect allows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<Retry>,
    /// Whether a tool that keeps failing is left alone for a while.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub breaker: Option<CircuitBreaker>,
    /// Whether an answer serves for the same question again. Only for read-only tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache: Option<CachePolicy>,
    /// How often it may be called.
    #[serde(skip_serializing_if = "RateLimit::is_unbounded")]
    pub rate: RateLimit,
    /// Fields of its results whose values nobody may see.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub redact: Vec<String>,
}

/// How a failure that may pass is tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Retry {
    /// Attempts in all.
    pub attempts: u32,
    /// The longest wait before the second; it doubles from there. How much of it is waited is left
    /// to chance, so that those who failed together do not come back together.
    #[serde(with = "time")]
    pub initial_backoff: Duration,
    /// The longest wait.
    #[serde(with = "time")]
    pub max_backoff: Duration,
    /// Which failures are tried again.
    pub on: RetryOn,
}

/// Which failures are tried again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RetryOn {
    /// Those the tool calls temporary, and calls that took too long.
    #[default]
    Temporary,
    /// All of them.
    Any,
}

impl Default for Retry {
    fn default() -> Self {
        Self {
            attempts: 3,
            initial_backoff: Duration::from_millis(200),
            max_backoff: Duration::from_secs(5),
            on: RetryOn::default(),
        }
    }
}

/// When a tool that keeps failing is left alone, and for how long.
///
/// Every failure of a call counts alike for the account that met it (what its
/// [context](super::RunContext) holds), with all its attempts as one. For everybody count those that
/// may pass and that more than one account met. A tool for which "there is no such thing" is an answer
/// should return it as one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CircuitBreaker {
    /// The share of failed calls, 0 to 1, at which it opens.
    pub failures: f64,
    /// How many of the last calls count.
    pub window: u32,
    /// How many there must have been before it may open.
    pub min_calls: u32,
    /// How long it stays open before one call may try again.
    #[serde(with = "time")]
    pub cooldown: Duration,
}

impl Default for CircuitBreaker {
    fn default() -> Self {
        Self { failures: 0.5, window: 20, min_calls: 5, cooldown: Duration::from_secs(30) }
    }
}

/// How long an answer serves for the same question. Whom it is asked for is part of the question,
/// whatever the tool: all that the run's [context](super::RunContext) holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CachePolicy {
    /// How long.
    #[serde(with = "time")]
    pub ttl: Duration,
    /// How many answers are kept. With 0 none is: then only calls at the same time share one.
    pub entries: u64,
}

impl Default for CachePolicy {
    fn default() -> Self {
        Self { ttl: Duration::from_secs(60), entries: 1_000 }
    }
}

/// How often a tool may be called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RateLimit {
    /// Calls in one run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_run: Option<u32>,
    /// Calls in all runs together within any [`RateLimit::period`]; more wait their turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<u32>,
    /// The time [`RateLimit::calls`] speaks of; a second where nothing is said.
    #[serde(with = "time::option", skip_serializing_if = "Option::is_none")]
    pub period: Option<Duration>,
    /// Calls at the same time, in all runs together; more wait their turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_concurrent: Option<u32>,
}

impl RateLimit {
    /// Whether nothing is said.
    pub fn is_unbounded(&self) -> bool {
        *self == Self::default()
    }
}

impl Policy {
    /// This policy with what `other` says put over it, part by part. What protects somebody is
    /// added to and never taken away: the fields nobody may see.
    #[must_use]
    pub fn with(self, other: &Self) -> Self {
        Self {
            timeout: other.timeout.or(self.timeout),
            idle_timeout: other.idle_timeout.or(self.idle_timeout),
            retry: other.retry.or(self.retry),
            breaker: other.breaker.or(self.breaker),
            cache: other.cache.or(self.cache),
            rate: RateLimit {
                per_run: other.rate.per_run.or(self.rate.per_run),
                calls: other.rate.calls.or(self.rate.calls),
                period: other.rate.period.or(self.rate.period),
                max_concurrent: other.rate.max_concurrent.or(self.rate.max_concurrent),
            },
            redact: both(self.redact, &other.redact),
        }
    }
}

/// All of `one`, and what only `other` has.
fn both(mut one: Vec<String>, other: &[String]) -> Vec<String> {
    for name in other {
        if !one.contains(name) {
            one.push(name.clone());
        }
    }
    one
}
